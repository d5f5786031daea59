"""Numbers as people write them: thousands separators, decimal comma, currency, percent, accounting brackets.

The same patterns recognise a sample in Python and hold every cell in the engine,
so they keep to what both regular expression dialects read alike.
"""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.vocabulary import CURRENCIES, DIGIT_SPACES

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

EXACT_LIMIT: Final = 2**53
"""Whole numbers from here on are not all exact as floating point."""

KEPT: Final = 15
"""Digits of a number that floating point always holds."""
_FRACTION: Final = 4
"""Digits that the fraction of an amount has at most."""

_SIGN: Final = "[+\\-−]?"


def _any_of(signs: Iterable[str]) -> str:
    return "(?:" + "|".join(re.escape(sign) for sign in sorted(signs, key=len, reverse=True)) + ")"


SIGNS: Final = _any_of(CURRENCIES)
"""The pattern of every currency sign."""
_GAP: Final = f"[{DIGIT_SPACES}]?"
_EXPONENT: Final = "(?:[eE][+-]?[0-9]{1,3})?"
_GROUPS: Final = {
    ".": (f"[{DIGIT_SPACES}]", ",", "['’]"),
    ",": (f"[{DIGIT_SPACES}]", "[.]", "['’]"),
}


def _whole(decimal: str) -> str:
    grouped = [f"[1-9][0-9]{{0,2}}(?:{mark}[0-9]{{3}})+" for mark in _GROUPS[decimal]]
    lakhs = ["[1-9][0-9]?(?:,[0-9]{2})+,[0-9]{3}"] if decimal == "." else []
    return "(?:" + "|".join(["[0-9]+", *grouped, *lakhs]) + ")"


@lru_cache
def number_pattern(
    decimal: str, *, whole: bool, percent: bool, minus_behind: bool = True, signs: str = SIGNS
) -> str:
    """Return the pattern of a whole cell that holds one number, with a currency sign or none.

    `decimal` is the decimal mark; `whole` refuses fractions; `percent` demands a percent sign; `minus_behind` admits
    `5.00-`, as SAP writes it, where there is a fraction: `2-` may be a mark of a school. `signs` is the pattern of the
    currency signs (see `signs_of`), empty where there is none.
    """
    mark = re.escape(decimal)
    body = _whole(decimal)
    if not whole:
        body = f"(?:{body}(?:{mark}[0-9]*)?|{mark}[0-9]+){_EXPONENT}"
    tail = f"{_GAP}%" if percent else f"(?:{_GAP}{signs})?" if signs else ""
    head = f"(?:{signs}{_GAP})?" if signs and not percent else ""
    signed = f"{_SIGN}{_GAP}{head}{_SIGN}{body}{tail}"
    bracketed = f"\\({head}{body}{tail}\\)"
    if whole or not minus_behind:
        return f"(?:{signed}|{bracketed})"
    behind = f"{head}(?:{_whole(decimal)})?{mark}[0-9]+{tail}{MINUS_BEHIND}"
    return f"(?:{signed}|{bracketed}|{behind})"


def signs_of(unit: str | None) -> str:
    """Return the pattern of the signs of one currency; an empty one for what is none."""
    signs = [sign for sign, meant in CURRENCIES.items() if meant == unit]
    return _any_of(signs) if signs else ""


@lru_cache
def number_matcher(decimal: str, *, whole: bool, percent: bool) -> re.Pattern[str]:
    """Return the compiled pattern, to be used with `fullmatch`."""
    return re.compile(number_pattern(decimal, whole=whole, percent=percent))


def is_number(cell: str, decimal: str, *, percent: bool) -> bool:
    """Tell whether a cell holds one number, as `number_matcher` does.

    Most cells need no pattern that knows all currencies, which takes longer to compile than a small table to read.
    """
    if PLAIN_NUMBER.fullmatch(cell):
        return not percent and (decimal == "." or _PLAIN_WITH_POINTS.fullmatch(cell) is not None)
    if _DIGIT.search(cell) is None or _STRANGE.search(cell) is not None:
        return False
    return number_matcher(decimal, whole=False, percent=percent).fullmatch(cell) is not None


