"""The engine of the tests as DuckDB and Spark at once: what both answer is compared, and Spark's answer handed on.

A plugin of pytest: with `-p tests.spark.both`, every test that opens an engine over Parquet files runs on both.
"""

from __future__ import annotations

import math
import tempfile
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from sqlglot import exp

from tabchat.engine.backends.spark.engine import SparkEngine
from tabchat.engine.backends.spark.errors import NotOnSparkError
from tabchat.engine.backends.spark.starting import start
from tests.engine import tables

if TYPE_CHECKING:
    from collections.abc import Iterator
    import pyarrow as pa

    from tabchat.engine.types import Row

TOLERANCE: Final = 1e-9
"""Relative, and absolute around zero: the order in which doubles are added is not the same."""


class ComparingEngine(SparkEngine):
    """Spark behind DuckDB, with every answer of Spark held against DuckDB's own."""

    def rows(self, query: exp.Query) -> list[Row]:
        found = super().rows(query)
        self._hold_against(query, found)
        return found

    def stream(self, query: exp.Query, size: int = 100_000) -> Iterator[list[Row]]:
        self._hold_against(query, [row for rows in super().stream(query, size) for row in rows])
        yield from super().stream(query, size)

    def execute(self, query: exp.Query) -> Iterator[pa.RecordBatch]:
        if self.is_far(query):
            self.rows(query)
        yield from super().execute(query)

    def materialise(self, query: exp.Query) -> exp.Select:
        kept = super().materialise(query)
        if self.is_far(query):
            self._hold_against(query, self.embedded.rows(kept))
        return kept

    def _hold_against(self, query: exp.Query, found: list[Row]) -> None:
        if not self.is_far(query):
            return
        expected = self.embedded.rows(query)
        if not _has_order(query):
            found, expected = sorted(found, key=repr), sorted(expected, key=repr)
        assert_same(found, expected, query)
        COMPARED.append(type(query))


def _has_order(query: exp.Query) -> bool:
    """Return whether the rows of a query come in an order: one that is asked for, or that of one table."""
    return bool(query.args.get("order")) or not (
        isinstance(query, exp.SetOperation) or query.find(exp.Join, exp.Group, exp.Distinct, exp.Window)
    )


def assert_same(found: list[Row], expected: list[Row], query: exp.Query) -> None:
    """Fail where two engines gave other rows."""
    said = query.sql("duckdb")
    assert len(found) == len(expected), said
    for place, (left, right) in enumerate(zip(found, expected, strict=True)):
        assert all(map(same_cell, left, right)), (place, left, right, said)


def same_cell(left: Any, right: Any) -> bool:
    """Return whether two cells are equal, doubles as near as the order of their sums allows."""
    if isinstance(left, float) and isinstance(right, float):
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        return math.isclose(left, right, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
    if isinstance(left, Decimal) and isinstance(right, Decimal):
        return left == right
    return type(left) is type(right) and bool(left == right)


COMPARED: Final[list[type[exp.Expr]]] = []
"""What was compared: a run that compares nothing is no run."""


def pytest_configure(config: pytest.Config) -> None:
    """Start one Spark for all the tests."""
    start("local[2]", scratch=Path(tempfile.mkdtemp(prefix="tabchat-spark-")))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how much was compared."""
    terminalreporter.write_line(f"{len(COMPARED):,} queries gave the same on DuckDB and on Spark")


def open_engine(folder: Path) -> ComparingEngine:
    """Return both engines over the Parquet files in `folder`."""
    return ComparingEngine(
        address="local[2]",
        most_rows=1_000_000,
        spill=folder / "spill",
        folders=[folder],
        memory_limit=2**30,
        threads=2,
    )


tables.open_engine = open_engine

__all__ = ["ComparingEngine", "NotOnSparkError", "open_engine"]
