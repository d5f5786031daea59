"""References that were exchanged: each stands in a clause of its own behind the label that another one is of."""

from __future__ import annotations

import itertools
import re
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

_NEW_CLAUSE: Final = re.compile(
    r"[,;:|()—–\n]|\b(?:and|but|while|whereas|versus|vs|і|й|та|а|але|тоді|и|но|тогда)\b", re.IGNORECASE
)
"""What parts a figure from a label that is not its own; without it a label may be that of the figure before."""


@record
class Said:
    """A label that a text names, or a figure that it takes from the row of a label."""

    start: int
    end: int
    label: str
    is_figure: bool


def crossed(text: str, said: Iterable[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield the figures that stand behind each other's labels, each with the label that it stands behind.

    Only where no other reading is left: one label in front of each figure, or of several of one row, each pair in a clause
    of its own, and the figures that are behind a wrong label are of these very labels.
    """
    order = sorted(said, key=lambda one: one.start)
    pairs = list(_pairs(text, order))
    wrong = [(figure, name) for figure, name in pairs if figure.label != name.label]
    if {figure.label for figure, _ in wrong} == {name.label for _, name in wrong}:
        yield from wrong


def _pairs(text: str, order: Sequence[Said]) -> Iterator[tuple[Said, Said]]:
    """Yield each figure with the label in front of it; nothing when the two do not take turns."""
    turns = [list(group) for _, group in itertools.groupby(order, key=lambda one: one.is_figure)]
    names, figures = turns[::2], turns[1::2]
    if not order or order[0].is_figure or len(names) != len(figures):
        return
    if any(len({one.label for one in group}) > 1 for group in turns):
        return
    for group, following in zip(figures, names[1:], strict=False):
        if not _NEW_CLAUSE.search(text, group[-1].end, following[0].start):
            return
    for group, own in zip(names, figures, strict=True):
        yield from ((figure, group[-1]) for figure in own)
