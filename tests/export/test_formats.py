import gzip
import io
import zipfile
from pathlib import Path

import duckdb
import pyarrow.feather
import pyarrow.parquet
import pytest
import zstandard
from python_calamine import CalamineWorkbook

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Frame
from tabchat.errors import OutputError, QueryFailedError, UsageError
from tabchat.export import ExportFormat, export_frame
from tabchat.export.formats import Compression, choose_format
from tabchat.export.job import unique_names
from tests.export.frames import HOSTILE, assert_snapshot, frame_of, table_of
from tests.sql import parsed

TEXT = [fmt for fmt in ExportFormat if fmt.is_text]


def exported(frame: Frame, fmt: ExportFormat, *, guard: bool = False, title: str | None = None) -> bytes:
    out = io.BytesIO()
    report = export_frame(frame, out, fmt, guard_formulas=guard, title=title)
    assert (report.format, report.rows, report.bytes) == (fmt, frame.row_count, len(out.getvalue()))
    return out.getvalue()


# Bytes


@pytest.mark.parametrize("fmt", TEXT)
def test_text_formats_are_byte_exact(engine: DuckDBEngine, fmt: ExportFormat) -> None:
    content = exported(frame_of(engine, HOSTILE), fmt, title="Ціни & <more>")
    assert_snapshot(f"hostile.{fmt}", content)


def test_guarded_csv_is_byte_exact(engine: DuckDBEngine) -> None:
    assert_snapshot("guarded.csv", exported(frame_of(engine, HOSTILE), ExportFormat.CSV, guard=True))


def test_the_sheet_of_a_workbook_is_byte_exact(engine: DuckDBEngine) -> None:
    content = exported(frame_of(engine, HOSTILE), ExportFormat.XLSX)
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        assert_snapshot("hostile.sheet1.xml", book.read("xl/worksheets/sheet1.xml"))


@pytest.mark.parametrize("fmt", [ExportFormat.XLSX, ExportFormat.PARQUET])
def test_the_same_result_gives_the_same_bytes(engine: DuckDBEngine, fmt: ExportFormat) -> None:
    frame = frame_of(engine, HOSTILE)
    assert exported(frame, fmt) == exported(frame, fmt)


@pytest.mark.parametrize(
    "fmt, content",
    [
        (ExportFormat.CSV, b"a,b\n"),
        (ExportFormat.TSV, b"a\tb\n"),
        (ExportFormat.JSON, b"[]\n"),
        (ExportFormat.JSONL, b""),
        (ExportFormat.MD, b"| a | b |\n| ---: | --- |\n"),
    ],
)
def test_a_result_without_rows_is_a_whole_file(
    engine: DuckDBEngine, fmt: ExportFormat, content: bytes
) -> None:
    assert exported(frame_of(engine, "SELECT 1 AS a, 'x' AS b WHERE false"), fmt) == content


def test_a_result_without_rows_keeps_its_types(engine: DuckDBEngine, tmp_path: Path) -> None:
    frame = frame_of(engine, "SELECT 1::BIGINT AS a, DATE '2024-01-01' AS b WHERE false")
    for name in ("e.parquet", "e.arrow", "e.xlsx", "e.html"):
        assert export_frame(frame, tmp_path / name).rows == 0
    types = duckdb.read_parquet(str(tmp_path / "e.parquet")).types
    assert [str(kind) for kind in types] == ["BIGINT", "DATE"]
    schema = pyarrow.feather.read_table(tmp_path / "e.arrow").schema
    assert [str(kind) for kind in schema.types] == ["int64", "date32[day]"]
    sheet = CalamineWorkbook.from_path(str(tmp_path / "e.xlsx")).get_sheet_by_index(0)
    assert sheet.to_python() == [["a", "b"]]


# Types

