"""Names, figures and values as the prompt writes them: inert, bounded, and as long for a large table as for a small one."""

from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import cell_text, inert

if TYPE_CHECKING:
    from tabchat.engine.types import Value

NAME_LIMIT: Final = 80
"""Characters of a name."""

_DIGITS: Final = 3
"""Significant digits of a large or fractional number."""
_PLAIN_BELOW: Final = 10_000
"""Whole numbers below this, among them years, are written in full."""
_SCALES: Final = ((1e12, "T"), (1e9, "B"), (1e6, "M"), (1e3, "K"))
_LARGEST: Final = 1e15


def name_text(name: str) -> str:
    """Write a name as an expression and SQL take it: in double quotes unless it is an identifier."""
    plain = inert(name)
    if plain.isidentifier() and len(plain) <= NAME_LIMIT:
        return plain
    cut = plain if len(plain) <= NAME_LIMIT else plain[: NAME_LIMIT - 1] + "…"
    return '"' + cut.replace('"', '""') + '"'


def figure_text(value: float | Decimal) -> str:
    """Write a number in at most three significant digits, with a letter for thousands and more.

    Whole numbers below 10,000 are exact: `2024`, `0.013`, `57.3K`, `10M`.
    """
    if isinstance(value, int) and abs(value) < _PLAIN_BELOW:
        return str(value)
    size = abs(float(value))
    sign = "-" if value < 0 else ""
    if size >= _LARGEST or 0 < size < 10**-_DIGITS:
        return f"{sign}{size:.{_DIGITS - 1}e}"
    size = float(f"{size:.{_DIGITS}g}")
    scale, letter = next(((scale, letter) for scale, letter in _SCALES if size >= scale), (1.0, ""))
    if size < _PLAIN_BELOW:
        scale, letter = 1.0, ""
    return f"{sign}{size / scale:.{_DIGITS + 1}g}{letter}"


def count_text(count: int) -> str:
    """Write a count as `figure_text` does, rounded down, so that none is above the number of rows."""
    kept = 10 ** max(0, len(str(count)) - _DIGITS)
    return figure_text(count if count < _PLAIN_BELOW else count // kept * kept)


def value_text(value: Value) -> str:
    """Write an end of a range: numbers in few digits, dates without the time of day."""
    if isinstance(value, (int, float, Decimal)) and not isinstance(value, bool):
        return figure_text(value)
    if isinstance(value, dt.datetime):
        return value.date().isoformat()
    return cell_text(value)
