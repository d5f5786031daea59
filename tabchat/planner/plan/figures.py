"""Keys of an intent → the columns that a plan groups by; measures → its aggregates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Key
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.columns import tells
from tabchat.planner.plan.expressions import Unplannable, fresh
from tabchat.planner.plan.scope import of_one_row
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.intent import Measure
    from tabchat.planner.plan.columns import Columns

_UNITS: Final = {
    "year": "year({t})",
    "quarter": "period_quarter({t})",
    "month": "period_month({t})",
    "week": "period_week({t})",
    "day": "date({t})",
    "hour": "period_hour({t})",
    "month_name": "monthname({t})",
    "quarter_name": "right(period_quarter({t}), 2)",
    "weekday": "dayname({t})",
    "hour_of_day": "hour({t})",
    "decade": "floor(bucket({y}, 10))",
}
"""Calendar unit → formula over the date column `{t}`, or its year `{y}`."""
_RANKS: Final = {"month_name": "month({t})", "weekday": "dayofweek({t})"}
"""Units whose names are not in the order of the calendar → what is."""
_OF_CLOCK: Final = frozenset({"hour", "hour_of_day"})
_NAMES: Final = {"month_name": "month", "quarter_name": "quarter", "hour_of_day": "hour"}
STEPS: Final = frozenset({"year", "quarter", "month", "week", "day", "hour", "decade"})
"""Units that follow each other in time."""


@record
class KeyColumn:
    """One key as a column of a plan."""

    key: Key
    name: str
    formula: str | None = None
    """What computes it; None for a column of the table."""
    rank: str | None = None
    """An expression over a row that puts the groups into the order of the calendar."""
    is_step: bool = False
    """True for a unit that follows another in time."""

    @property
    def present(self) -> str:
        """The condition that the group has a name."""
        return f"{write.name(self.name)} is not null"


def key_columns(keys: Iterable[Key], columns: Columns) -> tuple[KeyColumn, ...]:
    """Write keys, each under a name of its own; a key that is named twice counts once."""
    found: list[KeyColumn] = []
    for key in dict.fromkeys(keys):
        made = _key_column(key, columns, [item.name for item in found])
        if made.formula is not None or made.name not in {item.name for item in found}:
            found.append(made)
    return tuple(found)


def computed(keys: Iterable[KeyColumn]) -> dict[str, str]:
    """Return the keys that are computed, name to formula."""
    return {key.name: key.formula for key in keys if key.formula is not None}


def _key_column(key: Key, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.width is not None:
        if key.column is None or key.width <= 0:
            raise Unplannable("bins need a column of numbers and a width above 0")
        formula = write.call("bucket", columns.number(key.column), write.number(key.width))
        return KeyColumn(key=key, name=columns.fresh(f"{key.column}_from", taken), formula=formula)
    if key.unit is None:
        if key.column is None:
            raise Unplannable("a group needs a column or a calendar unit")
        column = columns.find(key.column)
        rank = columns.moment(column) if column.span is not None else None
        return KeyColumn(key=key, name=column.name, rank=rank, is_step=columns.is_time(column.name))
    return _calendar_column(key, key.unit, columns, taken)


def _calendar_column(key: Key, unit: str, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    column = columns.time(key.column)
    if unit == column.span:
        return KeyColumn(key=key, name=column.name, rank=columns.moment(column), is_step=True)
    cell = columns.moment(column)
    year = write.call("year", cell)
    if column.span is not None:
        if not tells(column, unit):
            raise Unplannable(f"{column.name} has whole {column.span}s only")
    elif not column.kind.is_temporal:
        if unit == "year":
            return KeyColumn(key=key, name=column.name, is_step=True)
        if unit != "decade":
            raise Unplannable(f"{column.name} has years only, no months or days")
        year = cell
    if unit not in _UNITS:
        raise Unplannable(f"there is no calendar unit {unit}")
    if unit in _OF_CLOCK and column.kind is not ColumnKind.DATETIME:
        raise Unplannable(f"{column.name} has no time of day")
    rank = _RANKS.get(unit)
    return KeyColumn(
        key=key,
        name=columns.fresh(_NAMES.get(unit, unit), taken),
        formula=_UNITS[unit].format(t=cell, y=year),
        rank=rank.format(t=cell) if rank is not None else None,
        is_step=unit in STEPS,
    )


_ADDING: Final = frozenset({"sum", "mean"})
"""Functions whose difference over two columns is that of their cells, where none is missing."""
OF_NUMBERS: Final = frozenset({"sum", "mean", "median", "std", "var", "percentile"})
OF_ANYTHING: Final = frozenset({"count", "count_distinct", "min", "max", "mode", "first", "last"})
_ORDERED: Final = frozenset({"min", "max"})


@record
class Aggregate:
    """One measure as an aggregate of a plan."""

    expression: str
    name: str
    """Name of the result's column."""

    @property
    def select(self) -> str:
        """The entry of `select`."""
        return f"{self.expression} as {write.name(self.name)}"


