from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

import pytest
from sqlglot import parse_one

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.interrupts import cancelling
from tabchat.errors import InterruptedByUserError

if TYPE_CHECKING:
    from pathlib import Path

# A join whose rows cannot all be counted within anyone's patience.
ENDLESS = "SELECT count(*) FROM range(1000000) AS a, range(10000000) AS b WHERE a.range * b.range % 7 = 3"


def _press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.fixture(autouse=True)
def default_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.mark.parametrize("method", ["rows", "materialise", "execute"])
def test_ctrl_c_stops_a_running_query_and_the_engine_goes_on(method: str, tmp_path: Path) -> None:
    engine = DuckDBEngine(spill=tmp_path / "spill")
    query = parse_one(ENDLESS, read="duckdb")
    threading.Timer(0.1, _press_ctrl_c).start()

    with pytest.raises((KeyboardInterrupt, InterruptedByUserError)), cancelling(engine.cancel):
        list(getattr(engine, method)(query))

    assert engine.rows(parse_one("SELECT 1")) == [(1,)]  # type: ignore[arg-type]
    engine.close()


def test_other_signals_and_quiet_blocks_cancel_nothing() -> None:
    cancelled: list[int] = []
    previous = signal.signal(signal.SIGUSR1, lambda *_: None)
    try:
        with cancelling(lambda: cancelled.append(1)):
            os.kill(os.getpid(), signal.SIGUSR1)
    finally:
        signal.signal(signal.SIGUSR1, previous)

    assert cancelled == []
    assert signal.set_wakeup_fd(-1) == -1


def test_other_threads_run_their_block_unwatched() -> None:
    ran: list[bool] = []

    def work() -> None:
        with cancelling(lambda: None):
            ran.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()

    assert ran == [True]
