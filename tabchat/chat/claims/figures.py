"""Digits with separators, read as numbers: every plausible value, the likeliest first."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.chat.claims.tokens import Tokens

Digits: TypeAlias = tuple[str, int]
"""Digits without a point, and the exponent of the last one: 12.5 is ("125", -1)."""
Reading: TypeAlias = tuple[Decimal, Decimal]
"""A value and its tolerance."""

SPACES: Final = frozenset(" \u00a0\u202f\u2009\u2007\u2008\u2006")
_GROUPING: Final = SPACES | frozenset(",.'’_˙")
_GROUP: Final = 3
_MOST_LAKHS: Final = 5
_MOST_DIGITS: Final = 40
_SUPERSCRIPTS: Final = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻", "0123456789-")


@record
class Figure:
    """A run of digits and separators that makes up one number."""

    last: int
    """The last token of it."""
    readings: tuple[Digits, ...]
    plain: bool
    """Digits alone, without separators or an exponent."""


def read_figure(tokens: Tokens, at: int, *, decimal_comma: bool) -> Figure:
    """Return the number that begins with the digits `at`.

    In `1,234` and `1.234` the mark may group thousands or begin the decimals; both readings are
    given, and `decimal_comma` says which of the first comes first.
    """
    figure = _mantissa(tokens, at, decimal_comma=decimal_comma)
    return _with_exponent(tokens, figure)


def decimal_of(digits: Digits, *, shift: int = 0, negative: bool = False) -> Reading:
    """Return the value and half a unit of the last digit, times ten to the power of `shift`."""
    text, exponent = digits
    if len(text) > _MOST_DIGITS:
        text, exponent = text[:_MOST_DIGITS], exponent + len(text) - _MOST_DIGITS
    exponent += shift
    coefficient = tuple(map(int, text))
    value = plain(Decimal((0, coefficient, exponent)))
    if negative and value:
        value = value.copy_negate()
    return value, plain(Decimal((0, (5,), exponent - 1)))


def shifted(reading: Reading, shift: int) -> Reading:
    """Return the reading times ten to the power of `shift`."""
    return _shifted(reading[0], shift), _shifted(reading[1], shift)


def _shifted(value: Decimal, shift: int) -> Decimal:
    sign, digits, exponent = value.as_tuple()
    return plain(Decimal((sign, digits, int(exponent) + shift)))


def plain(value: Decimal) -> Decimal:
    """Return the same value without an exponent where that takes few zeros: 2500000, not 2.5E+6."""
    sign, digits, exponent = value.as_tuple()
    if 0 < int(exponent) <= _MOST_DIGITS:
        return Decimal((sign, (*digits, *(0,) * int(exponent)), 0))
    return value


def _mantissa(tokens: Tokens, at: int, *, decimal_comma: bool) -> Figure:
    head = tokens.text(at)
    listed = _in_list(tokens, at)
    last, separator, groups = (at, ",", []) if listed else _groups(tokens, at)
    fraction = _fraction(tokens, last, unlike=separator)
    if not groups:
        if fraction is None or _opens_list(tokens, last):
            return Figure(last=at, readings=((head, 0),), plain=True)
        return Figure(last=last + 2, readings=((head + fraction, -len(fraction)),), plain=False)
    whole = head + "".join(groups)
    if fraction is not None:
        return Figure(last=last + 2, readings=((whole + fraction, -len(fraction)),), plain=False)
    readings: tuple[Digits, ...] = ((whole, 0),)
    if len(groups) == 1 and separator in ",.":
        decimals = (whole, -_GROUP)
        readings = (decimals, (whole, 0)) if separator == "." or decimal_comma else ((whole, 0), decimals)
    return Figure(last=last, readings=readings, plain=False)


def _groups(tokens: Tokens, at: int) -> tuple[int, str, list[str]]:
    """Return the last token, the separator and the groups of thousands after the digits `at`."""
    head, separator = tokens.text(at), tokens.text(at + 1)
    if len(head) > _GROUP or head.startswith("0") or separator not in _GROUPING:
        return at, "", []
    groups: list[str] = []
    last = at
    while tokens.text(last + 1) == separator and _is_group(tokens, last + 2):
        groups.append(tokens.text(last + 2))
        last += 2
    return (last, separator, groups) if groups else _lakhs(tokens, at)


def _is_group(tokens: Tokens, at: int) -> bool:
    return tokens.kind(at) == "digits" and len(tokens.text(at)) == _GROUP


def _lakhs(tokens: Tokens, at: int) -> tuple[int, str, list[str]]:
    """Read the Indian grouping: `12,34,567`."""
    if tokens.text(at + 1) != "," or len(tokens.text(at)) == _GROUP:
        return at, "", []
    groups: list[str] = []
    last = at
    while len(groups) < _MOST_LAKHS and tokens.text(last + 1) == "," and tokens.kind(last + 2) == "digits":
        groups.append(tokens.text(last + 2))
        last += 2
        if len(groups[-1]) == _GROUP and len(groups) > 1:
            return last, ",", groups
        if len(groups[-1]) != _GROUP - 1:
            break
    return at, "", []


def _fraction(tokens: Tokens, last: int, *, unlike: str) -> str | None:
    mark = tokens.text(last + 1)
    if mark not in {".", ","} or mark == unlike or tokens.kind(last + 2) != "digits":
        return None
    return tokens.text(last + 2)


def _in_list(tokens: Tokens, at: int) -> bool:
    """Tell whether the digits go on with a list such as `3,4,5`, which was found not to be one number."""
    return tokens.text(at - 1) == "," and tokens.kind(at - 2) == "digits"


def _opens_list(tokens: Tokens, last: int) -> bool:
    mark = tokens.text(last + 1)
    return mark == "," and tokens.text(last + 3) == mark and tokens.kind(last + 4) == "digits"


def _with_exponent(tokens: Tokens, figure: Figure) -> Figure:
    found = _e_notation(tokens, figure.last) or _power_of_ten(tokens, figure.last)
    if found is None:
        return figure
    last, exponent = found
    readings = tuple((digits, place + exponent) for digits, place in figure.readings)
    return Figure(last=last, readings=readings, plain=False)


def _e_notation(tokens: Tokens, last: int) -> tuple[int, int] | None:
    """Read `e6`, `E+06`, `e-3`."""
    if tokens.text(last + 1) != "e":
        return None
    return _exponent(tokens, last + 2)


def _exponent(tokens: Tokens, at: int) -> tuple[int, int] | None:
    sign = tokens.text(at)
    signed = sign in {"-", "+", "−"}
    digits = at + 1 if signed else at
    if (
        tokens.kind(digits) != "digits"
        or len(tokens.text(digits)) > _GROUP
        or tokens.kind(digits + 1) == "word"
    ):
        return None
    exponent = int(tokens.text(digits))
    return digits, exponent if sign not in {"-", "−"} else -exponent


def _power_of_ten(tokens: Tokens, last: int) -> tuple[int, int] | None:
    """Read `×10^6`, `x 10⁶`, `·10**6`."""
    times = last + 2 if tokens.kind(last + 1) == "gap" else last + 1
    ten = times + 2 if tokens.kind(times + 1) == "gap" else times + 1
    if tokens.text(times) not in {"×", "x", "х", "*", "·", "⋅"} or tokens.text(ten) != "10":
        return None
    if tokens.text(ten + 1) in {"^", "**"}:
        return _exponent(tokens, ten + 2)
    raised = tokens.written(ten + 1).translate(_SUPERSCRIPTS)
    if tokens.kind(ten + 1) == "word" and raised.isdecimal() and len(raised) <= _GROUP:
        return ten + 1, int(raised)
    return None
