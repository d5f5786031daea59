"""Rows that are at hand are written as the engine writes them, byte for byte, and with the same warnings."""

import io
from typing import Final

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Frame, Held
from tabchat.engine.types import Row
from tabchat.export import ExportFormat, export_frame
from tests.effort import examples
from tests.export.frames import table_of

COLUMNS: Final = [
    ("n", "BIGINT"),
    ("h", "HUGEINT"),
    ("x", "DOUBLE"),
    ("=t", "VARCHAR"),
    ("b", "BOOLEAN"),
    ("m", "DECIMAL(18,3)"),
]
TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=["Cs"]), max_size=9) | st.text(
    alphabet="\",;|\t\r\n'=+-@＝1.5e% €<>&*_x", max_size=8
)
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**63), 2**63 - 1),
        st.none() | st.integers(-(2**126), 2**126),
        st.none() | st.floats(),
        st.none() | TEXT,
        st.none() | st.booleans(),
        st.none() | st.decimals(-(10**14), 10**14, places=3),
    ),
    max_size=5,
)
FORMATS = [
    ExportFormat.CSV,
    ExportFormat.TSV,
    ExportFormat.JSON,
    ExportFormat.JSONL,
    ExportFormat.MD,
    ExportFormat.HTML,
]


class NoEngine:
    """Stands for an engine that nobody may ask."""


def written(frame: Frame, fmt: ExportFormat, *, guarded: bool) -> tuple[bytes, tuple[str, ...], int]:
    out = io.BytesIO()
    report = export_frame(frame, out, fmt, guard_formulas=guarded, title="t")
    return out.getvalue(), report.warnings, report.rows


def at_hand(frame: Frame) -> Frame:
    held = frame.holding(Held(rows=frame.few, by=""))
    held.__dict__["engine"] = NoEngine()
    return held


@pytest.mark.parametrize("fmt", FORMATS)
@given(rows=ROWS, guarded=st.booleans())
@example(rows=[(1, 1, 1e16, "-5\n", True, None), (1, 1, -0.0, "=1\n", None, None)], guarded=True)
@example(rows=[(None, None, 1e-5, "", None, None), (0, 0, float("-inf"), " x ", False, None)], guarded=False)
@settings(deadline=None, max_examples=examples(25))
def test_a_table(engine: DuckDBEngine, fmt: ExportFormat, rows: list[Row], *, guarded: bool) -> None:
    frame = table_of(engine, COLUMNS, rows)
    assert written(at_hand(frame), fmt, guarded=guarded) == written(frame, fmt, guarded=guarded)


@pytest.mark.parametrize("fmt", [ExportFormat.CSV, ExportFormat.TSV])
@given(rows=st.lists(st.tuples(st.none() | TEXT), max_size=4))
@settings(deadline=None, max_examples=examples(25))
def test_a_single_column(engine: DuckDBEngine, fmt: ExportFormat, rows: list[Row]) -> None:
    frame = table_of(engine, [("t", "VARCHAR")], rows)
    assert written(at_hand(frame), fmt, guarded=False) == written(frame, fmt, guarded=False)


@pytest.mark.parametrize("fmt", FORMATS)
def test_types_that_python_writes_in_another_way_are_left_to_the_engine(
    engine: DuckDBEngine, fmt: ExportFormat
) -> None:
    columns = [("d", "DATE"), ("at", "TIMESTAMP"), ("l", "INTEGER[]"), ("f", "FLOAT")]
    frame = table_of(engine, columns, [("infinity", "2024-01-01 00:00:00.5", [1, 2], 0.1)])
    held = frame.holding(Held(rows=frame.few, by=""))
    assert written(held, fmt, guarded=False) == written(frame, fmt, guarded=False)
