"""The facts of a table and of its columns, as values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Mapping

    from tabchat.engine.types import ColumnKind

MOST_TEXTS: Final = 3_000
"""Distinct texts up to which a column's value index is complete."""
MOST_BYTES: Final = 2_000_000
"""Size of the kept facts of one version."""

Bound: TypeAlias = "int | float | str | dt.date | dt.datetime | dt.time | None"


@record
class Figures:
    """How the texts of one column are read as numbers: all in one unit and one currency."""

    decimal: str
    """`.` or `,`."""
    scaled: bool
    """Whether words or letters behind a number multiply it (`2 million`, `$2m`)."""
    whole: bool
    unit: str | None
    """As the cells write it; a currency by its sign."""
    low: float
    high: float
    distinct: int
    doubled: bool
    """True when a second figure in brackets follows, which a header with brackets speaks of."""


@record
class ColumnFacts:
    """What is known of one column."""

    name: str
    kind: ColumnKind
    unit: str | None = None
    """As the reader found it in the header or the cells: `$`, `%`, `km`."""
    filled: int | None = None
    """Cells that are not missing; None when unknown."""
    distinct: int | None = None
    """Different cells; None when unknown."""
    exact: bool = True
    """False when the counts and the bounds come from a sample of the rows or from a sketch."""
    low: Bound = None
    high: Bound = None
    """Smallest and greatest cell (a text: cut to 200 characters)."""
    ascending: bool = False
    """Whether the cells never fall in the order of the file."""
    unique: bool = False
    """Whether no two rows share a cell and none is missing."""
    numbers_rows: bool = False
    """Whether it counts the rows: whole numbers without a gap from 0 or 1, in any order (or, for 20 rows and more, from
    any number)."""
    texts: tuple[str, ...] = ()
    """The different cells of a text column, in their spelling, by falling count; complete when `complete`."""
    counts: tuple[int, ...] = ()
    """Rows of each of `texts`; empty when unknown."""
    complete: bool = True
    """Whether `texts` holds every different cell (always true for columns that hold no text)."""
    figures: str | None = None
    """How a text column that holds figures with notes writes them, as `engine/functions/figures.py` reads them:
    `.` or `,` for the decimal mark; None when its cells are no figures."""
    noted: Figures | None = None
    """Unit, scale and bounds of those figures."""
    years: bool = False
    """Whether a column of whole numbers holds years (1000-2200) only, and its header or bounds say so."""
    span: str | None = None
    """The calendar unit, `month` or `quarter`, that every text names, each another one: `Mar 2024`, `2024-Q1`."""
    integral: bool = False
    """Whether all numbers are whole."""
    average_length: float | None = None
    """Characters of a text cell."""
    formula: str | None = None
    """What a plan computes it by, of a column that no file has; such facts are never kept."""
    operands: tuple[str, ...] = ()
    """The columns that the formula takes."""


@record
class TableFacts:
    """What is known of one table version without asking the engine; at most `MOST_BYTES` when kept."""

    name: str
    """SQL name of the table."""
    row_count: int | None
    """None when nobody has counted the rows yet."""
    columns: tuple[ColumnFacts, ...]
    row_nouns: tuple[str, ...] = ()
    """Folded words for what a row is, from the file's name and the heads of key columns (`flights.csv` with
    `flight_no`: flight), singular where the ending tells."""
    exact: bool = True
    """False for a file that was only sampled."""
    determined: Mapping[str, tuple[str, ...]] | None = None
    """Column → columns that it settles (every city has one country); None when not looked at."""

    def column(self, name: str) -> ColumnFacts | None:
        """Return a column by its exact name."""
        return next((column for column in self.columns if column.name == name), None)

    def without(self, names: Collection[str]) -> TableFacts:
        """Return the facts without some columns, as if the table did not have them."""
        if not names:
            return self
        settled = {
            name: tuple(other for other in others if other not in names)
            for name, others in (self.determined or {}).items()
            if name not in names
        }
        return replace(
            self,
            columns=tuple(column for column in self.columns if column.name not in names),
            determined=settled if self.determined is not None else None,
        )
