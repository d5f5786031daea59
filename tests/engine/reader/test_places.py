"""Folders and patterns of Parquet files as one table: which files count, and what is said of those that cannot be read."""

import gzip
import os
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tabchat.errors import InputError, TabchatError
from tests.engine.reader.conftest import Reader


def write(path: Path, **columns: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.table(columns or {"n": [1, 2]}), path)
    return path


def footer_says(content: bytes, before: int, after: int) -> bytes:
    """Return a Parquet file whose footer gives another count of all its rows, in as many bytes."""

    def field(count: int) -> bytes:
        # Thrift's compact protocol: an i64, zigzag, seven bits a byte; then the list of the groups of rows.
        value, written = count << 1, b"\x16"
        while value > 127:
            written, value = written + bytes([value & 127 | 128]), value >> 7
        return written + bytes([value]) + b"\x19"

    assert content.count(field(before)) == 1
    return content.replace(field(before), field(after))


def test_what_counts_as_a_part(reader: Reader) -> None:
    folder = reader.folder / "sales"
    write(folder / "b.parquet", n=[3])
    write(folder / "a" / "z.PQ", n=[1, 2])
    for ignored in ("_SUCCESS", ".a.parquet.crc", "_temporary/x.parquet", ".hidden/y.parquet"):
        (folder / ignored).parent.mkdir(exist_ok=True)
        (folder / ignored).write_bytes(b"not one")
    (folder / "README.md").write_text("Sales.")
    found = reader.open(folder)
    assert found.rows == [(1,), (2,), (3,)]
    assert found.numbers == [1, 2, 3]
    assert [note.message for note in found.notes("warning")] == [
        "Other files beside them were passed over: 'README.md'."
    ]
    assert [note.message for note in found.notes("inferred")] == ["2 Parquet files are one table."]


@pytest.mark.parametrize(
    "files, message, hint",
    [
        ({}, "without a Parquet file", "folder of Parquet files"),
        ({"a.csv": b"a\n1\n"}, "without a Parquet file", "Name a file in it: 'a.csv'"),
        (
            {"p.parquet": None, "a.csv": b"a\n1\n"},
            "other tables between its Parquet files: 'a.csv'",
            "pattern",
        ),
        ({"p.parquet": None, "q.parquet": b""}, r"q\.parquet' .*it is empty \(0 bytes\)", "again"),
        ({"p.parquet": None, "q.parquet": b"a,b\n1,2\n"}, r"q\.parquet' .*does not begin as one", "again"),
        ({"q.parquet": b"PAR1" + b"x" * 90 + b"PAR1"}, "its footer takes 2,021,161,080 bytes", "again"),
        ({"q.parquet": b"PAR1" + b"x" * 90}, "its end is missing", "again"),
        ({"p.parquet": None, "_delta_log/0.json": b"{}"}, "is a Delta Lake table", "current state"),
        ({"p.parquet": None, "metadata/v1.metadata.json": b"{}"}, "is an Iceberg table", "current state"),
        ({"a=1/p.parquet": None, "b=1/q.parquet": None}, "do not name the same columns", "pattern"),
    ],
)
def test_refusals_of_folders(reader: Reader, files: dict[str, bytes | None], message: str, hint: str) -> None:
    folder = reader.folder / "sales"
    folder.mkdir()
    for name, content in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        if content is None:
            write(folder / name)
        else:
            (folder / name).write_bytes(content)
    with pytest.raises(InputError, match=message) as caught:
        reader.open(folder)
    assert hint in (caught.value.hint or "")


def test_a_pipe_or_an_endless_tree_does_not_hang_it(reader: Reader) -> None:
    folder = reader.folder / "sales"
    write(folder / "a.parquet")
    os.mkfifo(folder / "b.parquet")
    with pytest.raises(InputError, match=r"b\.parquet' is not a regular file"):
        reader.open(folder)
    (folder / "b.parquet").unlink()
    (folder / "loop").symlink_to(folder)
    assert len(reader.open(folder).rows) == 2
    inner = folder.joinpath(*["d"] * 110)
    inner.mkdir(parents=True)
    with pytest.raises(InputError, match="nested more than 100 deep"):
        reader.open(folder)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_what_may_not_be_read_is_named(reader: Reader) -> None:
    folder = reader.folder / "sales"
    write(folder / "a.parquet")
    write(folder / "inner" / "b.parquet").chmod(0)
    with pytest.raises(InputError, match=r"b\.parquet' cannot be read: permission denied"):
        reader.open(folder)
    (folder / "inner").chmod(0)
    with pytest.raises(InputError, match=r"The folder .*inner' cannot be read: permission denied"):
        reader.open(folder)
    (folder / "inner").chmod(0o700)


