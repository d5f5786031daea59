"""At which place of an order something stands, and what stands at a place: told, never the rows of one in that order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tabchat.planner.intent import Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ROWS = (
    *("Germany,Europe,online,lamp,10,80,2023-01-01", "Germany,Europe,shop,desk,30,300,2023-02-01"),
    *("Poland,Europe,online,lamp,60,85,2023-03-01", "Japan,Asia,shop,desk,70,310,2024-01-05"),
    *("Japan,Asia,online,lamp,5,75,2024-02-01", "Brazil,America,shop,sofa,40,200,2024-03-01"),
    *("Poland,Europe,shop,sofa,2,210,2024-03-02", "Peru,America,shop,lamp,,79,2024-03-03"),
)


@pytest.fixture
def trade(tmp_path: Path) -> Path:
    """Return sales of Japan (75), Poland (62), Germany and Brazil (40), and of Peru, whose amount is missing."""
    return table_of(tmp_path, "trade", "country,region,channel,product,revenue,price,day", _ROWS)


def _answer(asker: Asker, path: Path, question: str) -> list[tuple[Any, ...]]:
    """Return the rows of an answer, which is certain."""
    found = asker.interpreter(path).read(question)
    assert found.certain, found.candidates[:1]
    return [*asker.answer(path, asker.call(path, found.candidates[0].intent)).rows]


@pytest.mark.parametrize(
    "question, rows",
    [
        ("what is the rank of Poland by revenue", [("Poland", 2, 62)]),
        ("where does Poland rank by revenue", [("Poland", 2, 62)]),
        ("what rank is Japan by revenue", [("Japan", 1, 75)]),
        # Those that are equal share a place.
        ("what rank is Brazil by revenue", [("Brazil", 3, 40)]),
        ("what rank is Germany by revenue", [("Germany", 3, 40)]),
        ("what place did Poland take in 2023 by revenue", [("Poland", 1, 60)]),
        ("на якому місці Польща за виручкою", [("Poland", 2, 62)]),
        # What has no figure has no place.
        ("what rank is Peru by revenue", []),
    ],
)
def test_a_place_is_that_among_all(
    asker: Asker, trade: Path, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert _answer(asker, trade, question) == rows


@pytest.mark.parametrize(
    "question",
    [
        "where does Poland rank by revenue",
        "what rank is Poland by revenue",
        "rank of Poland by average revenue",
        "where does Poland stand by total price",
        "какое место занимает Польша по выручке",
    ],
)
def test_a_place_is_never_told_by_sorting_one_alone(asker: Asker, trade: Path, question: str) -> None:
    found = asker.interpreter(trade).read(question).candidates
    assert found[0].intent.output is Output.STANDING
    others = (one.intent for one in found if one.intent.output is not Output.STANDING)
    assert not any(other.orders and other.clauses for other in others)


def test_a_rank_by_nothing_is_no_count(asker: Asker, trade: Path) -> None:
    found = asker.interpreter(trade).read("what is the rank of Poland")
    assert not found.certain
    assert all(one.intent.output is not Output.STANDING for one in found.candidates)


@pytest.mark.parametrize(
    "question, rows",
    [
        ("second most expensive product", [("sofa", 210)]),
        ("third most expensive product", [("lamp", 85)]),
    ],
)
def test_the_second_of_what_repeats_is_another_one(
    asker: Asker, trade: Path, question: str, rows: list[tuple[Any, ...]]
) -> None:
    assert _answer(asker, trade, question) == rows


def test_the_rows_behind_a_place_are_its_own(asker: Asker, trade: Path) -> None:
    reader = asker.interpreter(trade)
    placed = reader.read("what rank is Poland by revenue").candidates[0].intent
    found = reader.read("show the rows", placed)
    rows = asker.answer(trade, asker.call(trade, found.candidates[0].intent)).rows
    assert (found.certain, {row[0] for row in rows}, len(rows)) == (True, {"Poland"}, 2)
