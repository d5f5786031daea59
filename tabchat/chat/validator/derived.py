"""Figures that follow from others: differences, ratios, percent changes, shares and sums of what is named.

The words must ask for the derivation, and its operands are bound: the group that the figure is said of and
those that the sentence (else its neighbours) compares it with, the ends of a series, or the figures of a
result that has only a few.
"""

from __future__ import annotations

from decimal import Decimal
from itertools import permutations
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.derivations_asked import asked_of
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.operands import operand_sets
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.quotients import find_quotient
from tabchat.chat.validator.units import unit_behind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.operand import Operand, Operands

_HUNDRED: Final = 100
_SHARES: Final = frozenset({Nature.PERCENT, Nature.FRACTION})

Derivation: TypeAlias = "tuple[str, Actual, tuple[Operand, ...]]"


def find_derived(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for the figure as a derivation that its words ask for."""
    asked = asked_of(ground, bound)
    found = find_quotient(ground, bound)
    if found is not None:
        return found
    unit = unit_behind(ground.scene.text, bound.claim.end)
    for operands in operand_sets(ground, bound, proven) if asked else ():
        for name, actual, used in _derivations(asked, operands):
            if agrees(bound.claim, actual, ground.tolerance, unit=unit):
                return Proof(
                    evidence=f"{name} of {' and '.join(item.place for item in used)}",
                    status="derived",
                    traces=tuple(trace for item in used for trace in item.traces),
                )
    return None


def _derivations(asked: frozenset[str], operands: Operands) -> Iterator[Derivation]:
    members, total = operands.members, operands.total
    if operands.joined:
        if "together" in asked:
            yield from _joined(asked, members, total)
        return
    pairs = [(members[0], members[1])] if operands.ordered else list(permutations(members, 2))
    for subject, base in pairs:
        if subject.unit == base.unit:
            yield from _of_pair(asked, subject, base)
    if "share" in asked and total is not None and total.value:
        for item in members:
            if item.unit == total.unit:
                yield "share", Actual(value=item.value / total.value, nature=Nature.FRACTION), (item, total)


def _joined(asked: frozenset[str], members: Sequence[Operand], total: Operand | None) -> Iterator[Derivation]:
    if len({item.unit for item in members}) > 1:
        return
    added = sum((item.value for item in members), Decimal(0))
    if "sum" in asked:
        first = members[0]
        yield (
            "sum",
            Actual(value=added, nature=first.nature, scale=first.scale, measure=first.measure),
            tuple(members),
        )
    if "share" in asked and total is not None and total.value and total.unit == members[0].unit:
        yield "share", Actual(value=added / total.value, nature=Nature.FRACTION), (*members, total)


def _of_pair(asked: frozenset[str], subject: Operand, base: Operand) -> Iterator[Derivation]:
    used = (subject, base)
    gap = subject.value - base.value
    if "difference" in asked:
        nature = Nature.POINTS if subject.nature in _SHARES else Nature.PLAIN
        yield (
            "difference",
            Actual(value=gap, nature=nature, is_change=True, scale=subject.scale, measure=subject.measure),
            used,
        )
        if subject.nature is Nature.FRACTION:
            yield "difference", Actual(value=gap * _HUNDRED, nature=nature, is_change=True), used
    if base.value and "percent change" in asked:
        change = _HUNDRED * gap / abs(base.value)
        yield "percent change", Actual(value=change, nature=Nature.PERCENT, is_change=True), used
    if base.value and "part" in asked:
        yield "share", Actual(value=subject.value / base.value, nature=Nature.FRACTION), used
    if base.value and "ratio" in asked:
        yield "ratio", Actual(value=subject.value / base.value, nature=Nature.LOOSE), used
    if subject.value and "inverse ratio" in asked:
        yield "ratio", Actual(value=base.value / subject.value, nature=Nature.LOOSE), (base, subject)
