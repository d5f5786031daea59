"""What is exported reads back as the same cells, whatever they hold."""

import csv
import datetime as dt
import io
import json
from decimal import Decimal
from html.parser import HTMLParser
from typing import Any

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from python_calamine import CalamineWorkbook

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.types import Row
from tabchat.export import ExportFormat, export_frame
from tabchat.export.workbook import LARGEST, SMALLEST
from tests.effort import examples
from tests.export.frames import table_of

COLUMNS = [
    ("n", "BIGINT"),
    ("x", "DOUBLE"),
    ("t", "VARCHAR"),
    ("d", "DATE"),
    ("b", "BOOLEAN"),
    ("m", "DECIMAL(18,3)"),
]

TEXT = st.text(max_size=12) | st.text(
    alphabet="\",;|\t\r\n\\'=+-@ <>&*_`[]~#\u202e😀א\x00\x1b\x7f\x9b", max_size=12
)
ROWS = st.lists(
    st.tuples(
        st.none() | st.integers(-(2**63), 2**63 - 1),
        st.none() | st.floats(allow_nan=True, allow_infinity=False),
        st.none() | TEXT,
        st.none() | st.dates(),
        st.none() | st.booleans(),
        st.none() | st.decimals(-(10**14), 10**14, places=3),
    ),
    max_size=6,
)
# The engine has no nameless columns, and SQL text cannot hold a NUL.
NAME = TEXT.filter(lambda text: text and "\x00" not in text)
NAMES = st.lists(NAME, min_size=len(COLUMNS), max_size=len(COLUMNS), unique=True)
LAW = settings(deadline=None, max_examples=examples(20))


def exported(
    engine: DuckDBEngine,
    names: list[str],
    rows: list[Row],
    fmt: ExportFormat,
    columns: list[tuple[str, str]] = COLUMNS,
) -> bytes:
    named = [(name, sql_type) for name, (_, sql_type) in zip(names, columns, strict=True)]
    out = io.BytesIO()
    report = export_frame(table_of(engine, named, rows), out, fmt)
    assert (report.rows, report.bytes) == (len(rows), len(out.getvalue()))
    return out.getvalue()


def is_missing(value: object) -> bool:
    return value is None or value != value  # noqa: PLR0124 - NaN is missing, too


def csv_cell(value: object) -> str:
    if is_missing(value):
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


@pytest.mark.parametrize("fmt, delimiter", [(ExportFormat.CSV, ","), (ExportFormat.TSV, "\t")])
@given(names=NAMES, rows=ROWS)
@LAW
def test_delimited_text(
    engine: DuckDBEngine, fmt: ExportFormat, delimiter: str, names: list[str], rows: list[Row]
) -> None:
    text = exported(engine, names, rows, fmt).decode()
    header, *read = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    assert header == names
    assert len(read) == len(rows)
    for cells, row in zip(read, rows, strict=True):
        for cell, value in zip(cells, row, strict=True):
            if isinstance(value, float) and not is_missing(value):
                assert float(cell) == value
            else:
                assert cell == csv_cell(value)


@given(cells=st.lists(st.none() | TEXT, max_size=6), name=NAME)
@LAW
def test_a_single_column_loses_no_row(engine: DuckDBEngine, cells: list[str | None], name: str) -> None:
    text = exported(
        engine, [name], [(cell,) for cell in cells], ExportFormat.CSV, [("t", "VARCHAR")]
    ).decode()
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == [
        [name],
        *([cell or ""] for cell in cells),
    ]


@pytest.mark.parametrize("fmt", [ExportFormat.JSON, ExportFormat.JSONL])
@given(names=NAMES, rows=ROWS)
@LAW
def test_json(engine: DuckDBEngine, fmt: ExportFormat, names: list[str], rows: list[Row]) -> None:
    text = exported(engine, names, rows, fmt).decode()
    assert not [character for character in text if character != "\n" and character in map(chr, range(0x20))]
    read = (
        json.loads(text) if fmt is ExportFormat.JSON else [json.loads(line) for line in text.split("\n")[:-1]]
    )
    expected = [
        {
            name: None if is_missing(value) else value.isoformat() if isinstance(value, dt.date) else value
            for name, value in zip(names, row, strict=True)
        }
        for row in rows
    ]
    assert [list(record) for record in read] == [names] * len(rows)
    for record, wanted in zip(read, expected, strict=True):
        for name, value in wanted.items():
            assert record[name] == (float(value) if isinstance(value, Decimal) else value)


