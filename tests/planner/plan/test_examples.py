"""Every output and field of an intent over the example tables gives what SQL written by hand gives."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from tabchat.planner.intent import (
    Condition,
    Intent,
    Key,
    Measure,
    Operator,
    Order,
    Output,
    Period,
    Side,
)
from tabchat.planner.plan import Unplannable, plan_of
from tests.planner.plan.tables import Workbench, plain

REVENUE = Measure(function="sum", column="revenue")
CLOSE = Measure(function="sum", column="close")
BY_REGION = (Key(column="region"),)
FIRST = (Order(),)
SOFA = Condition(column="product", operator=Operator.STARTS, values=("corner",))
THIS_MONTH, LAST_MONTH, YEAR_AGO = (Period(unit="month", ago=ago) for ago in (0, 1, 12))
ONLINE, STORE = (
    Side(label=name, clauses=(Condition(column="channel", operator=Operator.EQ, values=(name,)),))
    for name in ("online", "store")
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("plan"))
    yield made
    made.close()


def _sql(bench: Workbench, table: str, sql: str) -> list[tuple[Any, ...]]:
    t = bench.rows(table)
    with duckdb.connect() as connection:
        connection.register("t", t)
        return connection.execute(sql).fetchall()


CASES: list[tuple[str, Intent, str]] = [
    ("sales", Intent(output=Output.GROUPS, measures=(Measure(function="sum", column="revenue", share=True),), keys=BY_REGION), "SELECT region, sum(revenue) * 100 / (SELECT sum(revenue) FROM t) FROM t GROUP BY 1 ORDER BY 1"),
    ("sales", Intent(output=Output.GROUPS, measures=(REVENUE,), keys=(Key(unit="weekday"),)), "SELECT dayname(order_date), sum(revenue) FROM t GROUP BY 1, isodow(order_date) ORDER BY isodow(order_date)"),
    ("sales", Intent(output=Output.GROUPS, measures=(REVENUE,), keys=(*BY_REGION, Key(column="product")), orders=FIRST, limit=3, limit_keys=BY_REGION), "SELECT region, product, sum(revenue) AS r FROM t GROUP BY 1, 2 QUALIFY row_number() OVER (PARTITION BY region ORDER BY r DESC) <= 3 ORDER BY region, r DESC"),
    ("sales", Intent(output=Output.GROUPS, measures=(REVENUE,), keys=(Key(column="product"),), orders=FIRST, limit=1, offset=1), "SELECT product, sum(revenue) AS r FROM t GROUP BY 1 ORDER BY r DESC LIMIT 1 OFFSET 1"),
    ("sales", Intent(output=Output.GROUPS, measures=(Measure(),), keys=(Key(unit="weekday"), Key(column="channel")), orders=FIRST, limit=1, limit_keys=(Key(unit="weekday"),), with_ties=True), "SELECT dayname(order_date), channel, count(*) AS n FROM t GROUP BY 1, 2, isodow(order_date) QUALIFY rank() OVER (PARTITION BY isodow(order_date) ORDER BY n DESC) = 1 ORDER BY isodow(order_date)"),
    ("sales", Intent(output=Output.ROWS, columns=("order_id",), clauses=(SOFA,), orders=(Order(column="revenue"),), limit=4), "SELECT order_id, revenue FROM t WHERE product ILIKE 'corner%' ORDER BY revenue DESC LIMIT 4"),
    ("sales", Intent(output=Output.VALUE, measures=(Measure(),), periods=(THIS_MONTH, YEAR_AGO)), "SELECT count(*) FROM t WHERE strftime(order_date, '%Y-%m') IN ('2024-12', '2023-12')"),
    ("sales", Intent(output=Output.VALUE, measures=(REVENUE,), periods=(Period(unit="quarter", count=2),)), "SELECT sum(revenue) FROM t WHERE order_date BETWEEN '2024-07-01' AND '2024-12-31'"),
    ("sales", Intent(output=Output.VALUE, measures=(Measure(function="sum", column="revenue", per="customer"),)), "SELECT sum(revenue) / count(DISTINCT customer) FROM t"),
    ("sales", Intent(output=Output.VALUES, columns=("product",), limit=3), "SELECT product, count(*) FROM t GROUP BY 1 ORDER BY 1 LIMIT 3"),
    ("sales", Intent(output=Output.EXISTS, clauses=(SOFA,), periods=(LAST_MONTH,)), "SELECT count(*) > 0, count(*) FROM t WHERE product ILIKE 'corner%' AND strftime(order_date, '%Y-%m') = '2024-11'"),
    ("sales", Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(ONLINE, STORE), comparison="ratio"), "SELECT sum(revenue) FILTER (channel = 'online') AS a, sum(revenue) FILTER (channel = 'store') AS b, a / b FROM t"),
    ("sales", Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(ONLINE, STORE), comparison="which"), "SELECT CASE WHEN sum(revenue) FILTER (channel = 'online') > sum(revenue) FILTER (channel = 'store') THEN 'online' ELSE 'store' END, sum(revenue) FILTER (channel = 'online'), sum(revenue) FILTER (channel = 'store') FROM t"),
    ("sales", Intent(output=Output.COMPARISON, measures=(REVENUE,), sides=(Side(label="before", period=YEAR_AGO), Side(label="now", period=THIS_MONTH)), comparison="percent"), "SELECT sum(revenue) FILTER (strftime(order_date, '%Y-%m') = '2023-12') AS a, sum(revenue) FILTER (strftime(order_date, '%Y-%m') = '2024-12') AS b, (b - a) / a * 100 FROM t"),
    ("sales", Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="month"),), change="percent", against="year", periods=(Period(start=dt.date(2023, 1, 1)),)), "WITH m AS (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS r FROM t WHERE order_date >= '2023-01-01' GROUP BY 1) SELECT m, r, (r - lag(r, 12) OVER (ORDER BY m)) / lag(r, 12) OVER (ORDER BY m) * 100 FROM m ORDER BY m"),
    ("sales", Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="month"),), change="percent", orders=FIRST, limit=1, with_ties=True), "WITH m AS (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS r FROM t GROUP BY 1), c AS (SELECT m, r, (r / lag(r) OVER (ORDER BY m) - 1) * 100 AS c FROM m) SELECT m, r, c FROM c ORDER BY c DESC LIMIT 1"),
    ("sales", Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="month"),), window=3), "WITH m AS (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS r FROM t GROUP BY 1) SELECT m, r, avg(r) OVER w FROM m WINDOW w AS (ORDER BY m ROWS 2 PRECEDING) QUALIFY count(*) OVER w = 3 ORDER BY m"),
    ("sales", Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="month"),), window=3, change="total"), "WITH m AS (SELECT strftime(order_date, '%Y-%m') AS m, sum(revenue) AS r FROM t GROUP BY 1) SELECT m, r, sum(r) OVER w FROM m WINDOW w AS (ORDER BY m ROWS 2 PRECEDING) QUALIFY count(*) OVER w = 3 ORDER BY m"),
    ("sales", Intent(output=Output.DISTRIBUTION, keys=(Key(column="revenue"),)), "SELECT floor(revenue / 2000) * 2000, count(*), count(*) * 100 / 5000 FROM t GROUP BY 1 ORDER BY 1"),
    ("sales", Intent(output=Output.DISTRIBUTION, keys=(Key(column="order_date"),)), "SELECT strftime(order_date, '%Y-%m'), count(*), count(*) * 100 / 5000 FROM t GROUP BY 1 ORDER BY 1"),
    ("sales", Intent(output=Output.OUTLIERS, columns=("revenue",), measures=(Measure(),), periods=(LAST_MONTH,)), "WITH k AS (SELECT revenue AS r FROM t WHERE strftime(order_date, '%Y-%m') = '2024-11'), f AS (SELECT quantile_cont(r, 0.25) AS a, quantile_cont(r, 0.75) AS b FROM k) SELECT count(*) FROM k, f WHERE r < a - 1.5 * (b - a) OR r > b + 1.5 * (b - a)"),
    ("sales", Intent(output=Output.DUPLICATES, columns=("customer", "product"), measures=(Measure(),)), "SELECT count(*) - count(DISTINCT (customer, product)) FROM t"),
    ("sales", Intent(output=Output.CORRELATION, columns=("quantity", "revenue"), keys=BY_REGION), "SELECT region, corr(quantity, revenue) FROM t GROUP BY 1 ORDER BY 1"),
    ("sales", Intent(output=Output.MISSING, columns=("discount",)), "SELECT count(*) - count(discount) FROM t"),
    ("sales", Intent(output=Output.PROFILE, columns=("quantity",)), "SELECT count(quantity), min(quantity), quantile_cont(quantity, 0.25), median(quantity), quantile_cont(quantity, 0.75), max(quantity), avg(quantity), stddev_samp(quantity) FROM t"),
    ("sales", Intent(output=Output.HEAD, limit=3, columns=("order_id",)), "SELECT order_id FROM t LIMIT 3"),
    ("sales", Intent(output=Output.HEAD, limit=3, columns=("order_id",), orders=FIRST), "SELECT order_id FROM t OFFSET 4997"),
    ("prices", Intent(output=Output.VALUE, measures=(Measure(function="range", column="date"),)), "SELECT date_diff('day', min(date), max(date)) FROM t"),
    ("installations", Intent(output=Output.GROUPS, measures=(Measure(function="sum", column="capacity_mw"),), keys=(Key(unit="year", column="year"),)), "SELECT year, sum(capacity_mw) FROM t GROUP BY 1 ORDER BY 1"),
]  # fmt: skip


@pytest.mark.parametrize("table,intent,sql", CASES)
def test_a_plan_gives_what_sql_by_hand_gives(bench: Workbench, table: str, intent: Intent, sql: str) -> None:
    found = [tuple(plain(cell) for cell in row.values()) for row in bench.ask(table, intent)]
    expected = [tuple(plain(cell) for cell in row) for row in _sql(bench, table, sql)]

    assert found == expected


def test_missing_cells_are_told_by_column(bench: Workbench) -> None:
    rows = pa.table({"a": [1, None, None], "b": ["x", "y", None], "c": [1, 2, 3]})
    facts = bench.add(rows)
    missing = Intent(output=Output.MISSING)

    assert bench.run(plan_of(missing, facts)).frame.rows() == [("a", 2), ("b", 1), ("c", 0)]
    assert bench.run(plan_of(replace(missing, limit=2), facts)).frame.rows() == [("a", 2), ("b", 1)]


def test_figures_with_notes_are_read_as_numbers(bench: Workbench) -> None:
    rows = pa.table({"place": ["A[1]", "B", "C*"], "height": ["1,234 m[2]", "98 m", "no figure"]})
    facts = bench.add(rows, "t")
    height = Measure(function="max", column="height")
    named = Condition(column="place", operator=Operator.EQ, values=("C*",))

    assert bench.ask("t", Intent(output=Output.VALUE, measures=(height,))) == [{"max_height": 1234.0}]
    assert bench.ask(
        "t", Intent(output=Output.ROWS, columns=("place",), orders=(Order(column="height"),), limit=2)
    ) == [
        {"place": "A[1]", "height": 1234.0},
        {"place": "B", "height": 98.0},
    ]
    assert bench.ask("t", Intent(output=Output.ROWS, clauses=(named,))) == [
        {"place": "C", "height": "no figure"}
    ]
    assert facts.column("height") is not None


def test_names_that_plans_must_quote(bench: Workbench) -> None:
    rows = pa.table(
        {'the "total", €': [1.0, 2.0], "select": ["a", "b"], "count": [1, 1], "month": ["x", "y"]}
    )
    bench.add(rows, "odd")
    odd = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column='the "total", €'), Measure()),
        keys=(Key(column="count"),),
    )

    assert bench.ask("odd", odd) == [{"count": 1, 'sum_the "total", €': 3.0, "count_": 2}]


@pytest.mark.parametrize(
    "intent,reason",
    [
        (Intent(output=Output.VALUE, measures=(Measure(function="sum", column="region"),)), "region holds no numbers"),
        (Intent(output=Output.VALUE, measures=(Measure(column="colour"),)), "there is no column colour"),
        (Intent(output=Output.GROUPS, keys=(Key(unit="hour"),)), "order_date has no time of day"),
        (Intent(output=Output.ROWS, clauses=(Condition(column="revenue", operator=Operator.CONTAINS, values=("x",)),)), "revenue is no text to look into"),
        (Intent(output=Output.ROWS, limit=3, with_ties=True), "what would the ties be ties of?"),
        (Intent(output=Output.CHANGE, measures=(REVENUE,), keys=(Key(unit="week"),), against="year"), "a week has no same week a year before"),
        (Intent(output=Output.GROUPS, measures=(Measure(function="mean", column="revenue", share=True),), keys=BY_REGION), "the mean of revenue adds up to no total"),
    ],
)  # fmt: skip
def test_what_the_table_cannot_give_is_said(bench: Workbench, intent: Intent, reason: str) -> None:
    with pytest.raises(Unplannable) as caught:
        plan_of(intent, bench.facts("sales"))

    assert caught.value.reason == reason
