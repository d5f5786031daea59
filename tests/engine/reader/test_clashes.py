"""Cells that each are a date or a number, and cannot be read together: said of a column, and read where a person asks."""

import datetime as dt
from typing import Any

import pytest

from tests.engine.reader.conftest import Reader
from tests.engine.reader.test_cells import table

APART = "Column 'value' is kept as text: dates written in ways that exclude each other, such as"
ORDERS = ["2024-01-02", "01/02/2024", "02/13/2024", "14/03/2024", "15/03/2024"]


@pytest.mark.parametrize(
    "cells, pair, hint",
    [
        (ORDERS, "'02/13/2024' and '14/03/2024'", "date"),
        (["2024-01-01", "10:00"], "'2024-01-01' and '10:00'", "datetime"),
        (["2024-01-01T10:00Z", "2024-01-02 11:00"], "'2024-01-01T10:00Z' and '2024-01-02 11:00'", "datetime"),
    ],
)
def test_dates_that_exclude_each_other_stay_text_and_two_of_them_are_named(
    reader: Reader, cells: list[str], pair: str, hint: str
) -> None:
    found = reader.text(table(cells))
    assert found.column("value") == cells
    (note,) = (note for note in found.table.report.notes if note.column == "value")
    assert note.message == f"{APART} {pair}."
    assert note.hint == f"To calculate with it: --type 'value={hint}'."


def test_two_numbers_that_exclude_each_other_are_named_behind_one_that_excludes_neither(
    reader: Reader,
) -> None:
    notes = reader.text(table(["7", "1,5", "2.5"])).table.report.notes
    messages = [note.message for note in notes if note.column == "value"]
    assert messages == [
        "Column 'value' is kept as text: numbers written in different ways, such as '1,5' and '2.5'."
    ]


def test_a_column_made_dates_takes_the_order_of_most_cells_and_says_so(reader: Reader) -> None:
    found = reader.text(table(ORDERS), types=(("value", "date"),))
    days = [dt.date(2024, 1, 2), dt.date(2024, 2, 1), None, dt.date(2024, 3, 14), dt.date(2024, 3, 15)]
    assert found.column("value") == days
    messages = [note.message for note in found.table.report.notes if note.column == "value"]
    assert messages == [
        "Dates of 'value' could be read either way; day before month was assumed.",
        "Dates of 'value' are written in several ways: YYYY-MM-DD, DD/MM/YYYY.",
        "1 cell of 'value' is not a date and became missing, such as '02/13/2024'.",
    ]


@pytest.mark.parametrize(
    "cells, kind, sql_type, values",
    [
        (["2024-01-02 10:00", "2024-01-03"], "date", "DATE", [dt.date(2024, 1, 2), dt.date(2024, 1, 3)]),
        (["2024-01-02 10:00", "2024-01-03 11:30"], "time", "TIME", [dt.time(10), dt.time(11, 30)]),
        (["2024-01-02", "10:00"], "time", "TIME", [None, dt.time(10)]),
        (["2024-01-02", "10:00"], "date", "DATE", [dt.date(2024, 1, 2), None]),
        (["2024-01-02", "2024-01-03"], "time", "TIME", [None, None]),
        (["10:00", "11:30"], "datetime", "TIMESTAMP", [None, None]),
        (["1,5", "2,5", "3.5"], "number", "DOUBLE", [1.5, 2.5, None]),
    ],
)
def test_a_column_holds_what_a_person_made_it_and_nothing_else(
    reader: Reader, cells: list[str], kind: str, sql_type: str, values: list[Any]
) -> None:
    found = reader.text(table(cells), types=(("value", kind),))
    assert found.types["value"] == sql_type
    assert found.column("value") == values


def test_numbers_that_are_written_like_dates_are_told_of(reader: Reader) -> None:
    (note,) = reader.text("day,v\n20240131,1\n20240229,2\n").notes("inferred", "day")
    assert note.hint == "If they are: --type 'day=date'."
    assert not reader.text("day,v\n20240131,1\n20240230,2\n").notes("inferred", "day")