@given(rows=ROWS)
@LAW
def test_parquet(engine: DuckDBEngine, tmp_path_factory: pytest.TempPathFactory, rows: list[Row]) -> None:
    path = tmp_path_factory.getbasetemp() / "round-trip.parquet"
    path.write_bytes(exported(engine, [name for name, _ in COLUMNS], rows, ExportFormat.PARQUET))
    read = duckdb.read_parquet(str(path))
    assert [(name, str(kind)) for name, kind in zip(read.columns, read.types, strict=True)] == COLUMNS
    assert [[None if is_missing(value) else value for value in row] for row in read.fetchall()] == [
        [None if is_missing(value) else value for value in row] for row in rows
    ]


def sheet_cell(value: Any) -> Any:
    """Return what a workbook holds of a cell."""
    if is_missing(value):
        return ""
    match value:
        case bool() | str():
            return value
        case int():
            return float(value) if len(str(abs(value))) <= 15 else str(value)
        case float():
            return value if value == 0 or SMALLEST <= abs(value) <= LARGEST else repr(value)
        case dt.date():
            return value if value >= dt.date(1900, 3, 1) else value.isoformat()
        case _:
            digits = len(value.normalize().as_tuple().digits)
            return float(value) if digits <= 15 else format(value, "f")


@given(rows=ROWS, names=NAMES)
@LAW
def test_workbook(engine: DuckDBEngine, names: list[str], rows: list[Row]) -> None:
    content = exported(engine, names, rows, ExportFormat.XLSX)
    sheet = CalamineWorkbook.from_filelike(io.BytesIO(content)).get_sheet_by_index(0)
    header, *read = sheet.to_python(skip_empty_area=False)
    assert header == names
    # A sheet ends with its last cell that holds something.
    read += [[""] * len(COLUMNS)] * (len(rows) - len(read))
    for cells, row in zip(read, rows, strict=True):
        for cell, value in zip(cells, row, strict=True):
            expected = sheet_cell(value)
            assert cell == (pytest.approx(expected, rel=1e-14) if isinstance(expected, float) else expected)


class Cells(HTMLParser):
    """Collects the text of every cell, by row."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.rows: list[list[str]] = []
        self.tags: set[str] = set()
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in {"td", "th"}:
            self.rows[-1].append("")
            self._inside = True
        elif tag == "br":
            self.rows[-1][-1] += "\n"

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th"}:
            self._inside = False

    def handle_data(self, data: str) -> None:
        if self._inside:
            self.rows[-1][-1] += data


def visible(text: str) -> str:
    return "".join(
        character
        if character in "\t\n\v\f\r" or character.isprintable() or ord(character) > 0x9F
        else "\ufffd"
        for character in text
    )


@given(names=NAMES, rows=ROWS)
@LAW
def test_html(engine: DuckDBEngine, names: list[str], rows: list[Row]) -> None:
    page = Cells()
    page.feed(exported(engine, names, rows, ExportFormat.HTML).decode())
    assert page.tags <= {
        "html",
        "head",
        "meta",
        "title",
        "style",
        "body",
        "table",
        "caption",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
    }
    header, *read = page.rows
    assert header == [visible(name) for name in names]
    for cells, row in zip(read, rows, strict=True):
        assert cells[2] == visible(csv_cell(row[2]))
        assert cells[0] == csv_cell(row[0])


@given(names=NAMES, rows=ROWS)
@LAW
def test_markdown(engine: DuckDBEngine, names: list[str], rows: list[Row]) -> None:
    page = Cells()
    source = exported(engine, names, rows, ExportFormat.MD).decode()
    assert source.count("\n") == len(rows) + 2
    page.feed(MarkdownIt("gfm-like", {"linkify": False, "html": True}).render(source))
    assert page.tags <= {"table", "thead", "tbody", "tr", "th", "td", "br"}
    header, *read = page.rows
    assert [name.split() for name in header] == [visible(name).split() for name in names]
    for cells, row in zip(read, rows, strict=True):
        assert cells[2].split() == visible(csv_cell(row[2])).split()


def test_cells_of_a_hundred_thousand_characters(engine: DuckDBEngine) -> None:
    cell = '"' * 50_000 + "ж\n" * 25_000
    columns = [("t", "VARCHAR")]
    text = exported(engine, ["t"], [(cell,)], ExportFormat.CSV, columns).decode()
    csv.field_size_limit(200_000)
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == [["t"], [cell]]
    assert json.loads(exported(engine, ["t"], [(cell,)], ExportFormat.JSON, columns)) == [{"t": cell}]


@pytest.mark.parametrize("fmt", [fmt for fmt in ExportFormat if fmt is not ExportFormat.XLSX])
def test_a_thousand_columns(engine: DuckDBEngine, fmt: ExportFormat) -> None:
    columns = [(f"column {index}", "VARCHAR" if index % 2 else "BIGINT") for index in range(1_000)]
    row: Row = tuple("x" if index % 2 else index for index in range(1_000))
    assert exported(engine, [name for name, _ in columns], [row, row], fmt, columns)
