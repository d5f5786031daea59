"""Measures of an intent → aggregates of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, fresh
from tabchat.planner.plan.conditions import written
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.intent import Measure
    from tabchat.planner.plan.columns import Columns

_OF_NUMBERS: Final = frozenset({"sum", "mean", "median", "std", "var", "percentile"})
_OF_ANYTHING: Final = frozenset({"count", "count_distinct", "min", "max", "mode", "first", "last"})
_SHARED: Final = frozenset({"sum", "count"})
"""Functions of which the engine computes shares of a total itself."""


@record
class Aggregate:
    """One measure as an aggregate of a plan."""

    expression: str
    name: str
    """Name of the result's column."""
    of_total: bool = False
    """True when a share of the total over all groups is still to be taken."""

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
        late = measure.share and (measure.function not in _SHARED or bool(measure.part or measure.per))
        expression = share_of(measure, columns) if measure.share and not late else value_of(measure, columns)
        found.append(Aggregate(expression=expression, name=name, of_total=late))
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
    return f"{name}_per_{measure.per}" if measure.per is not None else name


def share_of(measure: Measure, columns: Columns) -> str:
    """Write the percentage of the total over all groups."""
    if measure.function == "sum" and measure.column is not None:
        return write.call("share", columns.number(measure.column))
    if measure.column is not None:
        raise Unplannable(f"a share of the number of {measure.column} is of no total")
    return write.call("share")


def value_of(measure: Measure, columns: Columns, among: str | None = None) -> str:
    """Write a measure of the rows that meet `among`, or of all."""
    if measure.part:
        condition = write.joined(written(measure.part, columns))
        inside = condition if among is None else write.joined([among, condition])
        if measure.function == "count" and measure.column is None and among is None:
            return write.call("pct", condition)
        part, everything = _plain(measure, columns, inside), _plain(measure, columns, among)
        # No row of the part is a part of nothing, as far as there is something to be a part of.
        part = write.call("coalesce", part, "0") if measure.function == "sum" else part
        return f"{part} / nullif({everything}, 0) * 100"
    return _plain(measure, columns, among)


def _plain(measure: Measure, columns: Columns, among: str | None) -> str:
    if measure.per is not None:
        return _ratio(measure, measure.per, columns, among)
    function = measure.function
    if measure.column is None:
        if function != "count":
            raise Unplannable(f"{function} of which column?")
        return write.call("count") if among is None else write.call("count_if", among)
    cell = _among(write.name(columns.find(measure.column).name), among)
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


def _among(cell: str, among: str | None) -> str:
    return cell if among is None else write.call("if", among, cell)
