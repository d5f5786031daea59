"""At `summary` a model reads rows of a result where each stands for several rows of the source, however it asks."""

from pathlib import Path
from typing import Any

import pytest

from tabchat.tools.envelope import ToolResultEnvelope
from tabchat.tools.executor import ToolExecutor
from tabchat.tools.preview import FIRST_ROWS
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace

Call = tuple[str, dict[str, Any]]


def sql(text: str) -> Call:
    return "run_sql", {"sql": text}


ALONE = "SELECT order_id, max(customer) AS c, max(revenue) AS r FROM sales GROUP BY order_id"
ROWS_OF_THE_TABLE: tuple[Call, ...] = (
    ("run_query", {"group_by": ["order_id"], "select": ["max(revenue) as r"], "limit": 30}),
    ("run_query", {"group_by": ["order_id"], "select": ["max(revenue) as r"], "having": "r > 5000"}),
    (
        "run_query",
        {
            "steps": [
                {"group_by": ["order_id", "customer", "revenue"], "select": ["count() as n"]},
                {"columns": ["order_id", "customer", "revenue"], "limit": 30},
            ]
        },
    ),
    (
        "run_query",
        {
            "steps": [
                {"group_by": ["order_id", "customer"], "select": ["max(revenue) as r"]},
                {"group_by": ["order_id"], "select": ["max(r) as r"], "limit": 20},
            ]
        },
    ),
    (
        "run_query",
        {
            "map": {"k": "if(order_id < 100100, order_id, -1 - order_id % 300)"},
            "group_by": "k",
            "select": "max(revenue) as r",
            "sort": "k desc",
            "limit": 30,
        },
    ),
    sql(f"{ALONE} ORDER BY order_id LIMIT 30"),
    sql(f"{ALONE} ORDER BY order_id LIMIT 30 OFFSET 60"),
    sql(f"{ALONE} HAVING max(revenue) > 0 ORDER BY 1 LIMIT 30"),
    sql("SELECT order_id, max(customer) AS c FROM sales GROUP BY GROUPING SETS ((order_id), ()) LIMIT 30"),
    sql("SELECT order_id, max(customer) AS c FROM sales GROUP BY ROLLUP (order_id) LIMIT 30"),
    sql(
        "WITH g AS (SELECT order_id, customer, revenue FROM sales GROUP BY ALL) SELECT * FROM g ORDER BY order_id LIMIT 30"
    ),
    sql(f"SELECT * FROM ({ALONE}) AS g WHERE r > 100 LIMIT 30"),
    sql(f"SELECT c, r FROM (SELECT * FROM ({ALONE}) AS a) AS b LIMIT 30"),
    sql(
        "SELECT order_id, max(customer) AS c FROM (SELECT * FROM sales UNION ALL SELECT * FROM sales) AS x GROUP BY 1 LIMIT 30"
    ),
    sql(f"({ALONE} LIMIT 15) UNION ALL ({ALONE} LIMIT 15)"),
    sql("SELECT s.order_id, max(s.customer) AS c FROM sales AS s, (VALUES (1), (2)) AS v(x) GROUP BY 1 LIMIT 30"),
    sql("SELECT s.order_id, max(s.customer) AS c FROM sales AS s, range(3) GROUP BY 1 LIMIT 30"),
    sql(
        "SELECT a.order_id, max(a.customer) AS c FROM sales AS a JOIN sales AS b ON a.region = b.region "
        "WHERE b.order_id < 100200 GROUP BY 1 LIMIT 30"
    ),
    sql("SELECT order_id, max(c) AS c FROM (SELECT order_id, unnest([customer, 'x']) AS c FROM sales) AS u GROUP BY 1 LIMIT 30"),
    sql("SELECT max(concat_ws('|', order_id, customer, revenue)) AS m FROM sales GROUP BY order_id ORDER BY 1 LIMIT 30"),
    sql(
        "SELECT n, count(*) AS k, (SELECT max(b.customer) FROM sales AS b WHERE b.order_id = 100000 + x.n) AS c "
        "FROM (SELECT order_id % 30 AS n FROM sales) AS x GROUP BY n"
    ),
    sql(
        "WITH s AS (SELECT order_id % 30 AS n, (SELECT max(b.revenue) FROM sales AS b WHERE b.order_id = 100000 + a.order_id % 30) AS r "
        "FROM sales AS a) SELECT n, max(r) AS r FROM s GROUP BY n"
    ),
    sql("SELECT order_id % 30 AS n, (SELECT list(revenue) FROM sales)[1 + n] AS r FROM sales GROUP BY 1"),
    sql(
        "WITH l AS (SELECT list(revenue) AS l FROM sales), g AS (SELECT order_id % 30 AS n FROM sales GROUP BY 1) "
        "SELECT n, l[n + 1] AS r FROM l, g"
    ),
)  # fmt: skip
SEVERAL: tuple[Call, ...] = (
    ("run_query", {"group_by": "customer", "select": "sum(revenue) as r", "sort": "r desc", "limit": 10}),
    ("run_query", {"map": {"m": "period_month(order_date)"}, "group_by": "m", "select": "sum(revenue)"}),
    ("run_query", {"resample": "daily", "map": {"m": "period_month(order_date)"}, "group_by": "m"}),
    ("run_query", {"group_by": "country", "select": ["mean(revenue)", "count()"]}),
    sql("SELECT country, avg(revenue) AS a FROM sales GROUP BY 1 HAVING count(*) > 20 ORDER BY a DESC"),
    sql("SELECT country, sum(revenue) / (SELECT sum(revenue) FROM sales) AS share FROM sales GROUP BY 1"),
    sql(
        "WITH m AS (SELECT date_trunc('month', order_date) AS k, sum(revenue) AS s FROM sales GROUP BY 1) "
        "SELECT k, s - lag(s) OVER (ORDER BY k) AS d FROM m ORDER BY d DESC LIMIT 20"
    ),
    sql(
        "WITH m AS (SELECT *, month(order_date) AS k FROM sales WHERE revenue > 0) SELECT k, count(*) AS n FROM m GROUP BY k"
    ),
    sql("SELECT * FROM (SELECT product, sum(revenue) AS r FROM sales GROUP BY 1) AS p ORDER BY r DESC LIMIT 20"),
)  # fmt: skip


