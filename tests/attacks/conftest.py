"""One scene and one warm sandbox for all attacks of a process, and the table at the end of the run."""

from collections.abc import Iterator

import pytest

from tests.attacks.attacking import Arena
from tests.attacks.table import markdown, rows
from tests.forkserver.children import started_children

VERDICT = "attack"


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with started_children():
        made = Arena(tmp_path_factory.mktemp("attacks"))
    with made:
        yield made


@pytest.fixture(autouse=True)
def real_processes() -> Iterator[None]:
    """What is attacked is the very process that runs queries or code."""
    with started_children():
        yield


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    verdicts = [
        value
        for report in reports
        for name, value in getattr(report, "user_properties", ())
        if name == VERDICT
    ]
    if verdicts:
        terminalreporter.section("attacks")
        terminalreporter.write_line(markdown(rows(tuple(verdict) for verdict in verdicts)))
