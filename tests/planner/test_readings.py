"""What people ask of odd headers, units, lengths of time and names is answered, or among the readings that are offered."""

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tabchat.errors import NotUnderstoodError
from tabchat.planner.intent import Condition, Key
from tests.planner.asking import Asker
from tests.planner.gold import DATA, EXAMPLES, TABLES
from tests.planner.tables import table_of

_LINES = (DATA / "readings.jsonl").read_text(encoding="utf-8").splitlines()
_CASES = [json.loads(line) for line in _LINES]
_FOLDERS = (DATA / "small", EXAMPLES, TABLES)


@pytest.mark.parametrize("case", _CASES, ids=lambda case: case["question"])
def test_the_reading_that_was_meant_is_answered_or_offered(asker: Asker, case: dict[str, str]) -> None:
    path = next(folder / case["file"] for folder in _FOLDERS if (folder / case["file"]).exists())

    try:
        found = asker.planner(path).plan(case["question"]).readings
    except NotUnderstoodError as refusal:
        found = refusal.readings

    assert case["reading"] in [reading.interpretation for reading in found]


def test_no_size_ranks_rows_by_what_numbers_them(asker: Asker) -> None:
    ranked = {
        order.column
        for reading in asker.readings(EXAMPLES / "sales.csv", "show me the biggest orders")
        for order in reading.intent.orders
    }

    assert "revenue" in ranked
    assert "order_id" not in ranked


@pytest.mark.parametrize(
    "question", ["average order value by customer, top 5", "which country buys the most desk lamps"]
)
def test_a_word_of_a_header_or_a_plural_of_a_cell_is_no_reason_to_doubt(asker: Asker, question: str) -> None:
    assert asker.interpreter(EXAMPLES / "sales.csv").read(question).certain


@pytest.mark.parametrize(
    "file, question",
    [
        ("firms/call_log.csv", "Nina's share of calls"),
        ("firms/call_log.csv", "Nina's incoming calls shorter than 20 minutes"),
        ("firms/ad_campaigns.csv", "tiktok's share of the total spend in percent"),
        ("operations/server_incidents.csv", "how many P1s without a postmortem"),
        ("hobbies/vet_patients.csv", "do we have any rabbits born after 2020?"),
        ("lessons/cheese_counter.csv", "number of cheeses for each milk type"),
        ("counters/biblioteky.csv", "які бібліотеки ремонтували у 2024 році?"),
    ],
)
def test_whose_it_is_and_what_a_column_is_anyway_leave_no_word_open(
    asker: Asker, file: str, question: str
) -> None:
    found = asker.interpreter(TABLES / file).read(question)

    assert found.candidates[0].unexplained == ()
    assert found.certain


