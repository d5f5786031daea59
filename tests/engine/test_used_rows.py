"""The rows behind a figure are those that it used: a mean over 4,851 cells that are filled says 4,851."""

from pathlib import Path
from typing import Any

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.table import Table
from tabchat.render.block import describe_size
from tests.command import tabchat
from tests.conftest import EXAMPLES
from tests.engine.tables import read_example, store


@pytest.fixture(scope="module")
def sales(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("sales.csv"), "sales")


@pytest.mark.parametrize(
    "plan, used, behind",
    [
        ({"select": "mean(discount)"}, 4851, 5000),
        ({"select": "count_distinct(discount)", "group_by": "region", "limit": 2}, 4851, 5000),
        ({"select": "sum(revenue * (1 - discount))", "group_by": "region"}, 4851, 5000),
        ({"select": "mean(net)", "map": {"net": "revenue - discount"}}, 4851, 5000),
        ({"select": ["mean(discount)", "sum(revenue)"]}, 5000, 5000),
        ({"select": ["mean(discount)", "count()"]}, 5000, 5000),
        ({"select": "count()", "group_by": "region"}, 5000, 5000),
        ({"select": "mean(discount)", "where": "discount is null"}, 0, 149),
        ({"select": "mean(discount)", "where": "quantity > 1000"}, 0, 0),
        ({"select": "pct(discount > 0.1)"}, 5000, 5000),
        ({"select": "mean(discount ** 2)"}, 4851, 5000),
        # Missing where the divisor is zero, too.
        ({"select": "mean(discount / (quantity - 3))"}, 4282, 5000),
        ({"select": "mean(discount % (quantity - 3))"}, 4282, 5000),
        ({"select": "mean(ratio)", "map": {"ratio": "discount / (quantity - 3)"}}, 4282, 5000),
        ({"select": "share(discount)", "group_by": "region"}, 4851, 5000),
        ({"select": "share()", "group_by": "region"}, 5000, 5000),
        ({"select": "max(discount) - min(discount)"}, 4851, 5000),
        ({"select": "sum(discount) / nullif(sum(revenue), 0)"}, 5000, 5000),
        ({"select": "percentile(discount, 0.9)"}, 4851, 5000),
        ({"select": "correlation(discount, revenue)"}, 4851, 5000),
        ({"select": "mean(if(region == 'Asia', discount))"}, 929, 5000),
        ({"select": "count_if(discount > 0.1) / count_if(discount <= 0.1)"}, 5000, 5000),
        (
            {"select": "mean(discount)", "group_by": "region", "having": "count() > 900", "limit": 1},
            4851,
            5000,
        ),
    ],
)
def test_cells_that_are_missing_are_no_rows_behind_a_figure(
    engine: DuckDBEngine, sales: Table, plan: dict[str, Any], used: int, behind: int
) -> None:
    result = run_plan(engine, sales, parse_plan(plan))
    assert (result.metadata.used_rows, result.source_row_count) == (used, behind)
    assert "__used_rows" not in result.sql


def test_rows_without_an_aggregate_are_not_used_by_any(engine: DuckDBEngine, sales: Table) -> None:
    assert run_plan(engine, sales, parse_plan({"where": "quantity > 5"})).metadata.used_rows is None


@pytest.mark.parametrize(
    "plan, groups, told",
    [
        ({"select": "mean(discount)", "group_by": "region"}, 5, "5 groups from 4,851 of 5,000 rows"),
        (
            {"select": "mean(discount)", "group_by": "region", "limit": 2},
            5,
            "2 of 5 groups from 4,851 of 5,000 rows",
        ),
        (
            {"group_by": "region", "select": "sum(revenue)", "having": "count() > 900"},
            5,
            "3 of 5 groups from 5,000 rows",
        ),
        ({"select": "mean(discount)"}, None, "from 4,851 of 5,000 rows"),
    ],
)
def test_groups_that_are_not_shown_are_told(
    engine: DuckDBEngine, sales: Table, plan: dict[str, Any], groups: int | None, told: str
) -> None:
    result = run_plan(engine, sales, parse_plan(plan))
    assert result.metadata.groups == groups
    assert describe_size(result) == told


def test_a_kept_result_still_knows_how_many_groups_there_are() -> None:
    asked = tabchat("query", EXAMPLES / "sales.csv", '{"group_by": "region", "limit": 2}', "--json")
    shown = tabchat("show", asked.json["data_key"])
    assert "2 of 5 groups from 5,000 rows" in shown.err
