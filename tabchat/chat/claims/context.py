"""The words around a figure: about, over, fell, minus."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

from tabchat.chat.claims.records import NumberKind
from tabchat.chat.claims.vocabulary import vocabulary

if TYPE_CHECKING:
    from tabchat.chat.claims.figures import Reading
    from tabchat.chat.claims.found import FoundNumber
    from tabchat.chat.claims.tokens import Tokens

Direction: TypeAlias = Literal["up", "down"]

_APPROXIMATE_SIGNS: Final = frozenset("~≈≃∼≅")
_OVER_SIGNS: Final = frozenset(">≥")
_UNDER_SIGNS: Final = frozenset("<≤")
_TWENTIETH: Final = Decimal("0.05")
_TENTH: Final = Decimal("0.1")
_COPULAS: Final = frozenset("—–:")
_HEDGES: Final = 4
_BY_REACH: Final = 6
_OF_REACH: Final = 3
_HALF: Final = Decimal("0.5")


def in_context(tokens: Tokens, found: FoundNumber) -> FoundNumber:
    """Return the figure with what the words around it say."""
    found = _with_minus_word(tokens, found)
    at, approximate, over, under = _hedges(tokens, found.first)
    if found.kind in {NumberKind.YEAR, NumberKind.ORDINAL}:
        return found
    bound: Literal["over", "under"] | None = "over" if over else "under" if under else None
    bound = bound or _bound_after(tokens, found)
    approximate = approximate or _hedged_after(tokens, found)
    direction = found.direction or _direction_after(tokens, found) or _direction_before(tokens, found, at)
    readings = found.readings
    if direction == "up" and readings[0][0] < 0:
        direction = None  # `growth of −0.5 %` goes by its sign
    if approximate:
        readings = widened(found)
    elif found.kind is NumberKind.COUNT and not found.in_words and _averaged(tokens, found):
        readings = tuple((value, _HALF) for value, _ in readings)
    return replace(found, readings=readings, bound=bound, is_approximate=approximate, direction=direction)


def _with_minus_word(tokens: Tokens, found: FoundNumber) -> FoundNumber:
    """Take in `minus` and `минус`, unless they stand between two figures."""
    word = tokens.last_word(found.first)
    hit = vocabulary()["around.minus"].ending(tokens, word)
    if hit is None or tokens.kind(tokens.before(hit.first)) == "digits" or found.kind is NumberKind.YEAR:
        return found
    return replace(
        found,
        first=hit.first,
        span=(tokens.start(hit.first), found.span[1]),
        readings=tuple((-value if value > 0 else value, tolerance) for value, tolerance in found.readings),
    )


def _hedges(tokens: Tokens, first: int) -> tuple[int, bool, bool, bool]:
    """Return the token that stands before the hedges of a figure, and which hedges there are.

    The hedges are: about, over, under.
    """
    words = vocabulary()
    at = first
    approximate = over = under = False
    for _ in range(_HEDGES):
        before = _before_hedge(tokens, at)
        text = tokens.text(before)
        if tokens.kind(before) == "mark":
            hit_approximate = text in _APPROXIMATE_SIGNS
            hit_over, hit_under = text in _OVER_SIGNS, text in _UNDER_SIGNS
            if text == "=" and tokens.text(before - 1) in _OVER_SIGNS | _UNDER_SIGNS:
                before -= 1
                hit_over, hit_under = tokens.text(before) in _OVER_SIGNS, tokens.text(before) in _UNDER_SIGNS
            if tokens.kind(before - 1) == "line":  # `> 5 rows` is a quotation
                break
            start = before
        else:
            last = before if tokens.kind(before) == "word" else None
            hits = [words[f"around.{name}"].ending(tokens, last) for name in ("approximate", "over", "under")]
            start = min((hit.first for hit in hits if hit), default=before)
            # The longest phrase counts: `no less than` is not `less than`.
            hits = [hit if hit and hit.first == start else None for hit in hits]
            hit_approximate, hit_over, hit_under = (hit is not None for hit in hits)
        if not (hit_approximate or hit_over or hit_under):
            break
        approximate, over, under = approximate or hit_approximate, over or hit_over, under or hit_under
        at = start
    return at, approximate, over, under


def _before_hedge(tokens: Tokens, at: int) -> int:
    """Return the token before, past the dot of `approx.`."""
    before = tokens.before(at)
    shortened = tokens.text(before) == "." and tokens.kind(before - 1) == "word"
    if shortened and vocabulary()["around.shortened"].holds(tokens.text(before - 1)):
        return before - 1
    return before


def _bound_after(tokens: Tokens, found: FoundNumber) -> Literal["over", "under"] | None:
    if tokens.text(found.last + 1) == "+":
        return "over"
    word = tokens.after(found.unit_last, over="." if tokens.kind(found.unit_last) == "word" else "")
    if tokens.kind(word) != "word":
        return None
    if vocabulary()["around.over_after"].starting(tokens, word):
        return "over"
    return "under" if vocabulary()["around.under_after"].starting(tokens, word) else None


def _hedged_after(tokens: Tokens, found: FoundNumber) -> bool:
    word = tokens.next_word(found.unit_last)
    return word is not None and tokens.text(word) == "or" and tokens.text(tokens.after(word)) == "so"


def _direction_before(tokens: Tokens, found: FoundNumber, at: int) -> Direction | None:
    """Look for a verb of change: right before, or a few words back when `by` or `на` leads there."""
    words = vocabulary()
    word = tokens.last_word(at)
    further = words["around.further"].ending(tokens, word)
    if further:
        word = tokens.last_word(further.first)
    if word is None:
        dash = tokens.before(at)
        noun = tokens.last_word(dash) if tokens.text(dash) in _COPULAS else None
        return _change(tokens, noun, "up_noun", "down_noun") if noun is not None else None
    text = tokens.text(word)
    direction = _change(tokens, word, "up", "down")
    if direction:
        return direction
    if words["around.by"].holds(text):
        return _change_back(tokens, word, _BY_REACH, "up", "down")
    if words["around.of"].holds(text) or (
        found.kind is NumberKind.RATIO and words["around.times_by"].holds(text)
    ):
        return _change_back(tokens, word, 1, "up", "down")
    if words["around.was"].holds(text):
        return _change_back(tokens, word, _OF_REACH, "up_noun", "down_noun")
    return None


def _change_back(tokens: Tokens, at: int, reach: int, up: str, down: str) -> Direction | None:
    for _ in range(reach):
        word = tokens.last_word(at)
        if word is None:
            return None
        direction = _change(tokens, word, up, down)
        if direction:
            return direction
        at = word
    return None


def _change(tokens: Tokens, word: int, up: str, down: str) -> Direction | None:
    words, text = vocabulary(), tokens.text(word)
    if words[f"around.{down}"].holds(text):
        return "down"
    return "up" if words[f"around.{up}"].holds(text) else None


def _direction_after(tokens: Tokens, found: FoundNumber) -> Direction | None:
    """Look for `3% lower`, `12 more`, `a 3% decline`, `на 3% менше`; `67 up from 60` is no change by 67."""
    if found.kind is NumberKind.RATIO:
        return None
    word = tokens.after(found.unit_last, over="-‑")
    if tokens.kind(word) != "word":
        return None
    level = tokens.next_word(word)
    relative = found.kind in {NumberKind.PERCENT, NumberKind.POINTS}
    if level is not None and not relative and vocabulary()["ranges.from"].holds(tokens.text(level)):
        return None
    return _change(tokens, word, "up_after", "down_after")


def _averaged(tokens: Tokens, found: FoundNumber) -> bool:
    """Tell whether a count is a mean, which has no exact number of rows."""
    averages = vocabulary()["around.average"]
    after = tokens.next_word(found.unit_last)
    if after is not None and averages.holds(tokens.text(after)):
        return True
    at = found.first
    for _ in range(_BY_REACH):
        word = tokens.last_word(at)
        if word is None:
            return False
        if averages.holds(tokens.text(word)):
            return True
        at = word
    return False


def widened(found: FoundNumber) -> tuple[Reading, ...]:
    """Return the readings of a rounded figure: `about 5,000` may be 250 away, `about 4,980` only 5."""
    in_words = found.kind is NumberKind.RATIO and found.in_words
    return tuple(_widened(reading, in_words=in_words) for reading in found.readings)


def _widened(reading: Reading, *, in_words: bool) -> Reading:
    value, tolerance = reading
    size = abs(value)
    if in_words:
        return value, max(tolerance, size * _TENTH)
    _, digits, exponent = value.as_tuple()
    zeros = next((place for place, digit in enumerate(reversed(digits)) if digit), 0)
    last_place = Decimal((0, (5,), int(exponent) + zeros - 1))
    return value, max(tolerance, min(last_place, size * _TWENTIETH))