def are_numbers(cells: Collection[str], decimal: str, *, percent: bool) -> bool:
    """Tell whether every cell holds one number."""
    plain = PLAIN_NUMBER if decimal == "." else _PLAIN_WITH_POINTS
    return (not percent and all(map(plain.fullmatch, cells))) or all(
        is_number(cell, decimal, percent=percent) for cell in cells
    )


def is_percent(cell: str) -> bool:
    """Tell whether a number has a percent sign, which stands before a closing bracket or a minus behind it."""
    return cell.rstrip(")-−").endswith("%")


PLAIN_INTEGER: Final = re.compile(r"0|-?[1-9][0-9]*")
"""A whole number exactly as the engine prints it."""
PLAIN_NUMBER: Final = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
"""A number that a bare cast reads."""
_PLAIN_WITH_POINTS: Final = re.compile(r"-?(?:[0-9]+|[1-9][0-9]{0,2}\.[0-9]{3})(?:[eE][+-]?[0-9]{1,3})?")
"""Those of them that are numbers with a decimal comma too."""
_DIGIT: Final = re.compile("[0-9]")
_STRANGE: Final = re.compile(f"[^0-9.,'’+−()%eE{DIGIT_SPACES}{re.escape(''.join(CURRENCIES))}-]|[0-9][-+−].")
"""A character that no number has, or a sign where none has one, as in dates."""
CODE: Final = re.compile(r"0[0-9]+")
"""A zero-padded code."""
CODE_OR_POWER: Final = re.compile(r"[0-9]+(?:[eE][0-9]+)?")
"""A whole number, or a code such as `12E4` that reads as one."""
PHONE: Final = re.compile(r"\+[0-9]{9,}")
THOUSANDS_OR_FRACTION: Final = {
    ",": re.compile(r"[^0-9.]*[1-9][0-9]{0,2},[0-9]{3}[^0-9.,]*"),
    ".": re.compile(r"[^0-9,]*[1-9][0-9]{0,2}\.[0-9]{3}[^0-9.,]*"),
}
"""Cells such as `1,234`: a thousand, or one and a fraction."""
SIGN_OF_CURRENCY: Final = re.compile(SIGNS)
BODY: Final = f"[0-9.,][0-9.,'’{DIGIT_SPACES}]*(?:[eE][+-]?[0-9]+)?"
"""The digits of a number and what stands between them."""
MINUS_BEHIND: Final = "[-−]"
NEGATIVE: Final = f"^[^0-9.,]*[-−(]|{MINUS_BEHIND}$"
"""How a negative number begins, or ends."""
SEPARATORS: Final = {".": f"[,'’{DIGIT_SPACES}]", ",": f"[.'’{DIGIT_SPACES}]"}
"""Thousands separators by decimal mark."""


def magnitude(cell: str, decimal: str) -> float:
    """Return the absolute value of a cell that matched."""
    return abs(float(_digits(cell, decimal)))


def _digits(cell: str, decimal: str) -> str:
    body = re.search(BODY, cell)
    return re.sub(SEPARATORS[decimal], "", body.group() if body else "0").replace(",", ".")


def inexact(cell: str, decimal: str) -> bool:
    """Tell whether a cell is a whole number too large for floating point to hold for certain."""
    return decimal not in cell and "e" not in cell.lower() and magnitude(cell, decimal) >= EXACT_LIMIT


def rounded(cell: str, decimal: str) -> str | None:
    """Return what becomes of an amount that floating point does not hold to its last digit; None for any other cell.

    Of a fraction with more digits than amounts have, such as `0.1234567890123456789`, none that counts is lost.
    """
    digits = _digits(cell, decimal)
    whole, _, fraction = digits.partition(".")
    if not 0 < len(fraction) <= _FRACTION or len(whole) + len(fraction) <= KEPT:
        return None
    kept = Decimal(repr(float(digits)))
    return None if kept == Decimal(digits) else format(kept, "f")


def currency_of(cell: str) -> str | None:
    """Return the unit of the currency sign in a cell."""
    found = SIGN_OF_CURRENCY.search(cell)
    return CURRENCIES[found.group()] if found else None
