"""Whether a figure is said to go up or down, where the words that say so stand apart from it."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.lexicon import Sighting
    from tabchat.chat.validator.parsed import Parsed

_NEAR: Final = 3
_LEVELS: Final = frozenset({"mean", "median", "sum", "max", "min"})
_BACK: Final = 8
_OF: Final = frozenset({"of"})
"""Leads to the size of a change only behind a noun for one: `an increase of 5`, not `an average of 5`."""
_STEPS: Final = ("difference", "growth", "fall", "more", "less")
_LISTED: Final = re.compile(r"[\s,;*_)]*(?:(?:and|та|і|й|и|а)\s+)?[\s*_]*")
OR: Final = re.compile(
    r"[\s*_,(—–-]*(?:or|i\.e\.,?|that is,?|або|или|тобто|то есть)\s+(?:about|around|roughly|nearly|приблизно|близько|примерно|около)?[\s*_≈~$€£₴₽]*"
)
"""Leads to the same change in other units: `down 10.8 % or 1,927 points`."""
_GOES_ON: Final = re.compile(r"[^.;!?()]{0,24}\b(?:and|та|і|й|и|а)\b[^.;!?()]{0,16}")


def directed(parsed: Parsed, figure: WrittenNumber) -> WrittenNumber:
    """Return the figure with the direction of `exceeds Europe by 25` or `a drop of 3 %`."""
    scene, reach = parsed.scene, parsed.reach(figure)
    if figure.bound == "under" and scene.cues_in((reach[0], figure.start), "amounts"):
        # `Adds up to 5,000` is no bound.
        return replace(figure, bound=None)
    if figure.direction is not None or figure.bound is not None:
        return figure
    part = (parsed.part_of(figure)[0], figure.start)
    falls = scene.cues_in(part, "fall") and not scene.cues_in(part, "growth")
    if falls or scene.cues_in(part, "negative"):
        return replace(figure, direction="down")
    verb = _verb(parsed, figure)
    if verb is not None:
        return replace(figure, direction=verb.direction)
    steps = [
        cue
        for cue in scene.cues_in(reach, "by")
        if cue.end <= figure.start <= cue.end + _NEAR and not _is_of_level(parsed, cue)
    ]
    if any(scene.text[cue.start : cue.end].casefold() not in _OF for cue in steps) or (
        steps and scene.cues_in((reach[0], figure.start), *_STEPS)
    ):
        return _with_side(parsed, figure, (reach, (parsed.span[0], figure.start)))
    return figure


def _is_of_level(parsed: Parsed, cue: Sighting) -> bool:
    """Tell whether `of` stands behind a word for a level: `lower than the overall average of 368`."""
    before = parsed.scene.roles_in((parsed.span[0], cue.start))
    return parsed.scene.text[cue.start : cue.end].casefold() in _OF and any(
        item.name in _LEVELS and cue.start - item.end <= 1 for item in before
    )


def _verb(parsed: Parsed, figure: WrittenNumber) -> WrittenNumber | None:
    """Return the figure with the verb that this one goes on with, a few figures back in a list of names."""
    at = list(parsed.figures).index(figure)
    first = max(0, at - _BACK)
    while at > first:
        before, own = parsed.figures[at - 1], parsed.figures[at]
        if (
            own is figure
            and before.direction is not None
            and OR.fullmatch(parsed.scene.text[before.end : own.start])
        ):
            return before
        if before.kind is not figure.kind:
            return None
        if before.direction is not None and parsed.scene.cues_in((own.end, parsed.span[1]), "respectively"):
            return before
        if before.direction is not None:
            goes_on = _is_listed(parsed, before, own) or (own is figure and _continues(parsed, before, own))
            return before if goes_on else None
        if before.bound is not None or not _is_listed(parsed, before, own):
            return None
        at -= 1
    return None


def _continues(parsed: Parsed, before: WrittenNumber, figure: WrittenNumber) -> bool:
    """Tell whether a percentage goes on with the verb before: `grew 23 % in Q3 and 51 % in Q4`."""
    if figure.kind is not NumberKind.PERCENT:
        return False
    between = parsed.scene.text[before.end : figure.start]
    said = [
        item for item in parsed.names if item.start >= figure.end or before.end <= item.start < figure.start
    ]
    return bool(_GOES_ON.fullmatch(between)) and all(item.is_date for item in said)


def _is_listed(parsed: Parsed, before: WrittenNumber, figure: WrittenNumber) -> bool:
    """Tell whether only a name and a comma stand between: `Europe lost 18, South America 11 and Oceania 2`."""
    names = [item for item in parsed.names if before.end <= item.start and item.end <= figure.start]
    if len(names) != 1:
        return False
    text = parsed.scene.text
    return bool(_LISTED.fullmatch(text, before.end, names[0].start)) and not text[
        names[0].end : figure.start
    ].strip(" *_(:$€£₴—–")


def _with_side(parsed: Parsed, figure: WrittenNumber, spans: Sequence[Span]) -> WrittenNumber:
    for span in spans:
        up, down = parsed.scene.cues_in(span, "more"), parsed.scene.cues_in(span, "less")
        if bool(up) != bool(down):
            return replace(figure, direction="up" if up else "down")
    return figure
