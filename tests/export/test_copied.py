"""Long frames that the engine writes itself: the same bytes as line by line, and nothing left behind."""

import csv
import io
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import pyarrow.parquet
import pytest
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.copying import Lines
from tabchat.engine.limits import Limits
from tabchat.engine.reader.description import stored_scan
from tabchat.engine.result.result import Frame
from tabchat.errors import InterruptedByUserError, QueryFailedError
from tabchat.export import ExportFormat, export_frame
from tabchat.export.text_columns import is_repeatable
from tests.export.frames import HOSTILE, frame_of
from tests.sql import parsed

LONG = f"SELECT t.*, i FROM ({HOSTILE}) AS t CROSS JOIN range(2000) AS r(i) ORDER BY i, id"
TYPES = """
SELECT i, i::HUGEINT * 10000000000000000000 AS huge, (i / 7)::DECIMAL(18, 4) AS exact, (i / 3)::FLOAT AS short,
    CASE WHEN i % 3 = 0 THEN 'nan'::DOUBLE WHEN i % 3 = 1 THEN 'inf'::DOUBLE END AS odd,
    TIME '00:00:00' + INTERVAL (i) SECOND AS clock, TIMESTAMPTZ '2024-01-01 00:00:00+00' + INTERVAL (i) HOUR AS zoned,
    [i, NULL] AS listed, {'a, b': i, 'c': '"'} AS nested, ('x' || i)::BLOB AS bytes, INTERVAL (i) DAY AS span,
    i % 2 = 0 AS even, CASE WHEN i % 2 = 0 THEN '' END AS blank, NULL::VARCHAR AS missing, '007' || i AS digits,
    CASE WHEN i = 19999 THEN 'last,' ELSE 'Word' END AS late, CASE WHEN i = 19998 THEN 'Tab' || chr(9) ELSE 'T' END AS edge
FROM range(20000) AS t(i)
"""
TEXTS = (
    "plain",
    "=1+1",
    "-5",
    "+a",
    "@x",
    "\t",
    " ",
    "a ",
    "a\t",
    '"',
    "a,b",
    "a\tb",
    "\r",
    "\n",
    "",
    "＝x",
    "#a",
    "'q",
)
LISTED = ", ".join("'" + text.replace("'", "''") + "'" for text in TEXTS)
LINES = Lines(header="a\n", delimiter=",", quotes=True)
SINGLE = f"""
SELECT i, CASE WHEN i % 5000 = 7 THEN [{LISTED}][1 + i // 5000] ELSE 'Kyiv' END AS town
FROM range({5000 * len(TEXTS)}) AS t(i)
"""


@pytest.fixture
def own(tmp_path: Path) -> Iterator[DuckDBEngine]:
    """A locked engine with a folder of its own to spill to."""
    opened = DuckDBEngine(spill=tmp_path / "spill", limits=Limits(threads=2))
    yield opened
    opened.close()


def kept(engine: DuckDBEngine, sql: str) -> Frame:
    return frame_of(engine, engine.materialise(parsed(sql)).sql("duckdb"))


def exported(frame: Frame, fmt: ExportFormat, *, guard: bool) -> tuple[bytes, tuple[str, ...]]:
    out = io.BytesIO()
    report = export_frame(frame, out, fmt, guard_formulas=guard)
    assert report.rows == frame.row_count
    assert report.bytes == len(out.getvalue())
    return out.getvalue(), report.warnings


@pytest.mark.parametrize("guard", [False, True])
@pytest.mark.parametrize("fmt", [ExportFormat.CSV, ExportFormat.TSV])
@pytest.mark.parametrize("sql", [LONG, TYPES, SINGLE])
def test_the_engine_writes_what_is_written_line_by_line(
    own: DuckDBEngine, sql: str, fmt: ExportFormat, *, guard: bool
) -> None:
    frame = kept(own, sql)
    other = Frame(
        engine=own,
        query=frame.query.copy().limit(frame.row_count),
        schema=frame.schema,
        row_count=frame.row_count,
    )
    assert is_repeatable(frame)
    assert not is_repeatable(other)
    assert exported(frame, fmt, guard=guard) == exported(other, fmt, guard=guard)
    assert [path.name for path in own._spill.iterdir() if path.suffix == ".pipe"] == []


