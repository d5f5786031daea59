"""What is in a table, column by column: counts, ranges, distinct values, top values, units.

Tables of up to 200,000 rows are described exactly. Larger ones cost about one scan: counts, ranges and
means stay exact, distinct counts of columns with many values come from a sketch, and medians, deviations
and the top values of such columns from a sample; each column says which of its figures are approximate.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.profile.scan import scan_table
from tabchat.engine.profile.text import profile_text
from tabchat.engine.types import json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.profile.queries import Figures
    from tabchat.engine.profile.spread import Spread
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, ColumnKind, Engine, JsonValue, Row, Value

NULLS_SHOWN: Final = 10
"""Columns that `nulls_top` lists."""


@record
class ColumnProfile:
    """One column's values in figures."""

    name: str
    kind: ColumnKind
    sql_type: str
    unit: str | None
    nulls: int
    """Rows without a value; always exact."""
    distinct: int
    """Different values, nulls aside."""
    min: Value
    """Smallest number, date or time; none for text and other kinds. Always exact, as is `max`."""
    max: Value
    mean: float | None
    median: float | None
    std: float | None
    """Sample standard deviation."""
    top_values: tuple[tuple[Value, int], ...]
    """Most frequent values with their counts, most frequent first; none for columns of unique values."""
    approximate: tuple[str, ...] = ()
    """Which of `distinct`, `median`, `std`, `top_values`, `spread` are estimates."""
    spread: Spread | None = None
    """Of numbers, dates and times, where it was asked for and there are two different values."""

    @property
    def distinct_is_exact(self) -> bool:
        """False when `distinct` comes from a sketch."""
        return "distinct" not in self.approximate

    @property
    def lists_all_values(self) -> bool:
        """True when `top_values` holds every value that there is."""
        return self.distinct_is_exact and 0 < self.distinct == len(self.top_values)

    def to_json(self) -> dict[str, JsonValue]:
        """Return every figure, at full precision."""
        return {
            "name": self.name,
            "kind": self.kind.value,
            "sql_type": self.sql_type,
            "unit": self.unit,
            "nulls": self.nulls,
            "distinct": self.distinct,
            "min": json_value(self.min),
            "max": json_value(self.max),
            "mean": json_value(self.mean),
            "median": json_value(self.median),
            "std": json_value(self.std),
            "top_values": [{"value": json_value(value), "count": count} for value, count in self.top_values],
            "spread": self.spread.to_json() if self.spread is not None else None,
            "approximate": list(self.approximate),
        }


@record
class TableProfile:
    """A table in figures, and its first rows for the person who owns it."""

    rows: int
    cols: int
    """Columns of the table, also when only some are described."""
    columns: tuple[ColumnProfile, ...]
    preview: tuple[Row, ...]
    """Up to five rows of the described columns; never for a model below privacy level `preview`."""
    exact: bool
    """False when any figure is an estimate."""

    @property
    def dtypes(self) -> dict[str, str]:
        """Column → the engine's type."""
        return {column.name: column.sql_type for column in self.columns}

    @property
    def nulls_top(self) -> tuple[tuple[str, int], ...]:
        """Columns with the most missing values and how many they miss; those that miss none are left out."""
        missing = [(column.name, column.nulls) for column in self.columns if column.nulls]
        return tuple(sorted(missing, key=lambda pair: -pair[1])[:NULLS_SHOWN])

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{rows, cols, exact, columns, dtypes, nulls_top, preview}`."""
        names = [column.name for column in self.columns]
        return {
            "rows": self.rows,
            "cols": self.cols,
            "exact": self.exact,
            "columns": [column.to_json() for column in self.columns],
            "dtypes": self.dtypes,
            "nulls_top": dict(self.nulls_top),
            "preview": [dict(zip(names, map(json_value, row), strict=True)) for row in self.preview],
        }

    def to_text(self, *, preview: bool = False, more: Sequence[str] = (), whole: bool = False) -> str:
        """Return `Found N records.` and the column summary, at most 1,000 characters; rows only when asked.

        `more` names columns of the table that are not described. For a person it is `whole`: every column is.
        """
        return profile_text(self, preview=preview, more=more, whole=whole)


def profile_table(
    engine: Engine, table: Table, *, columns: Sequence[str] | None = None, spreads: bool = False
) -> TableProfile:
    """Describe `table`, which is attached to `engine` under its name; only `columns` when they are given.

    `spreads` are for people: a model is told of none.
    """
    described = [column for column in table.schema if columns is None or column.name in columns]
    scan = scan_table(engine, table, described, spreads=spreads)
    profiles = tuple(_profile(column, scan.figures[column.name], scan.rows) for column in described)
    return TableProfile(
        rows=scan.rows,
        cols=len(table.schema),
        columns=profiles,
        preview=scan.preview,
        exact=not any(profile.approximate for profile in profiles),
    )


def _profile(column: Column, figures: Figures, rows: int) -> ColumnProfile:
    return ColumnProfile(
        name=column.name,
        kind=column.kind,
        sql_type=column.sql_type,
        unit=column.unit,
        nulls=rows - figures.filled,
        distinct=figures.distinct,
        min=figures.min,
        max=figures.max,
        mean=figures.mean,
        median=figures.median,
        std=figures.std,
        top_values=figures.top_values,
        approximate=figures.approximate,
        spread=figures.spread,
    )
