"""DuckDB and Spark at once: what both answer is compared, and Spark's answer handed on."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.backends.spark.engine import SparkEngine

if TYPE_CHECKING:
    from tabchat.engine.types import Row

TOLERANCE: Final = 1e-9
"""Relative, and absolute around zero: doubles are not added in the same order."""


class ComparingEngine(SparkEngine):
    """Spark behind DuckDB, with every answer of Spark held against DuckDB's own."""

    compared = 0
    """Queries that gave the same on both."""

    def fetched(self, query: exp.Query, *, is_answer: bool = False) -> exp.Select:
        """Run `query` on Spark, and hold its rows against those of DuckDB."""
        kept = super().fetched(query, is_answer=is_answer)
        found, expected = self.embedded.rows(kept), self.embedded.rows(query)
        if not _has_order(query):
            found, expected = sorted(found, key=repr), sorted(expected, key=repr)
        assert_same(found, expected, query)
        ComparingEngine.compared += 1
        return kept


def _has_order(query: exp.Query) -> bool:
    """Return whether the rows of a query come in an order: one that is asked for, or that of one table."""
    return bool(query.args.get("order")) or not (
        isinstance(query, exp.SetOperation) or query.find(exp.Join, exp.Group, exp.Distinct, exp.Window)
    )


def assert_same(found: list[Row], expected: list[Row], query: exp.Query) -> None:
    """Fail where two engines gave other rows, with every column that differs."""
    assert len(found) == len(expected), query.sql("duckdb")
    names = query.named_selects
    differing = [
        (place, names[column] if column < len(names) else column, cell, other)
        for place, (row, wanted) in enumerate(zip(found, expected, strict=True))
        for column, (cell, other) in enumerate(zip(row, wanted, strict=True))
        if not same_cell(cell, other)
    ]
    assert not differing, (differing[:12], query.sql("duckdb"))


def same_cell(left: Any, right: Any) -> bool:
    """Return whether two cells are of one type and equal, doubles as near as the order of their sums allows."""
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left == right
    return type(left) is type(right) and bool(left == right)
