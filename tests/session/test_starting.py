"""The engine of a session starts when it is first needed, once, and with the tables that were given a name before."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlglot import exp

from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.limits import Limits
from tabchat.engine.reader import TableCache, open_table
from tabchat.engine.table import ReadOptions, Table
from tabchat.errors import InputError, InterruptedByUserError, QueryFailedError
from tabchat.session.starting import EngineOnDemand
from tests.conftest import EXAMPLES
from tests.seals import SEAL

COUNT = exp.select(exp.Count(this=exp.Star()))


@pytest.fixture
def started() -> list[BoundedDuckDBEngine]:
    return []


@pytest.fixture
def start(tmp_path: Path, started: list[BoundedDuckDBEngine]) -> Callable[[], BoundedDuckDBEngine]:
    def make() -> BoundedDuckDBEngine:
        started.append(
            BoundedDuckDBEngine(
                spill=tmp_path / "spill", folders=[tmp_path / "tables"], limits=Limits(threads=1)
            )
        )
        return started[-1]

    return make


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    cache = TableCache(tmp_path / "tables", 10**9, seal=SEAL)
    yield open_table(EXAMPLES / "sales.csv", options=ReadOptions(), cache=cache)
    cache.close()


def test_it_starts_once_and_knows_the_tables_of_before_and_after(
    start: Callable[[], BoundedDuckDBEngine], started: list[BoundedDuckDBEngine], table: Table
) -> None:
    engine = EngineOnDemand(start)
    engine.attach_table(table)
    engine.cancel()
    assert engine.share_done() is None
    holds = [engine, engine.for_sql(), engine.fork()]
    assert started == []
    threads = [threading.Thread(target=hold.started) for hold in holds]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(started) == 1
    for hold in holds:
        assert hold.rows(COUNT.from_(exp.to_table(table.name))) == [(5000,)]
    engine.close()
    with pytest.raises(QueryFailedError, match="closed"):
        engine.rows(COUNT.from_(exp.to_table(table.name)))


def test_who_waits_for_it_is_stopped_and_the_next_is_not(
    start: Callable[[], BoundedDuckDBEngine], table: Table
) -> None:
    may_start = threading.Event()
    raised: list[InterruptedByUserError] = []

    def when_allowed() -> BoundedDuckDBEngine:
        may_start.wait()
        return start()

    def ask() -> None:
        with pytest.raises(InterruptedByUserError) as caught:
            engine.rows(COUNT.from_(exp.to_table(table.name)))
        raised.append(caught.value)

    engine = EngineOnDemand(when_allowed)
    engine.attach_table(table)
    asking = threading.Thread(target=ask)
    asking.start()
    while not engine._awaiting:
        time.sleep(0.001)
    engine.cancel()
    may_start.set()
    asking.join()
    assert len(raised) == 1
    assert engine.rows(COUNT.from_(exp.to_table(table.name))) == [(5000,)]
    engine.close()


def test_one_that_is_closed_before_is_never_started(
    start: Callable[[], BoundedDuckDBEngine], started: list[BoundedDuckDBEngine]
) -> None:
    engine = EngineOnDemand(start)
    engine.close()
    with pytest.raises(QueryFailedError, match="closed"):
        engine.rows(COUNT)
    assert started == []


def test_what_starting_it_raises_is_raised_by_everything_that_needs_it() -> None:
    def start() -> BoundedDuckDBEngine:
        raise InputError("There is no engine.")

    engine = EngineOnDemand(start)
    for _ in range(2):
        with pytest.raises(InputError, match="no engine"):
            engine.rows(COUNT)
    engine.close()
