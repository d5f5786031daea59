"""What a column holds decides what is done with it, and which of several columns a superlative or a comparative is of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Operator, Output
from tabchat.planner.readings.coherence import sort_of
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tests.planner.asking import Asker

RIVERS = "River,Length (km),Flow (m³/s),Delay (min),Age,First sailed,Lock,Navigable"


@pytest.fixture(scope="module")
def rivers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("uses") / "rivers.csv"
    rows = [
        f"water{n},{n * 70},{n * 9 + 0.5},{n % 8},{20 + n % 30},20{n:02d}-03-0{n % 9 + 1},{n % 5 + 1},{('yes', 'no')[n % 2]}"
        for n in range(1, 40)
    ]
    file.write_text("\n".join([RIVERS, *rows]), encoding="utf-8")
    return file


def _sorts(asker: Asker, file: Path) -> Mapping[str, str]:
    vocabulary = asker.interpreter(file).lattice("rivers").vocabulary
    return {column.name: sort_of(column) for column in vocabulary.columns}


def test_columns_are_sorted_by_what_can_be_done_with_them(asker: Asker, rivers: Path) -> None:
    assert _sorts(asker, rivers) == {
        "River": "name",
        "Length (km)": "amount.whole.single",
        "Flow (m³/s)": "plain.single",
        "Delay (min)": "amount.whole",
        "Age": "state.whole",
        "First sailed": "date",
        "Lock": "plain.whole",
        "Navigable": "flag",
    }


def test_the_nearest_column_to_a_dimension_is_ranked_by(asker: Asker, rivers: Path) -> None:
    best = asker.readings(rivers, "longest river")[0].intent

    assert best.output is Output.ROWS
    assert [order.column for order in best.orders] == ["Length (km)"]


def test_a_number_in_a_unit_is_compared_with_the_column_of_that_unit(asker: Asker, rivers: Path) -> None:
    best = asker.readings(rivers, "how many rivers are longer than 1500 km")[0].intent

    assert best.clauses == (Condition(column="Length (km)", operator=Operator.GT, values=(1500,)),)


def test_so_much_in_a_second_is_no_time(asker: Asker, rivers: Path) -> None:
    vocabulary = asker.interpreter(rivers).lattice("rivers").vocabulary

    assert vocabulary.by_name["Flow (m³/s)"].seconds is None
    assert vocabulary.by_name["Delay (min)"].seconds == 60


def test_a_unit_behind_a_stroke_is_one(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{n % 7},{n * 3}" for n in range(1, 30)]
    file = table_of(tmp_path, "laps", "lap,Time/s,Speed km/h", rows)
    known = asker.interpreter(file).lattice("laps").vocabulary.by_name

    assert (known["Time/s"].seconds, known["Speed km/h"].seconds) == (1, None)


def test_what_is_measured_in_litres_is_no_money(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{n % 7},{n * 3},{n % 5}" for n in range(1, 30)]
    file = table_of(tmp_path, "cars", 'авто,"Витрата на 100 км, л","Витрата, грн",price (per kg)', rows)
    known = asker.interpreter(file).lattice("cars").vocabulary.by_name

    assert [column.monetary for column in known.values()] == [False, False, True, True]


def test_an_order_begins_with_what_is_called_first(asker: Asker, rivers: Path) -> None:
    for question, descending in (
        ("sort rivers by age, oldest first", True),
        ("sort rivers by age, youngest first", False),
        ("sort rivers by first sailed, newest first", True),
        ("sort rivers by first sailed, oldest first", False),
    ):
        best = asker.readings(rivers, question)[0].intent

        assert (best.output, [order.descending for order in best.orders]) == (Output.ROWS, [descending]), (
            question
        )


def test_how_old_the_youngest_is_is_one_figure_however_many_are_so_young(asker: Asker, rivers: Path) -> None:
    first = next(
        reading.intent
        for reading in asker.readings(rivers, "how old is the youngest river")
        if reading.intent.measures and reading.intent.measures[0].column == "Age"
    )

    assert (first.output, first.measures[0].function) == (Output.VALUE, "min")


def test_where_is_asked_of_the_column_of_places(asker: Asker, tmp_path: Path) -> None:
    rows = [f"M{n},{('chess', 'go')[n % 2]},{('Bar', 'Hall', 'Park')[n % 3]},{n}" for n in range(40)]
    file = tmp_path / "matches.csv"
    file.write_text("\n".join(["match,game,venue,points", *rows]), encoding="utf-8")

    best = asker.readings(file, "where do we have the most matches")[0].intent
    assert [key.column for key in best.keys] == ["venue"]


def test_the_last_time_is_the_latest_date(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},2024-0{n % 9 + 1}-11,{('Парашка', 'Говерла')[n % 2]}" for n in range(30)]
    file = tmp_path / "pohody.csv"
    file.write_text("\n".join(["номер,дата,вершина", *rows]), encoding="utf-8")

    best = asker.readings(file, "коли востаннє ходили на Парашку?")[0].intent
    assert (best.output, best.measures[0].function, best.measures[0].column) == (Output.VALUE, "max", "дата")
