"""Durations in Parquet files: numbers whose unit only the Arrow schema beside them tells."""

import datetime as dt
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabchat.engine.arrow_schema import duration_units
from tests.command import tabchat
from tests.engine.reader.conftest import Reader

CELLS = [dt.timedelta(hours=1, minutes=30), None, dt.timedelta(seconds=10)]
SCHEMA = pa.schema(
    [
        ("n", pa.int64()),
        *((unit, pa.duration(unit)) for unit in ("s", "ms", "us", "ns")),
        ("час", pa.struct([("a", pa.duration("ms")), ("b", pa.struct([("c", pa.duration("us"))]))])),
        ("list", pa.list_(pa.duration("ns"))),
    ]
)


def write(path: Path, **columns: Any) -> Path:
    pq.write_table(pa.table(columns), path)
    return path


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_durations_are_numbers_in_seconds_and_a_note_says_so(reader: Reader, unit: str) -> None:
    found = reader.open(
        write(reader.folder / f"{unit}.parquet", wait=pa.array(CELLS, pa.duration(unit)), n=[1, 2, 3])
    )
    assert (found.rows, found.units) == ([(5400, 1), (None, 2), (10, 3)], {"wait": "s"})
    (note,) = found.notes("inferred")
    assert note.message.endswith("are numbers in units of time: 'wait' (s).")


def test_a_unit_that_the_header_names_is_kept_to(reader: Reader) -> None:
    cells = pa.array(CELLS, pa.duration("us"))
    found = reader.open(
        write(reader.folder / "d.parquet", **{"wait_ms": cells, "t (ns)": cells, "t (min)": cells})
    )
    assert found.units == {"wait_ms": "ms", "t (ns)": "ns", "t (min)": "min"}
    assert found.rows[0] == (5_400_000, 5_400_000_000_000, 90)


def test_fields_of_structures_have_their_units(reader: Reader) -> None:
    cells = pa.array([{"wait": cell} for cell in CELLS], pa.struct([("wait", pa.duration("ns"))]))
    found = reader.open(write(reader.folder / "d.parquet", call=cells))
    assert (found.rows[0], found.units) == ((5400,), {"call.wait": "s"})


def test_numbers_of_different_units_are_told_apart_from_one_kind(tmp_path: Path) -> None:
    write(tmp_path / "a.parquet", wait=pa.array(CELLS, pa.duration("ns")))
    write(tmp_path / "b.parquet", wait=pa.array(CELLS, pa.duration("s")))
    done = tabchat("ask", tmp_path, "average wait", "-v")
    assert "not every file counts in the same unit" in " ".join(done.err.split())


def test_a_figure_of_durations_has_its_unit(tmp_path: Path) -> None:
    path = write(tmp_path / "calls.parquet", wait=pa.array(CELLS, pa.duration("ns")))
    assert tabchat("ask", path, "average wait").out.strip() == "The mean of wait is 2,705 s."


def test_the_units_of_an_arrow_schema() -> None:
    assert duration_units(SCHEMA.serialize().to_pybytes()) == {
        "n": None,
        "s": "s",
        "ms": "ms",
        "us": "us",
        "ns": "ns",
        "час.a": "ms",
        "час.b.c": "us",
        "list": None,
    }


@given(st.lists(st.tuples(st.integers(0, 2000), st.integers(0, 255)), max_size=5), st.integers(0, 2000))
def test_a_damaged_schema_has_fewer_columns_or_none(changes: list[tuple[int, int]], end: int) -> None:
    message = bytearray(SCHEMA.serialize().to_pybytes())
    for place, byte in changes:
        message[place % len(message)] = byte
    duration_units(bytes(message[:end]))
