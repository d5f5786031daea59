"""Writing the plan's expression language: names, values and comparisons."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import datetime as dt

_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_RESERVED: Final = frozenset(
    "and or not in is null true false like ilike between case when then else end as".split()  # noqa: SIM905 - reads as the list it is
)


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
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(float(value))  # noqa: PLR2004 - whole floats above this are not exact


def day(value: dt.date) -> str:
    """Write a date; it compares with date columns as text in ISO form."""
    return text(value.isoformat())


def call(function: str, *arguments: str) -> str:
    """Write a call."""
    return f"{function}({', '.join(arguments)})"