@pytest.mark.parametrize("fmt", [ExportFormat.CSV, ExportFormat.TSV])
@pytest.mark.parametrize("sql", [LONG, TYPES, SINGLE])
def test_a_file_has_the_bytes_of_a_stream(
    own: DuckDBEngine, tmp_path: Path, sql: str, fmt: ExportFormat
) -> None:
    frame = kept(own, sql)
    path = tmp_path / f"all.{fmt}"
    report = export_frame(frame, path, fmt)
    written, warnings = exported(frame, fmt, guard=False)
    assert path.read_bytes() == written
    assert (report.rows, report.bytes, report.warnings) == (frame.row_count, len(written), warnings)
    assert [path.name for path in own._spill.iterdir() if path.suffix == ".copy"] == []


def test_rows_that_went_away_leave_the_header(own: DuckDBEngine, tmp_path: Path) -> None:
    header = 'a,"i’\n"\n'
    with tempfile.TemporaryFile(dir=tmp_path) as file:
        query = parsed("SELECT 'x' AS a, i FROM range(0) AS t(i)")
        assert own.write_into(query, file, Lines(header=header, delimiter=",", quotes=True)) == 0
        assert file.tell() == len(header.encode())
        file.seek(0)
        assert file.read().decode() == header


def test_nothing_is_written_but_files_without_a_name(own: DuckDBEngine, tmp_path: Path) -> None:
    assert own.write_into(parsed("SELECT 1 AS a"), io.BytesIO(), LINES) is None
    with (tmp_path / "named").open("w+b") as file:
        assert own.write_into(parsed("SELECT 1 AS a"), file, LINES) is None
    assert (tmp_path / "named").read_bytes() == b""


NUMBERS = """
SELECT i, (i / 7)::DECIMAL(18, 4) AS exact, (i / 3)::FLOAT AS short, CASE WHEN i % 3 = 0 THEN 'nan'::DOUBLE END AS odd,
    DATE '2024-01-01' + i::INTEGER AS day, TIMESTAMP '2024-01-01 00:00:00.000001' + INTERVAL (i) SECOND AS at,
    i % 2 = 0 AS even, CASE WHEN i % 5 > 0 THEN 'Łódź, ' || i % 5 END AS town, (i % 200)::UTINYINT AS small
FROM range(300000) AS t(i)
"""


def parquet_schema(path: Path) -> list[tuple[str, str]]:
    return [(field.name, str(field.type)) for field in pyarrow.parquet.read_schema(path)]


def test_the_engine_writes_the_parquet_file_that_arrow_writes(own: DuckDBEngine, tmp_path: Path) -> None:
    frame = kept(own, NUMBERS)
    export_frame(frame, tmp_path / "engine.parquet")
    export_frame(frame, tmp_path / "again.parquet")
    own.write_into = lambda *_: None  # type: ignore[method-assign]  # as where the system has no names for open files
    export_frame(frame, tmp_path / "arrow.parquet")
    engine, again, arrow = (tmp_path / f"{name}.parquet" for name in ("engine", "again", "arrow"))
    assert engine.read_bytes() == again.read_bytes() != arrow.read_bytes()
    assert parquet_schema(engine) == parquet_schema(arrow)
    expected = pyarrow.parquet.read_table(arrow)
    # Arrow takes every column for one that may have missing cells.
    read = pyarrow.parquet.read_table(engine).cast(expected.schema)
    assert read.drop_columns("odd").equals(expected.drop_columns("odd"))
    assert str(read["odd"].slice(0, 9)) == str(expected["odd"].slice(0, 9))


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT i::HUGEINT AS a FROM range(20000) AS t(i)",
        'SELECT i AS a, i AS "A" FROM range(20000) AS t(i)',
        "SELECT INTERVAL (i) DAY AS a, TIME '00:00:00' AS b FROM range(20000) AS t(i)",
    ],
)
def test_what_the_engine_would_write_otherwise_is_written_by_arrow(
    own: DuckDBEngine, tmp_path: Path, sql: str
) -> None:
    frame = frame_of(own, sql)
    assert export_frame(frame, tmp_path / "a.parquet").rows == 20_000
    assert "parquet-cpp-arrow" in str(pyarrow.parquet.read_metadata(tmp_path / "a.parquet").created_by)
    assert pyarrow.parquet.read_metadata(tmp_path / "a.parquet").num_rows == 20_000


