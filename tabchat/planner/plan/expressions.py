"""Writing a plan: names, values and comparisons of its expression language, its periods, its steps, and the call that runs it."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.engine.months import month_end
from tabchat.planner.intent import Period
from tabchat.planner.words.calendar import calendar_name
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.planner.intent import Scalar
    from tabchat.values import JsonValue

Fields: TypeAlias = "dict[str, JsonValue]"
"""Fields of one step of a plan."""
_ORDER: Final = (
    *("period", "time_column", "within", "map", "where", "group_by"),
    *("select", "having", "sort", "limit", "columns"),
)
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED: Final = frozenset(
    "and or not in is null true false like ilike between case when then else end as".split()  # noqa: SIM905 - reads as the list it is
)
_MOST_EXACT: Final = 10**15
"""Whole floats above this are not exact."""
_UNITS: Final = "year|quarter|month|week|day"
_BACK: Final = re.compile(rf"(?:last_(?=\d+_days)|previous_)(\d+)_({_UNITS})s")
_AGO: Final = re.compile(rf"(\d+)_({_UNITS})s_ago")
_NEAR: Final = re.compile(rf"(this|last)_({_UNITS})")


class Unplannable(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """What an intent asks for cannot be had from this table; `reason` says why, in English."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


@record
class PlannedCall:
    """The call of a tool that computes an intent."""

    tool: str
    """run_query, run_sql or describe_table."""
    arguments: Mapping[str, JsonValue]
    """As JSON; a plan's fields stand beside `table`."""
    rule: tuple[str, ...] = ()
    """A rule that the answer follows and states: its name, then the figures in its wording."""


def query(table: str, steps: Sequence[Fields], rule: tuple[str, ...] = ()) -> PlannedCall:
    """Return the call of `run_query` with these steps: only what is set, in the order of the language."""
    written = [step for step in map(_written, steps) if step]
    fields: Fields = {"steps": [*written]} if len(written) > 1 else written[0] if written else {}
    return PlannedCall(tool="run_query", arguments={"table": table, **fields}, rule=rule)


def _written(step: Fields) -> Fields:
    kept = {name: step[name] for name in _ORDER if step.get(name) not in (None, (), [], {})}
    return {
        name: value[0] if isinstance(value, list) and len(value) == 1 else value
        for name, value in kept.items()
    }


def fresh(name: str, taken: Iterable[str]) -> str:
    """Return `name`, with as many underscores behind it as make it new among `taken`, whatever the case."""
    known = {other.casefold() for other in taken}
    while name.casefold() in known:
        name += "_"
    return name


def name(column: str) -> str:
    """Write a column's name, quoted when it is not a plain word."""
    if _PLAIN.fullmatch(column) and column.casefold() not in _RESERVED:
        return column
    return '"' + column.replace('"', '""') + '"'


def text(value: str) -> str:
    """Write a text value."""
    return "'" + value.replace("'", "''") + "'"


def number(value: float) -> str:
    """Write a number without a needless fraction."""
    if isinstance(value, int):
        return str(value)
    return str(int(value)) if value.is_integer() and abs(value) < _MOST_EXACT else repr(value)


def literal(value: Scalar) -> str:
    """Write a value; dates and times compare as text in ISO form."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float():
            return number(value)
        case dt.datetime():
            return text(value.isoformat(sep=" "))
        case dt.date() | dt.time():
            return text(value.isoformat())
        case _:
            return text(value)


def call(function: str, *arguments: str) -> str:
    """Write a call."""
    return f"{function}({', '.join(arguments)})"


def joined(conditions: Sequence[str]) -> str:
    """Write conditions that all must hold."""
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({part})" if " " in part else part for part in conditions)


def any_of(conditions: Sequence[str]) -> str:
    """Write conditions of which one must hold."""
    return " or ".join(f"({part})" if len(conditions) > 1 else part for part in conditions)


class UnknownPeriod(Exception):  # noqa: N818 - says what a text is, not that the program failed
    """No intent says this period."""


def is_relative(period: Period) -> bool:
    """Tell whether a period hangs on the last date of the data."""
    return period.ago is not None or period.count is not None


def written_period(period: Period) -> str:
    """Write a period as the `period` of a plan takes it, as short as it can be said."""
    unit, start, end = period.unit or "day", period.start, period.end
    if period.count is not None:
        if period.count < 1:
            raise Unplannable("a period of no length holds nothing")
        return f"last_{period.count}_{unit}s"
    if period.ago is not None:
        near = {0: f"this_{unit}", 1: "yesterday" if unit == "day" else f"last_{unit}"}
        return near.get(period.ago, f"{period.ago}_{unit}s_ago")
    if start is None and end is None:
        raise Unplannable("a period needs a beginning or an end")
    if start is None or end is None:
        return f"{start or ''}:{end or ''}"
    if start > end:
        raise Unplannable(f"the period from {start} to {end} ends before it starts")
    return calendar_name(start, end) or f"{start}:{end}"


def period_of(text: str, column: str | None) -> Period:
    """Read the `period` of a plan over a date; raises `UnknownPeriod`."""
    if found := _BACK.fullmatch(text):
        return Period(column=column, unit=found[2], count=int(found[1]))
    if found := _AGO.fullmatch("1_days_ago" if text == "yesterday" else text):
        return Period(column=column, unit=found[2], ago=int(found[1]))
    if found := _NEAR.fullmatch(text):
        return Period(column=column, unit=found[2], ago=int(found[1] == "last"))
    start, colon, end = text.partition(":")
    if not colon:
        first, last, unit = _stretch(text)
        return Period(start=first, end=last, column=column, unit=unit)
    return Period(
        start=_stretch(start)[0] if start else None, end=_stretch(end)[1] if end else None, column=column
    )


def _stretch(text: str) -> tuple[dt.date, dt.date, str]:
    try:
        if re.fullmatch(r"\d{4}", text):
            return dt.date(int(text), 1, 1), dt.date(int(text), 12, 31), "year"
        if re.fullmatch(r"\d{4}-\d{2}", text):
            first = dt.date.fromisoformat(f"{text}-01")
            return first, month_end(first.year, first.month), "month"
        day = dt.date.fromisoformat(text)
    except ValueError as error:
        raise UnknownPeriod(text) from error
    return day, day, "day"
