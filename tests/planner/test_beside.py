"""The row beside another one: `the next stop after Mill` is the one behind it, and no number of rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


@pytest.fixture
def line(tmp_path: Path) -> Path:
    """Return the stops of a line, in their order."""
    rows = ("Harbour,A,0", "Mill,A,3", "Old Gate,B,5", "Abbey,B,9")
    return table_of(tmp_path, "line", "Stop,Zone,Minutes", rows)


@pytest.mark.parametrize(
    "question, stop",
    [
        ("what is the next stop listed after Mill?", "Old Gate"),
        ("what is the previous stop listed before Old Gate?", "Mill"),
        ("which stop comes after Mill", "Old Gate"),
        ("what is the next stop after Mill?", "Old Gate"),
        ("what is the previous stop before the Old Gate?", "Mill"),
        ("what is the stop after Mill?", "Old Gate"),
    ],
)
def test_the_row_beside_is_the_best_reading(asker: Asker, line: Path, question: str, stop: str) -> None:
    found = asker.interpreter(line).read(question)
    best = found.candidates[0]
    assert not best.unexplained
    assert [row[0] for row in asker.answer(line, asker.call(line, best.intent)).rows] == [stop]


def test_rows_beside_are_not_counted(asker: Asker, line: Path) -> None:
    for question in ("which stop comes after Mill", "what is the previous stop listed before Old Gate?"):
        for reading in asker.readings(line, question):
            parts = {getattr(one, "part", None) for one in reading.intent.clauses}
            assert reading.intent.output is not Output.VALUE or parts.isdisjoint({"row_before", "row_after"})


def test_the_other_row_is_not_the_one_beside_it(asker: Asker, line: Path) -> None:
    for reading in asker.readings(line, "which stop comes after Mill"):
        plain = [one for one in reading.intent.clauses if isinstance(one, Condition) and one.part is None]
        assert ("Mill",) not in [one.values for one in plain]


def test_what_happened_after_is_no_place(asker: Asker, tmp_path: Path) -> None:
    rows = ("Harbour,1950", "Mill,1930", "Old Gate,1960", "Abbey,1990")
    stops = table_of(tmp_path, "stops", "Stop,Founded", rows)
    for reading in asker.readings(stops, "which stop was founded after Mill"):
        assert all(getattr(one, "part", None) is None for one in reading.intent.clauses)


def test_after_by_itself_is_of_no_neighbour(asker: Asker, line: Path) -> None:
    for reading in asker.readings(line, "stops after Mill"):
        assert all(getattr(one, "part", None) is None for one in reading.intent.clauses)
