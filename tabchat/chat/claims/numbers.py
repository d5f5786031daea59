"""Figures written in digits: what they are worth, and of what kind they are."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.figures import decimal_of, plain, read_figure
from tabchat.chat.claims.found import FoundNumber
from tabchat.chat.claims.prefixes import SYMBOLS, read_prefix
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.suffixes import read_suffix
from tabchat.chat.claims.years import fiscal_year_end, year_readings

if TYPE_CHECKING:
    from tabchat.chat.claims.figures import Digits, Figure, Reading
    from tabchat.chat.claims.prefixes import Prefix
    from tabchat.chat.claims.suffixes import Suffix
    from tabchat.chat.claims.tokens import Tokens

_THOUSAND: Final = 3
NOTHING: Final = Decimal(0)
_PART: Final = Decimal("0.005")
_MULTIPLE: Final = Decimal("0.05")
_LONGEST_PART: Final = 6


def read_number(tokens: Tokens, at: int, *, decimal_comma: bool) -> FoundNumber | None:
    """Return the figure that begins with the digits `at`; None when letters make it a name."""
    part = read_part(tokens, at)
    if part is not None:
        return part
    figure = read_figure(tokens, at, decimal_comma=decimal_comma)
    prefix = read_prefix(tokens, at)
    whole = any(exponent >= 0 for _, exponent in figure.readings)
    suffix = read_suffix(tokens, at, figure.last, money=prefix.currency, whole=whole)
    if tokens.kind(figure.last + 1) == "word" and suffix.unit_last == figure.last:
        return None
    found = _assemble(tokens, at, figure, prefix, suffix)
    return _as_year(tokens, found, figure) if prefix.first == at else found


def _assemble(tokens: Tokens, at: int, figure: Figure, prefix: Prefix, suffix: Suffix) -> FoundNumber:
    first, last = prefix.first, suffix.last
    bracketed = not prefix.negative and _in_accounting_brackets(tokens, first, last)
    in_english = tokens.text(suffix.last).isascii() and len(tokens.text(suffix.last)) > 1
    digits = _likely_digits(figure.readings, suffix, in_english=in_english)
    if tokens.text(at - 1) == "." and first == at and not tokens.glued(at - 2):
        first, digits = at - 1, tuple((text, exponent - len(text)) for text, exponent in digits[:1])
    readings = _readings(digits, suffix, negative=prefix.negative or bracketed)
    if bracketed:
        first, last = first - 1, last + 1
        readings += tuple((value.copy_abs(), tolerance) for value, tolerance in readings)
    return FoundNumber(
        first=first,
        last=last,
        unit_last=max(suffix.unit_last, last),
        span=(tokens.start(first), tokens.end(last)),
        readings=readings,
        kind=suffix.kind,
        unit=suffix.unit,
        scale=suffix.scale,
    )


def _likely_digits(digits: tuple[Digits, ...], suffix: Suffix, *, in_english: bool) -> tuple[Digits, ...]:
    """Put first the reading that the words after call for: things are counted in whole numbers."""
    if suffix.kind in {NumberKind.COUNT, NumberKind.ORDINAL}:
        return tuple(reading for reading in digits if reading[1] >= 0) or digits
    if suffix.scale == _THOUSAND and in_english and len(digits) > 1 and digits[0][1] == 0:
        # `1,587 thousand`: the comma that groups thousands in English is no decimal mark before `thousand`.
        return digits[:1]
    if suffix.scale:
        return tuple(sorted(digits, key=lambda reading: reading[1]))
    return digits


def _readings(digits: tuple[Digits, ...], suffix: Suffix, *, negative: bool) -> tuple[Reading, ...]:
    shifts = (suffix.scale, 0) if suffix.scale_unsure else (suffix.scale,)
    readings = [
        decimal_of(written, shift=shift + suffix.shift, negative=negative)
        for shift in shifts
        for written in digits
    ]
    if suffix.kind in {NumberKind.COUNT, NumberKind.ORDINAL} and not suffix.scale:
        return tuple((value, NOTHING) for value, _ in readings)
    return tuple(readings)


def _in_accounting_brackets(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether brackets around the figure mean a minus, as bookkeepers write it.

    They do in a cell of a table and behind a currency; in a sentence they are an aside.
    """
    if tokens.text(first - 1) != "(" or tokens.text(last + 1) != ")":
        return False
    alone = tokens.text(tokens.before(first - 1)) == "|" and tokens.text(tokens.after(last + 1)) in {
        "|",
        "\n",
    }
    return alone or tokens.text(first - 2) in SYMBOLS


def _as_year(tokens: Tokens, found: FoundNumber, figure: Figure) -> FoundNumber:
    readings = year_readings(tokens, found) if figure.plain else None
    if readings is None:
        return found
    last = fiscal_year_end(tokens, found.first)
    return FoundNumber(
        first=found.first,
        last=last,
        unit_last=last,
        span=(found.span[0], tokens.end(last)),
        readings=readings,
        kind=NumberKind.YEAR,
    )


def read_part(tokens: Tokens, at: int) -> FoundNumber | None:
    """Read a fraction or a ratio of two small integers: `3/4`, `2:1`, `½`."""
    mark, below = tokens.text(at + 1), at + 2
    if mark not in {"/", "⁄", ":"} or tokens.kind(below) != "digits" or tokens.text(below + 1) == mark:
        return None
    if tokens.text(below + 1) in {".", ",", "/"} and tokens.kind(below + 2) == "digits":
        return None
    above, under = tokens.text(at), tokens.text(below)
    if max(len(above), len(under)) > _LONGEST_PART or not int(under):
        return None
    if mark != ":" and int(above) >= int(under):
        return None
    value = plain(Decimal(int(above)) / Decimal(int(under)))
    return FoundNumber(
        first=at,
        last=below,
        unit_last=below,
        span=(tokens.start(at), tokens.end(below)),
        readings=((value, part_tolerance(value)),),
        kind=NumberKind.RATIO,
    )


def part_tolerance(value: Decimal) -> Decimal:
    """Return how exact a part or a multiple in words is: `a third` to half a percent, `twice` to 0.05."""
    return _PART if value < 1 else _MULTIPLE
