"""Figures that a text lists in the order of a result: every value of a column, or every change along it."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from decimal import Decimal

    from tabchat.chat.claims import Span, WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.selection import Selection

_HUNDRED: Final = 100
_MOST: Final = 60
_PAIR: Final = 2
_LEVELS: Final = frozenset({NumberKind.NUMBER, NumberKind.MONEY})


def find_in_run(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Accept a figure of a list that gives every row of a column in order, or the changes from row to row."""
    if bound.statement.cells:
        return None
    clause = _clause(ground.scene.text, bound)
    near = [item for item in bounds if clause[0] <= item.claim.start < clause[1]]
    for beside in (bounds, near):
        for names in dict.fromkeys((bound.own or bound.inherited, bound.own, bound.when)):
            proof = _in_rows(ground, bound, beside, names)
            if proof is not None:
                return proof
    return None


def _clause(text: str, bound: Bound) -> Span:
    """Return the place between the commas around the figure."""
    start, end = bound.statement.start, bound.statement.end
    low = text.rfind(", ", start, bound.claim.start)
    high = text.find(", ", bound.claim.end, end)
    return (max(low, start), high if high >= 0 else end)


def _in_rows(ground: Ground, bound: Bound, bounds: Sequence[Bound], named: Sequence[Mention]) -> Proof | None:
    """Look among the rows that `named` name, all of them when nothing is named."""
    own = {item.text for item in bound.own}
    listed = [
        other.claim
        for other in bounds
        if other.statement is bound.statement
        and other.claim.kind is bound.claim.kind
        and {item.text for item in other.own} == own
    ]
    if len(listed) < _PAIR:
        return None
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single or any(at not in item.views() for item in named):
            continue
        rows = view.select(wanted_rows(at, named))
        if not _PAIR <= rows.count <= _MOST:
            continue
        for column in columns_for(bound, at, view):
            place = _place(ground, bound, listed, rows, column)
            if place is not None:
                return Proof(evidence=f"{place} of {view.key}.{column}", status="derived")
    return None


def _place(
    ground: Ground, bound: Bound, listed: Sequence[WrittenNumber], selection: Selection, column: str
) -> str | None:
    numbers = [decimal_of(row[column]) for row in selection.rows()]
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
