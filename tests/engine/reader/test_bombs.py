"""Small files that ask for much: refused, or read within bounds, and never the end of the process."""

import gzip
import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tabchat.engine.bounded import sheets
from tabchat.engine.reader.connection import Connection
from tabchat.engine.reader.source import streams
from tabchat.engine.reader.text import headers
from tabchat.engine.reader.text.headers import MOST_COLUMNS, column_names
from tabchat.errors import InputError, OutputError
from tests.engine.reader.conftest import Reader
from tests.engine.reader.workbooks import CELLS, write_workbook

TOO_MUCH = "takes too much memory, or is damaged"
LAUGHS = "".join(f'<!ENTITY e{n} "{f"&e{n - 1};" * 10}">' for n in range(1, 12))


def zstd(content: bytes) -> bytes:
    import zstandard

    return zstandard.compress(content)


@pytest.mark.parametrize(
    "corner", ["XFD1048576", "ZZZZ4294967295"], ids=["the last cell of all", "a cell beyond it"]
)
def test_a_workbook_of_two_cells_far_apart_does_not_end_the_process(reader: Reader, corner: str) -> None:
    far = f'<row><c r="{corner}"><v>1</v></c></row>'
    path = write_workbook(reader.folder / "corner.xlsx", CELLS + far)
    with pytest.raises(InputError, match=TOO_MUCH) as caught:
        reader.open(path)
    assert "CSV" in str(caught.value.hint)


@pytest.mark.parametrize(
    "declared, used",
    [(f'<!DOCTYPE x [<!ENTITY e0 "ha">{LAUGHS}]>', "e11"), ('<!DOCTYPE x [<!ENTITY e SYSTEM "{}">]>', "e")],
    ids=["a billion laughs", "another file"],
)
def test_entities_of_a_workbook_are_not_followed(reader: Reader, declared: str, used: str) -> None:
    secret = reader.write("planted", "secret.txt")
    cell = f'<row r="1"><c r="A1" t="inlineStr"><is><t>&{used};</t></is></c></row>'
    path = write_workbook(reader.folder / "entity.xlsx", cell, before=declared.replace("{}", secret.as_uri()))
    with pytest.raises(InputError, match=r"cannot be read as a workbook: .*entity") as caught:
        reader.open(path)
    assert "planted" not in str(caught.value)


def test_merged_cells_as_large_as_a_sheet_are_counted_without_being_walked(reader: Reader) -> None:
    rows = "".join(
        f'<row r="{n}"><c r="A{n}"><v>{n}</v></c><c r="B{n}"><v>1</v></c></row>' for n in range(1, 2001)
    )
    merged = '<mergeCell ref="A2:XFD1048576"/>' * 10_000
    path = write_workbook(reader.folder / "merged.xlsx", rows, after=f"<mergeCells>{merged}</mergeCells>")
    found = reader.open(path, header=False)
    assert found.table.row_count == 2000
    assert [note.count for note in found.notes("warning")] == [1998 * 10_000, 1999 * 10_000]


def test_names_of_sheets_may_be_long_and_many(reader: Reader) -> None:
    long = write_workbook(reader.folder / "long.xlsx", sheets=("N" * 1_000_000,))
    assert reader.open(long).table.row_count == 1
    many = tuple(f"s{n}" for n in range(sheets.MOST_SHEETS + 1))
    with pytest.raises(InputError, match=r"no cells in the first 1,000 of its 1,001 sheets") as caught:
        reader.open(write_workbook(reader.folder / "many.xlsx", "", sheets=many))
    assert len(str(caught.value.hint)) < 100


