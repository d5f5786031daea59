"""The course that a text gives to figures: `fell from 120 to 95`, `rose every year: 1, 2 and 3`."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.mentions import Scene

_BESIDE: Final = 20
_MARKS: Final = " $€£₴₽*_`~≈"
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY, NumberKind.PERCENT, NumberKind.COUNT})
_FEW: Final = 3


def against_course(scene: Scene, bounds: Sequence[Bound]) -> Iterator[tuple[WrittenNumber, str]]:
    """Yield each figure that lies on the other side of the one before it than the words say."""
    statements = {bound.statement.start: bound.statement for bound in bounds}
    for start, statement in statements.items():
        figures = [
            bound.claim for bound in bounds if bound.statement.start == start and bound.claim.kind in _LEVELS
        ]
        span = (statement.start, statement.end)
        if not statement.cells:
            yield from _from_to(scene, span, figures)
            yield from _every(scene, span, figures)


def _from_to(
    scene: Scene, span: Span, figures: Sequence[WrittenNumber]
) -> Iterator[tuple[WrittenNumber, str]]:
    for one, other in pairwise(figures):
        opened = _right_before(scene, one.start, "from")
        closed = _right_before(scene, other.start, "to")
        if opened is None or closed is None or one.kind is not other.kind:
            continue
        up = _course(scene, (max(span[0], opened - _BESIDE), opened))
        if up is not None and one.value != other.value and (other.value > one.value) != up:
            yield other, _told(up=up)


def _every(scene: Scene, span: Span, figures: Sequence[WrittenNumber]) -> Iterator[tuple[WrittenNumber, str]]:
    """Judge a rise or fall in every period over the figures that are listed for it."""
    plain = [item for item in figures if item.direction is None]
    if len(plain) < _FEW or len({item.kind for item in plain}) > 1:
        return
    before = (span[0], plain[0].start)
    up = _course(scene, before) if scene.cues_in(before, "per", "steadily") else None
    for one, other in pairwise(plain):
        if up is not None and one.value != other.value and (other.value > one.value) != up:
            yield other, _told(up=up)
            return


def _right_before(scene: Scene, at: int, name: str) -> int | None:
    """Return where a cue begins that stands right before a figure."""
    cues = scene.cues_in((max(0, at - _BESIDE), at), name)
    return next((cue.start for cue in cues if not scene.text[cue.end : at].strip(_MARKS)), None)


def _course(scene: Scene, span: Span) -> bool | None:
    """Return True for a rise, False for a fall: what the last word of either says."""
    found = scene.cues_in(span, "more", "less")
    last = max(found, key=lambda item: (item.end, item.length), default=None)
    return None if last is None else last.name == "more"


def _told(*, up: bool) -> str:
    return "higher than the figure before" if up else "lower than the figure before"
