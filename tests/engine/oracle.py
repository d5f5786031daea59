"""A second, independent reading of plans: pandas and plain Python, nothing of the engine's.

Values are held in nullable columns, whose logic is three-valued as SQL's is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any, TypeAlias

import pandas as pd

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")

Column: TypeAlias = "pd.Series[Any]"
Cell: TypeAlias = Any
Record: TypeAlias = dict[str, Cell]


@dataclass(frozen=True)
class Term:
    """An expression: how a plan writes it, and what pandas makes of it."""

    text: str
    value: Callable[[pd.DataFrame], Column]
    exact: bool = True
    """False when the two engines may differ in the last bits, so that nothing may hang on equality."""


@dataclass(frozen=True)
class Aggregate:
    """An aggregate: how a plan writes it, its column's name, and its value over the rows of a group."""

    text: str
    name: str
    value: Callable[[pd.DataFrame], Cell]
    exact: bool = True


@dataclass(frozen=True)
class Sort:
    """One sort key."""

    column: str
    descending: bool


def frame_of(rows: Sequence[Record]) -> pd.DataFrame:
    """Return rows of the test table as a frame; its index is the order of the file."""
    frame = pd.DataFrame(
        {
            "ts": pd.Series([row["ts"] for row in rows], dtype="object"),
            "g": pd.Series([row["g"] for row in rows], dtype="object"),
            "h": pd.Series([row["h"] for row in rows], dtype="boolean"),
            "n": pd.Series([row["n"] for row in rows], dtype="Int64"),
            "x": pd.Series([_without_nan(row["x"]) for row in rows], dtype="Float64"),
            "y": pd.Series([_without_nan(row["y"]) for row in rows], dtype="Float64"),
        }
    )
    return frame.reset_index(drop=True)


def in_order(frame: pd.DataFrame, values: Column, compute: Callable[[Column], Column]) -> Column:
    """Apply `compute` to `values` in row order: by date, missing dates last, then as in the file."""
    places = sorted(frame.index, key=lambda i: (is_missing(frame["ts"][i]), str(frame["ts"][i]), i))
    computed = compute(values.loc[places])
    return computed.loc[frame.index]


def floats(values: Column) -> Column:
    """Return plain floats, missing ones as NaN."""
    return values.astype("Float64").astype(float)


def finite(values: Column) -> Column:
    """Return nullable floats in which NaN and infinities are missing."""
    plain = [_without_nan(float(value)) if not is_missing(value) else None for value in values]
    return pd.Series(plain, index=values.index, dtype="Float64")


def divided(left: Column, right: Column) -> Column:
    """Return a quotient that is missing where the divisor is zero."""
    divisor = right.astype("Float64")
    return left.astype("Float64") / divisor.mask(divisor == 0)


def present(values: Column) -> list[Cell]:
    """Return the values that are there."""
    return [value for value in values if not is_missing(value)]


def mode(values: Column) -> Cell:
    """Return the most frequent value, of several the smallest."""
    found = present(values)
    return min(set(found), key=lambda value: (-found.count(value), value)) if found else None


def ordered(records: Sequence[Record], sorts: Sequence[Sort]) -> list[Record]:
    """Sort stably by several keys, missing values last either way."""
    result = list(records)
    for sort in reversed(sorts):
        there = [record for record in result if not is_missing(record[sort.column])]
        missing = [record for record in result if is_missing(record[sort.column])]
        # Python keeps ties in their order when it sorts in reverse, too.
        there.sort(key=itemgetter(sort.column), reverse=sort.descending)
        result = there + missing
    return result


def grouped(frame: pd.DataFrame, keys: Sequence[str], aggregates: Sequence[Aggregate]) -> list[Record]:
    """Return a record for each combination of key values, missing ones included, in key order."""
    groups: dict[tuple[Cell, ...], list[int]] = {}
    for index in frame.index:
        key = tuple(plain(frame[name][index]) for name in keys)
        groups.setdefault(key, []).append(index)
    records = []
    for key, places in groups.items():
        part = frame.loc[places]
        values = {aggregate.name: plain(aggregate.value(part)) for aggregate in aggregates}
        records.append(dict(zip(keys, key, strict=True)) | values)
    return ordered(records, [Sort(name, descending=False) for name in keys])


def records_of(frame: pd.DataFrame, columns: Sequence[str]) -> list[Record]:
    """Return the rows of a frame as records."""
    return [{name: plain(frame[name][index]) for name in columns} for index in frame.index]


def plain(value: Cell) -> Cell:
    """Return a cell as a plain Python value, a missing one as None."""
    if is_missing(value):
        return None
    return value.item() if hasattr(value, "item") else value


def is_missing(value: Cell) -> bool:
    """Tell whether a cell holds nothing."""
    return value is None or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def same_cell(left: Cell, right: Cell) -> bool:
    """Compare two cells; floats may differ in their last bits."""
    if isinstance(left, float) or isinstance(right, float):
        if left is None or right is None:
            return left is right
        return math.isclose(left, right, rel_tol=1e-9, abs_tol=1e-7)
    return type(left) is type(right) and bool(left == right)


def _without_nan(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
