"""Figures are read out of texts with units, notes and scales; what holds no figure is missing."""

from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.errors import PlanValidationError
from tests.engine.tables import store

_CELLS = {
    "1,234[b]": (1234.0, 1.0),
    "$2.8bn": (2.8, 1e9),
    "$28.5 million": (28.5, 1e6),
    "$363m": (363.0, 1e6),
    "363 m": (363.0, 1.0),
    "1.5 млрд грн": (1.5, 1e9),
    "116.8 m (383 ft)": (116.8, 1.0),
    "3 694 м": (3694.0, 1.0),
    "c. 1200": (1200.0, 1.0),
    "−1.4": (-1.4, 1.0),
    "-$5": (-5.0, 1.0),
    "F-16": (16.0, 1.0),
    "10-12": (10.0, 1.0),
    "none": (None, None),
}


def _column(engine: DuckDBEngine, folder: Path, cells: list[str | None], expression: str) -> list[Any]:
    table = store(engine, folder, pa.table({"x": pa.array(cells, pa.string())}))
    plan = parse_plan({"map": {"result": expression}, "columns": "result"})
    return [row[0] for row in run_plan(engine, table, plan).frame.rows()]


def test_the_first_number_and_its_scale_are_read(engine: DuckDBEngine, folder: Path) -> None:
    found = _column(engine, folder, list(_CELLS), "figure(x)")
    scales = _column(engine, folder, list(_CELLS), "magnitude(x)")

    assert dict(zip(_CELLS, zip(found, scales, strict=True), strict=True)) == _CELLS


def test_a_decimal_comma_is_asked_for(engine: DuckDBEngine, folder: Path) -> None:
    assert _column(engine, folder, ["2,9 га", "1.234,5", None], "figure(x, ',')") == [2.9, 1234.5, None]
    with pytest.raises(PlanValidationError, match="decimal mark"):
        _column(engine, folder, ["1"], "figure(x, ';')")


def test_footnote_marks_are_left_out_at_the_end_of_a_text_alone(engine: DuckDBEngine, folder: Path) -> None:
    cells = ["Centre[c]", "Red[b][7]", "Anna*", "Лена[прим. 2]", "[12]", "List[int] a", "", None]

    assert _column(engine, folder, list(cells), "without_notes(x)") == [
        "Centre", "Red", "Anna", "Лена", "[12]", "List[int] a", "", None,
    ]  # fmt: skip