TYPES = """
SELECT 170141183460469231731687303715884105727::HUGEINT AS huge, 0.1::FLOAT AS f, 'inf'::DOUBLE AS inf,
    0::DECIMAL(30, 10) AS tiny, 123456789012345678.25::DECIMAL(20, 2) AS long, INTERVAL '14 months' AS span,
    TIMESTAMP_NS '2024-01-01 00:00:00.123456789' AS ns, TIMESTAMPTZ '2024-01-01 00:00:00+00' AS zoned,
    'infinity'::DATE AS never, DATE '0044-03-15 (BC)' AS ides, TIME '09:30:00' AS open, '101'::BIT AS bits,
    uuid AS id, 'ab'::BLOB AS raw, [1, NULL] AS list, {'d': DATE '2024-01-01'} AS struct, MAP {'k': 1.5} AS pairs,
    union_value(num := 2) AS either, 'x'::ENUM ('x') AS word, NULL AS nothing
FROM (SELECT '6f1c0c3e-7e0f-4d2c-9a51-0a5f0e0f0a01'::UUID AS uuid)
"""


def test_every_type_is_exact_in_csv(engine: DuckDBEngine) -> None:
    assert exported(frame_of(engine, TYPES), ExportFormat.CSV).decode().splitlines()[1] == (
        "170141183460469231731687303715884105727,0.1,inf,0.0000000000,123456789012345678.25,1 year 2 months,"
        "2024-01-01 00:00:00.123456789,2024-01-01 00:00:00+00,infinity,0044-03-15 (BC),09:30:00,101,"
        '6f1c0c3e-7e0f-4d2c-9a51-0a5f0e0f0a01,6162,"[1,null]","{""d"":""2024-01-01""}","{""k"":1.5}",2,x,'
    )


def test_every_type_is_exact_in_json_lines(engine: DuckDBEngine) -> None:
    assert exported(frame_of(engine, TYPES), ExportFormat.JSONL).decode() == (
        '{"huge":170141183460469231731687303715884105727,"f":0.1,"inf":"Infinity","tiny":0.0000000000,'
        '"long":123456789012345678.25,"span":"1 year 2 months","ns":"2024-01-01 00:00:00.123456789",'
        '"zoned":"2024-01-01 00:00:00+00","never":"infinity","ides":"0044-03-15 (BC)","open":"09:30:00",'
        '"bits":"101","id":"6f1c0c3e-7e0f-4d2c-9a51-0a5f0e0f0a01","raw":"6162","list":[1,null],'
        '"struct":{"d":"2024-01-01"},"pairs":{"k":1.5},"either":2,"word":"x","nothing":null}\n'
    )


def test_every_type_goes_into_a_workbook(engine: DuckDBEngine) -> None:
    content = exported(frame_of(engine, TYPES), ExportFormat.XLSX)
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0)
    cells = dict(zip(*sheet.to_python(), strict=True))
    assert cells["huge"] == "170141183460469231731687303715884105727"
    assert (cells["f"], cells["inf"], cells["tiny"], cells["long"]) == (
        0.1,
        "inf",
        0.0,
        "123456789012345678.25",
    )
    assert (cells["ides"], cells["zoned"]) == ("0044-03-15 (BC)", "2024-01-01 00:00:00+00")
    assert (cells["list"], cells["raw"], cells["nothing"]) == ("[1,null]", "6162", "")
    assert str(cells["open"]) == "09:30:00"


@pytest.mark.parametrize("name", ["types.parquet", "types.arrow"])
def test_types_survive_in_columnar_files(engine: DuckDBEngine, tmp_path: Path, name: str) -> None:
    sql = (
        "SELECT 1::BIGINT AS n, 1.50::DECIMAL(10, 2) AS price, DATE '2024-01-02' AS day, TRUE AS ok, "
        "TIMESTAMP '2024-01-02 03:04:05.678901' AS at, TIME '01:02:03' AS t, [1, NULL] AS list, "
        "{'a': 'x'} AS struct, 'ab'::BLOB AS raw, 0.1::FLOAT AS f, 12::HUGEINT AS huge, 'x'::ENUM ('x') AS word"
    )
    frame = frame_of(engine, sql)
    export_frame(frame, tmp_path / name)
    if name.endswith("parquet"):
        read = duckdb.read_parquet(str(tmp_path / name))
    else:
        read = duckdb.from_arrow(pyarrow.feather.read_table(tmp_path / name))
    assert read.fetchall() == frame.rows()
    kinds = [str(kind) for kind in read.types]
    assert kinds[:10] == [column.sql_type for column in frame.schema][:10]
    assert kinds[10:] == ["DECIMAL(38,0)", "VARCHAR"]


