"""Running SQL on Spark: its rows as Arrow, at most so many, with a tag by which it is stopped and watched."""

from __future__ import annotations

import contextlib
import math
import secrets
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.backends.spark.errors import query_error
from tabchat.errors import InterruptedByUserError, QueryFailedError, QueryTimeoutError
from tabchat.record import record
from tabchat.waiting import await_event

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

    from tabchat.engine.backends.spark.starting import Running

_PATIENCE: Final = 10.0
"""Seconds that a query which Ctrl-C stops is waited for."""
_ASK_EVERY: Final = 0.2
"""Seconds between two requests to stop it."""


@dataclass(eq=False)
class Job:
    """A query that runs on Spark."""

    spark: Running
    tag: str = field(default_factory=lambda: f"tabchat-{secrets.token_hex(8)}")
    is_stopped: bool = False
    is_expired: bool = False
    share: float | None = None
    """What a server said last of how far it is."""
    running: int = 0
    """Tasks that ran on a server when it last told of any."""
    has_begun: bool = False
    done: threading.Event = field(default_factory=threading.Event)

    @property
    def goes_on(self) -> bool:
        """Whether it was handed to Spark, and has not come back."""
        return self.has_begun and not self.done.is_set()

    def expire(self) -> None:
        """Stop it as its time is up."""
        self.is_expired = True
        self.stop()

    def stop(self, patience: float = math.inf) -> None:
        """Stop it, and ask again until it ends: before it is planned, Spark has nothing of that tag to stop."""
        ends = time.monotonic() + patience
        self.cancel()
        while not self.done.wait(_ASK_EVERY) and time.monotonic() < ends:
            self.cancel()

    def cancel(self) -> None:
        """Ask Spark once to stop it; safe to call from another thread, and again."""
        self.is_stopped = True
        with _while_it_runs(self.spark):
            if self.spark.is_remote:
                self.spark.session.interruptTag(self.tag)
            else:
                # The session of a Spark of this process finds only the tags of the thread that asks.
                self.spark.session.sparkContext.cancelJobsWithTag(self.tag)

    def mark(self) -> None:
        """Let what this thread runs from here on bear the tag: tags belong to threads."""
        if self.spark.is_remote:
            self.spark.session.addTag(self.tag)
            return
        context = self.spark.session.sparkContext
        context.addJobTag(self.tag)
        # Else a task that is stopped goes on over the rows that it has, and the next query waits for it.
        context.setInterruptOnCancel(True)


@record
class Bounds:
    """What a query may take."""

    rows: int
    """Rows of its result that come to this machine at most."""
    seconds: float | None = None
    """Seconds that it may run; no limit when absent."""


def collect(job: Job, sql: str, width: int, *, jobs: set[Job], bounds: Bounds) -> pa.Table:
    """Run `sql` as `job`, one of `jobs` meanwhile, and return its rows, columns called `c0`, `c1` and so on.

    Raises `QueryFailedError` where they are more than may come, `QueryTimeoutError`, and `InterruptedByUserError`.
    """
    jobs.add(job)
    clock = threading.Timer(bounds.seconds, job.expire) if bounds.seconds is not None else None
    if clock is not None:
        clock.daemon = True
        clock.start()
    try:
        rows = _run(job, sql, width, bounds.rows + 1)
    except InterruptedByUserError:
        if not job.is_expired:
            raise
        message = f"The query ran longer than {bounds.seconds:g} s and was stopped."
        raise QueryTimeoutError(message, hint="Give it longer with --timeout, or ask for less.") from None
    finally:
        jobs.discard(job)
        if clock is not None:
            clock.cancel()
    if rows.num_rows > bounds.rows:
        message = f"The result has more than {bounds.rows:,} rows, which is the most that comes from Spark to this machine."
        hint = "Aggregate or filter it, or allow more with TABCHAT_SPARK_ROWS."
        raise QueryFailedError(message, hint=hint, plain=message)
    return rows


def _run(job: Job, sql: str, width: int, limit: int) -> pa.Table:
    found: list[pa.Table] = []
    failed: list[BaseException] = []

    def told(*, stages: Iterable[Any] | None, inflight_tasks: int, done: bool, **_: object) -> None:
        # Of every query of the session; each is told in the thread that waits for it.
        if threading.current_thread() is worker and not done:
            job.share = _share((stage.num_tasks, stage.num_completed_tasks) for stage in stages or ())
            job.running = inflight_tasks or job.running

    def work() -> None:
        try:
            job.mark()
            if job.spark.is_remote:
                job.spark.session.registerProgressHandler(told)
            frame = job.spark.session.sql(sql).toDF(*(f"c{place}" for place in range(width)))
            found.append(frame.limit(limit).toArrow())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failed.append(error)
        finally:
            if job.spark.is_remote:
                job.spark.session.removeProgressHandler(told)
            job.done.set()

    worker = threading.Thread(target=work, name="tabchat-spark", daemon=True)
    job.has_begun = True
    worker.start()
    try:
        await_event(job.done)
    except KeyboardInterrupt:
        # Pressed again, it is not waited for.
        with contextlib.suppress(KeyboardInterrupt):
            job.stop(_PATIENCE)
        raise InterruptedByUserError("The query was stopped.") from None
    if failed:
        error = failed[0]
        if isinstance(error, Exception):
            raise query_error(error, stopped=job.is_stopped) from error
        raise error
    return found[0]


def share_of(job: Job) -> float | None:
    """Return the share of a query's tasks that are done; None where that is not known."""
    if job.spark.is_remote:
        return job.share
    tasks: list[tuple[int, int]] = []
    with _while_it_runs(job.spark):
        tracker = job.spark.session.sparkContext.statusTracker()
        stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
        tasks += [(stage.numTasks, stage.numCompletedTasks) for stage in stages if stage is not None]
    return _share(tasks)


@contextlib.contextmanager
def _while_it_runs(spark: Running) -> Iterator[None]:
    """Let pass what fails as the Spark has ended meanwhile, and all of its queries with it."""
    try:
        yield
    except Exception:
        if not spark.has_ended:
            raise


def _share(stages: Iterable[tuple[int, int]]) -> float | None:
    """Return the share of the tasks of some stages, each with how many it has and how many are done."""
    known = list(stages)
    total = sum(tasks for tasks, _ in known)
    return sum(done for _, done in known) / total if total else None
