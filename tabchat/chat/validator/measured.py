"""Which columns a word for the highest or the lowest measures: `most orders`, `the highest rate`, `most in stock`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.lexicon import shipped_lexicon
from tabchat.chat.validator.natures import Nature
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.views import View

_AHEAD: Final = 2
_BESIDE: Final = 5
_NOT_MEASURED: Final = ("most", "least")
_THINGS: Final = ("most", "fewest")
_AMOUNTS: Final = ("most", "least", "fewest", "больше", "меньше", "найбільше", "найменше")
_RATES: Final = frozenset({"rate", "share"})
_SHARES: Final = frozenset({Nature.PERCENT, Nature.FRACTION, Nature.LOOSE})
_DATED: Final = frozenset({"year", "quarter", "month", "week", "weekday", "day", "hour"})


def is_measured(scene: Scene, role: Sighting, part: Span) -> bool:
    """Tell whether `most` and the like speak of an amount: `most orders`, not `most stable`."""
    if scene.text[role.start : role.end].casefold() not in _NOT_MEASURED:
        return True
    at = role.word + role.length
    following = [word for word in scene.words[at : at + 1] if word.end <= part[1]]
    if not following or any(
        following[0].start <= item.end and item.start <= following[0].end for item in scene.columns
    ):
        return True
    # `Had the most failures` tells an amount of anything.
    near = (max(part[0], role.start - _BESIDE), role.start)
    had = [item for item in scene.cues_in((part[0], role.start), "earns") if item.end >= near[0]]
    return bool(had) or bool(shipped_lexicon().nouns.find(scene.words, at))


def is_of_size(scene: Scene, role: Sighting, view: View) -> bool:
    """Tell whether the word behind names a size that rows are grouped by: `the maximum discount of 30 %`."""
    sizes = {item.name for item in view.columns if item.kind is ColumnKind.NUMBER and item.name in view.keys}
    at = role.word + role.length
    keys = view.key_words(scene.words) if sizes else {}
    return keys.get(at) in sizes


def of_things(scene: Scene, role: Sighting, view: View, columns: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns of numbers of rows where things are counted: `has the most projects`."""
    at = role.word + role.length
    following = scene.words[at].text if at < len(scene.words) else ""
    amount = scene.text[role.start : role.end].casefold() in _THINGS
    if not amount or not following.endswith("s") or columns != view.numeric:
        return columns
    return tuple(name for name in columns if view.qualities[name].role == "count") or columns


def measured(
    scene: Scene, role: Sighting, view: View, columns: tuple[str, ...], *, is_date: bool
) -> tuple[str, ...]:
    """Return the columns that the noun behind the role allows.

    A noun that is neither a group nor a column is of something else (`the largest order`), but
    for an amount of what was counted (`the fewest orders`).
    """
    at = role.word + role.length
    for place in range(at, min(at + _AHEAD, len(scene.words))):
        if any(item.name == "preposition" for item in shipped_lexicon().cues.find(scene.words, place)):
            # `Most in stock` does not measure the stock.
            return columns
        nouns = {item.name for item in shipped_lexicon().nouns.find(scene.words, place)}
        known = {name for quality in view.qualities.values() for name in quality.concepts}
        if nouns & known or (is_date and nouns & _DATED):
            return columns
        if nouns & _RATES:
            rates = tuple(name for name in columns if view.qualities[name].nature in _SHARES)
            return rates or columns
        if nouns:
            is_amount = scene.text[role.start : role.end].casefold().startswith(_AMOUNTS)
            return tuple(name for name in columns if is_amount and view.qualities[name].role == "count")
    return columns


def is_gain(view: View, columns: Sequence[str]) -> bool:
    """Tell whether more is better in every column, as with revenue and counts."""
    good = {"revenue", "profit", "count", "order", "quantity"}
    return all(column in view.qualities and view.qualities[column].concepts & good for column in columns)
