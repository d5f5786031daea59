"""Keys of an intent → the columns that a plan groups by; measures → its aggregates."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import Key
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, fresh
from tabchat.planner.plan.columns import tells
from tabchat.planner.plan.conditions import of_one_row
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.engine.facts.records import ColumnFacts
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
    "decade": "floor(bucket(year({t}), 10))",
}
"""Calendar unit → formula over the date column `{t}`."""
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
        return _binned(key, columns, taken)
    if key.unit is None:
        if key.column is None:
            raise Unplannable("a group needs a column or a calendar unit")
        column = columns.find(key.column)
        rank = columns.moment(column) if column.span is not None else None
        return KeyColumn(key=key, name=column.name, rank=rank, is_step=columns.is_time(column.name))
    column = columns.time(key.column)
    if column.span is not None and not tells(column, key.unit):
        raise Unplannable(f"{column.name} has whole {column.span}s only")
    if key.unit == column.span:
        return KeyColumn(key=key, name=column.name, rank=columns.moment(column), is_step=True)
    if column.span is None and not column.kind.is_temporal:
        return _of_years(key, column, columns, taken)
    if key.unit not in _UNITS:
        raise Unplannable(f"there is no calendar unit {key.unit}")
    if key.unit in _OF_CLOCK and column.kind is not ColumnKind.DATETIME:
        raise Unplannable(f"{column.name} has no time of day")
    cell = columns.moment(column)
    rank = _RANKS.get(key.unit)
    return KeyColumn(
        key=key,
        name=columns.fresh(_NAMES.get(key.unit, key.unit), taken),
        formula=_UNITS[key.unit].format(t=cell),
        rank=rank.format(t=cell) if rank is not None else None,
        is_step=key.unit in STEPS,
    )


def _of_years(key: Key, column: ColumnFacts, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.unit == "year":
        return KeyColumn(key=key, name=column.name, is_step=True)
    if key.unit != "decade":
        raise Unplannable(f"{column.name} has years only, no months or days")
    formula = write.call("floor", write.call("bucket", write.name(column.name), "10"))
    return KeyColumn(key=key, name=columns.fresh("decade", taken), formula=formula, is_step=True)


def _binned(key: Key, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.column is None or key.width is None or key.width <= 0:
        raise Unplannable("bins need a column of numbers and a width above 0")
    formula = write.call("bucket", columns.number(key.column), write.number(key.width))
    return KeyColumn(key=key, name=columns.fresh(f"{key.column}_from", taken), formula=formula)


_OF_NUMBERS: Final = frozenset({"sum", "mean", "median", "std", "var", "percentile"})
_OF_ANYTHING: Final = frozenset({"count", "count_distinct", "min", "max", "mode", "first", "last"})
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
    per = measure.per or measure.per_unit
    return f"{name}_per_{per}" if per is not None else name


def share_of(measure: Measure, columns: Columns) -> str:
    """Write the percentage of the total over all groups."""
    if measure.part or measure.per or (measure.column is None) != (measure.function == "count"):
        raise Unplannable("a share is of a sum, or of the rows")
    if measure.column is None:
        return write.call("share")
    if measure.function != "sum":
        raise Unplannable(f"the {measure.function} of {measure.column} adds up to no total")
    return write.call("share", columns.number(measure.column))


def value_of(measure: Measure, columns: Columns, among: str | None = None) -> str:
    """Write a measure of the rows that meet `among`, or of all."""
    if measure.part:
        condition = write.joined(of_one_row(measure.part, columns))
        inside = condition if among is None else write.joined([among, condition])
        if measure.function == "count" and measure.column is None and among is None:
            return write.call("pct", condition)
        part, everything = _plain(measure, columns, inside), _plain(measure, columns, among)
        # No row of the part is a part of nothing, as far as there is something to be a part of.
        part = write.call("coalesce", part, "0") if measure.function == "sum" else part
        return f"{part} / nullif({everything}, 0) * 100"
    return _plain(measure, columns, among)


def _plain(measure: Measure, columns: Columns, among: str | None) -> str:
    if measure.per_unit is not None:
        return _by_unit(measure, measure.per_unit, columns, among)
    if measure.per is not None:
        return _ratio(measure, measure.per, columns, among)
    function = measure.function
    if measure.column is None:
        if function != "count":
            raise Unplannable(f"{function} of which column?")
        return write.call("count") if among is None else write.call("count_if", among)
    column = columns.find(measure.column)
    told = columns.moment(column) if function in _ORDERED else write.name(column.name)
    cell = _among(told, among)
    if function == "percentile":
        columns.number(measure.column)
        if measure.parameter is None or not 0 <= measure.parameter <= 1:
            raise Unplannable("a percentile needs a fraction from 0 to 1")
        return write.call("percentile", cell, write.number(measure.parameter))
    if function == "range":
        return _range(measure.column, cell, columns)
    if function in _OF_NUMBERS:
        columns.number(measure.column)
    elif function not in _OF_ANYTHING:
        raise Unplannable(f"there is no function {function}")
    return write.call(function, cell)


def _range(name: str, cell: str, columns: Columns) -> str:
    if columns.find(name).kind.is_temporal:
        return write.call("days_between", write.call("min", cell), write.call("max", cell))
    columns.number(name)
    return f"{write.call('max', cell)} - {write.call('min', cell)}"


def _ratio(measure: Measure, per: str, columns: Columns, among: str | None) -> str:
    below = columns.find(per)
    base = _among(write.name(per), among)
    if columns.is_number(per) and not below.years:
        divisor = write.call("sum", base)
    else:
        divisor = write.call("count_distinct", base)
    if measure.column is None:
        above = write.call("count") if among is None else write.call("count_if", among)
    elif measure.function in {"count", "count_distinct"}:
        above = write.call(measure.function, _among(write.name(columns.find(measure.column).name), among))
    else:
        above = write.call("sum", _among(columns.number(measure.column), among))
    return f"{above} / nullif({divisor}, 0)"


def _by_unit(measure: Measure, unit: str, columns: Columns, among: str | None) -> str:
    key = _key_column(Key(unit=unit), columns, ())
    units = write.call("count_distinct", _among(key.formula or write.name(key.name), among))
    return f"{_plain(replace(measure, per_unit=None), columns, among)} / nullif({units}, 0)"


def _among(cell: str, among: str | None) -> str:
    return cell if among is None else write.call("if", among, cell)
