"""XLSX, streamed row by row; what Excel cannot hold is refused, never cut."""

from __future__ import annotations

import contextlib
import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import OutputError
from tabchat.export.cells import other_text
from tabchat.export.job import PLAIN

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import BinaryIO

    from tabchat.engine.types import Value
    from tabchat.export.job import ExportJob

MAX_ROWS: Final = 1_048_576
"""Rows of a sheet, the header included (Excel specifications and limits, as is what follows)."""
MAX_COLUMNS: Final = 16_384
MAX_CHARACTERS: Final = 32_767
"""UTF-16 units of a cell."""
MAX_DIGITS: Final = 15
"""Digits that a number keeps."""
SMALLEST: Final = 2.22507385850721e-308
LARGEST: Final = 9.99999999999999e307

_FIRST_DAY: Final = dt.date(1900, 3, 1)
"""Excel counts a 29 February 1900 that never was; before it, days are off by one or missing."""

_OPTIONS: Final[Mapping[str, bool]] = {
    "constant_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_CREATED: Final = dt.datetime(2000, 1, 1)  # noqa: DTZ001 - Excel knows no zones

_FORMATS: Final[Mapping[str, str]] = {
    "date": "yyyy-mm-dd",
    "datetime": "yyyy-mm-dd hh:mm:ss",
    "time": "hh:mm:ss",
}


def write_workbook(job: ExportJob, file: BinaryIO) -> int:
    """Write a frame as the one sheet of a workbook; returns the number of rows.

    Raises `OutputError` for more rows, columns or characters than Excel holds.
    """
    import tempfile

    import xlsxwriter

    _require_size(job)
    # The rows wait in a file until the sheet is complete; the folder takes it away whatever happens.
    with tempfile.TemporaryDirectory(prefix="tabchat-") as folder:
        book = xlsxwriter.Workbook(file, {**_OPTIONS, "tmpdir": folder})
        # The same result gives the same bytes whenever it is written.
        book.set_properties({"title": job.title or "Result", "created": _CREATED})
        with contextlib.closing(_Sheet(book, job)) as sheet:
            sheet.write_header()
            count = 0
            for rows in job.chunks(PLAIN):
                for row in rows:
                    count += 1
                    sheet.write_row(count, row)
            book.close()
    return count


def _require_size(job: ExportJob) -> None:
    frame = job.frame
    hint = "Export it as CSV or Parquet, or ask for less."
    if frame.row_count >= MAX_ROWS:
        message = f"The result has {frame.row_count:,} rows; an Excel sheet holds {MAX_ROWS - 1:,}."
        raise OutputError(message, hint=hint)
    if len(frame.columns) > MAX_COLUMNS:
        message = f"The result has {len(frame.columns):,} columns; an Excel sheet holds {MAX_COLUMNS:,}."
        raise OutputError(message, hint=hint)


class _Sheet:
    def __init__(self, book: Any, job: ExportJob) -> None:
        self._job = job
        self._sheet = book.add_worksheet("Result")
        self._bold = book.add_format({"bold": True})
        self._formats = {name: book.add_format({"num_format": code}) for name, code in _FORMATS.items()}
        self._writers: dict[type, Callable[[int, int, Any], None]] = {
            str: self._write_text,
            bool: self._sheet.write_boolean,
            int: self._write_integer,
            float: self._write_float,
            Decimal: self._write_decimal,
            dt.date: self._write_date,
            dt.datetime: self._write_datetime,
            dt.time: self._write_time,
        }

    def close(self) -> None:
        """Close the file of rows, which only a complete book does by itself."""
        self._sheet.row_data_fh.close()

    def write_header(self) -> None:
        for index, name in enumerate(self._job.names):
            self._sheet.set_column(index, index, min(max(len(name) + 2, 10), 40))
        self._sheet.freeze_panes(1, 0)
        for index, name in enumerate(self._job.names):
            text = self._job.formulas.text(name)
            self._sheet.write_string(0, index, self._fitting(0, index, text), self._bold)

    def write_row(self, number: int, row: tuple[Value, ...]) -> None:
        for index, cell in enumerate(row):
            if cell is not None:
                writer = self._writers.get(type(cell), self._write_other)
                writer(number, index, cell)

    def _write_text(self, row: int, column: int, cell: str) -> None:
        text = self._job.formulas.text(cell) if self._job.textual[column] else cell
        self._sheet.write_string(row, column, self._fitting(row, column, text))

    def _write_other(self, row: int, column: int, cell: Value) -> None:
        self._write_text(row, column, other_text(cell))

    def _write_integer(self, row: int, column: int, cell: int) -> None:
        if len(str(abs(cell))) > MAX_DIGITS:
            self._sheet.write_string(row, column, str(cell))
        else:
            self._sheet.write_number(row, column, cell)

    def _write_float(self, row: int, column: int, cell: float) -> None:
        if cell == 0 or SMALLEST <= abs(cell) <= LARGEST:
            self._sheet.write_number(row, column, cell)
        elif cell == cell:  # noqa: PLR0124 - beyond what Excel counts with, but not NaN
            self._sheet.write_string(row, column, repr(cell))

    def _write_decimal(self, row: int, column: int, cell: Decimal) -> None:
        if len(cell.normalize().as_tuple().digits) > MAX_DIGITS:
            self._sheet.write_string(row, column, format(cell, "f"))
        else:
            self._sheet.write_number(row, column, float(cell))

    def _write_date(self, row: int, column: int, cell: dt.date) -> None:
        if cell < _FIRST_DAY:
            self._sheet.write_string(row, column, cell.isoformat())
        else:
            self._sheet.write_datetime(row, column, cell, self._formats["date"])

    def _write_datetime(self, row: int, column: int, cell: dt.datetime) -> None:
        if cell.date() < _FIRST_DAY or cell.microsecond % 1000:
            self._sheet.write_string(row, column, cell.isoformat(sep=" "))
        else:
            self._sheet.write_datetime(row, column, cell, self._formats["datetime"])

    def _write_time(self, row: int, column: int, cell: dt.time) -> None:
        self._sheet.write_datetime(row, column, cell, self._formats["time"])

    def _fitting(self, row: int, column: int, text: str) -> str:
        if len(text) * 2 > MAX_CHARACTERS and len(text.encode("utf-16-le", "replace")) // 2 > MAX_CHARACTERS:
            place = f"row {row}" if row else "the header"
            message = (
                f"A cell in {place}, column {self._job.names[column][:40]!r}, has {len(text):,} characters; "
                f"an Excel cell holds {MAX_CHARACTERS:,}."
            )
            raise OutputError(message, hint="Export it as CSV or Parquet, or leave the column out.")
        return text