@pytest.mark.parametrize("pack", [gzip.compress, zstd])
def test_a_compressed_file_that_holds_far_more_than_tables_do_is_refused(
    reader: Reader, pack: Callable[[bytes], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = reader.write(pack(b"a,b\n" + b"1,2\n" * 2_000_000), "bomb.csv.packed")
    monkeypatch.setattr(streams, "SMALL", 1 << 20)
    with pytest.raises(InputError, match="holds more than 500 times its own size"):
        reader.open(path, input_format="csv")


def test_reading_leaves_some_of_the_disk_free(reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    free = shutil.disk_usage(reader.folder)
    nearly = (
        free._replace(free=free.total // 20 - 1) if free.total < 20 << 30 else free._replace(free=1 << 29)
    )
    monkeypatch.setattr(shutil, "disk_usage", lambda _: nearly)
    with pytest.raises(OutputError, match="nearly full"):
        reader.open(reader.write(gzip.compress(b"a,b\n1,2\n"), "small.csv.gz"))


WIDE = MOST_COLUMNS + 1


def csv_of(path: Path) -> None:
    path.write_text(",".join(map(str, range(WIDE))) + "\n" + "1," * (WIDE - 1) + "1\n")


def commas_of(path: Path) -> None:
    path.write_text("," * WIDE + "\n")


def object_of(path: Path) -> None:
    path.write_text(json.dumps([{f"k{n}": n for n in range(WIDE)}]))


def twins_of(path: Path) -> None:
    path.write_text("[{" + ",".join(['"k":1'] * 200_000) + "}]")


def array_of(path: Path) -> None:
    path.write_text(json.dumps([list(range(WIDE))]))


@pytest.mark.parametrize("write", [csv_of, commas_of, object_of, twins_of, array_of])
def test_more_columns_than_a_table_can_have_are_refused(
    reader: Reader, write: Callable[[Path], None]
) -> None:
    path = reader.folder / ("wide.csv" if write in {csv_of, commas_of} else "wide.json")
    write(path)
    with pytest.raises(InputError, match=r"'wide\.\w+' has more than 16,384 columns") as caught:
        reader.open(path)
    assert "cut -d" in str(caught.value.hint)


def test_parquet_of_more_columns_is_refused_before_the_engine_binds_them(
    reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = reader.folder / "wide.parquet"
    pq.write_table(pa.table({f"c{n}": [1] for n in range(410)}), path)
    monkeypatch.setattr(headers, "MOST_COLUMNS", 100)

    def bind(*_: object) -> None:
        pytest.fail("the engine was asked to bind them")

    monkeypatch.setattr(Connection, "describe", bind)
    with pytest.raises(InputError, match="has more than 100 columns"):
        reader.open(path)


def test_structures_in_structures_become_columns_only_so_deep(reader: Reader) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    deep: pa.DataType = pa.int64()
    for _ in range(100):
        deep = pa.struct([("f", deep)])
    path = reader.folder / "deep.parquet"
    pq.write_table(pa.table({"a": pa.nulls(1, deep)}), path)
    assert reader.open(path).names == ["a" + ".f" * 20]


def test_parquet_with_metadata_larger_than_its_rows_and_names_that_steer(reader: Reader) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    path = reader.folder / "odd.parquet"
    names = ["a\0b", "\x1b[31mred", "", '"; DROP TABLE t; --', "{r1.a}", "[bold]x"]
    table = pa.table([[n] for n in range(len(names))], names=names)
    pq.write_table(table.replace_schema_metadata({"k": "v" * 5_000_000}), path)
    opened = reader.open(path)
    assert opened.names == [
        "ab",
        "[31mred",
        "C2",
        '"; DROP TABLE t; --',
        "{r1.a}",
        "[bold]x",
    ]
    assert opened.table.row_count == 1


def test_arrow_whose_offsets_point_elsewhere_is_refused(reader: Reader) -> None:
    import pyarrow as pa

    sink = pa.BufferOutputStream()
    batch = pa.record_batch({"a": ["x" * 8]})
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    honest = sink.getvalue().to_pybytes()
    offsets, lying = ((0).to_bytes(4, "little") + end.to_bytes(4, "little") for end in (8, 1 << 30))
    assert honest.count(offsets + b"x" * 8) == 1
    path = reader.write(honest.replace(offsets + b"x" * 8, lying + b"x" * 8), "lying.arrow")
    with pytest.raises(InputError, match=r"cannot be read as Arrow data: .* out of bounds: 1073741824 > 8"):
        reader.open(path, input_format="arrow")


def test_a_header_that_repeats_one_name_is_told_apart() -> None:
    names, _ = column_names(["c"] * 20_000)
    assert (names[0], names[1], names[-1], len(set(names))) == ("c", "c_2", "c_20000", 20_000)
