"""Medals are those of their metal, and all of them where none is said; who won them says no more than whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tabchat.planner.intent import Condition
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ROWS = (
    *("1,Norway,7,3,2,12", "2,Brazil,4,0,5,9"),
    *("3,Chad,0,2,1,3", "4,Fiji,0,1,0,1"),
)


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return the medals of four nations."""
    return table_of(tmp_path, "olympics", "Rank,Nation,Gold,Silver,Bronze,Total", _ROWS)


@pytest.mark.parametrize(
    "question, rows",
    [
        ("how many gold medals did Norway win?", [(7,)]),
        ("how many gold medals did Brazil and Chad win combined?", [(4,)]),
        ("how many medals did Brazil win in total", [(9,)]),
        ("which nation won the most medals", [("Norway", 12)]),
        ("how many nations won at least 3 bronze medals", [(1,)]),
        ("how many nations won no gold medals", [(2,)]),
    ],
)
def test_medals_are_won(asker: Asker, games: Path, question: str, rows: list[tuple[Any, ...]]) -> None:
    found = asker.interpreter(games).read(question)
    assert found.certain, found.candidates[:1]
    assert [*asker.answer(games, asker.call(games, found.candidates[0].intent)).rows] == rows


def test_at_least_so_many_are_not_the_least(asker: Asker, games: Path) -> None:
    best = asker.interpreter(games).read("countries with at least 3 bronze medals").candidates[0].intent
    assert not best.limit
    assert [row[1] for row in asker.answer(games, asker.call(games, best)).rows] == ["Brazil"]


def test_the_most_medals_are_had_by_one(asker: Asker, games: Path) -> None:
    best = asker.interpreter(games).read("which nation received the least bronze medals").candidates[0].intent
    assert [*asker.answer(games, asker.call(games, best)).rows] == [("Fiji", 0)]


def test_a_win_is_told_where_a_column_tells_it(asker: Asker, tmp_path: Path) -> None:
    bouts = table_of(
        tmp_path, "bouts", "Boxer,Result,Points", ("Ada,Won,5", "Ada,Lost,3", "Eve,Won,4", "Eve,Lost,1")
    )
    best = asker.interpreter(bouts).read("how many points did Ada get when she won").candidates[0].intent
    told = [one for one in best.clauses if isinstance(one, Condition) and one.column == "Result"]
    assert [one.values for one in told] == [("Won",)]


def test_whoever_won_with_some_points_was_the_winner(asker: Asker, tmp_path: Path) -> None:
    laps = table_of(tmp_path, "laps", "Driver,Car,Points", ("Ada,Kite,25", "Bo,Tern,18", "Cy,Kite,15"))
    for question in ("which driver won with 18 points", "which driver won by 3 points"):
        assert "won" in asker.interpreter(laps).read(question).candidates[0].unexplained
    assert "won" not in asker.interpreter(laps).read("which driver won 18 points").candidates[0].unexplained
