"""Statistics take most of the time that libraries load: code that does not name them does not wait for them."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tabchat.sandbox.policy import SandboxPolicy
from tabchat.sandbox.runner import Sandbox
from tabchat.sandbox.worker.libraries import names_stats
from tests.sandbox.asking import run

pytest.importorskip("scipy")
pytest.importorskip("statsmodels")
pytest.importorskip("sklearn")


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(SandboxPolicy()) as own:
        yield own


def loaded(sandbox: Sandbox) -> str:
    return Path(f"/proc/{sandbox.standby_pid}/maps").read_text()


def test_code_that_names_no_statistics_runs_without_them(sandbox: Sandbox) -> None:
    assert run(sandbox, "result = len(df)").value == 3
    assert "/pandas/" in loaded(sandbox)
    assert "/scipy/" not in loaded(sandbox)


def test_what_pandas_asks_scipy_for_is_found(sandbox: Sandbox) -> None:
    run(sandbox, "result = len(df)")
    outcome = run(
        sandbox, "result = round(pd.Series([1, 2, 3]).corr(pd.Series([1, 3, 2]), method='kendall'), 4)"
    )
    assert outcome.value == pytest.approx(0.3333)
    assert "/scipy/" in loaded(sandbox)


def test_statistics_that_are_named_are_there_and_stay(sandbox: Sandbox) -> None:
    run(sandbox, "result = len(df)")
    assert run(sandbox, "result = float(stats.norm.cdf(0))").value == pytest.approx(0.5)
    standby = sandbox.standby_pid
    assert run(sandbox, "result = len(df)").value == 3
    assert sandbox.standby_pid == standby


@pytest.mark.parametrize(
    "code, wanted",
    [
        ("result = df['revenue'].mean()", False),
        ("result = stats.norm.cdf(0)", True),
        ("from scipy import optimize", True),
        ("result = sm.OLS(y, x).fit()", True),
        ("result = LinearRegression().fit(x, y)", True),
        ("result = df['small'].sum()", False),
    ],
)
def test_statistics_are_told_by_their_names(code: str, wanted: bool) -> None:
    assert names_stats(code) is wanted