def test_types_that_other_readers_lack_become_text_in_columnar_files(
    engine: DuckDBEngine, tmp_path: Path
) -> None:
    frame = frame_of(engine, TYPES.replace("'infinity'::DATE AS never, DATE '0044-03-15 (BC)' AS ides,", ""))
    export_frame(frame, tmp_path / "t.parquet")
    export_frame(frame, tmp_path / "t.arrow")
    (row,) = duckdb.read_parquet(str(tmp_path / "t.parquet")).select("span, bits, either, word").fetchall()
    assert row == ("1 year 2 months", "101", "2", "x")
    table = pyarrow.feather.read_table(tmp_path / "t.arrow")
    assert table.select(["span", "bits", "either", "word"]).to_pylist() == [
        {"span": "1 year 2 months", "bits": "101", "either": "2", "word": "x"}
    ]


# Names


@pytest.mark.parametrize(
    "names, unique",
    [
        ((), ()),
        (("a", "b"), ("a", "b")),
        (("a", "a", "a"), ("a", "a_2", "a_3")),
        (("a", "a", "a_2"), ("a", "a_3", "a_2")),
        (("a_2", "a", "a", "a_2"), ("a_2", "a", "a_3", "a_2_2")),
        (("", ""), ("", "_2")),
        (("A", "a"), ("A", "a")),
    ],
)
def test_names_are_made_unique(names: tuple[str, ...], unique: tuple[str, ...]) -> None:
    assert unique_names(names) == unique


@pytest.mark.parametrize("fmt", list(ExportFormat))
def test_columns_of_one_name_are_told_apart_in_every_format(
    engine: DuckDBEngine, tmp_path: Path, fmt: ExportFormat
) -> None:
    frame = frame_of(engine, "SELECT 1 AS a, 2 AS a, 'x' AS b")
    content = exported(frame, fmt)
    if fmt is ExportFormat.JSONL:
        assert content == b'{"a":1,"a_2":2,"b":"x"}\n'
    elif fmt.is_text:
        assert b"a_2" in content
    elif fmt is ExportFormat.XLSX:
        sheet = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0)
        assert sheet.to_python() == [["a", "a_2", "b"], [1.0, 2.0, "x"]]
    else:
        path = tmp_path / "x"
        path.write_bytes(content)
        read = pyarrow.parquet.read_table if fmt is ExportFormat.PARQUET else pyarrow.feather.read_table
        assert read(path).to_pylist() == [{"a": 1, "a_2": 2, "b": "x"}]


# Formulas

FORMULAS = """
SELECT * FROM (VALUES ('=1+1', -1), ('+1', 2), ('-5', 3), ('+380 44 123', 4), ('-1+1', 5), ('@SUM(A1)', 6),
    (chr(9) || 'x', 7), (chr(13), 8), ('＝1', 9), ('-5 %', 10), ('a=1', 11), ('', 12), (NULL, 13), ('-', 14))
    AS t(cell, "=n") ORDER BY abs("=n")
"""


