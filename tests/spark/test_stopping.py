"""A query that is stopped ends on Spark as well, and the next one is answered."""

import os
import re
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tabchat.config import load_settings
from tabchat.engine.backends.spark.engine import SparkEngine
from tabchat.errors import InterruptedByUserError, QueryTimeoutError
from tabchat.session import Session
from tests.conftest import Example
from tests.spark.server import ConnectServer

FOR_HOURS = (
    "SELECT count(*) FROM sales a, sales b, sales c, sales d "
    "WHERE a.revenue + b.revenue * c.revenue - d.revenue = 0.123456"
)
ON_A_SERVER = re.compile(
    r"stopped\. On the server \d+ tasks? ran then; each ends at the next row that it reads\.$"
)
PATIENCE = 60.0


@pytest.fixture(scope="module", params=["here", "server"])
def address(request: pytest.FixtureRequest) -> str:
    if request.param == "here":
        request.getfixturevalue("engine")
        return "local[2]"
    server: ConnectServer = request.getfixturevalue("server")
    return server.address


def _opened(path: Path, address: str, **settings: Any) -> Session:
    return Session.open([path], settings=load_settings({"engine": "spark", "spark": address, **settings}))


def _spark(session: Session) -> SparkEngine:
    engine = session.engine.started()
    assert isinstance(engine, SparkEngine)
    return engine


def _await(held: Callable[[], object]) -> None:
    ends = time.monotonic() + PATIENCE
    while not held():
        assert time.monotonic() < ends
        time.sleep(0.05)


def _has_tasks(engine: SparkEngine) -> bool:
    return not engine.address.startswith("sc://") or any(job.running for job in engine._jobs)


def _runs_nothing(engine: SparkEngine) -> bool:
    if engine.address.startswith("sc://"):
        # Returns what it had to stop.
        return not engine.session.interruptAll()
    return not engine.session.sparkContext.statusTracker().getActiveJobsIds()


def test_ctrl_c_stops_it_there_and_the_next_question_is_answered(example: Example, address: str) -> None:
    with _opened(example("sales.csv"), address) as session:
        engine = _spark(session)

        def press() -> None:
            # It is told how far it is, so it runs.
            _await(lambda: engine.share_done() is not None and _has_tasks(engine))
            os.kill(os.getpid(), signal.SIGINT)

        pressing = threading.Thread(target=press)
        pressing.start()
        with pytest.raises(InterruptedByUserError) as caught:
            session.sql(FOR_HOURS)
        pressing.join()
        # A server tells what ran there, and not whether it goes on.
        assert bool(ON_A_SERVER.search(caught.value.message)) is address.startswith("sc://")
        _await(lambda: _runs_nothing(engine))
        assert session.query({"select": "count()"}).block is not None


def test_the_end_of_its_time_stops_it_there(example: Example, address: str) -> None:
    with _opened(example("sales.csv"), address, timeout=1) as session:
        with pytest.raises(QueryTimeoutError, match="longer than 1 s"):
            session.sql(FOR_HOURS)
        engine = _spark(session)
        _await(lambda: _runs_nothing(engine))
    with _opened(example("sales.csv"), address) as session:
        assert session.query({"select": "count()"}).block is not None
