"""How many groups lie beyond a threshold that the text itself states: `three regions exceed 200,000`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.words import fold, word_from

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.selection import Selection

_BEFORE: Final = 30
_LED: Final = 6
_BEHIND: Final = 4
_HALF: Final = Decimal("0.5")
_WHOLE: Final = frozenset({NumberKind.COUNT, NumberKind.NUMBER})
_COUNTING: Final = frozenset({NumberKind.COUNT, NumberKind.NUMBER, NumberKind.RATIO, NumberKind.PERCENT})


def find_beyond(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Look for the figure as such a number of groups, or as the threshold of one that is right."""
    beside = [item for item in bounds if item.statement is bound.statement and item is not bound]
    for other in beside:
        for threshold, number in ((other, bound), (bound, other)):
            above = _side(ground, threshold.claim)
            if (
                above is None
                or number.claim.kind not in _COUNTING
                or (number.claim.start > threshold.claim.start and not _counts_groups(ground, number.claim))
            ):
                continue
            place = next(_beyond(ground, threshold, number.claim, above=above), None)
            if place is not None:
                return Proof(evidence=place, status="derived")
    return _of_listed(ground, bound)


def find_signed(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the figure as the number of groups that rose, or fell: `three of the five weekdays lose`."""
    span = (bound.statement.start, bound.statement.end)
    up = ground.scene.cues_in(span, "more", "growth", "gains")
    down = ground.scene.cues_in(span, "less", "fall", "loses")
    if bound.claim.kind not in _WHOLE or bool(up) == bool(down):
        return None
    for view in (ground.views[at] for at in ground.asked()):
        for column in () if view.is_single else view.numeric:
            if view.qualities[column].is_change and bound.claim.value == view.whole().beyond(
                column, Decimal(0), above=bool(up)
            ):
                return Proof(
                    evidence=f"number of rows of {view.key} by the sign of {column}", status="derived"
                )
    return None


def find_median_half(ground: Ground, bound: Bound) -> Proof | None:
    """Accept that half lies below or above a median: that is what a median is."""
    span = (bound.statement.start, bound.statement.end)
    is_half = bound.claim.kind is NumberKind.RATIO and bound.claim.value == _HALF
    sides = ground.scene.cues_in(span, "more", "less")
    return (
        Proof(evidence="what a median is", status="derived")
        if is_half and sides and ground.scene.speaks_of(span, "median")
        else None
    )


def _counts_groups(ground: Ground, number: WrittenNumber) -> bool:
    """Tell whether a noun for the groups stands behind a number: `five of the ten years`."""
    words = ground.scene.words
    first = word_from(words, number.end)
    behind = range(first, first + _BEHIND)
    return any(at in view.key_words(words) for view in ground.views for at in behind)


def _of_listed(ground: Ground, bound: Bound) -> Proof | None:
    """Accept a threshold when the statement names exactly the groups beyond it."""
    above = _side(ground, bound.claim)
    names = {fold(item.text) for item in bound.said}
    span = (bound.statement.start, bound.statement.end)
    only = ground.scene.cues_in(span, "only")
    spared = bool(ground.scene.cues_in(span, "every") and ground.scene.cues_in(span, "rest"))
    if above is None or not names or (len(names) == 1 and not only and not spared):
        return None
    for at in ground.asked():
        view = ground.views[at]
        rows = [view.select(wanted_rows(at, (item,))) for item in bound.said if at in item.views()]
        if view.is_single or len({row.filters for row in rows}) != len(names):
            continue
        for column in columns_for(bound, at, view):
            for limit, _ in bound.claim.readings[:1]:
                inside = all(
                    row.count == 1
                    and bool(_count(ground, row, bound, (column, limit), above=above)) != spared
                    for row in rows
                )
                wanted = view.row_count - len(names) if spared else len(names)
                if inside and _count(ground, view.whole(), bound, (column, limit), above=above) == wanted:
                    sign = ">" if above else "<"
                    return Proof(
                        evidence=f"rows of {view.key} with {column} {sign} {limit}", status="derived"
                    )
    return None


def _side(ground: Ground, claim: WrittenNumber) -> bool | None:
    """Return True for a threshold that values lie above, False for below, None for no threshold."""
    if claim.kind in {NumberKind.ORDINAL, NumberKind.RATIO, NumberKind.YEAR} or claim.direction is not None:
        return None
    if claim.bound is not None:
        return claim.bound == "over"
    # `Exceeds Europe's 543,120` gives a value of Europe, not a threshold.
    names = [item.end for item in ground.scene.mentions if item.end <= claim.start]
    names += [item.end for item in ground.counts if item.end <= claim.start]
    near = (max(0, claim.start - _BEFORE, *names), claim.start)
    if ground.scene.cues_in((max(near[0], claim.start - _LED), claim.start), "from", "to"):
        return None
    found = sorted(ground.scene.cues_in(near, "more", "less"), key=lambda cue: cue.end)
    return found[-1].name == "more" if found else None


def _beyond(ground: Ground, threshold: Bound, number: WrittenNumber, *, above: bool) -> Iterator[str]:
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single:
            continue
        for column in columns_for(threshold, at, view):
            for limit, _ in threshold.claim.readings[:1]:
                count = _count(ground, view.whole(), threshold, (column, limit), above=above)
                if _says(number, count, view.row_count):
                    yield f"number of rows of {view.key} with {column} {'>' if above else '<'} {limit}"


def _count(
    ground: Ground, rows: Selection, threshold: Bound, limit: tuple[str, Decimal], *, above: bool
) -> int:
    """Return how many rows lie beyond a threshold; `at least 19` counts those that reach it."""
    column, value = limit
    near = (max(threshold.statement.start, threshold.claim.start - _BEFORE), threshold.claim.end + _BEFORE)
    if not ground.scene.cues_in(near, "inclusive"):
        return rows.beyond(column, value, above=above)
    return rows.stats(column).count - rows.beyond(column, value, above=not above)


def _says(number: WrittenNumber, count: int, rows: int) -> bool:
    if number.kind in {NumberKind.RATIO, NumberKind.PERCENT}:
        return rows > 0 and agrees(number, Actual(value=Decimal(count) / rows, nature=Nature.FRACTION))
    return number.value == count
