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

from tabchat.waiting import LOOK_EVERY

if TYPE_CHECKING:
    from tabchat.engine.backends.spark.connection import Connection
    from tabchat.engine.backends.spark.running import Job

GRACE: Final = 3.0
"""Seconds that tasks may take to end after their query is over."""


def settle(job: Job, connection: Connection) -> str:
    """See to it that nothing of a query that failed or was stopped keeps a thread, and return what a person is to know of it.

    A Spark of this machine whose tasks do not end is ended itself. Of any other one it is only told what runs there.
    """
    if job.spark.is_remote:
        return _ON_A_SERVER.format(tasks=_tasks(job.running)) if job.is_stopped and job.running else ""
    left = _awaited(job)
    if not left and job.done.is_set():
        return ""
    if not job.spark.computes_here:
        return _ELSEWHERE.format(tasks=_tasks(left)) if left else ""
    connection.end(job.spark)
    return _HERE


_HERE: Final = (
    "Its tasks on Spark would not end, so Spark was ended with them; the next question starts it again."
)
_ELSEWHERE: Final = "Spark still runs {tasks} of stopped queries; each ends at the next row that it reads."
_ON_A_SERVER: Final = "On the server {tasks} ran then; each ends at the next row that it reads."


def _tasks(count: int) -> str:
    return f"{count:,} task{'' if count == 1 else 's'}"


def _awaited(job: Job) -> int:
    """Wait a moment for the tasks of a query that is over, and return how many run on."""
    ends = time.monotonic() + GRACE
    # Who presses Ctrl-C again does not want to wait.
    with contextlib.suppress(KeyboardInterrupt):
        while not job.spark.has_ended and _left(job) and time.monotonic() < ends:
            time.sleep(LOOK_EVERY)
    return 0 if job.spark.has_ended else _left(job)


def _left(job: Job) -> int:
    """Return how many tasks run that belong to no other query."""
    tracker = job.spark.session.sparkContext._jsc.sc().statusTracker()  # noqa: SLF001 - Python's own knows no tags
    own = {
        stage
        for number in tracker.getJobIdsForTag(job.tag)
        for stage in _found(tracker.getJobInfo(number), "stageIds", ())
    }
    others: int = sum(
        _found(tracker.getStageInfo(stage), "numActiveTasks", 0)
        for stage in set(tracker.getActiveStageIds()) - own
    )
    running: int = sum(executor.numRunningTasks() for executor in tracker.getExecutorInfos())
    return max(0, running - others)


def _found(option: Any, name: str, default: Any) -> Any:
    """Return what an Option of Scala has by the name of a getter, or what stands for nothing."""
    return getattr(option.get(), name)() if option.isDefined() else default
