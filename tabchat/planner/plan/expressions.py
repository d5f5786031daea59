"""Writing a plan: names, values and comparisons of its expression language, its steps, and the call that runs it."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final, TypeAlias

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