def test_patterns(reader: Reader) -> None:
    write(reader.folder / "y" / "s-1.parquet", n=[1])
    write(reader.folder / "y" / "s-2.parquet", n=[2])
    (reader.folder / "y" / "s-3.csv").write_text("n\n3\n")
    assert reader.open(reader.folder / "y" / "s-*.parquet").rows == [(1,), (2,)]
    assert reader.open(reader.folder / "**" / "*.parquet").rows == [(1,), (2,)]
    with pytest.raises(InputError, match=r"stands for files that are not Parquet: .*s-3\.csv"):
        reader.open(reader.folder / "y" / "s-*")
    with pytest.raises(InputError, match="No file is named like"):
        reader.open(reader.folder / "y" / "t-*.parquet")


def test_schemas_are_joined_by_name_and_told(reader: Reader) -> None:
    folder = reader.folder / "sales"
    write(folder / "1.parquet", n=pa.array([1], pa.int32()), s=["a"], code=[7])
    write(folder / "2.parquet", s=["b"], n=pa.array([1 << 40], pa.int64()), extra=[0.5], code=["x7"])
    found = reader.open(folder)
    assert found.names == ["n", "s", "code", "extra"]
    assert found.types["n"] == "BIGINT"
    assert found.rows == [(1, "a", "7", None), (1 << 40, "b", "x7", 0.5)]
    lacking, mixed = [note.message for note in found.notes("warning")]
    assert "'extra' (in 1 of 2 files)" in lacking
    assert "'n' (BIGINT, INTEGER), 'code' (BIGINT, VARCHAR)" in mixed


def test_partitions_are_columns_of_the_types_that_the_engine_gives(reader: Reader) -> None:
    root = reader.folder / "year=1990" / "sales"
    for name in ("day=2024-01-02/code=a%2Fb", "day=2024-01-03/code=__HIVE_DEFAULT_PARTITION__"):
        write(root / name / "p.parquet")
    found = reader.open(root)
    assert found.types == {"n": "BIGINT", "day": "DATE", "code": "VARCHAR"}
    assert {str(day) for day in found.column("day")} == {"2024-01-02", "2024-01-03"}
    assert set(found.column("code")) == {"a/b", None}


def test_every_type_is_what_it_is_in_a_copy(reader: Reader) -> None:
    path = reader.folder / "t.parquet"
    duckdb.execute(
        "COPY (SELECT 1::TINYINT i1, 2::UTINYINT u1, 3::SMALLINT i2, 18446744073709551615::UBIGINT u8,"
        " 1.25::DECIMAL(9,2) d, 1e30::DECIMAL(38,0) big, 'nan'::FLOAT f, '-inf'::DOUBLE g, 'x'::ENUM('x','y') e,"
        " TIME '12:34:56.789' t, INTERVAL 3 DAY v, 'ab'::BLOB b, gen_random_uuid() u,"
        " TIMESTAMP_NS '2020-01-01 00:00:00.123456789' ns, TIMESTAMPTZ '2020-06-01 12:00:00+03' tz,"
        " TIMESTAMP_MS '2020-01-01 00:00:00.5' ms, {'a': 1, 'b': {'c': [1, 2]}} s, MAP {'k': 1} m, [1, NULL] l,"
        " '{\"a\": 1}'::JSON j, true y, DATE '2020-02-29' AS d1, '  NA ' AS text, '7 kg' AS unit, '2020-01-01' AS words)"
        f" TO '{path}' (FORMAT parquet)"
    )
    packed = reader.folder / "u.parquet.gz"
    packed.write_bytes(gzip.compress(path.read_bytes()))
    lying, copied = reader.open(path), reader.open(packed)
    assert lying.table.files is not None
    assert copied.table.files is None
    assert lying.table.schema == copied.table.schema
    assert lying.rows == copied.rows
    assert lying.table.report.notes == copied.table.report.notes
    assert lying.numbers == copied.numbers == [1]


@pytest.mark.parametrize("said", [129, 900_000])
def test_a_footer_that_lies_about_its_rows_gives_no_number(reader: Reader, said: int) -> None:
    path = write(reader.folder / "t.parquet", n=list(range(10_000)))
    path.write_bytes(footer_says(path.read_bytes(), 10_000, said))
    with pytest.raises(TabchatError, match=r"t\.parquet"):
        reader.open(path)


def test_columns_called_as_the_engine_numbers_rows(reader: Reader) -> None:
    path = write(reader.folder / "a" / "1.parquet", file_index=[9, 9])
    found = reader.open(path)
    assert (found.rows, found.numbers) == ([(9,), (9,)], [1, 2])
    write(reader.folder / "a" / "2.parquet", file_index=[9, 9])
    with pytest.raises(InputError, match="'file_index', by which the engine numbers rows"):
        reader.open(reader.folder / "a")
    # One file alone is copied, and its column called otherwise.
    renamed = reader.open(write(reader.folder / "b.parquet", file_row_number=[7, 8]))
    assert (renamed.names, renamed.rows, renamed.table.files) == (["_file_row_number"], [(7,), (8,)], None)
