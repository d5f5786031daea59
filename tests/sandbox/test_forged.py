"""A worker that writes its reply itself, and one that spoils its libraries, harm nobody but themselves."""

import pytest

from tabchat.sandbox.policy import SandboxPolicy
from tabchat.sandbox.reply.outcome import Ending
from tabchat.sandbox.runner import Sandbox
from tests.sandbox.asking import run, run_unguarded

FORGERY = "import os, json, struct\n{made}\nos.write(102, reply)\nos._exit(0)"


@pytest.mark.parametrize(
    "made, reason",
    [
        ("reply = b'{}'", None),
        ("reply = b'x' * 100", "does not begin"),
        ("reply = struct.pack('<8sQQ', b'tabchat\\1', 2, 0) + b'[]'", "no object"),
        ("reply = struct.pack('<8sQQ', b'tabchat\\1', 10**9, 0)", "too long"),
        ("reply = struct.pack('<8sQQ', b'tabchat\\1', 2, 2**63)", "longer than"),
    ],
)
def test_a_forged_reply_out_of_the_worker_is_not_used(
    sandbox: Sandbox, made: str, reason: str | None
) -> None:
    outcome = run_unguarded(sandbox, FORGERY.format(made=made))
    assert outcome.ending is (Ending.BROKE_PROTOCOL if reason else Ending.EXITED)
    assert reason is None or reason in str(outcome.error())
    assert run(sandbox, "result = len(df)").value == 3


def test_a_reply_before_the_reply_spoils_both(sandbox: Sandbox) -> None:
    code = (
        "import os, struct\n"
        'text = b\'{"ending": "no_result", "stdout": "", "printed": 0}\'\n'
        "os.write(102, struct.pack('<8sQQ', b'tabchat\\1', len(text), 0) + text)\n"
        "result = 1"
    )
    outcome = run_unguarded(sandbox, code)
    assert outcome.ending is Ending.BROKE_PROTOCOL
    assert "more follows" in str(outcome.error())


def test_a_worker_that_drips_is_stopped_by_the_clock(sandbox: Sandbox) -> None:
    code = (
        "import os, struct, time\n"
        "os.write(102, struct.pack('<8sQQ', b'tabchat\\1', 900000, 0))\n"
        "while True:\n"
        "    os.write(102, b' ')\n"
        "    until = time.monotonic() + 0.01\n"
        "    while time.monotonic() < until:\n"
        "        pass"
    )
    outcome = run_unguarded(sandbox, code, policy=SandboxPolicy(wall_seconds=0.5))
    assert outcome.ending is Ending.TIMED_OUT


def test_one_execution_leaves_nothing_for_the_next(sandbox: Sandbox) -> None:
    poison = (
        "import builtins, json\n"
        "pd.DataFrame.sum = pd.Series.sum = lambda *a, **k: 'poison'\n"
        "np.mean = builtins.len = json.dumps = None\n"
        "math.pi = 3\n"
        "df['amount'] = 0\n"
        "kept = 1"
    )
    assert run_unguarded(sandbox, poison).ending is not Ending.ANSWERED
    outcome = run(
        sandbox, "result = {'sum': df['amount'].sum(), 'mean': np.mean(df['units']), 'pi': round(math.pi, 2)}"
    )
    assert outcome.values == {"sum": 7.5, "mean": 2.0, "pi": 3.14}
