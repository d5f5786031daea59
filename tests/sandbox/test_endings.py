"""Every way in which an execution ends has a name of its own, and a sentence."""

import datetime as dt
import zoneinfo

import pytest

from tabchat.errors import CodeFailedError, CodeRefusedError, QueryTimeoutError
from tabchat.sandbox.policy import Purpose, SandboxPolicy
from tabchat.sandbox.reply.outcome import Ending, ResultForm
from tabchat.sandbox.runner import Sandbox
from tests.sandbox.asking import run, run_unguarded

LOOP = "n = 0\nwhile True:\n    n += 1"


def test_an_answer_says_which_walls_stood(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "result = df['amount'].sum()")
    assert (outcome.ending, outcome.form, outcome.value) == (Ending.ANSWERED, ResultForm.SCALAR, 7.5)
    assert outcome.walls.names == ("landlock", "limits", "seccomp")
    assert not outcome.walls.degraded
    outcome.raise_for_ending()


def test_every_family_of_functions_is_loaded_ahead(sandbox: Sandbox) -> None:
    sandbox.await_warm()
    assert sandbox.unloaded == ()


def test_every_time_zone_is_known_behind_the_lock(sandbox: Sandbox) -> None:
    code = (
        "moment = pd.Timestamp('2024-07-01', tz='UTC')\n"
        "result = [str(moment.tz_convert(name).utcoffset()) for name in names]"
    )
    names = sorted(zoneinfo.available_timezones())
    outcome = run_unguarded(sandbox, f"names = {names!r}\n{code}")
    outcome.raise_for_ending()
    moment = dt.datetime(2024, 7, 1, tzinfo=dt.UTC)
    expected = [str(moment.astimezone(zoneinfo.ZoneInfo(name)).utcoffset()) for name in names]
    assert outcome.table is not None
    assert outcome.table.column("value").to_pylist() == expected


def test_the_guard_refuses_before_anything_runs(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "result = 1\nimport os")
    assert outcome.ending is Ending.REFUSED
    assert [problem.line for problem in outcome.problems] == [2]
    with pytest.raises(CodeRefusedError, match="line 2: "):
        outcome.raise_for_ending()


def test_code_that_leaves_nothing_is_told_where_to_leave_it(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "total = df['amount'].sum()")
    assert outcome.ending is Ending.NO_RESULT
    with pytest.raises(CodeFailedError) as raised:
        outcome.raise_for_ending()
    assert "`result`" in (raised.value.hint or "")


def test_an_edit_that_is_not_committed_changes_nothing(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "df['units'] = 0", purpose=Purpose.EDIT)
    assert outcome.ending is Ending.NO_RESULT
    assert outcome.table is None


def test_an_exception_tells_its_class_its_message_and_the_line(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "first = df['amount'].sum()\nresult = df['units'].astype('int') / df['region']")
    assert outcome.ending is Ending.RAISED
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.line) == ("TypeError", 2)
    error = outcome.error()
    assert isinstance(error, CodeFailedError)
    assert error.plain == "The code failed with TypeError in line 2."
    assert error.message.startswith("The code failed with TypeError in line 2: ")


def test_cells_stay_out_of_the_plain_account(sandbox: Sandbox) -> None:
    outcome = run(sandbox, "result = df['region'].astype(float)")
    error = outcome.error()
    assert isinstance(error, CodeFailedError)
    assert "north" in error.message
    assert "north" not in (error.plain or "")


def test_the_clock_stops_a_loop(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, LOOP, policy=SandboxPolicy(wall_seconds=0.3))
    assert outcome.ending is Ending.TIMED_OUT
    with pytest.raises(QueryTimeoutError, match=r"0\.3 s"):
        outcome.raise_for_ending()


def test_a_process_that_ignores_every_signal_is_stopped_all_the_same(sandbox: Sandbox) -> None:
    stubborn = (
        "import signal\n"
        "for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:\n"
        "    try:\n"
        "        signal.signal(number, signal.SIG_IGN)\n"
        "    except (OSError, ValueError):\n"
        "        continue\n" + LOOP
    )
    outcome = run_unguarded(sandbox, stubborn, policy=SandboxPolicy(wall_seconds=0.5))
    assert outcome.ending is Ending.TIMED_OUT
    assert run(sandbox, "result = len(df)").value == 3


def test_a_process_that_hangs_up_and_goes_on_is_stopped(sandbox: Sandbox) -> None:
    # Not `closerange`: where the kernel refuses to close many at once, some C libraries abort.
    hung_up = "import contextlib, os\nfor fd in range(3, 64):\n    with contextlib.suppress(OSError):\n        os.close(fd)\n"
    hung_up += LOOP
    outcome = run_unguarded(sandbox, hung_up, policy=SandboxPolicy(wall_seconds=0.5))
    assert outcome.ending is Ending.TIMED_OUT


def test_processor_time_is_bounded(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, LOOP, policy=SandboxPolicy(wall_seconds=60, cpu_seconds=1))
    assert outcome.ending is Ending.OUT_OF_CPU
    assert "1 s of processor time" in str(outcome.error())


@pytest.mark.parametrize(
    "code",
    [
        "result = np.ones(10**9).sum()",
        "cells = [df]\nwhile True:\n    cells = cells + cells",
        "x = 'a' * 10**10",
    ],
)
def test_memory_is_bounded(sandbox: Sandbox, code: str) -> None:
    outcome = run_unguarded(sandbox, code)
    assert outcome.ending is Ending.OUT_OF_MEMORY
    assert "1,024 MB" in str(outcome.error())


@pytest.mark.parametrize("code", ["import os\nos._exit(0)", "import os\nos._exit(7)", "raise SystemExit"])
def test_an_early_exit_is_no_answer(sandbox: Sandbox, code: str) -> None:
    assert run_unguarded(sandbox, "result = 1\n" + code).ending is Ending.EXITED


def test_a_crash_names_its_signal(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "import ctypes\nctypes.string_at(8)")
    assert outcome.ending is Ending.CRASHED
    assert "SIGSEGV" in str(outcome.error())


def test_code_that_kills_itself_crashed(sandbox: Sandbox) -> None:
    outcome = run_unguarded(sandbox, "import os\nos.abort()")
    assert outcome.ending is Ending.CRASHED
    assert "SIGABRT" in str(outcome.error())


def test_an_exception_that_cannot_describe_itself_is_still_one(sandbox: Sandbox) -> None:
    code = "class Mute(Exception):\n    def __str__(self):\n        raise RuntimeError\nraise Mute"
    outcome = run_unguarded(sandbox, code)
    assert outcome.ending is Ending.RAISED
    assert outcome.failure is not None
    assert (outcome.failure.kind, outcome.failure.line) == ("Mute", 4)


def test_a_table_over_the_limit_is_not_handed_over(sandbox: Sandbox) -> None:
    with pytest.raises(CodeFailedError, match="takes more than the 0 MB"):
        run(sandbox, "result = 1", policy=SandboxPolicy(max_table_mb=0))
    assert run(sandbox, "result = 1").value == 1
