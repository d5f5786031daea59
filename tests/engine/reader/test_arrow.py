"""Arrow files that are read where they lie: each cell is that of a copy, each row has its number, and none is read unchecked."""

import contextlib
import datetime as dt
import gzip
import os
import random
import re
import struct
import uuid
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyarrow import ipc

from tabchat.engine.reader import arrow
from tabchat.errors import InputError, TabchatError
from tests.engine.reader.conftest import Reader, Reading

MOMENT = dt.datetime(2024, 1, 31, 10, 11, 12, 345678)  # noqa: DTZ001
COLUMNS: dict[str, Any] = {
    "i1": pa.array([1, None, -3], pa.int8()),
    "u1": pa.array([1, None, 255], pa.uint8()),
    "u8": pa.array([2**64 - 1, 0, None], pa.uint64()),
    "f": pa.array([1.5, float("-inf"), None], pa.float32()),
    "g": pa.array([1e300, float("nan"), None]),
    "d4": pa.array([Decimal("1.10"), None, Decimal("-9.99")], pa.decimal32(5, 2)),
    "d16": pa.array([Decimal("1e30"), None, Decimal(-1)], pa.decimal128(38, 0)),
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


def options(compression: str | None) -> ipc.IpcWriteOptions:
    return ipc.IpcWriteOptions(compression=compression)


def written(path: Path, table: pa.Table, rows: int | None = None, compression: str | None = None) -> Path:
    with ipc.new_file(path, table.schema, options=options(compression)) as out:
        out.write_table(table, max_chunksize=rows)
    return path


def both(reader: Reader, table: pa.Table, **how: Any) -> tuple[Reading, Reading]:
    """Return the table where it lies, and a copy of it."""
    path = written(reader.folder / "t.arrow", table, **how)
    packed = reader.folder / "packed.arrow.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 1))
    lying, copied = reader.open(path), reader.open(packed)
    assert lying.table.files is not None
    assert copied.table.files is None
    return lying, copied


def require_same(lying: Reading, copied: Reading) -> None:
    assert lying.table.schema == copied.table.schema
    assert lying.rows == copied.rows
    assert lying.table.report.notes == copied.table.report.notes
    assert lying.numbers == copied.numbers == list(range(1, len(copied.rows) + 1))


@pytest.mark.parametrize("rows, compression", [(None, None), (1, "lz4"), (2, "zstd")])
def test_a_cell_is_what_it_is_in_a_copy_however_the_file_was_written(
    reader: Reader, rows: int | None, compression: str | None
) -> None:
    # Of runs pyarrow writes no slices.
    table = pa.table({name: cells for name, cells in COLUMNS.items() if rows is None or name != "runs"})
    require_same(*both(reader, table, rows=rows, compression=compression))


@pytest.mark.parametrize(
    "labels", [["__row__", "__place", "__file", "place", "row", "c0"], ["a", "A", "", "a"]]
)
def test_names_that_are_taken_here(reader: Reader, labels: list[str]) -> None:
    table = pa.table([pa.array([number, None]) for number in range(len(labels))], names=labels)
    lying, copied = both(reader, table)
    require_same(lying, copied)
    assert lying.rows[0] == tuple(range(len(labels)))


@pytest.mark.parametrize("rows", [None, 0])
def test_a_file_without_rows(reader: Reader, rows: int | None) -> None:
    table = pa.table({"n": pa.array([], pa.int64()), "s": pa.array([], pa.string())})
    path = written(reader.folder / "none.arrow", table if rows is None else table.schema.empty_table())
    found = reader.open(path)
    assert (found.rows, found.table.row_count, found.types) == ([], 0, {"n": "BIGINT", "s": "VARCHAR"})


@pytest.mark.parametrize("rows, compression", [(None, "lz4"), (2, None)])
def test_a_stream_is_copied(reader: Reader, rows: int | None, compression: str | None) -> None:
    # Of another dictionary in each batch, which a file cannot have.
    table = pa.table({name: cells for name, cells in COLUMNS.items() if name != "runs"})
    parts = pa.Table.from_batches([*table.to_batches(max_chunksize=rows)])
    other = pa.array(["z", "x", None]).dictionary_encode()
    parts = pa.concat_tables([parts, parts.set_column(parts.schema.names.index("c"), "c", other)])
    path = reader.folder / os.fsdecode(b"stream\xff.arrows")
    with path.open("wb") as file, ipc.new_stream(file, table.schema, options=options(compression)) as out:
        out.write_table(parts)
    found = reader.open(path, input_format="arrow")
    lying = reader.open(written(reader.folder / "t.arrow", table))
    assert (found.table.files, found.table.schema) == (None, lying.table.schema)
    assert found.rows[:3] == lying.rows
    assert found.column("c") == ["x", None, "y", "z", "x", None]
    path.write_bytes(path.read_bytes()[:-2_000])
    with pytest.raises(InputError, match=r"arrows' cannot be read as Arrow data: "):
        reader.open(path, input_format="arrow")


def test_types_that_the_engine_does_not_know_are_refused_alike(reader: Reader) -> None:
    path = written(reader.folder / "t.arrow", pa.table({"h": pa.array([1.5], pa.float16())}))
    packed = reader.folder / "t.arrow.gz"
    packed.write_bytes(gzip.compress(path.read_bytes(), 1))
    for place in (path, packed):
        with pytest.raises(InputError, match=r"cannot be read as arrow: .*Unsupported Internal Arrow Type e"):
            reader.open(place)


def test_every_row_has_its_number_in_every_part_of_every_batch(reader: Reader) -> None:
    numbers = range(1, 300_001)
    table = pa.table({"n": pa.array(numbers), "s": pa.array([str(number) for number in numbers])})
    path = written(reader.folder / "t.arrow", table, rows=140_000)
    found = reader.open(path)
    assert found.numbers == list(numbers)
    assert found.rows == [(number, str(number)) for number in numbers]


@pytest.mark.parametrize("values", [60_000, 70_000])
def test_long_dictionaries(reader: Reader, values: int) -> None:
    texts = pa.array([*(f"text {number}" for number in range(values)), None])
    places = pa.array([number * 7919 % (values + 1) if number % 11 else None for number in range(200_000)])
    table = pa.table({"s": pa.DictionaryArray.from_arrays(places, texts), "n": range(200_000)})
    lying, copied = both(reader, table, rows=90_000)
    require_same(lying, copied)


def test_a_dictionary_or_a_place_in_it_that_points_elsewhere(reader: Reader) -> None:
    table = pa.table({"s": pa.array(["abcdefg", "hijklmn"] * 3).dictionary_encode()})
    path = written(reader.folder / "t.arrow", table)
    content = path.read_bytes()
    for honest, lying in (
        (struct.pack("<iii", 0, 7, 14), struct.pack("<iii", 0, 7, 1 << 20)),
        (struct.pack("<iiii", 0, 1, 0, 1), struct.pack("<iiii", 0, 1, 0, 9)),
        (struct.pack("<iiii", 0, 1, 0, 1), struct.pack("<iiii", 0, -1, 0, 1)),
    ):
        assert content.count(honest) == 1
        path.write_bytes(content.replace(honest, lying))
        with pytest.raises(
            InputError, match=r"t\.arrow' cannot be read as Arrow data: .*(out of bounds|larger than)"
        ):
            reader.open(path)


def test_an_engine_that_cannot_be_given_rows_has_a_copy(reader: Reader) -> None:
    path = written(reader.folder / "t.arrow", pa.table({"n": [1, 2, 3]}))
    lying = reader.open(path)
    reader.cache.copies_arrow = True
    copied = reader.open(path)
    assert (lying.table.files is None, copied.table.files) == (False, None)
    assert (copied.rows, copied.table.version) == (lying.rows, lying.table.version)
    # One version, so that a key means the same rows either way.
    reader.cache.copies_arrow = False
    assert reader.open(path).rows == lying.rows


def test_a_batch_that_is_too_long_for_memory_is_copied(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(arrow, "MOST_BYTES", 400)
    table = pa.table({"n": range(30), "s": ["a"] * 30})
    copied = reader.open(written(reader.folder / "t.arrow", table))
    lying = reader.open(written(reader.folder / "u.arrow", table, rows=10))
    assert (copied.table.files is None, lying.table.files is None) == (True, False)
    assert (copied.rows, copied.numbers) == (lying.rows, lying.numbers)


def test_a_header_that_lies_about_its_rows_gives_no_number(reader: Reader) -> None:
    table = pa.table({"n": pa.array(range(3_333)), "s": ["xy"] * 3_333})
    path = written(reader.folder / "t.arrow", table)
    content, count = path.read_bytes(), struct.pack("<q", 3_333)
    # The rows of the batch, and the cells of its two columns; `n` holds no such number.
    places = [match.start() for match in re.finditer(re.escape(count), content)]
    assert len(places) == 3
    for lied in (places[:1], places[1:2], places[2:], places[:2], places):
        lying = bytearray(content)
        for place in lied:
            lying[place : place + 8] = struct.pack("<q", 5_555)
        path.write_bytes(lying)
        with pytest.raises(InputError, match=r"t\.arrow' cannot be read"):
            reader.open(path)


@pytest.mark.parametrize("seed", range(8))
def test_a_damaged_file_is_refused_and_never_ends_the_process(reader: Reader, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - the same damage each time
    table = pa.table({name: cells for name, cells in COLUMNS.items() if name != "runs"})
    whole = written(reader.folder / "t.arrow", table, rows=chance.choice([1, None])).read_bytes()
    for turn in range(12):
        content = bytearray(whole)
        if chance.random() < 0.3:
            del content[chance.randrange(8, len(content)) :]
        for _ in range(chance.randrange(1, 40)):
            content[chance.randrange(6, len(content))] = chance.choice([0, 1, 127, 128, 255])
        # A byte of a cell that was changed is a cell of another value: what counts is that nothing else happens.
        with contextlib.suppress(TabchatError):
            reader.open(reader.write(bytes(content), f"t{turn}.arrow"), input_format="arrow")


@pytest.mark.parametrize(
    "damage, message",
    [
        (lambda content: content[:-1], "not an Arrow file|its end is missing"),
        (lambda content: content[: len(content) // 2], "not an Arrow file|its end is missing"),
        (lambda content: content[:20], "not an Arrow file|too small|its end is missing|points beyond"),
        (lambda content: content[:-10] + b"\xff\xff\xff\x7fARROW1", "points beyond|smaller than indicated"),
        (lambda content: content[:-10] + bytes(4) + b"ARROW1", "damaged|points beyond|not an Arrow file"),
    ],
)
def test_what_is_cut_off_is_told(reader: Reader, damage: Callable[[bytes], bytes], message: str) -> None:
    path = written(reader.folder / "t.arrow", pa.table({"n": [1, 2, 3]}))
    path.write_bytes(damage(path.read_bytes()))
    with pytest.raises(InputError, match=rf"t\.arrow' cannot be read as Arrow data: .*({message})"):
        reader.open(path)


@pytest.mark.parametrize("form", ["file", "stream"])
def test_a_type_that_is_not_read_is_named_with_its_column(reader: Reader, form: str) -> None:
    kinds = [pa.decimal256(50, 2), pa.list_(pa.float16()), pa.int64()]
    table = pa.table({name: pa.nulls(2, kind) for name, kind in zip("abc", kinds, strict=True)})
    path = reader.folder / "t.arrow"
    with pa.OSFile(str(path), "wb") as out:
        make = pa.ipc.new_file if form == "file" else pa.ipc.new_stream
        with make(out, table.schema) as writer:
            writer.write_table(table)
    with pytest.raises(InputError) as caught:
        reader.open(path)
    assert caught.value.message.startswith(
        "'t.arrow' cannot be read as arrow: the engine has no such type as of "
        "'a' (decimal256(50, 2)), 'b' (list<item: halffloat>): Unsupported Internal Arrow Type"
    )
    assert caught.value.hint == "Write them as another type, such as float64 or string."


def test_durations_that_become_text_are_told(reader: Reader) -> None:
    path = reader.folder / "t.arrow"
    written(path, pa.table({"took": pa.array([1_500_000, None], pa.duration("us"))}))
    found = reader.open(path)
    assert found.column("took") == ["00:00:01.5", None]
    assert [note.message for note in found.notes("inferred")] == [
        "Durations, bits and times of day with a zone are kept as text: took."
    ]
