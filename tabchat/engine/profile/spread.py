"""How the numbers of a column, and its dates over time, are spread: counts in a few steps from the lowest to the highest."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import double, fill
from tabchat.engine.profile.queries import COLUMNS_AT_ONCE, Scan, cell_of
from tabchat.engine.types import Column, ColumnKind, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.queries import Figures
    from tabchat.engine.types import JsonValue, Value

STEPS: Final = 16
"""Steps at most; whole numbers and days get fewer where they are fewer."""
_EPOCH: Final = dt.date(1970, 1, 1).toordinal()
_WHOLE: Final = 2**53
"""Above, not every whole number is a double."""
_FURTHEST: Final = 1e300


@record
class Spread:
    """Counts by steps of one width; a step includes its lower end, the last one also the highest value."""

    start: Value
    """The lowest value."""
    width: float
    """In units of the column; days of a date, seconds of a time."""
    counts: tuple[int, ...]

    def to_json(self) -> dict[str, JsonValue]:
        """Return `{start, width, counts}`."""
        return {"start": json_value(self.start), "width": self.width, "counts": list(self.counts)}


@record
class _Steps:
    low: float
    width: float
    count: int


def spreads_of(scan: Scan, figures: Mapping[str, Figures]) -> dict[str, Spread]:
    """Count the cells of every column of numbers or dates by steps between its bounds in `figures`."""
    steps = {
        column.name: found
        for column in scan.columns
        if (found := _steps(column, figures[column.name])) is not None
    }
    chosen = [column for column in scan.columns if column.name in steps]
    # Turned on its side, a table is read at once; otherwise the engine plans long for many columns.
    at_once = max(len(chosen), 1) if scan.tall else COLUMNS_AT_ONCE
    counts: dict[str, Mapping[int, int]] = {}
    for begin in range(0, len(chosen), at_once):
        counts |= _placed(scan, chosen[begin : begin + at_once], steps).frequencies()
    return {
        name: Spread(
            start=figures[name].min,
            width=found.width,
            counts=tuple(counts.get(name, {}).get(place, 0) for place in range(found.count)),
        )
        for name, found in steps.items()
    }


def _steps(column: Column, figures: Figures) -> _Steps | None:
    """Return the steps of a column; None for one that is not spread."""
    low, high = _position(figures.min), _position(figures.max)
    if low is None or high is None or not low < high:
        return None
    in_wholes = column.kind in {ColumnKind.INTEGER, ColumnKind.DATE} and max(abs(low), abs(high)) < _WHOLE
    if in_wholes:
        wholes = math.ceil((high - low + 1) / STEPS)
        return _Steps(low=low, width=wholes, count=math.ceil((high - low + 1) / wholes))
    width = high / STEPS - low / STEPS
    return _Steps(low=low, width=width, count=STEPS) if 0 < width < math.inf else None


def _position(value: Value) -> float | None:
    """Return a number, the day of a date or the second of a time; None for anything else."""
    match value:
        case bool() | None:
            return None
        case int() | float() | Decimal():
            # Up to where the steps of numbers from the lowest to the highest are numbers, too.
            return float(value) if -_FURTHEST <= value <= _FURTHEST else None
        case dt.datetime():
            return (value if value.tzinfo else value.replace(tzinfo=dt.UTC)).timestamp()
        case dt.date():
            return float(value.toordinal() - _EPOCH)
        case _:
            return None


def _placed(scan: Scan, columns: Sequence[Column], steps: Mapping[str, _Steps]) -> Scan:
    """Return a scan of the same columns with the number of the step in the place of each cell."""
    cells = [
        exp.alias_(_place(column, steps[column.name]), column.name, quoted=True, copy=False)
        for column in columns
    ]
    narrow = exp.select(*map(cell_of, columns)).from_(scan.relation.subquery("scanned"))
    numbers = [Column(name=column.name, kind=ColumnKind.INTEGER, sql_type="INTEGER") for column in columns]
    return Scan(scan.engine, exp.select(*cells).from_(narrow.subquery("narrow")), numbers, tall=scan.tall)


_AT: Final = {
    ColumnKind.DATE: "DATE_DIFF('day', DATE '1970-01-01', :x)",
    ColumnKind.DATETIME: "EPOCH(:x)",
}


def _place(column: Column, steps: _Steps) -> exp.Expr:
    at = fill(_AT.get(column.kind, "CAST(:x AS DOUBLE)"), x=cell_of(column))
    last = steps.count - 1
    # Not LEAST(): of a cell that is missing and a number, the engine takes the number.
    place = "CASE WHEN :at >= :end THEN :last ELSE TRY_CAST(FLOOR((:at - :low) / :width) AS INTEGER) END"
    low, width, end = map(double, (steps.low, float(steps.width), steps.low + steps.width * last))
    return fill(place, at=at, low=low, width=width, end=end, last=last)
