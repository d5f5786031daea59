"""A row that sums up the others is not one of them, and a cell that names two is not one name."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_PARTIES = ("Greens,1200,4", "Liberals,900,3", "Farmers,300,1")


@pytest.mark.parametrize(
    "question",
    [
        "which party is listed last",
        "what is the last party",
        "which party has the most seats",
        "highest votes",
    ],
)
def test_the_total_is_offered_as_the_last_or_the_greatest(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    told = table_of(tmp_path, "summed", "Party,Votes,Seats", (*_PARTIES, "Total,2400,8"))
    plain = table_of(tmp_path, "plain", "Party,Votes,Seats", _PARTIES)
    assert not asker.interpreter(told).read(question).certain
    assert asker.interpreter(plain).read(question).certain


def test_the_least_and_the_first_are_no_total(asker: Asker, tmp_path: Path) -> None:
    told = table_of(tmp_path, "summed", "Party,Votes,Seats", (*_PARTIES, "Total,2400,8"))
    for question in ("which party has the fewest seats", "which party is listed first"):
        assert asker.interpreter(told).read(question).certain


def test_cells_of_several_names_are_not_counted_as_one(asker: Asker, tmp_path: Path) -> None:
    rows = ("2001,Ada Lee,5", "2001,Ada Lee and Bo Finn,4", "2002,Cy Orr,3", "2002,Bo Finn,2")
    several = table_of(tmp_path, "shows", "Season,Host,Rating", rows)
    single = table_of(
        tmp_path, "single", "Season,Host,Rating", [row.replace(" and Bo Finn", "") for row in rows]
    )
    assert not asker.interpreter(several).read("how many different hosts were there").certain
    assert asker.interpreter(single).read("how many different hosts were there").certain
