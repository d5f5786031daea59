"""Any table that is written comes back equal, whatever the format and its spelling."""

import csv
import datetime as dt
import io
import json
import math
import tempfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import xlsxwriter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.reader import TableCache
from tests.effort import examples
from tests.engine.reader.conftest import Reader, Reading
from tests.seals import SEAL

WORDS = st.text(
    st.characters(codec="utf-8", exclude_categories=("Cs", "Cc", "Zs", "Cf")), min_size=1, max_size=12
).map(lambda text: f"w{text}")
"""Words that no reader could take for anything else, with quotes, delimiters and every script."""
NUMBERS = st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: round(x, 3) + 0.0)
KINDS: dict[str, st.SearchStrategy[Any]] = {
    "integer": st.integers(-(2**63), 2**63 - 1),
    "number": NUMBERS.filter(lambda x: x != int(x)),
    "text": WORDS,
    "date": st.dates(dt.date(1900, 1, 1)),
    "datetime": st.datetimes(dt.datetime(1900, 1, 1), dt.datetime(2200, 1, 1)).map(  # noqa: DTZ001
        lambda moment: moment.replace(microsecond=0, second=1)
    ),
    "boolean": st.booleans(),
}


@st.composite
def tables(draw: st.DrawFn) -> list[list[Any]]:
    """Draw the columns of a table: each of one kind, with gaps, and one of words without gaps."""
    rows = draw(st.integers(1, 12))
    columns = []
    for kind in draw(st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=4)):
        cells = draw(st.lists(st.none() | KINDS[kind], min_size=rows, max_size=rows))
        columns.append(cells)
    columns.append(draw(st.lists(WORDS, min_size=rows, max_size=rows)))
    return columns


def read(content: bytes, name: str, **options: Any) -> Reading:
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(folder=Path(folder), cache=TableCache(Path(folder) / "cache", 1 << 30, seal=SEAL))
        found = reader.open(reader.write(content, name), **options)
        reader.cache.close()
        return found


def same(found: Reading, columns: list[list[Any]]) -> None:
    expected = list(zip(*columns, strict=True))
    assert len(found.rows) == len(expected)
    for got, wanted in zip(found.rows, expected, strict=True):
        for cell, original in zip(got, wanted, strict=True):
            if isinstance(original, float) and isinstance(cell, (int, float)):
                assert math.isclose(cell, original, rel_tol=1e-12)
            else:
                assert cell == original


FAST = settings(deadline=None, max_examples=examples(12), suppress_health_check=[HealthCheck.too_slow])


@FAST
@given(
    tables(),
    st.sampled_from([",", ";", "\t", "|"]),
    st.sampled_from([".", ","]),
    st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]),
    st.sampled_from(["\n", "\r\n"]),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]),
    st.sampled_from(["%Y-%m-%d", "%d.%m.%Y"]),
)
def test_csv(
    columns: list[list[Any]],
    delimiter: str,
    decimal: str,
    quoting: Any,
    line_end: str,
    encoding: str,
    date_format: str,
) -> None:
    def written(cell: Any) -> str:
        match cell:
            case None:
                return ""
            case bool():
                return "yes" if cell else "no"
            case float():
                return repr(cell).replace(".", decimal)
            case dt.datetime():
                return cell.isoformat(sep=" ")
            case dt.date():
                return cell.strftime(date_format) if cell.year > 999 else cell.isoformat()
            case _:
                return str(cell)

    out = io.StringIO()
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=line_end)
    writer.writerow([f"name{i}" for i in range(len(columns))])
    writer.writerows([[written(cell) for cell in row] for row in zip(*columns, strict=True)])
    options = {"delimiter": delimiter, "decimal": decimal, "encoding": encoding, "header": True}
    same(read(out.getvalue().encode(encoding), "t.csv", date_order="dmy", **options), columns)


@FAST
@given(tables(), st.booleans())
def test_json(columns: list[list[Any]], lines: bool) -> None:
    rows = [
        {f"n{i}": str(c) if isinstance(c, dt.date) else c for i, c in enumerate(row)}
        for row in zip(*columns, strict=True)
    ]
    text = "\n".join(map(json.dumps, rows)) if lines else json.dumps(rows)
    same(read(text.encode(), "t.jsonl" if lines else "t.json"), columns)


@FAST
@given(tables())
def test_parquet(columns: list[list[Any]]) -> None:
    out = io.BytesIO()
    pq.write_table(pa.table({f"n{i}": pa.array(cells) for i, cells in enumerate(columns)}), out)
    same(read(out.getvalue(), "t.parquet"), columns)


@FAST
@given(tables())
def test_workbooks(columns: list[list[Any]]) -> None:
    out = io.BytesIO()
    book = xlsxwriter.Workbook(out, {"in_memory": True})
    sheet = book.add_worksheet()
    day = book.add_format({"num_format": "yyyy-mm-dd"})
    moment = book.add_format({"num_format": "yyyy-mm-dd hh:mm:ss"})
    # A workbook holds whole numbers as floating point, and no dates before March 1900.
    kept = [
        [c % 2**53 if isinstance(c, int) and not isinstance(c, bool) else c for c in cells]
        for cells in columns
        if not any(isinstance(c, dt.date) and c.year == 1900 for c in cells)
    ]
    for i, cells in enumerate(kept):
        sheet.write_string(0, i, f"n{i}")
        for row, cell in enumerate(cells, start=1):
            if isinstance(cell, dt.date):
                sheet.write_datetime(row, i, cell, moment if isinstance(cell, dt.datetime) else day)
            elif isinstance(cell, str):
                sheet.write_string(row, i, cell)
            elif cell is not None:
                sheet.write(row, i, cell)
    book.close()
    found = read(out.getvalue(), "t.xlsx", header=True)
    same(found, kept)