def aggregates(
    measures: Sequence[Measure], columns: Columns, taken: Iterable[str] = ()
) -> tuple[Aggregate, ...]:
    """Write measures, each under a name of its own; the rows are counted where nothing is measured."""
    names = list(taken)
    found = []
    for measure in dict.fromkeys(measures):
        name = fresh(measure_name(measure), names)
        names.append(name)
        write_figure = share_of if measure.share else value_of
        found.append(Aggregate(expression=write_figure(measure, columns), name=name))
    return tuple(found)


def measure_name(measure: Measure) -> str:
    """Return the customary name of a measure's column."""
    if measure.share:
        return "share"
    if measure.part:
        return "percent"
    name = measure.function
    if measure.parameter is not None:
        name = f"p{write.number(round(measure.parameter * 100, 6))}"
    if measure.column is not None:
        name = f"{name}_{measure.column}"
    name = name if measure.less is None else f"{name}_less_{measure.less}"
    per = measure.per or measure.per_unit
    return f"{name}_{'percent_of' if measure.percent else 'per'}_{per}" if per is not None else name


def share_of(measure: Measure, columns: Columns) -> str:
    """Write the percentage of the total over all groups."""
    if (
        measure.part
        or measure.per
        or measure.less
        or (measure.column is None) != (measure.function == "count")
    ):
        raise Unplannable("a share is of a sum, or of the rows")
    if measure.column is None:
        return write.call("share")
    if measure.function != "sum":
        raise Unplannable(f"the {measure.function} of {measure.column} adds up to no total")
    return write.call("share", columns.number(measure.column))


def value_of(measure: Measure, columns: Columns, among: str | None = None) -> str:
    """Write a measure of the rows that meet `among`, or of all."""
    if not measure.part:
        return _plain(measure, columns, among)
    if measure.less is not None:
        raise Unplannable("what one column is more than another has no parts")
    if measure.column is not None and measure.function not in {"count", "count_distinct"}:
        # The least of texts is in no proportion to that of others.
        columns.number(measure.column)
    condition = write.joined(of_one_row(measure.part, columns))
    if measure.function == "count" and measure.column is None and among is None:
        return write.call("pct", condition)
    inside = condition if among is None else write.joined([among, condition])
    part, everything = _plain(measure, columns, inside), _plain(measure, columns, among)
    # No row of the part is a part of nothing, as far as there is something to be a part of.
    part = write.call("coalesce", part, "0") if measure.function == "sum" else part
    return f"{_dividend(measure, part)} / nullif({everything}, 0) * 100"


def _plain(measure: Measure, columns: Columns, among: str | None) -> str:
    if measure.per_unit is not None or measure.per is not None:
        return _ratio(measure, columns, among)
    if measure.less is not None:
        return _difference(measure, columns, among)
    function = measure.function
    if measure.column is None:
        if function != "count":
            raise Unplannable(f"{function} of which column?")
        return write.call("count") if among is None else write.call("count_if", among)
    column = columns.find(measure.column)
    cell = _among(columns.moment(column) if function in _ORDERED else write.name(column.name), among)
    dates = function == "range" and column.kind.is_temporal
    if not dates and function not in OF_ANYTHING:
        columns.number(column.name)
    if function == "range":
        low, high = write.call("min", cell), write.call("max", cell)
        return write.call("days_between", low, high) if dates else f"{high} - {low}"
    if function == "percentile":
        if measure.parameter is None or not 0 <= measure.parameter <= 1:
            raise Unplannable("a percentile needs a fraction from 0 to 1")
        return write.call(function, cell, write.number(measure.parameter))
    if function not in OF_NUMBERS | OF_ANYTHING:
        raise Unplannable(f"there is no function {function}")
    return write.call(function, cell)


def _difference(measure: Measure, columns: Columns, among: str | None) -> str:
    """Write what a sum or a mean of a column is more than that of another one."""
    if measure.function not in _ADDING or measure.column is None:
        raise Unplannable("what is taken away is a sum, or a mean")
    both = (replace(measure, column=name, less=None) for name in (measure.column, measure.less))
    return " - ".join(_plain(one, columns, among) for one in both)


def _ratio(measure: Measure, columns: Columns, among: str | None) -> str:
    """Write a measure per calendar unit that has rows, or by the sum of a column or its different texts."""
    if measure.per_unit is not None:
        above = replace(measure, per_unit=None)
        key = _key_column(Key(unit=measure.per_unit), columns, ())
        function, cell = "count_distinct", key.formula or write.name(key.name)
    else:
        counts = measure.column is None or measure.function in {"count", "count_distinct"}
        above = replace(measure, per=None, function=measure.function if counts else "sum")
        below = columns.find(str(measure.per))
        is_summed = columns.is_number(below.name) and not (below.years or measure.each)
        function, cell = "sum" if is_summed else "count_distinct", write.name(below.name)
    divisor = write.call(function, _among(cell, among))
    ratio = f"{_dividend(above, _plain(above, columns, among))} / nullif({divisor}, 0)"
    return f"{ratio} * 100" if measure.percent else ratio


def _dividend(measure: Measure, written: str) -> str:
    """Return a measure so that it is divided as a whole, where it is a difference."""
    return f"({written})" if measure.less is not None or measure.function == "range" else written


def _among(cell: str, among: str | None) -> str:
    return cell if among is None else write.call("if", among, cell)
