"""Sums of whole numbers: plain integers, and exact where these are too small for them."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from python_calamine import CalamineWorkbook

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.errors import QueryFailedError
from tests.command import tabchat
from tests.engine.tables import read_example, store

LARGE = 9_000_000_000_000_000_000
SUM = 2 * LARGE + 5


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint64()])
@pytest.mark.parametrize(
    "plan, rows",
    [
        ({"select": "sum(x)"}, [(SUM,)]),
        ({"select": ["sum(x) as total", "sum(x) - 1 as less"]}, [(SUM, SUM - 1)]),
        ({"group_by": "g", "select": "sum(x)", "sort": "g"}, [("a", 2 * LARGE), ("b", 5)]),
        ({"map": {"s": "cumsum(x)"}, "columns": "s"}, [(LARGE,), (2 * LARGE,), (SUM,)]),
        ({"map": {"s": "rolling_sum(x, 2)"}, "columns": "s"}, [(None,), (2 * LARGE,), (LARGE + 5,)]),
        ({"map": {"s": "total(x)"}, "columns": "s", "limit": 1}, [(SUM,)]),
        ({"steps": [{"select": "sum(x) as s"}, {"map": {"d": "s - 1"}, "columns": "d"}]}, [(SUM - 1,)]),
    ],
)
def test_a_sum_beyond_64_bits_is_exact(
    engine: DuckDBEngine, folder: Path, kind: pa.DataType, plan: dict[str, Any], rows: list[tuple[Any, ...]]
) -> None:
    table = store(
        engine, folder, pa.table({"g": ["a", "a", "b"], "x": pa.array([LARGE, LARGE, 5], kind)}), "large"
    )
    assert run_plan(engine, table, parse_plan(plan)).frame.rows() == rows


def test_a_sum_within_64_bits_stays_a_plain_integer(engine: DuckDBEngine, folder: Path) -> None:
    prices = store(engine, folder, read_example("prices.csv"), "prices")
    (column,) = run_plan(engine, prices, parse_plan({"select": "sum(volume)"})).frame.schema
    assert column.sql_type == "BIGINT"


def test_other_overflows_are_errors_as_before(engine: DuckDBEngine, folder: Path) -> None:
    table = store(engine, folder, pa.table({"x": [LARGE]}), "one")
    with pytest.raises(QueryFailedError, match="Overflow in multiplication"):
        run_plan(engine, table, parse_plan({"select": "sum(x * x)"}))


@pytest.fixture
def large(tmp_path: Path) -> Path:
    path = tmp_path / "bigsum.csv"
    path.write_text(f"id,bytes\n1,{LARGE}\n2,{LARGE}\n3,5\n")
    return path


def test_a_question_for_a_large_sum_is_answered_exactly(large: Path) -> None:
    said = tabchat("ask", large, "total bytes", "--json").json
    assert (said["value"], said["answer"]) == (SUM, "The sum of bytes is 18,000,000,000,000,000,005.")
    assert tabchat("show", said["data_key"], "--json").json["value"] == SUM


def test_a_large_sum_is_exported_exactly(large: Path) -> None:
    for name in ("s.csv", "s.json", "s.parquet", "s.xlsx"):
        done = tabchat("query", large, '{"select": "sum(bytes) as s"}', "-o", large.parent / name)
        assert done.code == 0, done.err
    assert (large.parent / "s.csv").read_text() == f"s\n{SUM}\n"
    assert json.loads((large.parent / "s.json").read_text()) == [{"s": SUM}]
    assert pq.read_table(large.parent / "s.parquet").column("s").to_pylist() == [SUM]
    # A number of a workbook has 15 digits.
    sheet = CalamineWorkbook.from_path(str(large.parent / "s.xlsx")).get_sheet_by_index(0)
    assert sheet.to_python() == [["s"], [str(SUM)]]
