"""How names and cells are written in text for a model: rounded, bounded, quoted when needed, and inert.

Headers and cells are untrusted: no control character, line break or invisible mark of theirs survives.
"""

from __future__ import annotations

import json
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import json_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.types import JsonValue, Value

CELL_LIMIT: Final = 80
"""Characters that one name or cell may take, its quotes included."""

DECIMALS: Final = 4
"""Decimals that a number keeps in a summary."""

_PLAIN: Final = re.compile(r"[^\W_](?:[\w./:%+-]*[\w%+])?|_\w*")
_WORDS_WITH_A_MEANING: Final = frozenset({"null", "true", "false"})
_EXACT_FLOAT: Final = 1e15
_SCANNED: Final = 4 * CELL_LIMIT


class Withheld(str):
    """What is said of a cell instead of its content; written as it is."""

    __slots__ = ()


def rounded(value: Value) -> JsonValue:
    """Return `value` as JSON with four decimals and no trailing zeros; NaN and infinities become null.

    A number other than zero never becomes zero: it keeps four significant digits instead.
    """
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {str(key): rounded(item) for key, item in value.items()}
    plain = json_value(value)
    return _rounded(plain) if isinstance(plain, float) else plain


def number_text(value: float | Decimal) -> str:
    """Write a number with four decimals and no trailing zeros, without an exponent where digits will do."""
    if isinstance(value, Decimal):
        if not value.is_finite():
            return "null"
        digits = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
        return digits if digits.strip("-0") or not value else _float_text(float(value))
    if isinstance(value, int):
        return str(value)
    return _float_text(float(value))


def cell_text(value: Value) -> str:  # noqa: PLR0911 - one return for each kind of cell
    """Write one cell: numbers rounded, text quoted unless it is one plain word, at most 80 characters."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return _cut(number_text(value))
        case Withheld():
            return str(value)
        case str():
            return quoted(value)
        case bytes():
            return _cut(value[:CELL_LIMIT].hex())
        case list() | dict():
            return _cut(json.dumps(rounded(value), ensure_ascii=False))
        case None:
            return "null"
        case _:
            return _cut(str(json_value(value)))


def quoted(text: str) -> str:
    """Return `text` as it is when it is one plain word, else inert, in double quotes and bounded."""
    if len(text) <= CELL_LIMIT and _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_WITH_A_MEANING:
        return text
    escaped = inert(text[:_SCANNED]).replace("\\", "\\\\").replace('"', '\\"')
    room = CELL_LIMIT - 2
    if len(escaped) <= room and len(text) <= _SCANNED:
        return f'"{escaped}"'
    kept = escaped[: room - 1]
    # An escape that the cut left open would swallow the closing quote.
    kept = kept[:-1] if (len(kept) - len(kept.rstrip("\\"))) % 2 else kept
    return f'"{kept}…"'


def inert(text: str) -> str:
    """Return `text` on one line, without control or invisible characters."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def joined(fields: Iterable[str], limit: int, noun: str) -> str:
    """Join fields with commas; what would pass `limit` characters is counted as `… +N more <noun>`.

    The first field is always there.
    """
    listed = list(fields)
    whole = ", ".join(listed)
    if len(whole) <= limit:
        return whole
    kept = listed[0]
    count = 1
    for field in listed[1:]:
        left_out = len(listed) - count - 1
        if len(kept) + 2 + len(field) + len(_more(left_out, noun)) > limit:
            break
        kept = f"{kept}, {field}"
        count += 1
    return kept + _more(len(listed) - count, noun)


def _more(count: int, noun: str) -> str:
    return f", … +{count} more {noun}" if count else ""


def _rounded(value: float) -> JsonValue:
    short = round(value, DECIMALS)
    if short == 0 and value != 0:
        return float(f"{value:.{DECIMALS}g}")
    return int(short) if short == int(short) and abs(short) < _EXACT_FLOAT else short


def _float_text(value: float) -> str:
    plain = rounded(value)
    if not isinstance(plain, float):
        return "null" if plain is None else str(plain)
    return repr(plain)


def _cut(text: str) -> str:
    safe = inert(text)
    return safe if len(safe) <= CELL_LIMIT else safe[: CELL_LIMIT - 1] + "…"
