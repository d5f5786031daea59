"""The choice among readings: which show the same, which words only say a thing again, and what is never certain."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tabchat.planner.choice import subject_of
from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.intent import AnyOf, Condition, Intent, Key, Measure, Operator, Order, Output
from tests.planner.gold import EXAMPLES, TABLES

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.interpretation import Interpretation
    from tests.planner.asking import Asker

LUNA = Condition(column="Name", operator=Operator.EQ, values=("Luna",))
OF_LUNA = (LUNA,)
OLDEST = Intent(output=Output.ROWS, orders=(Order(column="Age"),), limit=1)
SAME = (
    (
        Intent(output=Output.VALUES, clauses=OF_LUNA, columns=("Arrived",)),
        Intent(output=Output.ROWS, clauses=OF_LUNA, columns=("Arrived",)),
        Intent(output=Output.ROWS, clauses=OF_LUNA),
        Intent(output=Output.VALUE, clauses=OF_LUNA, measures=(Measure(function="max", column="Arrived"),)),
        Intent(output=Output.GROUPS, clauses=OF_LUNA, keys=(Key(column="Arrived"),), measures=(Measure(),)),
    ),
    (
        Intent(output=Output.VALUE, measures=(Measure(function="max", column="Age"),)),
        replace(OLDEST, columns=("Name", "Age")),
        replace(OLDEST, with_ties=True),
    ),
    (
        Intent(output=Output.VALUES, columns=("Breed",)),
        Intent(output=Output.GROUPS, keys=(Key(column="Breed"),), measures=(Measure(),)),
    ),
    (
        Intent(output=Output.VALUE, measures=(Measure(function="mode", column="Breed"),)),
        Intent(
            output=Output.GROUPS,
            keys=(Key(column="Breed"),),
            measures=(Measure(),),
            orders=(Order(),),
            limit=1,
        ),
    ),
    (Intent(output=Output.VALUE, measures=(Measure(),)), Intent(output=Output.EXISTS)),
)
"""Intents of which each shows what the others do, where no two rows have one name."""


@pytest.mark.parametrize("intents", SAME, ids=range(len(SAME)))
def test_readings_that_show_the_same_agree_and_others_do_not(intents: tuple[Intent, ...]) -> None:
    mine = [subject_of(intent, {"Name"}) for intent in intents]
    others = [subject_of(intent, {"Name"}) for group in SAME if group is not intents for intent in group]

    assert all(one.agrees(other) and other.agrees(one) for one in mine for other in mine[:1])
    assert not any(one.agrees(other) or other.agrees(one) for one in mine for other in others)


def test_how_many_there_are_is_told_beside_what_is_shown() -> None:
    rows = Intent(output=Output.ROWS, clauses=OF_LUNA)
    count = Intent(output=Output.VALUE, clauses=OF_LUNA, measures=(Measure(),))
    exists = replace(count, output=Output.EXISTS)
    breeds = Intent(output=Output.VALUES, columns=("Breed",))
    numbers = Intent(output=Output.GROUPS, keys=(Key(column="Breed"),), measures=(Measure(),))

    told = {(rows, count), (rows, exists), (exists, count), (breeds, numbers)}
    every = (rows, count, exists, breeds, numbers, replace(rows, limit=1), replace(count, clauses=()))

    assert told == {
        (one, other)
        for one in every
        for other in every
        if one != other and subject_of(one, ()).tells(subject_of(other, ()))
    }


@pytest.mark.parametrize(
    "file, question",
    [
        ("deliveries.csv", "failed deliveries"),
        ("rentals.csv", "studios in Old Town"),
        ("deliveries.csv", "list the drivers"),
        ("deliveries.csv", "how many cities"),
        ("gym_classes.csv", "how many instructors"),
    ],
)
def test_neither_the_number_of_what_is_shown_nor_a_list_that_nobody_asked_for_is_a_rival(
    asker: Asker, file: str, question: str
) -> None:
    assert asker.interpreter(TABLES / file).read(question).certain


def test_a_name_that_several_rows_have_shows_one_figure_by_a_sum_and_others_by_rows() -> None:
    lists, sums = SAME[0][2], SAME[0][3]

    assert subject_of(lists, {"Name"}).agrees(subject_of(sums, {"Name"}))
    assert not subject_of(lists, set()).agrees(subject_of(sums, set()))


@pytest.mark.parametrize(
    "changed",
    [
        {"orders": (Order(column="Age", descending=False),)},
        {"orders": (Order(column="Weight"),)},
        {"limit": 2},
        {"offset": 1},
        {"clauses": OF_LUNA},
    ],
    ids=str,
)
def test_other_rows_are_another_subject(changed: dict[str, Any]) -> None:
    other = subject_of(replace(OLDEST, **changed), set())

    assert not subject_of(OLDEST, set()).agrees(other)


def read(asker: Asker, path: Path, question: str) -> Interpretation:
    asker.open(path)
    return asker.interpreter(path).read(question)


@pytest.mark.parametrize(
    "file, question, plainly",
    [
        ("sales.csv", "top 5 largest orders by revenue", "5 largest orders by revenue"),
        ("sales.csv", "difference in total revenue between 2024 and 2023", None),
        ("sales.csv", "total revenue across all orders", "total revenue"),
        ("sales.csv", "total revenue by month, only 2024", "total revenue by month, 2024"),
        ("sales.csv", "revenue by region, sort from high to low", "revenue by region, from high to low"),
        ("sales.csv", "revenue by region, biggest first", "revenue by region, from high to low"),
        ("bike_repairs.csv", "share of repairs under warranty", None),
    ],
)
def test_words_that_say_a_thing_again_leave_nothing_unexplained(
    asker: Asker, file: str, question: str, plainly: str | None
) -> None:
    path = EXAMPLES / file if (EXAMPLES / file).exists() else TABLES / file
    found = read(asker, path, question)

    assert not found.candidates[0].unexplained
    if plainly is not None:
        assert found.candidates[0].intent == read(asker, path, plainly).candidates[0].intent


@pytest.mark.parametrize(
    "question",
    [
        "average revenue by region, dearest first",
        "average revenue by region, from the cheapest",
        "средняя revenue по region, от самого дорогого",
    ],
)
def test_which_end_comes_first_cuts_nothing(asker: Asker, question: str) -> None:
    found = read(asker, EXAMPLES / "sales.csv", question)

    assert found.candidates[0].intent.orders
    assert all(candidate.intent.limit is None for candidate in found.candidates[:1])


@pytest.mark.parametrize(
    "file, question",
    [
        ("launches.csv", "how many launches have unknown cost"),
        ("launches.csv", "how many launches failed"),
        ("teatr_sezon.csv", "сколько длится Гамлет"),
        ("paseka.csv", "який відсоток сімей спокійні"),
    ],
)
def test_what_two_readers_take_differently_is_offered(asker: Asker, file: str, question: str) -> None:
    found = read(asker, TABLES / file, question)

    assert found.offered
    assert not found.certain


@pytest.mark.parametrize(
    "question",
    [
        "categories with revenue above Kitchen",
        "which categories have revenue over Kitchen",
        "orders over Germany",
        "revenue under Furniture",
        "revenue by Kitchen and Furniture",
        "which customers ordered in 2023 only",
        "customers with orders in 2023 only",
        "customers who ordered, only 2023",
        "not only 2023",
        "total revenue among the top 5 customers",
        "average revenue among the 3 largest regions",
        "orders from the cheapest",
        "total revenue across all regions",
    ],
)
def test_words_that_may_turn_a_question_are_never_passed_over_in_silence(asker: Asker, question: str) -> None:
    assert not read(asker, EXAMPLES / "sales.csv", question).certain


@pytest.mark.parametrize(
    "question",
    [
        "how many tickets are still open",
        "сколько стоит Network",
        "fastest 10k hours",
    ],
)
def test_a_figure_that_answers_something_else_is_never_certain(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    assert not read(asker, _tickets(tmp_path), question).certain


@pytest.mark.parametrize("number, doubtful", [(2023, True), (24, False)])
def test_a_number_like_a_year_may_be_a_year(
    asker: Asker, tmp_path: Path, number: int, doubtful: bool
) -> None:
    lattice = asker.interpreter(_tickets(tmp_path)).lattice(f"tickets with minutes {number}")
    of_minutes = Condition(column="minutes", operator=Operator.EQ, values=(number,))
    intent = Intent(output=Output.ROWS, clauses=(of_minutes,))

    assert is_doubtful(lattice, intent) == doubtful


def _tickets(folder: Path) -> Path:
    rows = [
        f"T{n},2023-0{n % 9 + 1}-11,,{topic},{n},{2 * n}" for n, topic in enumerate(["Network", "Mail"] * 9)
    ]
    file = folder / "helpdesk_tickets.csv"
    file.write_text("\n".join(["ticket_id,opened_at,closed_at,Topic,hours,minutes", *rows]), encoding="utf-8")
    return file


def test_how_far_is_told_as_a_figure_and_not_as_which_is_more(asker: Asker) -> None:
    found = read(asker, EXAMPLES / "sales.csv", "by how many percent was revenue lower in 2023 than in 2024")

    assert found.candidates[0].intent.comparison in {"percent", "difference"}


EUROPE = Condition(column="region", operator=Operator.EQ, values=("Europe",))
REVENUE = Measure(function="sum", column="revenue")
ABOVE = Condition(column="revenue", operator=Operator.GT, values=(0,), part="mean")


@pytest.mark.parametrize(
    "question, intent",
    [
        ("2023 vs 2024", Intent(output=Output.ROWS)),
        ("revenue 2023 vs 2024", Intent(output=Output.VALUE, measures=(REVENUE,))),
        (
            "which customers make up 80% of revenue",
            Intent(
                output=Output.GROUPS,
                keys=(Key(column="customer"),),
                measures=(REVENUE,),
                clauses=(Condition(column="revenue", operator=Operator.EQ, values=(80,)),),
            ),
        ),
        ("orders above average in Europe", Intent(output=Output.ROWS, clauses=(ABOVE, EUROPE))),
        (
            "who spent the most on a category",
            Intent(
                output=Output.GROUPS,
                keys=(Key(column="category"),),
                measures=(REVENUE,),
                orders=(Order(),),
                limit=1,
            ),
        ),
        (
            "how many orders from Europe and how many from Asia",
            Intent(output=Output.VALUE, measures=(Measure(),), clauses=(EUROPE,)),
        ),
        (
            "which revenue has Europe",
            Intent(output=Output.VALUE, measures=(REVENUE,), clauses=(EUROPE,)),
        ),
        ("what's out of stock", Intent(output=Output.ROWS)),
        (
            "sort by date, newest first",
            Intent(output=Output.GROUPS, measures=(Measure(),), keys=(Key(unit="day"),)),
        ),
        (
            "the revenue rate of Europe",
            Intent(output=Output.VALUE, measures=(replace(REVENUE, part=(EUROPE,)),)),
        ),
        (
            "revenue at 80",
            Intent(
                output=Output.VALUE,
                measures=(REVENUE,),
                clauses=(Condition(column="quantity", operator=Operator.EQ, values=(80,)),),
            ),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_answers_another_question_is_doubtful(asker: Asker, question: str, intent: Intent) -> None:
    assert is_doubtful(asker.interpreter(EXAMPLES / "sales.csv").lattice(question), intent)


@pytest.mark.parametrize(
    "question, intent",
    [
        ("orders above average", Intent(output=Output.ROWS, clauses=(ABOVE,))),
        (
            "who spent the most",
            Intent(
                output=Output.GROUPS,
                keys=(Key(column="customer"),),
                measures=(REVENUE,),
                orders=(Order(),),
                limit=1,
            ),
        ),
        (
            "orders with a 20% discount",
            Intent(
                output=Output.ROWS,
                clauses=(Condition(column="discount", operator=Operator.EQ, values=(0.2,)),),
            ),
        ),
        (
            "how many orders from Europe",
            Intent(output=Output.VALUE, measures=(Measure(),), clauses=(EUROPE,)),
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_answers_the_question_is_not(asker: Asker, question: str, intent: Intent) -> None:
    assert not is_doubtful(asker.interpreter(EXAMPLES / "sales.csv").lattice(question), intent)


def test_all_but_some_is_offered_with_the_rows_of_which_it_is_not_known(asker: Asker, tmp_path: Path) -> None:
    file = tmp_path / "parcels.csv"
    rows = [f"P{n},{city},{n}" for n, city in enumerate(["Kyiv", "Lviv", ""] * 8)]
    file.write_text("\n".join(["parcel,city,weight", *rows]), encoding="utf-8")

    found = read(asker, file, "total weight except Kyiv")

    other = Condition(column="city", operator=Operator.NE, values=("Kyiv",))
    unknown = AnyOf(conditions=(other, Condition(column="city", operator=Operator.MISSING)))
    assert not found.certain
    assert {candidate.intent.clauses for candidate in found.offered} >= {(other,), (unknown,)}
    assert read(asker, file, "total weight not in Kyiv").candidates[0].intent.clauses == (other,)


def test_who_is_younger_than_a_year_was_born_after_it(asker: Asker, tmp_path: Path) -> None:
    file = tmp_path / "horses.csv"
    rows = [f"Horse{n},{2000 + n}" for n in range(20)]
    file.write_text("\n".join(["horse,Birth year", *rows]), encoding="utf-8")
    found = read(asker, file, "horses younger than 2010").candidates

    after = Condition(column="Birth year", operator=Operator.GT, values=(2010,))
    assert any(candidate.intent.clauses == (after,) for candidate in found[:3])
