"""The rows behind a figure are those that it used: a mean over 4,851 cells that are filled says 4,851."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tabchat.engine.plan import parse_plan
from tabchat.engine.query import run_plan
from tests.engine.tables import read_example, store

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.engine.backends.duckdb import DuckDBEngine
    from tabchat.engine.table import Table


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
        # Missing where the divisor is zero, too: such figures are left alone.
        ({"select": "mean(discount / (quantity - 3))"}, 5000, 5000),
        ({"select": "mean(discount % (quantity - 3))"}, 5000, 5000),
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
