"""A program: two queries on one local Spark, one of which is stopped and does not end; then a Spark that is killed, and a
guest on one that another session started.

Prints what became of each as JSON. Usage: python -m tests.spark.beside DELTA_FOLDER CSV_FOLDER
"""

from __future__ import annotations

import json
import os
import sys
import threading
import time
from typing import TYPE_CHECKING, Final

from tabchat.config import load_settings
from tabchat.engine.backends.spark.engine import SparkEngine
from tabchat.errors import TabchatError
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

FOR_HOURS: Final = (
    "SELECT count(*) FROM {table} a, {table} b, {table} c, {table} d "
    "WHERE a.revenue + b.revenue * c.revenue - d.revenue = 0.123456"
)
PAIRS: Final = "SELECT count(*), sum(a.quantity) FROM delta a, delta b WHERE a.revenue + b.revenue > 0 AND a.order_id % {part} = 0"

FAILING: Final = (
    "SELECT list(revenue) FROM delta",
    "SELECT sum(1 // (quantity - quantity)) FROM delta",
    "SELECT sum(CAST(region AS INTEGER)) FROM delta",
)


class Asked:
    """A query on a thread of its own."""

    def __init__(self, session: Session, sql: str) -> None:
        self.session, self.engine = session, spark_of(session)
        self.told = ""
        self._thread = threading.Thread(target=self._run, args=(sql,))
        self._thread.start()
        await_that(lambda: self.engine.share_done() is not None or not self._thread.is_alive())

    def _run(self, sql: str) -> None:
        self.told = answered(self.session, sql)

    @property
    def is_running(self) -> bool:
        """Whether it has no answer yet."""
        return self._thread.is_alive()

    def join(self) -> str:
        """Wait for it, and return what became of it."""
        self._thread.join()
        return self.told


def answered(session: Session, sql: str) -> str:
    """Return the rows of a query, or what is said of why there are none."""
    try:
        block = session.sql(sql).block
    except TabchatError as error:
        return error.message
    return str(block.result.frame.rows()) if block is not None else ""


def spark_of(session: Session) -> SparkEngine:
    """Return the engine of a session."""
    engine = session.engine.started()
    if not isinstance(engine, SparkEngine):
        raise TypeError(engine)
    return engine


def await_that(holds: Callable[[], bool]) -> None:
    """Wait until something holds; whoever started this program gives it up."""
    while not holds():
        time.sleep(0.05)


def await_last_stage(engine: SparkEngine) -> None:
    """Wait until all that is left of the only query is the join: stopped before its last stage, it ends as any other."""
    tracker = engine.session.sparkContext.statusTracker()

    def joins() -> bool:
        jobs = [tracker.getJobInfo(number) for number in tracker.getActiveJobsIds()]
        # A table that is sent to all tasks has a job of its own, of one stage; the join is followed by a count.
        counted = [job for job in jobs if job is not None and len(job.stageIds) > 1]
        stages = [tracker.getStageInfo(number) for job in counted for number in job.stageIds]
        return any(stage is not None and stage.numActiveTasks for stage in stages)

    await_that(joins)
    time.sleep(1)


def kill(engine: SparkEngine) -> None:
    """Kill the JVM."""
    process = engine._connection.link().spark.gateway.proc
    process.kill()
    process.wait()


def main(sources: list[str]) -> dict[str, object]:
    """Run the queries on a Spark of two threads, which leave to others what processors they want."""
    os.nice(19)
    settings = load_settings({"engine": "spark", "spark": "local[2]", "order_by": ["order_id"]})
    with Session.open(sources, settings=settings) as session:
        first = spark_of(session)._connection.link()
        refused = [answered(session, text) for text in FAILING]
        is_kept = spark_of(session)._connection.link() is first
        stopped, beside, was_cut, part = "", "", False, 16
        # The one beside it is to be under way then.
        while "ended" not in stopped or not was_cut:
            part = max(1, part // 2)
            one = Asked(session.fork(), FOR_HOURS.format(table="texts"))
            await_last_stage(one.engine)
            other = Asked(session.fork(), PAIRS.format(part=part))
            one.session.cancel()
            stopped, was_cut, beside = one.join(), other.is_running, other.join()
        last = Asked(session.fork(), FOR_HOURS.format(table="texts"))
        kill(last.engine)
        crashed = last.join()
        after = answered(session, "SELECT count(*) FROM delta")
        with Session.open(sources, settings=settings) as guest:
            told = ""
            while "still runs" not in told:
                one = Asked(guest.fork(), FOR_HOURS.format(table="texts"))
                await_last_stage(one.engine)
                one.session.cancel()
                told = one.join()
    return {
        "refused": refused,
        "is_kept": is_kept,
        "stopped": stopped,
        "beside": beside,
        "asked": PAIRS.format(part=part),
        "crashed": crashed,
        "after": after,
        "guest": told,
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(sys.argv[1:])))
