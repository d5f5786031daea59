"""Columns of figures with notes answer as the numbers that they are; what is not one figure stays a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_TABLES = {
    "old_rides": "Ride,Park,Height,Length,Opened[a],Cost (US$)\n"
    'Hawk,North,116.8 m (383 ft),"1,277 m",2006[4],$28.5 million\nComet[c],North,33.0 m (108 ft),"2,207 m[4]",1982,—\n'
    'Viper,South[b],20.6 m (68 ft),"1,741 m",1984,$14.9 million\nTitan,South,104.8 m (344 ft),879 m,1994[4],"$450,000"\n',
    "odds": "Name,Term,Age,Score,Apps (goals),Place\nAnn,2001–2004,40,<0.5,64 (12),1st\nBob,2004–2008,41,1.5,50 (3),2nd\n"
    "Cid,2008–2009,39,2.5,12 (1),3rd\nDot,2010–2012,44,3.5,70 (9),4th\n",
    "zamky": 'Назва,Площа\nОлесько,"2,9 га"\nЗолочів,"3,1 га"\nСвірж,"1,5 га"\n',
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("noted")
    for name, text in _TABLES.items():
        (made / f"{name}.csv").write_text(text, encoding="utf-8")
    return made


@pytest.mark.parametrize(
    "table,question,answer",
    [
        ("old_rides", "average height", 68.8),
        ("old_rides", "total length", 6104),
        ("old_rides", "how many rides opened before 1990", 2),
        ("old_rides", "total cost", 43_850_000.0),
        ("old_rides", "how many rides are in the South park", 2),
        ("odds", "average age", 41.0),
        ("odds", "average apps", 49.0),
        ("zamky", "загальна площа", 7.5),
    ],
)
def test_figures_with_notes_are_computed_with(
    asker: Asker, folder: Path, table: str, question: str, answer: float
) -> None:
    draft = asker.planner(folder / f"{table}.csv").plan(question)

    assert asker.run(asker.tables[f"{table}.csv"], draft).value == pytest.approx(answer)


@pytest.mark.parametrize("question", ["average term", "highest score", "highest place", "average goals"])
def test_ranges_bounds_ordinals_and_double_figures_stay_texts(
    asker: Asker, folder: Path, question: str
) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(folder / "odds.csv").plan(question)


def test_how_a_column_was_read_is_said_and_part_of_the_plan(asker: Asker, folder: Path) -> None:
    draft = asker.planner(folder / "old_rides.csv").plan("average height by park")

    assert draft.interpretation == "mean of Height · by Park · Height as numbers · Park without notes"
    assert draft.arguments["map"] == {"Park": "without_notes(Park)", "Height": "figure(Height)"}


def test_a_cell_that_is_looked_up_is_shown_as_the_file_writes_it(asker: Asker, folder: Path) -> None:
    draft = asker.planner(folder / "old_rides.csv").plan("height of Comet")
    result = asker.run(asker.tables["old_rides.csv"], draft)

    assert result.frame.rows() == [("Comet", "33.0 m (108 ft)")]


def test_rows_keep_the_order_of_their_columns(asker: Asker, folder: Path) -> None:
    draft = asker.planner(folder / "old_rides.csv").plan("rides with height over 100")
    result = asker.run(asker.tables["old_rides.csv"], draft)

    assert result.frame.columns == ("Ride", "Park", "Height", "Length", "Opened[a]", "Cost (US$)")
    assert [row[2] for row in result.frame.rows()] == [116.8, 104.8]