def test_cells_that_look_like_formulas_are_counted_or_guarded(engine: DuckDBEngine, tmp_path: Path) -> None:
    frame = frame_of(engine, FORMULAS)
    told = "8 cells look like formulas; --guard-formulas puts a ' in front, so that a spreadsheet shows the text."
    done = "8 cells look like formulas and got a ' in front, so that a spreadsheet shows the text."
    for fmt in ExportFormat:
        report = export_frame(frame, tmp_path / f"x.{fmt}")
        assert report.warnings == ((told,) if fmt.runs_formulas else ()), fmt
        report = export_frame(frame, tmp_path / f"x.{fmt}", guard_formulas=True, force=True)
        assert report.warnings == ((done,) if fmt.runs_formulas else ()), fmt
    assert (tmp_path / "x.csv").read_bytes().decode() == (
        "cell,'=n\n'=1+1,-1\n+1,2\n-5,3\n+380 44 123,4\n'-1+1,5\n'@SUM(A1),6\n'\tx,7\n\"'\r\",8\n'＝1,9\n"
        '-5 %,10\na=1,11\n"",12\n,13\n\'-,14\n'
    )
    sheet = CalamineWorkbook.from_path(str(tmp_path / "x.xlsx")).get_sheet_by_index(0)
    guarded = [cell for cell, _ in sheet.to_python() if str(cell).startswith("'")]
    assert guarded == ["'=1+1", "'-1+1", "'@SUM(A1)", "'\tx", "'\r", "'＝1", "'-"]
    assert b"=1+1" in (tmp_path / "x.json").read_bytes()
    assert b"'=1+1" not in (tmp_path / "x.json").read_bytes()


def test_one_such_cell_is_told_in_the_singular(engine: DuckDBEngine) -> None:
    report = export_frame(frame_of(engine, "SELECT '=1' AS a"), io.BytesIO())
    assert report.warnings == (
        "1 cell looks like a formula; --guard-formulas puts a ' in front, so that a spreadsheet shows the text.",
    )


# Limits of Excel


def test_more_rows_than_a_sheet_holds_are_refused(engine: DuckDBEngine, tmp_path: Path) -> None:
    frame = frame_of(engine, "SELECT 1 AS a FROM range(1048576)")
    with pytest.raises(OutputError) as caught:
        export_frame(frame, tmp_path / "x.xlsx")
    assert caught.value.message == "The result has 1,048,576 rows; an Excel sheet holds 1,048,575."
    assert "CSV or Parquet" in str(caught.value.hint)
    assert list(tmp_path.glob("*x*")) == []


def test_more_columns_than_a_sheet_holds_are_refused(engine: DuckDBEngine, tmp_path: Path) -> None:
    frame = table_of(engine, [("a", "INTEGER")], [])
    wide = type(frame)(engine=engine, query=frame.query, schema=frame.schema * 16_385, row_count=0)
    with pytest.raises(OutputError) as caught:
        export_frame(wide, tmp_path / "x.xlsx")
    assert caught.value.message == "The result has 16,385 columns; an Excel sheet holds 16,384."


@pytest.mark.parametrize("cell, fits", [("x" * 32_767, True), ("x" * 32_768, False), ("😀" * 16_384, False)])
def test_a_cell_that_does_not_fit_is_refused_not_cut(
    engine: DuckDBEngine, tmp_path: Path, cell: str, fits: bool
) -> None:
    frame = table_of(engine, [("id", "INTEGER"), ("note", "VARCHAR")], [(1, "short"), (2, cell)])
    path = tmp_path / "x.xlsx"
    if fits:
        export_frame(frame, path)
        rows = CalamineWorkbook.from_path(str(path)).get_sheet_by_index(0).to_python()
        assert rows[2] == [2.0, cell]
        return
    with pytest.raises(OutputError) as caught:
        export_frame(frame, path)
    assert caught.value.message == (
        f"A cell in row 2, column 'note', has {len(cell):,} characters; an Excel cell holds 32,767."
    )
    assert not path.exists()


def test_a_header_that_does_not_fit_is_refused(engine: DuckDBEngine, tmp_path: Path) -> None:
    with pytest.raises(OutputError, match="A cell in the header, column 'xxx"):
        export_frame(table_of(engine, [("x" * 40_000, "INTEGER")], []), tmp_path / "x.xlsx")


# Choosing a format