def test_names_that_differ_in_their_case_stay(own: DuckDBEngine, tmp_path: Path) -> None:
    frame = frame_of(own, "SELECT i AS a, i AS b FROM range(20000) AS t(i)")
    names = ("a", "A")
    schema = tuple(replace(column, name=name) for column, name in zip(frame.schema, names, strict=True))
    export_frame(replace(frame, schema=schema), tmp_path / "a.parquet")
    assert tuple(pyarrow.parquet.read_schema(tmp_path / "a.parquet").names) == names


@pytest.mark.parametrize("name", ["all.csv", "all.parquet"])
def test_a_stopped_export_leaves_nothing(own: DuckDBEngine, tmp_path: Path, name: str) -> None:
    frame = kept(own, "SELECT i, 'a text ' || i AS t FROM range(3000000) AS t(i)")
    (tmp_path / "out").mkdir()
    ended = threading.Event()

    def stop() -> None:
        # again and again, since one request can fall between two queries, where nothing runs
        while not ended.wait(0.05):
            own.cancel()

    stopping = threading.Thread(target=stop)
    stopping.start()
    try:
        with pytest.raises(InterruptedByUserError):
            export_frame(frame, tmp_path / "out" / name)
    finally:
        ended.set()
        stopping.join()
    assert list((tmp_path / "out").iterdir()) == []
    assert list(own._spill.glob(".*.copy")) == []
    assert own.rows(parsed("SELECT 1")) == [(1,)]


def test_every_copy_that_is_stopped_or_fails_ends(tmp_path: Path) -> None:
    # In a process of its own, which can be killed should one hang.
    command = [sys.executable, "-m", "tests.export.ended_copies", str(tmp_path)]
    subprocess.run(command, cwd=Path(__file__).parents[2], check=True, timeout=600)


@pytest.mark.parametrize("text", TEXTS)
def test_one_cell_alone_decides_who_quotes(own: DuckDBEngine, text: str) -> None:
    literal = "'" + text.replace("'", "''") + "'"
    frame = kept(
        own,
        f"SELECT CASE WHEN i = 19000 THEN {literal} ELSE 'Kyiv' END AS town, 'Lviv, ' || i AS other"
        " FROM range(20000) AS t(i)",
    )
    written, _ = exported(frame, ExportFormat.CSV, guard=False)
    odd = any((text == "", text.strip(" \t") != text, *(mark in text for mark in '",\r\n')))
    cell = '"' + text.replace('"', '""') + '"' if odd else text
    lines = ["town,other", *(f'{cell if i == 19000 else "Kyiv"},"Lviv, {i}"' for i in range(20000))]
    assert written.decode() == "\n".join(lines) + "\n"


def test_where_no_pipe_can_be_made_lines_are_written_as_ever(own: DuckDBEngine, tmp_path: Path) -> None:
    frame = kept(own, LONG)
    expected = exported(frame, ExportFormat.CSV, guard=True)
    own._spill = tmp_path / "nowhere"
    assert own.write_lines(frame.query, io.BytesIO().write, LINES) is None
    assert exported(frame, ExportFormat.CSV, guard=True) == expected


def test_every_cell_is_read_back(own: DuckDBEngine) -> None:
    frame = kept(own, SINGLE)
    text, _ = exported(frame, ExportFormat.CSV, guard=False)
    header, *rows = csv.reader(io.StringIO(text.decode(), newline=""))
    assert header == ["i", "town"]
    assert rows == [[str(number), town] for number, town in frame.rows()]


