"""Which derivations the words around a figure call for: a difference, a change, a ratio, a share, a sum."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.directions import OR

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import Span
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground

_BESIDE: Final = 24
_PLAIN: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT})
"""Never money, of which no figure says how many times."""
_LEADS: Final = (":", "—", "–", "-", "=")
_OF: Final = re.compile(r"[\s*_]*(?:of|від|от)(?:\s+(?:the|that of))?[\s*_`\"«“]*")
_WHOLE: Final = re.compile(r"\b(?:of|із|з|из)(?:\s+the|\s+all)?[\s*_]*$")
_JOINED: Final = re.compile(r"[\s*_,]*(?:and|та|і|й|и|&)?(?:\s+(?:in|у|в))?[\s*_]*")


def asked_of(ground: Ground, bound: Bound) -> frozenset[str]:
    """Return which derivations the words around the figure call for."""
    scene, percent = ground.scene, bound.claim.kind is NumberKind.PERCENT
    far, near = _spans(bound)

    def says(spans: Sequence[Span], *names: str) -> bool:
        return any(scene.cues_in(span, *names) for span in spans)

    asked = {"part"} if percent and _is_of_name(ground, bound) else set()
    if _is_compared(ground, bound, near) or bound.claim.kind is NumberKind.POINTS:
        asked.add("percent change" if percent else "difference")
    if percent and _is_of_change(ground, bound):
        asked.add("percent change")
    if percent and _is_signed(ground, bound):
        asked |= {"percent change", "signed"}
    if bound.claim.kind is NumberKind.RATIO or (bound.claim.kind in _PLAIN and says(far, "times")):
        asked |= {"ratio", "inverse ratio"} if _is_down(bound) or says(near, "less") else {"ratio"}
    if _may_be_share(bound) and (
        says(far, "share", "whole", "of_whole", "of_shown", "together")
        or says(near, "among")
        or _is_beside(ground, bound)
        or (percent and (ground.is_of_things(bound) or _is_listed_share(ground, bound)))
    ):
        asked |= {"share", "together"} if _is_joint(ground, bound) else {"share"}
    if _is_of_several(ground, bound):
        asked |= {"share" if _may_be_share(bound) else "sum", "together"}
    if says(far, "together", "top"):
        asked.add("together")
    if not percent and (says(far, "together") or "sum" in bound.roles):
        asked |= {"sum", "together"}
    return frozenset(asked)


def _is_of_several(ground: Ground, bound: Bound) -> bool:
    """Tell whether the figure is said of several groups that `and` joins, or `these` takes up again."""
    joined = not bound.statement.cells and _is_coordinated(ground, bound) and _is_joint(ground, bound)
    return joined or bool(bound.these)


def _is_down(bound: Bound) -> bool:
    return bound.claim.direction == "down"


def _may_be_share(bound: Bound) -> bool:
    return bound.claim.kind in {NumberKind.PERCENT, NumberKind.RATIO} or abs(bound.claim.value) < 1


def _is_compared(ground: Ground, bound: Bound, near: Sequence[Span]) -> bool:
    """Tell whether the words call the figure a difference or a change."""
    scene = ground.scene
    cues = ("difference", "growth", "fall") if bound.statement.cells else ("difference",)
    return (
        bound.claim.direction is not None
        or any(scene.cues_in(span, *cues) for span in near)
        or any(item.name in {"change", "range"} for span in near for item in scene.roles_in(span))
    )


def _is_of_name(ground: Ground, bound: Bound) -> bool:
    """Tell whether a percentage is one of the group named right behind it: `56 % of Europe's`."""
    after = next((item.start for item in bound.said if item.start >= bound.claim.end), None)
    between = ground.scene.text[bound.claim.end : after] if after is not None else ""
    return _OF.fullmatch(between.casefold()) is not None


def _is_joint(ground: Ground, bound: Bound) -> bool:
    """Tell whether the only figure of a clause is said of all groups in it: `Asia and Europe make 48 %`."""
    text, (start, end) = ground.scene.text, (bound.statement.start, bound.statement.end)
    low = max(text.rfind(";", start, bound.claim.start) + 1, start)
    high = text.find(";", bound.claim.end, end)
    span = (low, high if high >= 0 else end)
    names = [item for item in bound.said if span[0] <= item.start < min(span[1], bound.claim.start)]
    percent = bound.claim.kind is NumberKind.PERCENT
    figures = [
        item
        for item in ground.counts
        if span[0] <= item.start < span[1]
        and (item.kind is NumberKind.PERCENT) == percent
        and not _WHOLE.search(text[span[0] : item.start].casefold())
    ]
    return (
        len({item.text for item in names}) > 1 and len(figures) == 1 and not ground.scene.cues_in(span, "per")
    )


def _is_coordinated(ground: Ground, bound: Bound) -> bool:
    """Tell whether the groups before the figure are joined by conjunctions alone: `in Asia and Europe`."""
    names = [item for item in bound.said if item.end <= bound.claim.start]
    text = ground.scene.text
    return len(names) > 1 and all(
        _JOINED.fullmatch(text[one.end : other.start].casefold()) for one, other in pairwise(names)
    )


def _is_beside(ground: Ground, bound: Bound) -> bool:
    """Tell whether a percentage stands in brackets behind a value, or under a header that is a percent sign."""
    if bound.claim.kind is not NumberKind.PERCENT:
        return False
    _, near = _spans(bound)
    text = ground.scene.text
    if bound.statement.cells:
        return any("%" in text[slice(*span)] for span in near[2:])
    between = text[bound.reach[0] : bound.claim.start]
    return (
        bool(ground.before(bound))
        and between.rstrip(" *_≈~").endswith(("(", "["))
        and len(between) <= _BESIDE
    )


def _is_of_change(ground: Ground, bound: Bound) -> bool:
    """Tell whether a percentage stands in brackets behind the size of a change: `an increase of 25 (4 %)`."""
    before = ground.before(bound)
    between = ground.scene.text[before[-1].end : bound.claim.start] if before else ""
    if bound.statement.cells or not (_is_beside(ground, bound) or OR.fullmatch(between)):
        return False
    start = max((item.end for item in before[:-1]), default=bound.statement.start)
    near = (start, before[-1].start)
    return before[-1].direction is not None or bool(
        ground.scene.cues_in(near, "difference", "growth", "fall")
    )


def _is_listed_share(ground: Ground, bound: Bound) -> bool:
    """Tell whether an item of a list has nothing but its name and a percentage, below words for shares."""
    scene, statement = ground.scene, bound.statement
    alone = not scene.text[bound.claim.end : statement.end].strip(" *_.)")
    led = scene.text[statement.start : bound.claim.start].rstrip(" *_").endswith(_LEADS)
    plain = bound.claim.direction is None and not ground.before(bound)
    return (
        statement.is_item and alone and led and plain and bool(scene.cues_in((0, statement.start), "share"))
    )


def _is_signed(ground: Ground, bound: Bound) -> bool:
    """Tell whether the figure is a change by its sign alone: `177,215 (-9.4%)`."""
    before = ground.scene.text[bound.reach[0] : bound.claim.start].rstrip(" *_")
    return bound.claim.text[0] in "+-−" and before.endswith(("(", "[", ",", ":", "—", "–"))


def _spans(bound: Bound) -> tuple[list[Span], list[Span]]:
    """Return the spans whose words may ask for a derivation: all of the statement, and those nearby."""
    statement = bound.statement
    if not statement.cells:
        return [(statement.start, statement.end)], [bound.reach]
    at = statement.cells.index(bound.segment) if bound.segment in statement.cells else -1
    header = [statement.headers[at]] if 0 <= at < len(statement.headers) else []
    row = [(statement.cells[0][0], statement.cells[0][1]), bound.segment, *header]
    return row, row
