"""Figures that belong together: ranges (`10–20 %`, `from 5 to 7`) and shares (`4 of 7`)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.figures import shifted
from tabchat.chat.claims.found import FoundDate, FoundNumber
from tabchat.chat.claims.numbers import NOTHING
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.found import Found
    from tabchat.chat.claims.records import Span
    from tabchat.chat.claims.tokens import Tokens

_DASHES: Final = frozenset("-–—‑−")
_COUNTED: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT, NumberKind.YEAR})


def paired(tokens: Tokens, found: Sequence[Found]) -> tuple[tuple[Found, ...], tuple[Span, ...]]:
    """Return the claims with ranges and shares known, and the spans that no clause may cut."""
    claims = list(found)
    whole: list[Span] = []
    for at in range(len(claims) - 1):
        low, high = claims[at], claims[at + 1]
        if isinstance(low, FoundDate) or isinstance(high, FoundDate):
            if _between(tokens, low, high) in _DASHES:
                whole.append((low.span[0], high.span[1]))
            continue
        pair = _range(tokens, low, high) or _share(tokens, low, high)
        if pair:
            claims[at : at + 2] = pair
            whole.append((low.span[0], high.span[1]))
    return tuple(claims), tuple(whole)


def _between(tokens: Tokens, low: Found, high: Found) -> str:
    """Return the one token or phrase between two claims, spaces apart; empty when there is more."""
    at = tokens.after(low.last)
    last = tokens.before(high.first)
    return tokens.text(at) if at == last else ""


def _range(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> list[Found] | None:
    joint = _between(tokens, low, high)
    if joint not in _DASHES and not _is_range_in_words(tokens, low, high):
        return None
    if low.kind is not high.kind and (low.kind is not NumberKind.NUMBER or low.unit is not None):
        return None
    shared = _share_unit(low, high)
    return [replace(shared, is_range_end=True), replace(high, is_range_end=True)]


def _is_range_in_words(tokens: Tokens, low: FoundNumber, high: FoundNumber) -> bool:
    """Tell `from 5 to 7`, `5 to 7`, `between 5 and 7` from `5 and 7`."""
    words = vocabulary()
    at = tokens.next_word(low.unit_last)
    hit = words["ranges.to"].starting(tokens, at)
    if hit is None or tokens.after(hit.last) != high.first:
        return False
    opened = words["ranges.from"].ending(tokens, tokens.last_word(low.first)) is not None
    # `fell 3 to 120` is a change and a level.
    return opened or (tokens.text(hit.first) in {"to", "through"} and low.direction is None)


def _share_unit(low: FoundNumber, high: FoundNumber) -> FoundNumber:
    """Give the low end the scale, percent sign or currency that only the high end writes: `10–20 %`."""
    if low.kind is not NumberKind.NUMBER or low.unit is not None or low.scale > 0 or low.unit_last > low.last:
        if low.kind is NumberKind.MONEY and high.kind is NumberKind.MONEY and not low.scale and high.scale:
            return replace(low, readings=_scaled(low, high), scale=high.scale)
        return low
    if high.kind in {NumberKind.YEAR, NumberKind.ORDINAL, NumberKind.TIME}:
        return low
    readings = _scaled(low, high) if high.scale else low.readings
    return replace(low, readings=readings, kind=high.kind, unit=high.unit, scale=high.scale)


def _scaled(low: FoundNumber, high: FoundNumber) -> tuple[Reading, ...]:
    scaled = tuple(shifted(reading, high.scale) for reading in low.readings)
    return (*scaled, *low.readings)


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
