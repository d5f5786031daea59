"""Cells as text: exact digits, one precision per column, nothing that a terminal obeys."""

from __future__ import annotations

import datetime as dt
import json
import math
from decimal import Decimal
from typing import TYPE_CHECKING, Final, TypeGuard

from tabchat.engine.cells import DECIMALS, shown_decimals
from tabchat.engine.types import is_finite, json_value
from tabchat.render.layout.text import UNICODE, sanitise

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Value
    from tabchat.render.layout.text import Glyphs

_FIXED_BELOW: Final = 1e15
_FIXED_ABOVE: Final = 0.5 * 10**-DECIMALS


def format_value(value: Value, glyphs: Glyphs = UNICODE) -> str:  # noqa: PLR0911 - one return for each kind of cell
    """Return one cell as one inert line.

    Floats of more than eight decimals are rounded to four, without trailing zeros, except those that
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


def format_figure(value: float, glyphs: Glyphs = UNICODE) -> str:
    """Return a number that was computed, as a mean is: of more than four decimals, four of them or four digits."""
    return f"{value:.{_decimals(value, computed=True)}f}" if _is_fixed(value) else format_value(value, glyphs)


def format_column(values: Sequence[Value], glyphs: Glyphs = UNICODE) -> list[str]:
    """Return the cells of one column; its floats share one number of decimals, so that the points align.

    Behind one that was rounded stand blanks: zeros would be digits that it does not have.
    """
    cells = [format_value(value, glyphs) for value in values]
    decimals = max((_decimals(value) for value in values if _is_fixed(value)), default=0)
    if not decimals:
        return cells
    return [
        _filled(value, decimals) if _is_fixed(value) else cell
        for value, cell in zip(values, cells, strict=True)
    ]


def _filled(value: float, decimals: int) -> str:
    exact = shown_decimals(value)
    cell = f"{value:.{min(exact, decimals)}f}"
    if float(cell) == value or exact >= decimals:
        return f"{value:.{decimals}f}"
    return cell + " " * (decimals - exact)


def _is_fixed(value: Value) -> TypeGuard[float]:
    if not isinstance(value, float) or not math.isfinite(value):
        return False
    return value == 0 or _FIXED_ABOVE <= abs(value) < _FIXED_BELOW


def _format_number(value: float | Decimal) -> str:
    if not is_finite(value):
        return f"{value:f}".replace("nan", "NaN").replace("Infinity", "inf")
    if isinstance(value, Decimal):
        return f"{value:f}"
    if not _is_fixed(value):
        return f"{value:.5g}" if abs(value) < 1 else repr(value)
    return f"{0.0 if value == 0 else value:.{_decimals(value)}f}"


def _decimals(value: float, *, computed: bool = False) -> int:
    """Return the decimals of a float as it is shown, without zeros at the end."""
    return len(f"{value:.{shown_decimals(value, computed=computed)}f}".rstrip("0").partition(".")[2])


def _compact(value: Value) -> str:
    plain = json_value(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)