def test_a_name_that_is_written_like_a_possessive_stays_whole(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{name},{n}" for n, name in enumerate(["McDonald's", "Domino's", "Domino", "Subway"] * 5)]
    meals = table_of(tmp_path, "meals", "brand,quantity", rows)

    for question in (
        "total quantity of Domino's",
        'total quantity of "Domino\'s"',
        "Domino’s total quantity",
    ):
        clauses = asker.readings(meals, question)[0].intent.clauses
        assert [clause.values for clause in clauses if isinstance(clause, Condition)] == [("Domino's",)]


def test_a_noun_that_asks_for_something_else_stays_open(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{'Lviv' if n % 2 else 'Kyiv'},2024-0{n % 9 + 1}-11,{n}" for n in range(20)]
    orders = table_of(tmp_path, "orders", "city,order_date,quantity", rows)

    for question in ("number of orders by order date year", "did orders go down in quantity in Lviv"):
        assert not asker.interpreter(orders).read(question).certain


@pytest.mark.parametrize(
    "question, column, value",
    [
        ("pets older than 2 years", "age", 2),
        ("pets older than 18 months", "age", 1.5),
        ("contracts over 2 years", "contract_months", 24),
        ("contract of a year or longer", "contract_months", 12),
    ],
)
def test_years_and_months_are_compared_in_what_the_column_is_in(
    asker: Asker, tmp_path: Path, question: str, column: str, value: float
) -> None:
    rows = [f"P{n},{1 + n % 15},{1 + n % 36}" for n in range(40)]
    pets = table_of(tmp_path, "pets", "name,age,contract_months", rows)

    clause = asker.interpreter(pets).read(question).candidates[0].intent.clauses[0]

    assert isinstance(clause, Condition)
    assert (clause.column, clause.values) == (column, (value,))


@pytest.mark.parametrize(
    "question",
    [
        "orders from March 15, 2024 to May 2, 2024",
        "orders between March 15 2024 and May 2 2024",
        "revenue in May 2024",
        "orders before March 15",
        "revenue after 2023 by region",
    ],
)
def test_one_mention_of_time_is_not_taken_for_two_or_without_what_opens_it(
    asker: Asker, question: str
) -> None:
    dates = [
        (
            [*reading.intent.periods],
            [c.part for c in reading.intent.clauses if isinstance(c, Condition) and c.part],
        )
        for reading in asker.readings(EXAMPLES / "sales.csv", question)
        if not reading.intent.sides and not reading.unexplained
    ]

    assert dates
    assert all(len(periods) + len(parts) == 1 for periods, parts in dates)
    assert all(period.start != period.end for periods, _ in dates for period in periods)


@pytest.mark.parametrize(
    "question, sql",
    [
        ("how many orders from February 20 to March 5", "month_day BETWEEN 220 AND 305"),
        ("how many orders from December 20 to January 10", "month_day >= 1220 OR month_day <= 110"),
        ("how many orders in early March", "month_day BETWEEN 301 AND 310"),
        ("how many orders except March 10", "month_day <> 310"),
        ("how many orders March-May", "month(order_date) IN (3, 4, 5)"),
        ("скільки замовлень з 20 лютого по 5 березня", "month_day BETWEEN 220 AND 305"),
        ("сколько заказов кроме 10 марта", "month_day <> 310"),
    ],
)
def test_days_of_every_year_are_counted_as_the_calendar_has_them(
    asker: Asker, question: str, sql: str
) -> None:
    sales = EXAMPLES / "sales.csv"
    best = asker.readings(sales, question)[0].intent

    assert asker.answer(sales, asker.call(sales, best)).rows == (_orders_where(sales, sql),)


@pytest.mark.parametrize(
    "question, sql",
    [
        ("how many orders since December 20", "month_day >= 1220"),
        ("how many orders before March 1", "month_day < 301"),
        ("сколько заказов после 5 марта", "month_day > 305"),
    ],
)
def test_days_since_one_of_every_year_are_offered_as_the_calendar_has_them(
    asker: Asker, question: str, sql: str
) -> None:
    """Beside those since the last such day: which of both is meant nobody said."""
    sales = EXAMPLES / "sales.csv"
    offered, certain = asker.offers(sales, question)

    assert not certain
    assert (_orders_where(sales, sql),) in [
        asker.answer(sales, asker.call(sales, intent)).rows for intent in offered
    ]


def _orders_where(sales: Path, sql: str) -> tuple[Any, ...]:
    with duckdb.connect() as connection:
        (count,) = connection.execute(
            "SELECT count(*) FROM (SELECT *, month(order_date) * 100 + day(order_date) AS month_day"
            f" FROM read_csv(?)) WHERE {sql}",
            [str(sales)],
        ).fetchall()
    return tuple(count)


@pytest.mark.parametrize(
    "question, keys",
    [
        ("Germany vs France revenue by month", [Key(unit="month"), Key(column="country")]),
        ("online vs store revenue by region", [Key(column="region"), Key(column="channel")]),
        ("orders by region in 2024 vs 2023", [Key(column="region"), Key(column="order_date", unit="year")]),
    ],
)
def test_what_is_compared_in_groups_stays_apart_in_them(asker: Asker, question: str, keys: list[Key]) -> None:
    read = asker.interpreter(EXAMPLES / "sales.csv").read(question)

    assert [*keys] in [[*candidate.intent.keys] for candidate in read.candidates]


@pytest.mark.parametrize(
    "question, labels",
    [
        ("revenue this month vs last month", ["last month", "this month"]),
        ("Q1 2023 vs Q1 2024 revenue", ["2023-Q1", "2024-Q1"]),
        ("revenue on March 15, 2024 vs March 16, 2024", ["2024-03-15", "2024-03-16"]),
        ("revenue this quarter vs same quarter last year", ["4 quarters ago", "this quarter"]),
        ("compare revenue on March 10 and December 12", ["03-10", "12-12"]),
    ],
)
def test_sides_are_called_by_their_times(asker: Asker, question: str, labels: list[str]) -> None:
    best = asker.readings(EXAMPLES / "sales.csv", question)[0].intent

    assert [side.label for side in best.sides] == labels


def test_what_stands_in_several_rows_is_ranked_once(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{'Sofa' if n % 2 else 'Desk'},{n * 10 % 97}" for n in range(40)]
    sold = table_of(tmp_path, "sold", "sale,product,price", [*rows, "40,Lamp,1"])
    read = asker.interpreter(sold).read("2 most expensive products")

    assert [row[0] for row in asker.answer(sold, asker.call(sold, read.candidates[0].intent)).rows] == [
        "Sofa",
        "Desk",
    ]
