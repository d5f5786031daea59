"""Tasks that run on although their query is over: Spark ends one between two rows that it reads, and not before.

A join without an equality reads few rows and compares them all, so its task goes on for hours, and has its thread all the
while. A cluster can end the process that runs it (`spark.task.reaper.enabled` and `spark.task.reaper.killTimeout`);
of a Spark that is one process Spark never does, and stopping the Spark within leaves the thread as well
(apache/spark, Executor.scala, `TaskReaper`).
"""

from __future__ import annotations

import contextlib
import time
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import QueryFailedError
from tabchat.waiting import LOOK_EVERY

if TYPE_CHECKING:
    from tabchat.engine.backends.spark.connection import Connection
    from tabchat.engine.backends.spark.running import Job
    from tabchat.errors import TabchatError

GRACE: Final = 2.0
"""Seconds that tasks may take to end after their query is over."""


def settled(error: TabchatError, job: Job, connection: Connection) -> TabchatError:
    """See to it that nothing of a query that failed or was stopped keeps a thread, and return `error` with what became of it.

    A Spark of this machine whose tasks do not end is ended itself. Of any other one it is only told what runs there.
    """
    if job.spark.is_remote:
        # A server does not tell more.
        is_left = job.is_stopped and job.running
        return error.remarked(_ON_A_SERVER.format(tasks=_tasks(job.running))) if is_left else error
    left = _awaited(job) if job.has_begun else 0
    if job.spark.has_ended:
        return error if job.spark.was_stopped or job.is_stopped else QueryFailedError(_GONE, hint=_MEMORY)
    if job.spark.computes_here and (left or job.goes_on):
        connection.end(job.spark)
        return error.remarked(_HERE)
    return error.remarked(_ELSEWHERE.format(tasks=_tasks(left))) if left else error


_HERE: Final = (
    "Its tasks on Spark would not end, so Spark was ended with them; the next question starts it again."
)
_ELSEWHERE: Final = "Spark still runs {tasks} of stopped queries; each ends at the next row that it reads."
_ON_A_SERVER: Final = "On the server {tasks} ran then; each ends at the next row that it reads."
_GONE: Final = "Spark ended by itself while it ran the query."
_MEMORY: Final = (
    "It may have lacked memory: set spark.driver.memory in Spark's spark-defaults.conf, and ask again."
)


def _tasks(count: int) -> str:
    return f"{count:,} task{'' if count == 1 else 's'}"


def _awaited(job: Job) -> int:
    """Wait a moment for a query that is over to end, and return how many of its tasks run on."""
    from py4j.protocol import Py4JError

    ends = time.monotonic() + GRACE
    left = 0
    # Who presses Ctrl-C again does not want to wait.
    with contextlib.suppress(KeyboardInterrupt):
        while not job.spark.has_ended:
            try:
                left = _left(job)
            except (OSError, Py4JError):
                # It is about to end, or nothing can be known of it any more.
                left = 1
            if not (left or job.goes_on) or time.monotonic() > ends:
                break
            time.sleep(LOOK_EVERY)
    return left


def _left(job: Job) -> int:
    """Return how many tasks run that belong to no other query."""
    tracker = job.spark.session.sparkContext._jsc.sc().statusTracker()  # noqa: SLF001 - Python's own knows no tags
    before = _of_others(tracker, job)
    running: int = sum(executor.numRunningTasks() for executor in tracker.getExecutorInfos())
    # Those of others come and go meanwhile: one too many would hide one that stays.
    return max(0, running - min(before, _of_others(tracker, job)))


def _of_others(tracker: Any, job: Job) -> int:
    """Return how many tasks run for other queries."""
    own = {
        stage
        for number in tracker.getJobIdsForTag(job.tag)
        for stage in _found(tracker.getJobInfo(number), "stageIds", ())
    }
    others = set(tracker.getActiveStageIds()) - own
    return sum(_found(tracker.getStageInfo(stage), "numActiveTasks", 0) for stage in others)


def _found(option: Any, name: str, default: Any) -> Any:
    """Return what an Option of Scala has by the name of a getter, or what stands for nothing."""
    return getattr(option.get(), name)() if option.isDefined() else default
