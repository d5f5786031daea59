"""Figures that belong together: ranges (`10–20 %`, `from 5 to 7`), shares (`4 of 7`), `5 млрд 300 млн`."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.context import widened
from tabchat.chat.claims.figures import shifted
from tabchat.chat.claims.found import FoundDate, FoundNumber
from tabchat.chat.claims.numbers import NOTHING, part_tolerance
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.found import Found
    from tabchat.chat.claims.records import Span
    from tabchat.chat.claims.tokens import Tokens

_DASHES: Final = frozenset("-–—‑−")
_RATINGS: Final = frozenset({5, 10, 100})
_COUNTED: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT, NumberKind.YEAR})


def paired(tokens: Tokens, found: Sequence[Found]) -> tuple[tuple[Found, ...], tuple[Span, ...]]:
    """Return the claims with ranges and shares known, and the spans that no clause may cut."""
    claims: list[Found] = []
    whole: list[Span] = []
    for item in found:
        low = claims[-1] if claims else None
        pair = None if low is None else _pair(tokens, low, item)
        if pair is None or low is None:
            claims.append(item)
            continue
        claims[-1:] = pair
        whole.append((low.span[0], item.span[1]))
    return tuple(claims), tuple(whole)


def _pair(tokens: Tokens, low: Found, high: Found) -> list[Found] | None:
    """Return the two claims as what they are together; None when they have nothing to do with each other."""
    if isinstance(high, FoundDate):
        if isinstance(low, FoundDate):
            return [low, high] if _joins(tokens, low, high) else None
        return _days(tokens, low, high)
    if isinstance(low, FoundDate):
        return None
    return (
        _compound(tokens, low, high)
        or _range(tokens, low, high)
        or _rating(tokens, low, high)
        or _odds(tokens, low, high)
        or _share(tokens, low, high)
    )


def _days(tokens: Tokens, low: FoundNumber, high: FoundDate) -> list[Found] | None:
    """Read the first day of `from 3 to 5 March 2024`, `з 3 по 5 березня`."""
    first, last = high.readings[0]
    number = low.readings[0][0]
    if (
        first != last
        or low.kind not in {NumberKind.NUMBER, NumberKind.ORDINAL}
        or not _joins(tokens, low, high)
    ):
        return None
    if number != number.to_integral_value() or not 1 <= number < first.day:
        return None
    began = first.replace(day=int(number))
    opening = FoundDate(
        first=low.first,
        last=low.last,
        span=low.span,
        readings=((began, began),),
        has_year=high.has_year,
    )
    return [opening, high]


def _compound(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    """Read `5 млрд 300 млн грн` as one figure."""
    if not low.scale > high.scale or low.unit is not None or low.in_words or high.in_words:
        return None
    if tokens.after(low.last, over=".") != high.first or low.kind is not NumberKind.NUMBER:
        return None
    (large, _), (small, tolerance) = low.readings[0], high.readings[0]
    if not (0 < small < Decimal(10) ** low.scale and large == large.to_integral_value() and large > 0):
        return None
    if low.span[1] == high.span[0] or high.kind not in {
        NumberKind.NUMBER,
        NumberKind.COUNT,
        NumberKind.MONEY,
    }:
        return None
    one = replace(
        high,
        first=low.first,
        span=(low.span[0], high.span[1]),
        readings=((large + small, tolerance),),
        direction=low.direction,
        bound=low.bound,
        is_approximate=low.is_approximate,
    )
    return [one]


def _joins(tokens: Tokens, low: Found, high: Found) -> bool:
    """Tell whether a dash or the words of a range stand between two claims."""
    at = tokens.after(low.last)
    if at == tokens.before(high.first) and tokens.text(at) in _DASHES:
        return True
    return _is_range_in_words(tokens, low, high)


def _range(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    glued = tokens.text(low.last + 1) in _DASHES and high.first == low.last + 2
    alike = (low.kind, low.unit) == (high.kind, high.unit) and low.scale == high.scale
    if not (glued or (alike and _joins(tokens, low, high)) or _is_range_in_words(tokens, low, high)):
        return None
    if low.kind is NumberKind.MONEY and high.kind is NumberKind.NUMBER and high.unit is None:
        high = replace(high, kind=low.kind, unit=low.unit)
    if low.kind is not high.kind and (low.kind is not NumberKind.NUMBER or low.unit is not None):
        return None
    shared = _share_unit(tokens, low, high)
    # What is said before a range is said of both ends: `fell about 5–7 %`.
    ending = replace(
        high,
        is_range_end=True,
        direction=high.direction or low.direction,
        is_approximate=high.is_approximate or low.is_approximate,
    )
    if ending.is_approximate and not high.is_approximate:
        ending = replace(ending, readings=widened(ending))
    return [replace(shared, is_range_end=True, direction=low.direction or high.direction), ending]


def _is_range_in_words(tokens: Tokens, low: Found, high: Found) -> bool:
    """Tell `from 5 to 7`, `5 to 7`, `between 5 and 7` from `5 and 7`."""
    words = vocabulary()
    last = low.unit_last if isinstance(low, FoundNumber) else low.last
    hit = words["ranges.to"].starting(tokens, tokens.next_word(last))
    if hit is None or tokens.after(hit.last) != high.first:
        return False
    opened = words["ranges.from"].ending(tokens, tokens.last_word(low.first)) is not None
    # `fell 3 to 120` is a change and a level.
    changed = isinstance(low, FoundNumber) and low.direction is not None
    return opened or (tokens.text(hit.first) in {"to", "through"} and not changed)


def _share_unit(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> FoundNumber:
    """Give the low end the scale, percent sign or currency that only the high end writes: `10–20 %`."""
    if low.kind is not NumberKind.NUMBER or low.unit is not None or low.scale > 0 or low.unit_last > low.last:
        bare = low.kind is NumberKind.MONEY and not low.scale and tokens.kind(low.last) == "digits"
        if bare and high.kind is NumberKind.MONEY and high.scale:
            return replace(low, readings=_scaled(low, high), scale=high.scale)
        return low
    if high.kind in {NumberKind.YEAR, NumberKind.ORDINAL, NumberKind.TIME}:
        return low
    readings = _scaled(low, high) if high.scale else low.readings
    return replace(low, readings=readings, kind=high.kind, unit=high.unit, scale=high.scale)


def _scaled(low: FoundNumber, high: FoundNumber) -> tuple[Reading, ...]:
    scaled = tuple(shifted(reading, high.scale) for reading in low.readings)
    return (*scaled, *low.readings)


def _rating(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    """Read `4.5/5`, `4.5 out of 5`: the scale of a rating is no finding."""
    out_of = vocabulary()["ranges.of"].starting(tokens, tokens.next_word(low.last))
    slash = tokens.text(low.last + 1) == "/" and high.first == low.last + 2
    if not slash and (out_of is None or tokens.after(out_of.last) != high.first):
        return None
    rated = low.readings[0][0]
    if rated == rated.to_integral_value() or high.unit is not None or high.readings[0][0] not in _RATINGS:
        return None
    return [replace(low, last=high.last, unit_last=high.last)]


def _odds(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    """Read `1 in 5` as a fifth."""
    hit = vocabulary()["ranges.odds"].starting(tokens, tokens.next_word(low.last))
    if hit is None or tokens.after(hit.last) != high.first or high.kind is not NumberKind.NUMBER:
        return None
    all_of = high.readings[0][0]
    if low.kind is not NumberKind.NUMBER or low.readings[0][0] != 1 or not _is_countable(high) or all_of <= 1:
        return None
    share = 1 / all_of
    one = replace(
        low,
        last=high.last,
        unit_last=high.unit_last,
        span=(low.span[0], high.span[1]),
        readings=((share, part_tolerance(share)),),
        kind=NumberKind.RATIO,
        unit=None,
    )
    return [one]


def _share(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    """Read `4 of 7`, `4 out of 10`, `4 з 7`: two counts."""
    hit = vocabulary()["ranges.of"].starting(tokens, tokens.next_word(low.unit_last))
    if hit is None or tokens.after(hit.last) != high.first:
        return None
    if not (_is_countable(low) and _is_countable(high)) or low.readings[0][0] > high.readings[0][0]:
        return None
    return [_counted(low), _counted(high)]


def _is_countable(found: FoundNumber) -> bool:
    value = found.readings[0][0]
    return found.kind in _COUNTED and found.scale == 0 and value >= 0 and value == value.to_integral_value()


def _counted(found: FoundNumber) -> FoundNumber:
    if found.is_approximate:
        return found
    value = found.readings[0][0]
    return replace(found, kind=NumberKind.COUNT, readings=((value, NOTHING),))