def test_rows_come_in_the_order_of_the_query(own: DuckDBEngine) -> None:
    table = kept(own, "SELECT (i * 7919) % 50021 AS n, 'x' AS t FROM range(50021) AS r(i)")
    query = table.query.copy().where("n < 40000").order_by("n DESC")
    frame = frame_of(own, query.sql("duckdb"))
    assert is_repeatable(frame)
    text, _ = exported(frame, ExportFormat.CSV, guard=False)
    assert text.decode().split("\n")[1:-1] == [f"{n},x" for n in range(39_999, -1, -1)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT random() AS a, 'x' AS b FROM range(20000)",
        "SELECT a, count(*) AS n FROM (SELECT i AS a FROM range(20000) AS t(i)) GROUP BY a",
        "SELECT a.i, b.i AS j FROM range(20000) AS a(i) JOIN range(20000) AS b(i) ON a.i = b.i",
        "SELECT i, row_number() OVER () AS n FROM range(20000) AS t(i)",
        "SELECT i, 'x' AS b FROM range(20000) AS t(i) LIMIT 20000",
        "SELECT DISTINCT i, 'x' AS b FROM range(20000) AS t(i)",
        "SELECT a, b FROM kept TABLESAMPLE 90%",
        "SELECT a, b FROM (SELECT * FROM kept TABLESAMPLE 90%) AS t",
        "SELECT a, b FROM kept USING SAMPLE 18000 ROWS",
        "SELECT i, 'x' AS b FROM range(15000 + (random() * 5000)::INTEGER) AS t(i)",
    ],
)
def test_what_may_differ_or_cost_much_is_not_asked_twice(own: DuckDBEngine, sql: str) -> None:
    rows = own.materialise(parsed("SELECT i AS a, 'x' AS b FROM range(20000) AS t(i)"))
    own.attach("kept", rows)
    assert is_repeatable(frame_of(own, "SELECT * FROM kept"))
    assert not is_repeatable(frame_of(own, sql))


def test_a_stored_version_is_written_by_the_engine(own: DuckDBEngine) -> None:
    folder = own._spill
    own.write_parquet(parsed("SELECT i AS a, 'x' AS b FROM range(20000) AS t(i)"), folder / "kept.parquet")
    scan = stored_scan(folder / "kept.parquet", ["a", "b"])
    assert is_repeatable(frame_of(own, scan.sql("duckdb")))
    query = scan.subquery("t", copy=False)
    frame = Frame(engine=own, query=parsed("SELECT a, b FROM t"), schema=(), row_count=20_000)
    frame.query.set("from_", exp.From(this=query))
    assert is_repeatable(frame)


class Closing(io.RawIOBase):
    """A stream whose other end goes away."""

    def __init__(self) -> None:
        self.taken = 0

    def write(self, data: Any) -> int:
        self.taken += len(data)
        if self.taken > 3_000_000:
            raise BrokenPipeError
        return len(data)


def test_a_stream_that_closes_stops_the_engine(own: DuckDBEngine) -> None:
    frame = kept(own, "SELECT i, 'a text ' || i AS t FROM range(1000000) AS t(i)")
    stream: BinaryIO = Closing()  # type: ignore[assignment]  # what the exporter needs of one
    with pytest.raises(BrokenPipeError):
        export_frame(frame, stream, ExportFormat.CSV)
    assert not [thread for thread in threading.enumerate() if thread.name == "tabchat-copy"]
    assert list(own._spill.glob("*.pipe")) == []
    assert own.rows(parsed("SELECT 1")) == [(1,)]


def test_a_cell_that_fails_midway_fails_the_export(own: DuckDBEngine) -> None:
    frame = kept(own, "SELECT i::VARCHAR AS a, 'x' AS b FROM range(300000) AS t(i)")
    failing = parsed("SELECT a::TINYINT AS a, b FROM __kept_1")
    with pytest.raises(QueryFailedError):
        own.write_lines(failing, io.BytesIO().write, LINES)
    assert frame.engine.rows(parsed("SELECT 1")) == [(1,)]
