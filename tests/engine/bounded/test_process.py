"""A query process has the limits that it should, ends with its query or its session, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.bounded.process import QueryProcess
from tabchat.engine.bounded.worker import HEADROOM
from tabchat.engine.limits import Limits
from tabchat.errors import InterruptedByUserError, QueryFailedError
from tests.attacks.sql_bombs import BOMBS
from tests.sandbox.processes import gone
from tests.sql import parsed

ROOT = Path(__file__).parent.parent.parent.parent
LIMIT = 300_000_000
ENDLESS = parsed(BOMBS["levenshtein"])


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[BoundedDuckDBEngine]:
    made = BoundedDuckDBEngine(spill=tmp_path / "spill", limits=Limits(memory=LIMIT, threads=2))
    yield made
    made.close()


def idle(engine: BoundedDuckDBEngine) -> int:
    """Run a query, and return the number of the process that did."""
    assert engine.for_sql().rows(parsed("SELECT 1")) == [(1,)]
    (pid,) = engine.processes.pids
    return pid


def while_it_runs(engine: BoundedDuckDBEngine, act: object) -> BaseException:
    """Run a query that does not end, call `act` with its process, and return what the query raised."""
    raised: list[BaseException] = []

    def run() -> None:
        try:
            engine.for_sql().rows(ENDLESS)
        except Exception as error:  # noqa: BLE001 - what it is, is the point
            raised.append(error)

    pid = idle(engine)
    thread = threading.Thread(target=run)
    thread.start()
    # While it is only about to be lent, a process that dies is replaced by another.
    while not engine.processes._lent:
        time.sleep(0.005)
    assert callable(act)
    act(pid)
    thread.join()
    assert gone(pid)
    return raised[0]


def test_no_process_is_started_before_there_is_a_query_for_it(engine: BoundedDuckDBEngine) -> None:
    engine.rows(parsed("SELECT 1"))
    assert engine.processes.pids == ()


def test_one_process_answers_one_query_after_the_other(engine: BoundedDuckDBEngine) -> None:
    first = idle(engine)
    with pytest.raises(QueryFailedError):
        engine.for_sql().rows(parsed("SELECT nothing"))
    with pytest.raises(QueryFailedError):
        engine.for_sql().rows(parsed("SELECT x::INT FROM (VALUES ('1'), ('b')) AS v(x)"))
    assert idle(engine) == first


def test_a_process_whose_memory_ran_out_is_asked_nothing_else(engine: BoundedDuckDBEngine) -> None:
    first = idle(engine)
    with pytest.raises(QueryFailedError, match="more memory than it may use"):
        engine.for_sql().rows(parsed(BOMBS["list_resize"]))

    assert first not in engine.processes.pids
    assert gone(first)
    assert idle(engine) != first


def test_queries_at_the_same_time_have_a_process_each(engine: BoundedDuckDBEngine) -> None:
    written = engine.for_sql()

    def count(number: int) -> object:
        return written.rows(parsed(f"SELECT count(*) FROM range({number}000) AS r"))[0][0]

    with ThreadPoolExecutor(3) as pool:
        assert list(pool.map(count, range(9))) == [number * 1000 for number in range(9)]
    assert len(engine.processes.pids) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="the address space is bounded where the kernel counts it")
def test_its_address_space_is_bounded(engine: BoundedDuckDBEngine) -> None:
    pid = idle(engine)
    limits = Path(f"/proc/{pid}/limits").read_text(encoding="ascii").splitlines()
    (bounded,) = [line.split()[3:5] for line in limits if line.startswith("Max address space")]
    (core,) = [line.split()[4:6] for line in limits if line.startswith("Max core file size")]
    held = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    assert bounded[0] == bounded[1]
    # What it holds now may be a little more than when the limit was set.
    assert held - HEADROOM < int(bounded[0]) - LIMIT - HEADROOM <= held
    assert core == ["0", "0"]


def test_cancel_kills_it_and_the_next_query_has_another(engine: BoundedDuckDBEngine) -> None:
    error = while_it_runs(engine, lambda _: engine.cancel())
    assert isinstance(error, InterruptedByUserError)
    idle(engine)


def test_a_query_that_is_cancelled_before_it_has_a_process_does_not_run(
    engine: BoundedDuckDBEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    lend = engine.processes.lend

    def cancelled_meanwhile() -> QueryProcess:
        engine.cancel()
        return lend()

    monkeypatch.setattr(engine.processes, "lend", cancelled_meanwhile)
    with pytest.raises(InterruptedByUserError):
        engine.for_sql().rows(ENDLESS)


def test_a_process_that_crashes_is_told_of(engine: BoundedDuckDBEngine) -> None:
    error = while_it_runs(engine, lambda pid: os.kill(pid, signal.SIGSEGV))
    assert isinstance(error, QueryFailedError)
    assert "SIGSEGV" in error.message
    assert error.plain == "The query needs more memory than it may use."
    idle(engine)


def test_a_process_that_does_not_start_is_told_of(
    engine: BoundedDuckDBEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.executable", "/bin/false")
    with pytest.raises(QueryFailedError, match="did not start"):
        engine.for_sql().rows(parsed("SELECT 1"))
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    with pytest.raises(QueryFailedError, match="cannot be started"):
        engine.for_sql().rows(parsed("SELECT 1"))


def test_what_closes_takes_its_processes_and_their_files_along(tmp_path: Path) -> None:
    engine = BoundedDuckDBEngine(spill=tmp_path / "spill")
    pid = idle(engine)
    stream = engine.for_sql().stream(parsed("SELECT * FROM range(100000000)"), 10)
    next(stream)
    engine.close()
    assert gone(pid)
    stream.close()  # type: ignore[attr-defined] # it is a generator
    assert list(tmp_path.rglob("*")) == []


@contextmanager
def session(folder: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a session whose query does not end; yield it with the number of its query process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.engine.bounded.session", str(folder)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process, int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(timeout=60)
        process.stdout.close()


def test_a_killed_session_leaves_no_process_and_the_next_one_takes_its_spilled_files_away(
    tmp_path: Path,
) -> None:
    with session(tmp_path) as (process, pid):
        process.kill()
        assert gone(pid)
    (left,) = (tmp_path / "spill").iterdir()
    # What the engine would have spilled.
    (left / "duckdb_temp_storage_DEFAULT-0.tmp").write_bytes(bytes(1_000))
    with session(tmp_path) as (process, _):
        (own,) = (tmp_path / "spill").iterdir()
        assert own != left
        process.kill()
    BoundedDuckDBEngine(spill=tmp_path / "spill").close()
    assert list(tmp_path.rglob("*")) == []


def test_ctrl_c_ends_the_query_and_nothing_else(tmp_path: Path) -> None:
    with session(tmp_path) as (process, pid):
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        assert process.stdout.read().splitlines() == ["interrupted", "7"]
        assert process.wait(timeout=60) == 0
    assert gone(pid)
