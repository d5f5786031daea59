"""Writing the plan's expression language: names, values and comparisons."""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Scalar

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED: Final = frozenset(
    "and or not in is null true false like ilike between case when then else end as".split()  # noqa: SIM905 - reads as the list it is
)
_MOST_EXACT: Final = 10**15
"""Whole floats above this are not exact."""


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
