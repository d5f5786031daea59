"""One scene and one warm sandbox for all attacks of a process, and the table at the end of the run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.attacks.attacking import Arena
from tests.attacks.table import markdown, rows

if TYPE_CHECKING:
    from collections.abc import Iterator

VERDICT = "attack"


@pytest.fixture(scope="session")
def arena(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Arena]:
    with Arena(tmp_path_factory.mktemp("attacks")) as made:
        yield made


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
