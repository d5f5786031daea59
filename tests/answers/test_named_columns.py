"""A typed figure is never taken from another column than the one that the text names for it."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest

from tabchat.answers.check import AnswerContext, check_answer
from tabchat.engine.backends.duckdb import DuckDBEngine
from tests.answers.tables import result_of

COLUMNS: Final[Mapping[str, Sequence[Any]]] = {
    "region": ["North", "South"],
    "revenue": [12000.0, 500.0],
    "orders": [120, 5],
    "share": [0.8, -0.05],
}


@pytest.fixture(scope="module")
def context(engine: DuckDBEngine) -> AnswerContext:
    return AnswerContext(results=[result_of(engine, COLUMNS, keys=["region"])])


@pytest.mark.parametrize(
    "text, wrong",
    [
        ("North: revenue 120.", ["120"]),
        ("North, revenue: 120.", ["120"]),
        ("North: revenue — 120.", ["120"]),
        ("North: **revenue** 120.", ["120"]),
        ("North (orders: 12,000, revenue: 120)", ["12,000", "120"]),
        ("- **North**: orders 12,000, revenue 120", ["12,000", "120"]),
        ("North had the most orders, 12,000.", ["12,000"]),
        ("Orders in North: 12,000", ["12,000"]),
        ("### Orders\n\n- North: 12,000\n- South: 500", ["12,000", "500"]),
        ("Orders by region:\n- North: 12,000", ["12,000"]),
        ("| | North | South |\n|---|---|---|\n| orders | 12,000 | 500 |", ["12,000", "500"]),
        ("| metric | North |\n|---|---|\n| Orders | 12,000 |\n| Revenue | 120 |", ["12,000", "120"]),
    ],
)
def test_a_figure_of_another_column_is_sent_back(context: AnswerContext, text: str, wrong: list[str]) -> None:
    checked = check_answer(text, context)
    doubtful = [receipt.text for receipt in checked.verification.receipts if receipt.status == "unverified"]
    assert doubtful == wrong
    assert checked.verification.status == "unverified"


@pytest.mark.parametrize(
    "text, columns",
    [
        ("North: revenue 12,000, orders 120.", ["revenue", "orders"]),
        ("North: 12,000 (orders: 120)", ["revenue", "orders"]),
        ("North, with 120 orders, made 12,000.", ["orders", "revenue"]),
        ("Revenue is led by North: 12,000 and 120 orders.", ["revenue", "orders"]),
        ("### Revenue\n\n- North: 12,000\n- South: 500", ["revenue", "revenue"]),
        ("- **North**: 12,000 in revenue\n  - 120 customers", ["revenue", "orders"]),
        ("| | North | South |\n|---|---|---|\n| orders | 120 | 5 |", ["orders", "orders"]),
        ("| region | value |\n|---|---|\n| North | 12,000 |\n| South | 500 |", ["revenue", "revenue"]),
    ],
)
def test_a_figure_of_its_own_column_is_linked(context: AnswerContext, text: str, columns: list[str]) -> None:
    checked = check_answer(text, context)
    assert checked.issues == ()
    cited = [[cell.column for cell in receipt.cells] for receipt in checked.verification.receipts]
    assert cited == [[column] for column in columns]


@pytest.mark.parametrize(
    "text", ["North has 1 warehouse.", "North is number 1.", "South has 0 complaints.", "North gained 0%."]
)
def test_a_part_of_one_is_no_whole_number(context: AnswerContext, text: str) -> None:
    assert check_answer(text, context).verification.status == "unverified"


@pytest.mark.parametrize(
    "value, spec, written",
    [
        (500.0, ":.1M", "0.0005M"),
        (500.0, ":.0k", "0.5K"),
        (-750.25, ":.1M", "-0.0008M"),
        (750_000.0, ":.1M", "0.75M"),
        (1_440_000.0, ":.0M", "1.4M"),
        (1_440_000.0, ":.1M", "1.4M"),
        (0.8, ":.0f", "0.8"),
        (0.2167, ":d", "0.22"),
        (0.0004, ":.1%", "0.04%"),
        (0.033, ":.0%", "3%"),
        (0.001, ":.2f", "0.001"),
        (0.00003, ":.4f", "0.00003"),
        (0.037, ":.2f", "0.04"),
        (2.4, ":.0f", "2"),
        (0.0, ":.1M", "0.0M"),
        (1e-17, ":.2f", "0.00"),
        (0.1 + 0.2 - 0.3, ":.1%", "0.0%"),
    ],
)
def test_a_format_makes_no_nothing_of_something(
    engine: DuckDBEngine, value: float, spec: str, written: str
) -> None:
    context = AnswerContext(results=[result_of(engine, {"total": [value]})])
    assert check_answer(f"It is {{r1.total{spec}}}.", context).text == f"It is {written}."


@pytest.mark.parametrize(
    "argument, text, status",
    [
        ('{"limit": 10, "group_by": "region"}', "North grew 10%.", "unverified"),
        ('{"limit": 10, "group_by": "region"}', "North made $10.", "unverified"),
        ("SELECT * FROM sales LIMIT 10", "North made EUR 10.", "unverified"),
        ('{"limit": 10, "group_by": "region"}', "The top 10 begin with North.", "verified"),
        ('{"where": "growth > 10", "limit": 5}', "Those that grew more than 10%.", "verified"),
        ('{"where": "discount > 0.1"}', "Those with a discount over 10%.", "verified"),
        ('{"where": "revenue > 10"}', "Those over $10.", "verified"),
    ],
)
def test_how_many_rows_are_wanted_is_no_percentage_and_no_money(
    context: AnswerContext, argument: str, text: str, status: str
) -> None:
    checked = check_answer(text, AnswerContext(results=context.results, arguments=[argument]))
    assert checked.verification.status == status


@pytest.mark.parametrize(
    "text, status",
    [
        ("North is 24 times South.", "verified"),
        ("North is 24x South.", "verified"),
        ("North is 25 times South.", "unverified"),
        ("North більший за South у 24 рази.", "verified"),
        ("North больше South в 24 раза.", "verified"),
        ("North больше South в 20 раз.", "unverified"),
    ],
)
def test_how_many_times_one_row_is_another_is_linked(engine: DuckDBEngine, text: str, status: str) -> None:
    columns: dict[str, list[Any]] = {"region": ["North", "South"], "revenue": [12000.0, 500.0]}
    context = AnswerContext(results=[result_of(engine, columns, keys=["region"])])
    assert check_answer(text, context).verification.status == status
