"""Figures that a text lists in the order of a result: every value of a column, or every change along it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.ground import columns_for
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View

_HUNDRED: Final = 100
_MOST: Final = 60
_PAIR: Final = 2
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY})


def find_in_run(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Accept a figure of a list that gives every row of a column in order, or the changes from row to row."""
    if bound.own or bound.statement.cells:
        return None
    listed = [
        other.claim
        for other in bounds
        if other.statement is bound.statement and other.claim.kind is bound.claim.kind and not other.own
    ]
    if len(listed) < _PAIR:
        return None
    for view in (ground.views[at] for at in ground.asked()):
        if view.is_single or not _PAIR <= view.row_count <= _MOST:
            continue
        for column in columns_for(bound, ground.views.index(view), view):
            place = _place(ground, bound, listed, view, column)
            if place is not None:
                return Proof(evidence=f"{place} of {view.key}.{column}", status="derived")
    return None


def _place(
    ground: Ground, bound: Bound, listed: Sequence[WrittenNumber], view: View, column: str
) -> str | None:
    numbers = [decimal_of(row[column]) for row in view.whole().rows()]
    values = [number for number in numbers if number is not None]
    if bound.claim.kind in _LEVELS and len(values) == len(listed) > _PAIR:
        told = [Actual(value=value) for value in values]
        return "every value" if _all_say(listed, told) else None
    span = (bound.statement.start, bound.statement.end)
    grows = ground.scene.cues_in(span, "growth", "fall") or ground.scene.speaks_of(span, "change")
    if bound.claim.kind is NumberKind.PERCENT and grows:
        changes = list(_changes(values))
        starts = range(len(changes) - len(listed) + 1)
        if any(_all_say(listed, changes[start : start + len(listed)]) for start in starts):
            return "changes from row to row"
    return None


def _changes(values: Sequence[Decimal]) -> Iterator[Actual]:
    for before, after in itertools.pairwise(values):
        if before:
            yield Actual(value=_HUNDRED * (after - before) / abs(before), nature=Nature.PERCENT)


def _all_say(listed: Sequence[WrittenNumber], told: Sequence[Actual]) -> bool:
    return all(agrees(number, actual) for number, actual in zip(listed, told, strict=True))