@pytest.fixture
def executor(tmp_path: Path, example: Example) -> ToolExecutor:
    return make_executor(make_workspace(tmp_path, example("sales.csv")))


def rows_told(envelope: ToolResultEnvelope) -> int:
    assert envelope.ok, envelope.summary
    rows = (envelope.preview or {}).get("rows")
    return len(rows) if isinstance(rows, list) else 0


@pytest.mark.parametrize("call", ROWS_OF_THE_TABLE, ids=str)
def test_rows_of_the_table_are_told_in_no_disguise(executor: ToolExecutor, call: Call) -> None:
    outcome = executor.run(*call)
    assert outcome.result is not None, outcome.envelope.summary
    assert outcome.result.frame.row_count > FIRST_ROWS
    assert rows_told(outcome.envelope) == 0
    # Nor when they are asked for again, from the result.
    key = str(outcome.envelope.data_key)
    for again in (
        ("describe_result", {"data_key": key}),
        ("run_query", {"table": key, "limit": 12}),
        sql(f"SELECT *, count(*) OVER () AS n FROM {key} LIMIT 12"),
    ):
        assert rows_told(executor.execute(*again)) == 0


@pytest.mark.parametrize("call", SEVERAL, ids=str)
def test_rows_that_sum_up_several_are_told(executor: ToolExecutor, call: Call) -> None:
    outcome = executor.run(*call)
    assert outcome.result is not None, outcome.envelope.summary
    assert outcome.result.metadata.alone == 0
    assert rows_told(outcome.envelope) >= FIRST_ROWS
    assert not [name for name in outcome.result.frame.columns if name.startswith("__")]
    assert executor.allowance.counted.get("alone", 0) == 0
    again = executor.execute("run_query", {"table": "_", "limit": 12})
    assert rows_told(again) == min(12, outcome.result.frame.row_count)


def test_a_result_that_doubles_rows_makes_no_groups_of_them(executor: ToolExecutor) -> None:
    executor.execute("run_sql", {"sql": "SELECT * FROM sales UNION ALL SELECT * FROM sales"})
    grouped: dict[str, Any] = {
        "table": "r1",
        "group_by": "order_id",
        "select": "max(customer)",
        "limit": 12,
    }
    assert rows_told(executor.execute("run_query", grouped)) == 0
    executor.execute("run_query", {"where": "quantity > 3"})
    by_country = executor.execute("run_query", {"table": "r3", "group_by": "country", "select": "count()"})
    assert rows_told(by_country) >= FIRST_ROWS


def test_ten_groups_of_one_row_are_told_in_a_question_all_calls_together(executor: ToolExecutor) -> None:
    told = [
        rows_told(executor.execute(*sql(f"{ALONE} ORDER BY 1 LIMIT {size} OFFSET {size * page}")))
        for size, page in ((10, 0), (10, 1), (1, 30), (4, 20))
    ]
    assert told == [10, 0, 0, 0]
    # What sums up others is told as before.
    regions = executor.execute("run_query", {"group_by": "region", "select": "sum(revenue)"})
    assert rows_told(regions) == 5


def test_rows_that_are_gathered_by_the_calendar_are_counted(executor: ToolExecutor) -> None:
    monthly = executor.run("run_query", {"resample": "monthly"})
    narrow = executor.run("run_query", {"resample": "daily", "where": "revenue < 100"})
    assert monthly.result is not None
    assert narrow.result is not None
    assert monthly.result.metadata.alone == 0
    assert narrow.result.metadata.alone is not None
    assert 0 < narrow.result.metadata.alone <= narrow.result.frame.row_count
