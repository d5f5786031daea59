"""Cells as text: exact digits, one precision per column, nothing that a terminal obeys."""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import is_finite, json_value
from tabchat.render.layout.text import UNICODE, sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Value
    from tabchat.render.layout.text import Glyphs

DECIMALS: Final = 4
"""Decimals that a float is rounded to for display."""
_FIXED_BELOW: Final = 1e15
_FIXED_ABOVE: Final = 0.5 * 10**-DECIMALS


def format_value(value: Value, glyphs: Glyphs = UNICODE) -> str:  # noqa: PLR0911 - one return for each kind of cell
    """Return one cell as one inert line.

    Floats are rounded to 4 decimals without trailing zeros, except those that
    would become 0 or run past 15 digits: these keep their exponent.
    """
    match value:
        case None:
            return glyphs.null
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float() | Decimal():
            return _format_number(value)
        case str():
            return sanitise(value, glyphs)
        case dt.datetime():
            return value.isoformat(sep=" ")
        case dt.date() | dt.time():
            return value.isoformat()
        case list() | dict() | bytes():
            return sanitise(_compact(value), glyphs)
        case _:
            return sanitise(str(value), glyphs)


def format_column(values: Sequence[Value], glyphs: Glyphs = UNICODE) -> list[str]:
    """Return the cells of one column; its floats share one number of decimals, so that the points align."""
    cells = [format_value(value, glyphs) for value in values]
    fixed = [isinstance(value, float) and _is_fixed(value) for value in values]
    decimals = max(
        (_decimals(cell) for cell, is_fixed in zip(cells, fixed, strict=True) if is_fixed), default=0
    )
    if not decimals:
        return cells
    return [_pad(cell, decimals) if is_fixed else cell for cell, is_fixed in zip(cells, fixed, strict=True)]


def _is_fixed(value: float) -> bool:
    return math.isfinite(value) and (value == 0 or _FIXED_ABOVE <= abs(value) < _FIXED_BELOW)


def _format_number(value: float | Decimal) -> str:
    if not is_finite(value):
        return f"{value:f}".replace("nan", "NaN").replace("Infinity", "inf")
    if isinstance(value, Decimal):
        return f"{value:f}"
    if not _is_fixed(value):
        return f"{value:.5g}" if abs(value) < 1 else repr(value)
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def _decimals(cell: str) -> int:
    return len(cell.partition(".")[2])


def _pad(cell: str, decimals: int) -> str:
    whole, _, fraction = cell.partition(".")
    return f"{whole}.{fraction.ljust(decimals, '0')}"


def _compact(value: Value) -> str:
    plain = json_value(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