@pytest.mark.parametrize(
    "name, chosen",
    [
        ("a.csv", (ExportFormat.CSV, None)),
        ("a.CSV", (ExportFormat.CSV, None)),
        ("a.b.tab", (ExportFormat.TSV, None)),
        ("a.ndjson", (ExportFormat.JSONL, None)),
        ("a.feather", (ExportFormat.ARROW, None)),
        ("a.pq", (ExportFormat.PARQUET, None)),
        ("a.htm", (ExportFormat.HTML, None)),
        ("a.json.gz", (ExportFormat.JSON, Compression.GZIP)),
        ("a.csv.ZST", (ExportFormat.CSV, Compression.ZSTD)),
    ],
)
def test_the_name_chooses_the_format(name: str, chosen: tuple[ExportFormat, Compression | None]) -> None:
    assert choose_format(Path(name), None) == chosen


def test_a_given_format_wins_over_the_name() -> None:
    assert choose_format(Path("a.txt"), ExportFormat.CSV) == (ExportFormat.CSV, None)
    assert choose_format(Path("a.gz"), ExportFormat.CSV) == (ExportFormat.CSV, Compression.GZIP)
    assert choose_format(None, None) == (ExportFormat.CSV, None)


@pytest.mark.parametrize("name", ["result", "result.docx", ".csv", "result.gz", "csv"])
def test_a_name_that_says_nothing_is_a_usage_error(name: str) -> None:
    with pytest.raises(UsageError) as caught:
        choose_format(Path(name), None)
    assert caught.value.message == f"The name {name!r} does not say in which format to write."
    assert "csv, tsv, json, jsonl, parquet, arrow, xlsx, md, html" in str(caught.value.hint)


def test_binary_formats_are_not_compressed_again() -> None:
    with pytest.raises(
        UsageError, match=r"parquet is compressed already, so 'a\.parquet\.gz' cannot end in \.gz"
    ):
        choose_format(Path("a.parquet.gz"), None)


def test_compressed_text_is_the_same_text(engine: DuckDBEngine, tmp_path: Path) -> None:
    frame = frame_of(engine, HOSTILE)
    plain = exported(frame, ExportFormat.CSV)
    for name in ("x.csv.gz", "x.csv.zst"):
        report = export_frame(frame, tmp_path / name)
        assert report.bytes == (tmp_path / name).stat().st_size
    assert gzip.decompress((tmp_path / "x.csv.gz").read_bytes()) == plain
    with zstandard.open(tmp_path / "x.csv.zst") as packed:
        assert packed.read() == plain


# While writing


def test_rows_that_changed_since_are_told(engine: DuckDBEngine) -> None:
    frame = frame_of(engine, "SELECT 1 AS a")
    changed = type(frame)(engine=engine, query=frame.query, schema=frame.schema, row_count=1_500)
    report = export_frame(changed, io.BytesIO())
    assert report.warnings == ("1 rows were written; the result had 1,500 when it was computed.",)


@pytest.mark.parametrize("fmt", list(ExportFormat))
def test_a_query_that_fails_midway_leaves_no_file(
    engine: DuckDBEngine, tmp_path: Path, fmt: ExportFormat
) -> None:
    sql = "SELECT CASE WHEN i = 29999 THEN error('broken') ELSE 'x' END AS a FROM range(30000) AS t(i)"
    frame = frame_of(engine, "SELECT 'x' AS a FROM range(30000)")
    failing = type(frame)(
        engine=engine,
        query=parsed(sql),
        schema=frame.schema,
        row_count=30_000,
    )
    path = tmp_path / f"x.{fmt}"
    path.write_text("what was there")
    with pytest.raises(QueryFailedError, match="broken"):
        export_frame(failing, path, force=True)
    assert path.read_text() == "what was there"
    assert sorted(item.name for item in tmp_path.iterdir() if item.is_file()) == [path.name]
    assert engine.rows(parsed("SELECT 1")) == [(1,)]
