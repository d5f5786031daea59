"""Which results hold aggregates, and which rows of a table under another name."""

from collections.abc import Mapping

import pytest

from tabchat.engine.result.aggregate_rows import holds_aggregates
from tabchat.engine.result.result import ResultKind
from tabchat.engine.types import JsonValue

MONTHS = "WITH m AS (SELECT month(day) AS k, sum(x) AS s FROM t GROUP BY 1) "


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT count(*) FROM t GROUP BY region",
        "SELECT sum(x), k FROM t GROUP BY ALL ORDER BY 1",
        "SELECT 'all' AS k, sum(x) FROM t UNION ALL SELECT 'some', sum(x) FROM t WHERE x > 1",
        "SELECT k, s - lag(s) OVER (ORDER BY k) FROM (SELECT k, sum(x) AS s FROM t GROUP BY 1)",
        MONTHS + "SELECT k, s FROM m ORDER BY s DESC LIMIT 3",
        MONTHS + "SELECT a.k, a.s / b.s FROM m AS a JOIN m AS b ON a.k = b.k + 1",
        MONTHS + ", n AS (SELECT k FROM m) SELECT * FROM n",
    ],
)
def test_selects_that_sum_up_and_what_reads_only_them(sql: str) -> None:
    assert holds_aggregates(ResultKind.TABLE, None, sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t",
        "SELECT DISTINCT name FROM t",
        "SELECT x, sum(x) OVER () FROM t",
        "SELECT sum(x) FROM t UNION ALL SELECT x FROM t",
        "SELECT unnest(list(x)) FROM t",
        "SELECT u.x FROM (SELECT list(x) AS l FROM t), unnest(l) AS u(x)",
        "SELECT (SELECT sum(x) FROM t), x FROM t",
        MONTHS + "SELECT t.x, m.s FROM t JOIN m ON month(t.day) = m.k",
        MONTHS + "SELECT m.s FROM m, t",
        "WITH t2 AS (SELECT * FROM t) SELECT * FROM t2",
        "WITH m AS (SELECT sum(x) AS s FROM t) SELECT * FROM other.m",
        "WITH m AS (SELECT sum(x) AS s FROM t), n AS (WITH m AS (SELECT * FROM t) SELECT * FROM m) SELECT * FROM n",
        "WITH RECURSIVE m AS (SELECT * FROM m) SELECT * FROM m",
        "VALUES (1), (2)",
    ],
)
def test_rows_of_a_table_are_no_aggregates(sql: str) -> None:
    assert not holds_aggregates(ResultKind.TABLE, None, sql)


def test_values_that_were_spread_over_rows_are_none_even_in_groups() -> None:
    sql = "SELECT unnest(list(x)) AS u, k FROM t GROUP BY k"
    assert not holds_aggregates(ResultKind.GROUPED, None, sql)


@pytest.mark.parametrize("kind", [ResultKind.SCALAR, ResultKind.DICT, ResultKind.GROUPED])
def test_what_a_plan_or_code_summed_up(kind: ResultKind) -> None:
    assert holds_aggregates(kind, {"select": ["sum(x)"]}, "SELECT 1")
    assert holds_aggregates(kind, None, "")


@pytest.mark.parametrize(
    "plan, sums_up",
    [
        ({}, False),
        ({"where": "x > 1", "sort": ["x desc"]}, False),
        ({"steps": [{"group_by": ["k"]}, {"sort": ["count desc"]}]}, True),
        ({"steps": [{"where": "x > 1"}, {"group_by": ["k"], "select": ["sum(x)"]}, {"limit": 3}]}, True),
        ({"steps": [{"where": "x > 1"}, {"sort": ["x"]}]}, False),
        ({"recipe": "control_chart", "value": "x"}, False),
        ({"recipe": "control_chart", "value": "x", "subgroup": "k"}, True),
        ({"recipe": "describe_unit", "key": "id", "value": 7}, False),
    ],
)
def test_a_table_that_a_plan_made_of_groups(plan: Mapping[str, JsonValue], sums_up: bool) -> None:
    assert holds_aggregates(ResultKind.TABLE, plan, "SELECT 1") is sums_up
