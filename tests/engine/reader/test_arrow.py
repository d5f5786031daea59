"""Arrow files that are read where they lie: each cell is that of a copy, each row has its number, and none is read unchecked."""

from __future__ import annotations

import datetime as dt
import gzip
import uuid
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from pyarrow import ipc

from tabchat.errors import InputError

if TYPE_CHECKING:
    from pathlib import Path

    from tests.engine.reader.conftest import Reader, Reading

MOMENT = dt.datetime(2024, 1, 31, 10, 11, 12, 345678)  # noqa: DTZ001
COLUMNS: dict[str, Any] = {
    "i1": pa.array([1, None, -3], pa.int8()),
    "u1": pa.array([1, None, 255], pa.uint8()),
    "u8": pa.array([2**64 - 1, 0, None], pa.uint64()),
    "h": pa.array([1.5, None, float("nan")], pa.float16()),
    "f": pa.array([1.5, float("-inf"), None], pa.float32()),
    "g": pa.array([1e300, float("nan"), None]),
    "d4": pa.array([Decimal("1.10"), None, Decimal("-9.99")], pa.decimal32(5, 2)),
    "d16": pa.array([Decimal("1e30"), None, Decimal("-1")], pa.decimal128(38, 0)),
    "s": pa.array(["x", None, " NA "]),
    "ls": pa.array(["x", None, ""], pa.large_string()),
    "sv": pa.array(["x", None, "longer than twelve bytes"], pa.string_view()),
    "b": pa.array([b"\x00\xff", None, b""]),
    "bv": pa.array([b"\x00\xff", None, b"longer than twelve bytes"], pa.binary_view()),
    "fb": pa.array([b"ab", None, b"cd"], pa.binary(2)),
    "c": pa.array(["x", None, "y"]).dictionary_encode(),
    "lc": pa.array(["x", None, "y"], pa.large_string()).dictionary_encode(),
    "ci": pa.array([7, None, 8]).dictionary_encode(),
    "y": pa.array([True, None, False]),
    "n": pa.nulls(3),
    "d32": pa.array([dt.date(2024, 1, 31), None, dt.date(1, 1, 1)]),
    "d64": pa.array([dt.date(2024, 1, 31), None, dt.date(1969, 1, 1)], pa.date64()),
    "t32s": pa.array([1, None, 86_399], pa.int32()).cast(pa.time32("s")),
    "t64u": pa.array([1, None, 2], pa.int64()).cast(pa.time64("us")),
    "t64n": pa.array([1_000, None, 2_500], pa.int64()).cast(pa.time64("ns")),
    **{f"at_{unit}": pa.array([5, None, -7], pa.timestamp(unit)) for unit in ("s", "ms", "us", "ns")},
    **{
        f"zoned_{unit}": pa.array([5, None, -7], pa.timestamp(unit, tz="Europe/Kyiv"))
        for unit in ("s", "us", "ns")
    },
    **{f"took_{unit}": pa.array([5, None, -7], pa.duration(unit)) for unit in ("s", "ms", "us", "ns")},
    "month": pa.array([(1, 2, 3_000), None, (0, -1, 0)], pa.month_day_nano_interval()),
    "list": pa.array([[1, None], None, []]),
    "large": pa.array([["a"], None, []], pa.large_list(pa.string())),
    "view": pa.array([["a"], None, []], pa.list_view(pa.string())),
    "fixed": pa.array([[1, 2], None, [3, None]], pa.list_(pa.int32(), 2)),
    "map": pa.array([[("k", 1)], None, []], pa.map_(pa.string(), pa.int64())),
    "in": pa.array([{"a": 1, "b": {"c": [1], "d": "x"}}, None, {"a": None, "b": None}]),
    "lists": pa.array([[{"a": 1}], None, []]),
    "runs": pa.RunEndEncodedArray.from_arrays(pa.array([2, 3], pa.int32()), pa.array(["x", None])),
    "uuid": pa.array([uuid.UUID(int=7).bytes, None, uuid.UUID(int=8).bytes], pa.uuid()),
    "json": pa.array(['{"a": 1}', None, "[]"], pa.json_()),
    "bool8": pa.ExtensionArray.from_storage(pa.bool8(), pa.array([1, None, 0], pa.int8())),
}


def written(path: Path, table: pa.Table, rows: int | None = None, compression: str | None = None) -> Path:
    options = ipc.IpcWriteOptions(compression=compression)
    with ipc.new_file(path, table.schema, options=options) as out:
        out.write_table(table, max_chunksize=rows)
    return path


def both(reader: Reader, table: pa.Table, **how: Any) -> tuple[Reading, Reading]:
    """Return the table where it lies, and a copy of it."""
    path = written(reader.folder / "t.arrow", table, **how)
    packed = reader.folder / "packed.arrow.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    lying, copied = reader.open(path), reader.open(packed)
    assert lying.table.files is not None
    assert copied.table.files is None
    return lying, copied


@pytest.mark.parametrize("compression", [None, "lz4", "zstd"])
@pytest.mark.parametrize("rows", [None, 1])
@pytest.mark.parametrize("name", COLUMNS)
def test_a_cell_is_what_it_is_in_a_copy(
    reader: Reader, name: str, rows: int | None, compression: str | None
) -> None:
    table = pa.table({"before": [1, 2, 3], name: COLUMNS[name], "after": ["a", "b", "c"]})
    if rows == 1 and name == "runs":
        pytest.skip("pyarrow writes no slices of runs")
    lying, copied = both(reader, table, rows=rows, compression=compression)
    assert lying.table.schema == copied.table.schema
    assert lying.rows == copied.rows
    assert lying.table.report.notes == copied.table.report.notes
    assert lying.numbers == copied.numbers == [1, 2, 3]
