"""A sandbox in a hurry gives what a warm one gives: what lacks something runs again."""

from collections.abc import Iterator

import pytest

from tabchat.sandbox.policy import SandboxPolicy
from tabchat.sandbox.reply.outcome import Ending
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.worker.warmth import Warmth
from tests.sandbox.asking import run, run_unguarded

ZONED = "pd.Timestamp('2024-07-01 12:00', tz='Europe/Kyiv').isoformat()"


class FirstOnly(Sandbox):
    """Never runs code again."""

    def _warmer(self, warmth: Warmth, outcome: object) -> None:
        assert warmth is Warmth.IMPORTED
        assert outcome


@pytest.fixture(scope="module")
def first() -> Iterator[Sandbox]:
    with FirstOnly(SandboxPolicy(with_stats=False), hurry=True) as shared:
        yield shared


@pytest.mark.parametrize(
    "code",
    [
        "result = df['amount'].mean()",
        "result = df.groupby('region')['amount'].agg(['sum', 'median'])",
        "result = df.pivot_table(index='region', values='amount', aggfunc='sum', margins=True)",
        "result = df.query('units > 1').merge(df, on='region').describe()",
        "result = df['region'].str.extract(r'(n)').value_counts()",
        "result = pd.to_datetime(pd.Series(['2024-01-02'])).dt.day_name()",
        "result = df.to_csv() + df.to_string()",
        "result = np.polyfit(df['units'], df['amount'], 1)",
    ],
)
def test_ordinary_code_lacks_nothing(first: Sandbox, code: str) -> None:
    outcome = run(first, code)
    assert (outcome.ending, outcome.lacked) == (Ending.ANSWERED, False)


@pytest.mark.parametrize(
    "code",
    [
        f"result = {ZONED}",
        # The answer that is found without the zone is not the answer.
        f"try:\n    result = {ZONED}\nexcept Exception:\n    result = 'none'",
    ],
)
def test_code_that_lacks_something_runs_again(first: Sandbox, code: str) -> None:
    assert run(first, code).lacked
    with Sandbox(SandboxPolicy(with_stats=False), hurry=True) as sandbox:
        outcome = run(sandbox, code)
    assert (outcome.value, outcome.lacked) == ("2024-07-01T12:00:00+03:00", False)


def test_a_module_and_a_file_are_asked_for(first: Sandbox) -> None:
    for asked in ("import wave", "open('/etc/hostname')", "import os; os.open('/etc/hostname', 0)"):
        code = f"try:\n    {asked}\nexcept BaseException:\n    pass\nresult = 1"
        assert run_unguarded(first, code).lacked, asked


def test_code_that_fails_without_lacking_anything_does_not_run_again() -> None:
    with Sandbox(SandboxPolicy(with_stats=False), hurry=True) as sandbox:
        assert run(sandbox, "result = df['nothing']").ending is Ending.RAISED
        standing = sandbox.standby_pid
        assert run(sandbox, "result = 1").value == 1
        assert sandbox.standby_pid == standing
