"""Moving figures over the dates of a table: `7-day moving average of close`."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.idioms import window_of
from tabchat.planner.nodes import Key, Measure
from tabchat.planner.plans import Draft, Unreadable, grouping_of, query, scope_of, selected, time_column
from tabchat.planner.shapes.aggregates import grouped_fields
from tabchat.planner.shapes.base import no_extras
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

_TRADED: Final = 0.6
"""Share of the calendar days that a table of working days has at the least."""
_DAYS: Final = 7


@record
class _Window:
    function: str
    length: int
    unit: str | None


def _moving(question: Question) -> Draft | None:
    window = _window(question)
    keys = question.clauses.keys
    if any(key.unit != window.unit or key.column is not None for key in keys):
        return None
    if not no_extras(question, "keys", "conditions", "periods"):
        return None
    question = replace(question, clauses=replace(question.clauses, keys=()))
    dated = time_column(question.scene)
    if dated is None:
        raise Unreadable("the table has no date column")
    bare = question.node("C").column if question.codes.count("C") == 1 and not question.has("M") else None
    if bare is not None and question.is_label(dated):
        return _over_rows(question, window, bare, dated)
    return _over_units(question, window, dated)


def _window(question: Question) -> _Window:
    function, length, unit = window_of(question.node("w"))
    if length is None:
        raise Unreadable("over how many rows or days does the window move?")
    if length < 2:  # noqa: PLR2004 - one row has nothing to average
        raise Unreadable("a window has two rows or more")
    return _Window(function=function, length=length, unit=None if unit == "row" else unit)


def _over_rows(question: Question, window: _Window, column: ColumnFacts, dated: ColumnFacts) -> Draft | None:
    """Answer from the rows as they are: one for each date."""
    if not _is_paced(question, window.unit, dated):
        raise Unreadable(f"the rows are not one for each {window.unit}")
    name = f"rolling_{window.function}_{window.length}_{column.name}"
    formula = write.call(f"rolling_{window.function}", write.name(column.name), str(window.length))
    filters = scope_of(replace(question.clauses, periods=()), question.scene)
    shown = scope_of(replace(question.clauses, conditions=()), question.scene, whole_rows=True)
    if "map" in filters.fields:
        return None
    full = f"{write.name(name)} is not null"
    last: dict[str, JsonValue] = {
        "map": {name: formula},
        "where": f"({shown.condition}) and {full}" if shown.condition else full,
        "columns": [dated.name, column.name, name],
        "sort": f"{write.name(dated.name)} asc",
    }
    first = dict(filters.fields)
    if not dated.kind.is_temporal:
        # Rows without a date column follow each other as they stand in the file, unless they were sorted.
        first["sort"] = f"{write.name(dated.name)} asc"
    fields = {"steps": [first, last]} if first else last
    return _draft(question, window, query(question.table, fields), column.name, name, dated.name)


def _over_units(question: Question, window: _Window, dated: ColumnFacts) -> Draft | None:
    """Answer from calendar units: the rows of each are added up first."""
    if window.unit is None or window.unit == "hour":
        raise Unreadable(f"{dated.name} repeats: a window of how many days or months?")
    if question.clauses.periods:
        raise Unreadable("the moving figure of that time only, or of all the data shown for that time?")
    measure = _measure(question)
    if measure is None:
        return None
    if window.unit == "day" and not _every_day(question, dated):
        raise Unreadable(f"some days have no rows in {dated.name}: skip them, or count them as zero?")
    chosen = selected(measure)
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((Key(unit=window.unit),), question.clauses, question.scene)
    fields = grouped_fields(scope, groups, (chosen,))
    fields["having"] = f"{write.name(groups.names[0])} is not null"
    step = {name: value for name, value in fields.items() if value not in ([], {})}
    name = f"rolling_{window.function}_{window.length}_{chosen.name}"
    formula = write.call(f"rolling_{window.function}", write.name(chosen.name), str(window.length))
    last: dict[str, JsonValue] = {
        "map": {name: formula},
        "where": f"{write.name(name)} is not null",
        "columns": [groups.names[0], chosen.name, name],
    }
    arguments = query(question.table, {"steps": [step, last]})
    return _draft(question, window, arguments, chosen.read_as, name, groups.names[0])


def _measure(question: Question) -> Measure | None:
    found = question.ranked_measures()
    if not found and question.has("E"):
        return Measure(function="count")
    if len(found) != 1:
        return None
    column = found[0].column
    return question.summed(column) if found[0].bare and column is not None else found[0]


def _is_paced(question: Question, unit: str | None, dated: ColumnFacts) -> bool:
    """Tell whether the rows, which have a date each, follow each other by one unit."""
    if unit is None:
        return True
    low, high = question.scene.table.extremes(dated)
    rows = question.scene.table.row_count
    if isinstance(low, int) and isinstance(high, int):
        return unit == "year" and rows == high - low + 1
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        return False
    days = (dt.date(high.year, high.month, high.day) - dt.date(low.year, low.month, low.day)).days + 1
    months = (high.year - low.year) * 12 + high.month - low.month
    expected = {
        "week": (days - 1) // _DAYS + 1,
        "month": months + 1,
        "quarter": months // 3 + 1,
        "year": high.year - low.year + 1,
    }
    if unit == "day":
        return _TRADED * days <= rows <= days
    return rows == expected.get(unit)


def _every_day(question: Question, dated: ColumnFacts) -> bool:
    """Tell whether each day from the first to the last has a row."""
    low, high = question.scene.table.extremes(dated)
    if dated.kind.value != "date" or not isinstance(low, dt.date) or not isinstance(high, dt.date):
        return False
    return question.scene.table.spread(dated).distinct == (high - low).days + 1


def _draft(
    question: Question, window: _Window, arguments: dict[str, JsonValue], what: str, name: str, key: str
) -> Draft:
    scope = scope_of(question.clauses, question.scene, whole_rows=True)
    names = {"mean": "average", "sum": "sum", "min": "minimum", "max": "maximum", "std": "standard deviation"}
    rule = f"window_{window.unit}" if window.unit else "window"
    return Draft(
        tool="run_query",
        arguments=arguments,
        scope=scope.read_as,
        shape="moving",
        read_as=(f"moving {names[window.function]} of {what} by {key}", *scope.read_as),
        details={"measure": name, "key": key},
        rule=(rule, str(window.length)),
    )


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*w(a?C|M|E)E?|[WL]*Cw", _moving),
)
"""Patterns over the whole core, and what answers them."""
