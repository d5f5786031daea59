"""How each column of text cells becomes values: decided on a sample, then held for every cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.reader.text.dates import DateShape

SQL_TYPES: Final = {
    ColumnKind.INTEGER: "BIGINT",
    ColumnKind.NUMBER: "DOUBLE",
    ColumnKind.BOOLEAN: "BOOLEAN",
    ColumnKind.DATE: "DATE",
    ColumnKind.DATETIME: "TIMESTAMP",
    ColumnKind.TIME: "TIME",
    ColumnKind.TEXT: "VARCHAR",
}
"""Storage type of each kind of column that text can become."""

KIND_NAMES: Final = {
    "integer": ColumnKind.INTEGER,
    "int": ColumnKind.INTEGER,
    "bigint": ColumnKind.INTEGER,
    "number": ColumnKind.NUMBER,
    "float": ColumnKind.NUMBER,
    "double": ColumnKind.NUMBER,
    "decimal": ColumnKind.NUMBER,
    "text": ColumnKind.TEXT,
    "string": ColumnKind.TEXT,
    "str": ColumnKind.TEXT,
    "varchar": ColumnKind.TEXT,
    "boolean": ColumnKind.BOOLEAN,
    "bool": ColumnKind.BOOLEAN,
    "date": ColumnKind.DATE,
    "datetime": ColumnKind.DATETIME,
    "timestamp": ColumnKind.DATETIME,
    "time": ColumnKind.TIME,
}
"""What a person may call the kind of a column."""


@record
class ColumnPlan:
    """The strict conversion of one column."""

    kind: ColumnKind
    plain: bool = False
    """True when every sampled cell is in the engine's own spelling, so that a bare cast does."""
    decimal: str = "."
    """Decimal mark of numbers."""
    truths: tuple[str, str] | None = None
    """Lower-case words for true and false."""
    shapes: tuple[DateShape, ...] = ()
    """Spellings of dates and times that occur, tried in order."""
    utc: bool = False
    """Convert times with offsets to UTC; otherwise the wall clock is kept."""
    null_words: tuple[str, ...] = ()
    """Cells that mean a missing value, besides the empty cell."""
    labels: tuple[str, ...] = ()
    """Those of them, in lower case, that are labels of records which sum up others."""
    exact_nulls: bool = False
    """Compare null words as written (a person listed them); otherwise whatever their case."""
    forced: bool = False
    """A person set the kind: cells that do not fit become null and are reported as rejected."""
    typed: bool = False
    """The file itself says that the cells are text: they are kept to the letter."""
    blank: bool = False
    """No sampled cell holds anything: any content calls for another judgement."""
    unit: str | None = None
    minus_behind: bool = False
    """Some negative numbers have their sign at the end."""

    @property
    def sql_type(self) -> str:
        """The engine's type of the converted column."""
        return SQL_TYPES[self.kind]
