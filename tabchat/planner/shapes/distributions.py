"""Distribution of a column: counts of its values, of equal bins of its numbers, or of calendar units of its dates."""

from __future__ import annotations

import datetime as dt
import math
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner import expressions as write
from tabchat.planner.nodes import Key
from tabchat.planner.plans import Draft, Unreadable, grouping_of, query, scope_of
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

BINS: Final = 10
"""Bins that a plain histogram has at the most, a few more or less."""
_LISTED: Final = 12
"""Different whole numbers up to which each is counted by itself."""
_STEPS: Final = (1, 2, 5, 10)
_YEARS: Final = 3 * 366
_MONTHS: Final = 3 * 31


def _distribution(question: Question) -> Draft | None:
    """Answer with how many rows each value, bin or calendar unit of one column has."""
    nodes = question.nodes("CDTB")
    column = nodes[0].column if nodes else None
    if column is None or not no_extras(question, "conditions", "periods"):
        if column is not None and question.clauses.keys:
            raise Unreadable(f"the sum of {column.name}, or the number of rows in bins of it?")
        return None
    if column.kind.is_temporal:
        return _grouped(question, Key(column=column, unit=_unit(question, column)))
    if column.kind.is_numeric and not question.scene.is_year(column) and not _few(question, column):
        return _binned(question, column)
    if question.has("z"):
        return None
    return _grouped(question, Key(column=column))


def _by_key(question: Question) -> Draft | None:
    """Read `distribution of cars by origin`: the rows, counted by group."""
    if len(question.clauses.keys) != 1 or not no_extras(question, "keys", "conditions", "periods"):
        return None
    key = question.clauses.keys[0]
    if key.unit is None and key.column is not None and key.column.kind.is_temporal:
        key = Key(column=key.column, unit=_unit(question, key.column))
    return _grouped(question, key)


def _few(question: Question, column: ColumnFacts) -> bool:
    """Tell whether a column of whole numbers has so few of them that each is a value of its own."""
    whole = column.kind is ColumnKind.INTEGER and not question.has("z")
    return whole and question.scene.table.spread(column).distinct <= _LISTED


def _grouped(question: Question, key: Key) -> Draft | None:
    scope = scope_of(question.clauses, question.scene)
    groups = grouping_of((key,), question.clauses, question.scene)
    maps = scope.fields.get("map")
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), **groups.maps}
    fields["group_by"] = list(groups.names)
    fields["select"] = ["count() as count", "share() as share"]
    fields["sort"] = list(groups.sort) or ([] if _in_order(key) else ["count desc"])
    name = key.column.name if key.column is not None else groups.names[0]
    rule = ("calendar", key.unit) if key.unit else ("values",)
    return _draft(question, fields, f"distribution of {name}: number of rows {groups.read_as}", rule)


def _in_order(key: Key) -> bool:
    """Tell whether the groups have an order of their own, as numbers and dates have."""
    return key.unit is not None or (key.column is not None and key.column.kind.is_numeric)


def _draft(question: Question, fields: dict[str, JsonValue], read_as: str, rule: tuple[str, ...]) -> Draft:
    scope = scope_of(question.clauses, question.scene)
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        scope=scope.read_as,
        shape="distribution",
        read_as=(read_as, *scope.read_as),
        details={"measure": "count"},
        rule=rule,
    )


def _binned(question: Question, column: ColumnFacts) -> Draft | None:
    """Count the rows in equal bins."""
    low, high = _extremes(question, column)
    shown, name = write.name(column.name), f"{column.name}_from"
    wanted = question.node("z").sense if question.has("z") else None
    if wanted is not None and wanted.has("bins.count"):
        formula, width = _exact_bins(shown, low, high, int(wanted.number or 0))
    else:
        width = wanted.number if wanted is not None and wanted.number else nice_width(low, high)
        formula = write.call("bucket", shown, write.number(width))
    scope = scope_of(question.clauses, question.scene)
    maps = scope.fields.get("map")
    fields: dict[str, JsonValue] = dict(scope.fields)
    fields["map"] = {**(dict(maps) if isinstance(maps, dict) else {}), name: formula}
    fields["group_by"] = [name]
    fields["select"] = ["count() as count", "share() as share"]
    read_as = f"distribution of {column.name}: number of rows by bin"
    return _draft(question, fields, read_as, ("bins", write.number(round(width, 12))))


def _extremes(question: Question, column: ColumnFacts) -> tuple[float, float]:
    low, high = question.scene.table.extremes(column)
    try:
        found = float(str(low)), float(str(high))
    except ValueError:
        raise Unreadable(f"{column.name} has no numbers") from None
    if found[0] >= found[1]:
        raise Unreadable(f"{column.name} has one value only")
    return found


def nice_width(low: float, high: float) -> float:
    """Return the smallest of 1, 2, 5 × 10^n that needs no more than `BINS` bins for the length of a range."""
    rough = (high - low) / BINS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((step for step in _STEPS if step * power >= rough * (1 - 1e-9)), _STEPS[-1])
    return float(f"{step * power:.12g}")


def _exact_bins(shown: str, low: float, high: float, number: int) -> tuple[str, float]:
    """Part the whole range into just so many bins; the last one holds its upper edge."""
    if number < 1:
        raise Unreadable("how many bins are wanted?")
    width = (high - low) / number
    start, step = write.number(low), write.number(width)
    place = f"least(floor(({shown} - {start}) / {step}), {number - 1})"
    return f"if({shown} is null, null, {start} + {place} * {step})", width


def _unit(question: Question, column: ColumnFacts) -> str:
    """Return the calendar unit that parts the dates of a column into a few dozen groups at the most."""
    low, high = question.scene.table.extremes(column)
    first, last = (value if isinstance(value, dt.date) else None for value in (low, high))
    if first is None or last is None:
        raise Unreadable(f"{column.name} has no dates")
    days = (dt.date(last.year, last.month, last.day) - dt.date(first.year, first.month, first.day)).days
    return "year" if days > _YEARS else "month" if days > _MONTHS else "day"


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*iE?[CDTB]V?E?z?|[WL]*[CDTB]iz?|[WL]*iz[CDTB]", _distribution),
    (r"[WL]*[ig]?i[gE]*", _by_key),
)
"""Patterns over the whole core, and what answers them."""
