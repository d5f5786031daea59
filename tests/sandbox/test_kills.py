"""Whatever is killed, no process and no file stays behind, and the session goes on."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tabchat.errors import InterruptedByUserError
from tabchat.sandbox.policy import SandboxPolicy
from tabchat.sandbox.reply.outcome import Ending, SandboxOutcome
from tabchat.sandbox.runner import Sandbox
from tests.sandbox.asking import run, run_unguarded
from tests.sandbox.processes import child_of, children, gone, watched_worker


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    """Return a sandbox that these tests may break; without statistics it is warm sooner."""
    with Sandbox(SandboxPolicy(with_stats=False)) as own:
        yield own


ROOT = Path(__file__).parent.parent.parent
LOOP = "while True: pass"


def outcome_while(sandbox: Sandbox, act: Any) -> SandboxOutcome:
    """Run an endless loop, call `act` with the numbers of the warm process and of the worker meanwhile."""
    sandbox.await_warm()
    outcomes: list[SandboxOutcome] = []
    thread = threading.Thread(target=lambda: outcomes.append(run_unguarded(sandbox, LOOP)))
    standby = sandbox.standby_pid
    assert standby is not None
    thread.start()
    act(standby, child_of(standby))
    thread.join()
    return outcomes[0]


def test_a_killed_worker_is_a_crash_and_the_next_one_answers(sandbox: Sandbox) -> None:
    workers = []

    def kill(_: int, worker: int) -> None:
        workers.append(worker)
        os.kill(worker, signal.SIGKILL)

    outcome = outcome_while(sandbox, kill)
    assert outcome.ending is Ending.CRASHED
    assert "SIGKILL" in str(outcome.error())
    assert gone(*workers)
    assert run(sandbox, "result = len(df)").value == 3


def test_a_warm_process_that_died_is_replaced_before_the_next_run(sandbox: Sandbox) -> None:
    sandbox.await_warm()
    first = sandbox.standby_pid
    assert first is not None
    os.kill(first, signal.SIGKILL)
    assert gone(first)
    assert not sandbox.warm
    outcome = run(sandbox, "result = len(df)")
    assert outcome.value == 3
    assert sandbox.standby_pid != first
    assert sandbox.warm


def test_another_thread_stops_the_run_and_nothing_else(sandbox: Sandbox) -> None:
    outcome = outcome_while(sandbox, lambda *_: sandbox.cancel())
    assert outcome.ending is Ending.CANCELLED
    assert isinstance(outcome.error(), InterruptedByUserError)
    assert sandbox.warm
    sandbox.cancel()
    assert run(sandbox, "result = len(df)").value == 3


def test_closing_ends_a_run(sandbox: Sandbox) -> None:
    outcome = outcome_while(sandbox, lambda *_: sandbox.close())
    assert outcome.ending is Ending.CANCELLED
    assert sandbox.standby_pid is None


def test_nothing_outlives_the_session(sandbox: Sandbox) -> None:
    run(sandbox, "result = 1")
    standby = sandbox.standby_pid
    assert standby is not None
    assert children(standby) == []
    sandbox.close()
    assert gone(standby)
    assert sandbox.standby_pid is None
    assert run(sandbox, "result = len(df)").value == 3


@contextmanager
def session(*codes: str, temporary: Path) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """Start a session of its own, and yield it with the number of its warm process."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.sandbox.session", *codes],
        stdout=subprocess.PIPE,
        text=True,
        cwd=ROOT,
        env=os.environ | {"TMPDIR": str(temporary)},
        start_new_session=True,
    )
    assert process.stdout is not None
    try:
        yield process, int(process.stdout.readline())
    finally:
        process.kill()
        process.wait(timeout=60)
        process.stdout.close()


def test_a_killed_session_leaves_no_process_and_no_file(tmp_path: Path) -> None:
    with session(LOOP, temporary=tmp_path) as (process, standby):
        worker = watched_worker(process.pid, standby)
        process.kill()
        assert gone(standby, worker)
    assert list(tmp_path.iterdir()) == []


def test_a_session_that_is_killed_while_libraries_load_leaves_none(tmp_path: Path) -> None:
    with session(LOOP, temporary=tmp_path) as (process, standby):
        process.kill()
        assert gone(standby)


def test_a_killed_warm_process_takes_its_worker_along(tmp_path: Path) -> None:
    with session(LOOP, "result = 7", temporary=tmp_path) as (process, standby):
        worker = watched_worker(process.pid, standby)
        os.kill(standby, signal.SIGKILL)
        assert gone(worker)
        assert process.stdout is not None
        crashed, answered = process.stdout.read().splitlines()
        assert process.wait(timeout=60) == 0
    assert crashed == "crashed"
    value, replaced = answered.split()
    assert (value, replaced != str(standby)) == ("7", True)


def test_ctrl_c_ends_the_run_and_nothing_else(tmp_path: Path) -> None:
    with session(LOOP, "result = 7", temporary=tmp_path) as (process, standby):
        worker = watched_worker(process.pid, standby)
        process.send_signal(signal.SIGINT)
        assert process.stdout is not None
        said = process.stdout.read()
        assert process.wait(timeout=60) == 0
    assert said.splitlines() == ["interrupted", f"7 {standby}"]
    assert gone(standby, worker)
