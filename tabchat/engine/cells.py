"""How names and cells are written in text for a model: rounded, bounded, quoted when needed, and inert.

Headers and cells are untrusted: no control character, line break or invisible mark of theirs survives.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import is_finite, json_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.engine.types import JsonValue, Value

CELL_LIMIT: Final = 80
"""Characters that one name or cell may take, its quotes included."""

DECIMALS: Final = 4
"""Decimals that a number keeps in a summary."""

MOST_DECIMALS: Final = 8
"""Decimals up to which a number is shown to a person as it is: coordinates and rates of exchange have six."""

MOST_DIGITS: Final = 15
"""Digits of a decimal number that a float always holds (IEEE 754, `DBL_DIG`)."""

SIGNIFICANT: Final = 4
"""Significant digits that a number below one keeps, so that none but zero becomes zero."""

_PLAIN: Final = re.compile(r"[^\W_](?:[\w./:%+-]*[\w%+])?|_\w*")
_WORDS_WITH_A_MEANING: Final = frozenset({"null", "true", "false"})
_EXACT_FLOAT: Final = 1e15
_LEAST_IN_DIGITS: Final = 1e-9
"""A smaller number is written with an exponent."""
_SCANNED: Final = 4
"""Times its limit that a text is looked at, since what is invisible in it is left out."""


class Verbatim(str):
    """What is said of a cell instead of its content; written as it is, so never with any text of the cell in it."""

    __slots__ = ()


def rounded(value: Value) -> JsonValue:
    """Return `value` as JSON with four decimals and no trailing zeros.

    A number below one keeps four significant digits instead, so that none but zero becomes zero.
    """
    if isinstance(value, list):
        return [rounded(item) for item in value]
    if isinstance(value, dict):
        return {str(key): rounded(item) for key, item in value.items()}
    plain = json_value(value)
    return _rounded(plain) if isinstance(plain, float) else plain


def number_text(value: float | Decimal) -> str:
    """Write a number as `rounded` does, without an exponent where digits will do."""
    if isinstance(value, int):
        return str(value)
    if not is_finite(value):
        return str(json_value(value))
    size = abs(float(value))
    if size >= _EXACT_FLOAT and isinstance(value, float):
        return repr(value)
    if value and size < _LEAST_IN_DIGITS:
        return f"{value:.{SIGNIFICANT}g}"
    digits = f"{value:.{_decimals(value)}f}"
    return digits.rstrip("0").rstrip(".") if digits.strip("-0.") else "0"


def cell_text(value: Value) -> str:  # noqa: PLR0911 - one return for each kind of cell
    """Write one cell: numbers rounded, text quoted unless it is one plain word, at most 80 characters."""
    match value:
        case bool():
            return "true" if value else "false"
        case int() | float() | Decimal():
            return _cut(number_text(value))
        case Verbatim():
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


def quoted(text: str, *, limit: int = CELL_LIMIT) -> str:
    """Return `text` as it is when it is one plain word, else inert, in double quotes and bounded."""
    if len(text) <= limit and _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_WITH_A_MEANING:
        return text
    scanned = _SCANNED * limit
    escaped = inert(text[:scanned]).replace("\\", "\\\\").replace('"', '\\"')
    room = limit - 2
    if len(escaped) <= room and len(text) <= scanned:
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
    short = round(value, _decimals(value))
    return int(short) if short == int(short) and abs(short) < _EXACT_FLOAT else short


def _decimals(value: float | Decimal) -> int:
    """Return how many decimals `value` keeps: four, or as many as make four significant digits below one."""
    size = abs(float(value))
    if not size or size >= 1:
        return DECIMALS
    return max(DECIMALS, SIGNIFICANT - 1 - math.floor(math.log10(size)))


def shown_decimals(value: float | Decimal, *, computed: bool = False) -> int:
    """Return how many decimals of a finite number a person sees: all, up to eight, unless it is `computed`; else four.

    Below one, it is four significant digits instead of four decimals: a rate of 0.0004286 is no 0.0004.
    """
    # NumPy's floats are floats, and call themselves otherwise.
    written = Decimal(float.__repr__(value)) if isinstance(value, float) else Decimal(value)
    exact = max(0, -int(written.as_tuple().exponent))
    # The sixteenth digit of a sum is noise.
    plain = not computed and len(written.as_tuple().digits) <= MOST_DIGITS
    if exact <= (MOST_DECIMALS if plain else DECIMALS):
        return exact
    return _decimals(value)


def _cut(text: str) -> str:
    safe = inert(text)
    return safe if len(safe) <= CELL_LIMIT else safe[: CELL_LIMIT - 1] + "…"


def unique_names(names: Sequence[str]) -> list[str]:
    """Return names for columns that tell each from the others: of the second `n` it is `n_1`."""
    given: list[str] = []
    for name in names:
        number, fresh = 0, name
        while fresh in given:
            number += 1
            fresh = f"{name}_{number}"
        given.append(fresh)
    return given
