"""Figures of everything together, and what words such as `of the` and `only` make of the groups beside a figure."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.assignment import Given
from tabchat.chat.validator.parsed import inside

if TYPE_CHECKING:
    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.parsed import Parsed

_BESIDE: Final = 16


_FAR: Final = 24


_OF: Final = re.compile(r"(?:^|\s)(?:of|out of|of the|з|із|из|від|от)$")


_NO_MORE: Final = re.compile(r"\b(?:всього|усього|всего)\s+(?:на\s+)?[*_≈~$€£₴]*$")


_ALL: Final = ("whole", "together", "every")


def is_whole_figure(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether the words take the figure away from every group: `of the total of 5,000`."""
    scene = parsed.scene
    if parsed.statement.cells:
        return bool(scene.cues_in(parsed.span, "whole")) and not parsed.names
    since = max(
        (item.end for item in parsed.everything() if item.end <= figure.start), default=parsed.span[0]
    )
    if any(
        figure.start - cue.end <= _BESIDE and ":" not in scene.text[cue.end : figure.start]
        for cue in scene.cues_in((since, figure.start), "of_whole")
    ):
        return True
    part = parsed.part_of(figure)
    plain = figure.bound is None and figure.direction is None
    if plain and not parsed.names and not parsed.statement.under and scene.cues_in(parsed.span, *_ALL):
        return True
    if plain and scene.cues_in(part, "together") and not any(item.start < part[1] for item in parsed.names):
        return True
    return bool(scene.cues_in(part, "whole")) and not any(inside(item, part) for item in parsed.names)


def is_no_more(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether `всього` says `only` of the one group named before: `у Томську — всього 12`."""
    before = parsed.scene.text[parsed.since(figure) : figure.start].casefold()
    return bool(_NO_MORE.search(before)) and sum(item.end <= figure.start for item in parsed.names) == 1


def is_second_of(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether the figure is the second one of `302 of 5,000`."""
    since = parsed.since(figure)
    if figure.start - since > _FAR or any(inside(item, (since, figure.start)) for item in parsed.names):
        return False
    return _OF.search(parsed.scene.text[since : figure.start].casefold().rstrip(" *_")) is not None


def of_name_behind(parsed: Parsed, figure: WrittenNumber, given: Given[Mention]) -> Given[Mention]:
    """Return only the name that `of` leads to behind a whole: `26 % of the 24,087 MW of solar`."""
    after = next((item for item in parsed.names if item.start >= figure.end), None)
    between = parsed.scene.text[figure.end : after.start] if after is not None else ""
    leads = _OF.search(between.casefold().rstrip(" *_")) is not None and len(between) <= _FAR
    return Given(own=(after,)) if after is not None and leads else given


def has_part_before(parsed: Parsed, figure: WrittenNumber) -> bool:
    """Tell whether a figure stands before this one as a part of it: `132 out of 677 in 2024`."""
    return any(item.end <= figure.start for item in parsed.figures)
