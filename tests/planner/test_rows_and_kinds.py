"""What rows are called, what was done with them, and which kinds of them there are, are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Measure, Operator, Order, Output
from tests.planner.gold import TABLES
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.intent import Intent
    from tests.planner.asking import Asker

_DELIVERIES = TABLES / "deliveries.csv"
_RENTALS = TABLES / "rentals.csv"


def _best(asker: Asker, path: Path, question: str) -> tuple[Intent, bool]:
    found = asker.interpreter(path).read(question)
    return found.candidates[0].intent, found.certain


@pytest.mark.parametrize(
    "question, cells",
    [
        ("deliveries over 30 kg", set()),
        ("failed deliveries by city", {"failed"}),
        ("share of failed deliveries", {"failed"}),
        ("total weight delivered to Leipzig", {"delivered", "Leipzig"}),
    ],
)
def test_rows_are_not_taken_for_the_deed_that_they_are_called_after(
    asker: Asker, question: str, cells: set[str]
) -> None:
    intent, certain = _best(asker, _DELIVERIES, question)
    conditions = [*intent.clauses, *(clause for measure in intent.measures for clause in measure.part)]
    said = {value for one in conditions if isinstance(one, Condition) for value in one.values}

    assert {text for text in said if isinstance(text, str)} == cells
    assert certain


def test_a_kind_of_rows_is_none_of_their_names(asker: Asker) -> None:
    intent, certain = _best(asker, _RENTALS, "how many flats")

    assert intent.clauses == (Condition(column="type", operator=Operator.EQ, values=("flat",)),)
    assert certain


@pytest.mark.parametrize(
    "path, question, cell, key, descending",
    [
        (_DELIVERIES, "which city has the most returned deliveries", "returned", "city", True),
        (_DELIVERIES, "which driver had the fewest failed deliveries", "failed", "driver", False),
        (_RENTALS, "which district has the most houses", "house", "district", True),
    ],
)
def test_the_most_of_a_kind_is_the_most_rows_of_it(
    asker: Asker, path: Path, question: str, cell: str, key: str, *, descending: bool
) -> None:
    intent, _ = _best(asker, path, question)

    assert intent.measures == (Measure(),)
    assert [one.column for one in intent.keys] == [key]
    assert [clause.values for clause in intent.clauses if isinstance(clause, Condition)] == [(cell,)]
    assert intent.orders == (Order(descending=descending),)


def test_the_most_frequent_values_are_all_told(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('red', 'blue', 'green')[n % 3]}" for n in range(30)]
    cars = table_of(tmp_path, "cars", "number,colour", [*rows, "30,grey"])
    intent, certain = _best(asker, cars, "most common colour")

    assert certain
    found = asker.answer(cars, asker.call(cars, intent))
    assert {row[0] for row in found.rows} == {"blue", "green", "red"}


@pytest.mark.parametrize(
    "question, filled",
    [("how many tickets are open", False), ("open tickets", False), ("how many tickets were closed", True)],
)
def test_what_has_no_end_is_open(asker: Asker, tmp_path: Path, question: str, *, filled: bool) -> None:
    rows = [f"T{n},2024-01-{n % 28 + 1:02d},{'' if n % 3 else '2024-02-11'}" for n in range(40)]
    tickets = table_of(tmp_path, "tickets", "ticket,opened,closed", rows)
    intent, _ = _best(asker, tickets, question)

    operator = Operator.PRESENT if filled else Operator.MISSING
    assert intent.clauses == (Condition(column="closed", operator=operator),)


def test_a_cell_says_better_what_is_open_than_a_missing_date(asker: Asker, tmp_path: Path) -> None:
    rows = [f"T{n},{'' if n % 3 else '2024-02-11'},{'open' if n % 2 else 'closed'}" for n in range(40)]
    tickets = table_of(tmp_path, "tickets", "ticket,closed,status", rows)
    intent, certain = _best(asker, tickets, "how many tickets are open")

    assert intent.clauses == (Condition(column="status", operator=Operator.EQ, values=("open",)),)
    assert certain


@pytest.mark.parametrize(
    "question, day",
    [
        ("how many shifts on Monday", "Mon"),
        ("скільки змін у понеділок", "Mon"),
        ("сколько смен в воскресенье", "Sun"),
    ],
)
def test_weekdays_are_known_by_what_cells_shorten_them_to(
    asker: Asker, tmp_path: Path, question: str, day: str
) -> None:
    rows = [f"{n},{('Mon', 'Tue', 'Sun')[n % 3]},{n % 5}" for n in range(30)]
    shifts = table_of(tmp_path, "shifts", "shift,weekday,people", rows)
    intent, _ = _best(asker, shifts, question)

    assert [clause.values for clause in intent.clauses if isinstance(clause, Condition)] == [(day,)]


def test_a_bare_bound_is_of_a_column_whose_cells_it_parts(asker: Asker) -> None:
    intent, _ = _best(asker, _RENTALS, "flats under 1500")

    assert Condition(column="rent", operator=Operator.LT, values=(1500,)) in intent.clauses


@pytest.mark.parametrize(
    "path, question",
    [
        (_DELIVERIES, "days with no deliveries"),
        (_RENTALS, "which district is cheapest"),
        (_RENTALS, "rent by number of rooms"),
        (_RENTALS, "available from June"),
    ],
)
def test_what_may_be_meant_otherwise_is_offered(asker: Asker, path: Path, question: str) -> None:
    assert not asker.interpreter(path).read(question).certain


def test_years_in_which_something_was_published_are_years(asker: Asker, tmp_path: Path) -> None:
    rows = [f"Book {n},{1603 + n * 11},{100 + n * 7}" for n in range(30)]
    books = table_of(tmp_path, "books", "title,published,pages", rows)

    old, _ = _best(asker, books, "books before 1800")
    longest, _ = _best(asker, books, "longest book")

    assert old.clauses == (Condition(column="published", operator=Operator.LE, values=(1799,)),)
    assert longest.output is Output.ROWS
    assert [order.column for order in longest.orders] == ["pages"]


def test_nothing_given_may_be_a_zero_or_an_empty_cell(asker: Asker, tmp_path: Path) -> None:
    rows = [f"P{n},{('', 0, 500)[n % 3]}" for n in range(30)]
    people = table_of(tmp_path, "people", "name,bonus", rows)

    assert not asker.interpreter(people).read("who has no bonus").certain
    assert asker.interpreter(people).read("how many bonuses are missing").certain


def test_what_was_sold_is_no_money_and_no_word_a_month(asker: Asker, tmp_path: Path) -> None:
    rows = [f"A{n % 7},2024-0{n % 9 + 1}-11,{100 + n},{20 + n % 3}" for n in range(40)]
    concerts = table_of(tmp_path, "concerts", "Artist,Date,Tickets sold,Ticket price", rows)
    reader = asker.interpreter(concerts)

    for question in ("total revenue", "merch revenue by artist", "revenue by artist"):
        assert not reader.read(question).certain
    assert reader.read("tickets sold in March").candidates[0].intent.clauses
    assert reader.read("total tickets sold").candidates[0].intent.measures == (
        Measure(function="sum", column="Tickets sold"),
    )
