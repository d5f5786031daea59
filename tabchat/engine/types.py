"""The vocabulary of the engine: columns, schemas and the engine protocol."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Final, Protocol, TypeAlias

from tabchat.record import record
from tabchat.values import JsonValue as JsonValue  # noqa: PLC0414, TC001 - part of this vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

    import pyarrow as pa
    from sqlglot import exp

    from tabchat.engine.copying import Lines, Packed
    from tabchat.engine.source_files import SourceFiles

FILE_ROW: Final = "file_row_number"
"""The column that the engine adds to the rows of a Parquet file; it reads no file that has another one."""
ROW: Final = "__row__"
"""Hidden column of every table: the 1-based number of the record in its file."""

HELPER_PREFIX: Final = "__"
"""Columns whose name starts so are the engine's own and are never shown."""

MOST_ROWS: Final = 2**63 - 1
"""Rows that an engine can be asked for at most."""

Value: TypeAlias = (
    "bool | int | float | str | bytes | Decimal | dt.date | dt.datetime | dt.time | dt.timedelta"
    " | list[Value] | dict[str, Value] | None"
)
"""What a cell may hold once it is a Python value."""

Row: TypeAlias = tuple[Value, ...]


class ColumnKind(StrEnum):
    """What a column means to a person, whatever its storage type."""

    INTEGER = "integer"
    NUMBER = "number"
    BOOLEAN = "boolean"
    TEXT = "text"
    DATE = "date"
    DATETIME = "datetime"
    TIME = "time"
    OTHER = "other"

    @property
    def is_numeric(self) -> bool:
        """True for whole and fractional numbers."""
        return self in {ColumnKind.INTEGER, ColumnKind.NUMBER}

    @property
    def is_temporal(self) -> bool:
        """True for dates and datetimes (not for a bare time of day)."""
        return self in {ColumnKind.DATE, ColumnKind.DATETIME}

    @property
    def is_ordered(self) -> bool:
        """True for cells that lie on a line: numbers, dates and times."""
        return self.is_numeric or self.is_temporal or self is ColumnKind.TIME


@record
class Column:
    """One column of a table or of a result."""

    name: str
    kind: ColumnKind
    sql_type: str
    """The engine's own type name, such as `BIGINT`."""
    unit: str | None = None
    """Unit read from the header or the cells: `%`, `$`, `€`, `MW` …"""


Schema: TypeAlias = tuple[Column, ...]


FROM_ISO: Final[Mapping[str, Callable[[str], dt.date | dt.time]]] = {
    ColumnKind.DATE: dt.date.fromisoformat,
    ColumnKind.DATETIME: dt.datetime.fromisoformat,
    ColumnKind.TIME: dt.time.fromisoformat,
}
"""Kind of a cell → what reads its ISO text."""


class Engine(Protocol):
    """Runs sqlglot queries; knows nothing of files, models or terminals."""

    dialect: str
    """sqlglot dialect of the engine."""

    def begin(self) -> None:
        """Start, where it does not run yet, while whoever is about to ask it prepares the query."""

    def schema(self, query: exp.Query) -> Schema:
        """Return the columns of `query` without running it."""

    def rows(self, query: exp.Query) -> list[Row]:
        """Run `query` and return its rows as Python values."""

    def stream(self, query: exp.Query, size: int = ...) -> Iterator[list[Row]]:
        """Run `query` and yield its rows as Python values, at most `size` at a time."""

    def execute(self, query: exp.Query) -> Iterator[pa.RecordBatch]:
        """Run `query` and stream Arrow record batches, at least one even without rows."""

    def materialise(self, query: exp.Query) -> exp.Select:
        """Run `query` once, keep its rows in order, and return a query over them."""

    def forget(self, query: exp.Query) -> None:
        """Let go of kept rows that `query` reads; nobody may read them any more."""

    def hold(self, table: pa.Table) -> exp.Select:
        """Keep the rows of an Arrow table, in order, and return a query over them."""

    def write_parquet(self, query: exp.Query, path: Path) -> None:
        """Run `query` into a Parquet file, replacing it; `path` lies in the engine's own folders."""

    def write_lines(self, query: exp.Query, write: Callable[[bytes], object], lines: Lines) -> int | None:
        """Run `query` and hand its rows to `write` in blocks of UTF-8; returns how many rows.

        Returns None, with nothing written, where the engine cannot.
        """

    def write_into(self, query: exp.Query, file: BinaryIO, form: Lines | Packed) -> int | None:
        """Run `query` into an open file that has no name yet, from its beginning; returns how many rows.

        What fails on the way leaves a part in the file. Returns None, with nothing written, where the engine cannot.
        """

    def attach(self, name: str, scan: exp.Query, files: SourceFiles | None = None) -> None:
        """Give the rows of `scan` a name that later queries can use; `files` are the person's own that it reads."""

    def cancel(self) -> None:
        """Stop the running query; safe to call from another thread."""

    def close(self) -> None:
        """Release the engine and its temporary files."""


_NO_NUMBERS: Final = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}


def json_value(value: Value) -> JsonValue:  # noqa: PLR0911 - one return for each kind of cell
    """Turn a cell into JSON: dates ISO text, exact decimals numbers, what JSON has no number for a text.

    The texts are `NaN`, `Infinity` and `-Infinity`, as Protocol Buffers and JavaScript write them.
    """
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if value - value == 0 else _NO_NUMBERS[repr(value)]
        case Decimal():
            if not value.is_finite():
                return "NaN" if value.is_nan() else str(value)
            return int(value) if value == value.to_integral_value() else float(value)
        case dt.datetime():
            return value.isoformat(sep=" ")
        case dt.date() | dt.time():
            return value.isoformat()
        case bytes():
            return value.hex()
        case list():
            return [json_value(item) for item in value]
        case dict():
            return {str(key): json_value(item) for key, item in value.items()}
        case _:
            return str(value)


def is_finite(value: Value) -> bool:
    """Return whether a cell is anything but NaN or an infinity."""
    return (
        value.is_finite()
        if isinstance(value, Decimal)
        else not isinstance(value, float) or value - value == 0
    )


def finite(value: Value) -> Value:
    """Return a cell, or None for NaN and infinities."""
    return value if is_finite(value) else None


def whole(value: Value) -> int:
    """Return a count or a row number, whatever the engine's type for it."""
    return int(value)  # type: ignore[arg-type] # these are whole numbers
