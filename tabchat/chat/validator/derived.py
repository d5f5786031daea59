"""Figures that follow from others: differences, ratios, percent changes, shares and sums of what is named.

The words must ask for the derivation, and its operands are bound: the groups that the sentence (else its
neighbours) names, the ends of a series, or the figures of a result that has only a few.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.operands import Operand, operand_sets
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.binding import Bound
    from tabchat.chat.validator.figures import Ground

_HUNDRED: Final = 100
_SHARES: Final = frozenset({Nature.PERCENT, Nature.FRACTION})


def find_derived(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for the figure as a derivation that its words ask for."""
    asked = _asked(ground, bound)
    if not asked:
        return None
    for operands in operand_sets(ground, bound, proven, asked):
        for name, actual, used in _derivations(
            asked, operands.members, operands.total, ordered=operands.ordered
        ):
            if _agrees(ground, bound, actual):
                return Proof(
                    evidence=f"{name} of {' and '.join(item.place for item in used)}",
                    status="derived",
                    traces=tuple(trace for item in used for trace in item.traces),
                )
    return None


def _asked(ground: Ground, bound: Bound) -> frozenset[str]:
    """Return which derivations the words around the figure call for."""
    scene = ground.scene
    span = (bound.statement.start, bound.statement.end)
    own = bound.segment if bound.statement.cells else span
    kind = bound.claim.kind
    asked: set[str] = set()
    near = own if bound.statement.cells else bound.reach
    comparing = bool(scene.cues_in(near, "difference")) or bound.claim.direction is not None
    changing = any(item.name in {"change", "range"} for item in scene.roles_in(near))
    if kind is NumberKind.PERCENT:
        if comparing or changing:
            asked.add("percent change")
        asked.add("share") if scene.cues_in(own, "share", "whole", "together") else None
    elif kind is NumberKind.RATIO or scene.cues_in(own, "times"):
        asked.add("ratio")
    if kind is NumberKind.POINTS or (kind is not NumberKind.PERCENT and (comparing or changing)):
        asked.add("difference")
    if (kind is NumberKind.RATIO or abs(bound.claim.value) < 1) and scene.cues_in(own, "share"):
        asked.add("share")
    if kind is not NumberKind.PERCENT and (scene.cues_in(own, "together") or "sum" in bound.roles):
        asked.add("sum")
    return frozenset(asked)


def _agrees(ground: Ground, bound: Bound, actual: Actual) -> bool:
    return agrees(bound.claim, actual, ground.tolerance)


def _derivations(
    asked: frozenset[str], members: Sequence[Operand], total: Operand | None, *, ordered: bool
) -> Iterator[tuple[str, Actual, tuple[Operand, ...]]]:
    pairs = [(members[0], members[1])] if ordered and len(members) > 1 else list(permutations(members, 2))
    for subject, base in pairs:
        if subject.unit != base.unit:
            continue
        yield from _of_pair(asked, subject, base)
    if "sum" in asked and len(members) > 1 and len({item.unit for item in members}) == 1:
        added = sum((item.value for item in members), Decimal(0))
        yield "sum", Actual(value=added, nature=members[0].nature), tuple(members)
    if "share" in asked and total is not None and total.value:
        yield from _shares(members, total)


def _of_pair(
    asked: frozenset[str], subject: Operand, base: Operand
) -> Iterator[tuple[str, Actual, tuple[Operand, ...]]]:
    used = (subject, base)
    gap = subject.value - base.value
    if "difference" in asked:
        nature = Nature.POINTS if subject.nature in _SHARES else Nature.PLAIN
        size = gap * _HUNDRED if subject.nature is Nature.FRACTION else gap
        yield "difference", Actual(value=size, nature=nature, is_change=True), used
        if subject.nature is Nature.FRACTION:
            yield "difference", Actual(value=gap, nature=Nature.PLAIN, is_change=True), used
    if base.value:
        if "percent change" in asked:
            change = _HUNDRED * gap / abs(base.value)
            yield "percent change", Actual(value=change, nature=Nature.PERCENT, is_change=True), used
        if "ratio" in asked:
            yield "ratio", Actual(value=subject.value / base.value, nature=Nature.LOOSE), used


def _shares(members: Sequence[Operand], total: Operand) -> Iterator[tuple[str, Actual, tuple[Operand, ...]]]:
    members = [item for item in members if item.unit == total.unit]
    for item in members:
        part = item.value / total.value
        yield "share", Actual(value=part, nature=Nature.FRACTION), (item, total)
    if len(members) > 1:
        added = sum((item.value for item in members), Decimal(0)) / total.value
        yield "share", Actual(value=added, nature=Nature.FRACTION), (*members, total)
