"""Figures written in letters: `twenty-three`, `двадцять три`, `half`, `вдвое`, `third place`."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims.figures import decimal_of, plain
from tabchat.chat.claims.found import FoundNumber
from tabchat.chat.claims.numbers import NOTHING, part_tolerance
from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.suffixes import read_suffix
from tabchat.chat.claims.vocabulary import vocabulary
from tabchat.record import record

if TYPE_CHECKING:
    from typing import Literal

    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.tokens import Tokens

_TEN: Final = 10
_TWENTY: Final = 20
_HUNDRED: Final = 100
_NO_LIMIT: Final = 1000
_LARGEST_DETERMINED: Final = 20
_PART_DIGITS: Final = Decimal("0.000001")
_SIGNS: Final = {"½": "1/2", "¼": "1/4", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}


@record
class Cardinal:
    """A whole number in words: its last token, its value, and the scale word that ends it."""

    last: int
    value: int
    scale: int


def read_worded(tokens: Tokens, at: int) -> FoundNumber | None:
    """Return the figure in letters that begins with the word `at`."""
    return (
        _read_amount(tokens, at)
        or _read_ordinal(tokens, at)
        or _read_ratio(tokens, at)
        or _read_count(tokens, at)
    )


def _read_amount(tokens: Tokens, at: int) -> FoundNumber | None:
    """Read `half a million`, `півтора мільйона`."""
    hit = vocabulary()["amounts"].starting(tokens, at)
    if hit is None:
        return None
    return _number(tokens, at, Cardinal(last=hit.last, value=int(hit.value), scale=len(hit.value) - 1))


def _read_count(tokens: Tokens, at: int) -> FoundNumber | None:
    cardinal = read_cardinal(tokens, at)
    if cardinal is None or _is_compound(tokens, at, cardinal.last):
        return None
    if cardinal.value == 1 and not _one_counts(tokens, at):
        return None
    before = tokens.last_word(at)
    determined = before is not None and vocabulary()["cardinal_hints.determined"].holds(tokens.text(before))
    if determined and cardinal.value <= _LARGEST_DETERMINED:
        return None
    return _number(tokens, at, cardinal)


def read_cardinal(tokens: Tokens, at: int) -> Cardinal | None:
    """Return the whole number that begins with the word `at`, the longest there is."""
    words = vocabulary()
    total = current = scale = 0
    limit = _NO_LIMIT
    highest = 99
    last: int | None = None
    step: int | None = at
    while step is not None:
        cardinal = words["cardinals"].starting(tokens, step)
        power = words["scales"].starting(tokens, step) if last is not None else None
        lone = words["lone_scales"].starting(tokens, step) if last is None else None
        if cardinal and int(cardinal.value) < limit:
            current += int(cardinal.value)
            limit = _limit_after(int(cardinal.value))
            last, scale = cardinal.last, 0
        elif last is not None and current and current < _HUNDRED and words["hundreds"].starting(tokens, step):
            current, limit = current * _HUNDRED, _HUNDRED
            last, scale = step, 0
        elif power and current and int(power.value) < highest and _is_scale_word(tokens, power.last):
            highest = int(power.value)
            total, current, limit = total + current * 10**highest, 0, _NO_LIMIT
            last, scale = power.last, highest
        elif lone:
            highest = int(lone.value)
            total, current, limit = 10**highest, 0, _NO_LIMIT
            last, scale = lone.last, highest
        else:
            break
        step = _next_part(tokens, last, limit)
    return None if last is None else Cardinal(last=last, value=total + current, scale=scale)


def _limit_after(value: int) -> int:
    """Return what the next word of the number must be less than."""
    if value >= _HUNDRED:
        return _HUNDRED
    return _TEN if value >= _TWENTY else 0


def _is_scale_word(tokens: Tokens, at: int) -> bool:
    """Leave out the letters that mean a scale only behind digits."""
    return len(tokens.text(at)) > 2  # noqa: PLR2004 -- `k`, `bn`, `tn` are letters, `млн` is a word


def _next_part(tokens: Tokens, last: int, limit: int) -> int | None:
    """Return the next word of the number: after a space, a hyphen, or `and` behind hundreds."""
    after = tokens.after(last, over="-‑")
    if tokens.kind(after) != "word":
        return None
    joined = vocabulary()["cardinal_hints.joined"].holds(tokens.text(after))
    if joined and limit == _HUNDRED:
        return tokens.next_word(after)
    return after


def _is_compound(tokens: Tokens, first: int, last: int) -> bool:
    """Tell whether a hyphen makes the number a part of another word: `two-way`, `one-on-one`."""
    return (tokens.text(last + 1) in {"-", "‑"} and tokens.kind(last + 2) == "word") or (
        tokens.text(first - 1) in {"-", "‑"} and tokens.kind(first - 2) == "word"
    )


def _one_counts(tokens: Tokens, at: int) -> bool:
    """Tell the numeral `one` from the pronoun: `only one region`, but `one of the reasons`."""
    words = vocabulary()
    before, after = tokens.last_word(at), tokens.next_word(at)
    if after is not None and words["cardinal_hints.one_not_after"].holds(tokens.text(after)):
        return False
    if after is not None and words["counts"].starting(tokens, after):
        return True
    return words["cardinal_hints.one_before"].ending(tokens, before) is not None


def _number(tokens: Tokens, at: int, cardinal: Cardinal) -> FoundNumber:
    suffix = read_suffix(tokens, at, cardinal.last, money=None, whole=True)
    kind = NumberKind.COUNT if suffix.kind in {NumberKind.NUMBER, NumberKind.ORDINAL} else suffix.kind
    last = suffix.last if kind is not NumberKind.COUNT else cardinal.last
    value, half = decimal_of((str(cardinal.value), 0))
    rounded = kind in {NumberKind.PERCENT, NumberKind.POINTS, NumberKind.MONEY, NumberKind.RATIO}
    tolerance = plain(half.scaleb(cardinal.scale)) if cardinal.scale else half if rounded else NOTHING
    if kind is NumberKind.RATIO:
        tolerance = part_tolerance(value)
    return _found(
        tokens, at, last, (value, tolerance), kind, unit=suffix.unit, unit_last=max(suffix.unit_last, last)
    )


def _found(
    tokens: Tokens,
    first: int,
    last: int,
    reading: Reading,
    kind: NumberKind,
    *,
    unit: str | None = None,
    unit_last: int | None = None,
    direction: Literal["up", "down"] | None = None,
) -> FoundNumber:
    return FoundNumber(
        first=first,
        last=last,
        unit_last=last if unit_last is None else unit_last,
        span=(tokens.start(first), tokens.end(last)),
        readings=(reading,),
        kind=kind,
        unit=unit,
        direction=direction,
        in_words=True,
    )


def _read_ratio(tokens: Tokens, at: int) -> FoundNumber | None:
    words = vocabulary()
    for name, direction in (("ratios_up", "up"), ("ratios_down", "down")):
        verb = words[name].starting(tokens, at)
        if verb:
            value = _value(verb.value)
            sense: Literal["up", "down"] = "up" if direction == "up" else "down"
            return _found(
                tokens, at, verb.last, (value, part_tolerance(value)), NumberKind.RATIO, direction=sense
            )
    text = _SIGNS.get(tokens.text(at))
    hit = words["ratios"].starting(tokens, at)
    if text is None and (hit is None or not _is_part(tokens, at, hit.last)):
        return None
    value = _value(hit.value if hit else text or "")
    last = hit.last if hit else at
    return _found(tokens, at, last, (value, part_tolerance(value)), NumberKind.RATIO)


def _value(written: str) -> Decimal:
    fraction = Fraction(written)
    value = Decimal(fraction.numerator) / Decimal(fraction.denominator)
    return plain(value if value >= 1 or len(value.as_tuple().digits) < _TEN else value.quantize(_PART_DIGITS))


def _is_part(tokens: Tokens, first: int, last: int) -> bool:
    """Tell a part or a multiple from a half of a year, a third row, a double check."""
    words = vocabulary()
    before, after = tokens.last_word(first), tokens.linked(last)
    if before is not None and words["ratio_hints.not_before"].holds(tokens.text(before)):
        return False
    if words["ratio_hints.not_after"].starting(tokens, after):
        return False
    if last > first and tokens.text(first) == "a":
        word = tokens.next_word(last)
        hedged = any(
            words[f"around.{name}"].ending(tokens, before) for name in ("approximate", "over", "under")
        )
        if hedged and tokens.kind(last + 1) in {"mark", "line"}:
            return True
        return word is not None and any(
            words[name].holds(tokens.text(word))
            for name in ("ratio_hints.of", "around.up_after", "around.down_after")
        )
    return not (tokens.text(last + 1) in {"-", "‑"} and tokens.kind(last + 2) == "word")


def _read_ordinal(tokens: Tokens, at: int) -> FoundNumber | None:
    """Read a rank: `second largest`, `ranks third`, `на третьому місці`."""
    words = vocabulary()
    hit = words["ordinals"].starting(tokens, at)
    if hit is None:
        return None
    before, after = tokens.last_word(at), tokens.next_word(hit.last)
    if after is None:
        after = tokens.after(hit.last, over="-‑")
    ranked = before is not None and words["ordinal_hints.before"].holds(tokens.text(before))
    if not ranked and not words["ordinal_hints.after"].holds(tokens.text(after)):
        return None
    return _found(tokens, at, hit.last, (Decimal(hit.value), NOTHING), NumberKind.ORDINAL)
