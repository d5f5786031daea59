"""Shares of two figures that the text itself gives: `504 of 5,000 (10 %)`, `6,301 are 26 % of the 24,087`."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.operand import Operand

_OF: Final = re.compile(
    r"[\s*_]*(?:[^\W\d]+\s+){0,2}(?:out\s+)?(?:of|із|з|зі|из|від|от)\s+(?:the\s+|all\s+|усіх\s+|всех\s+|total\s+)?[*_$€£₴≈~]*"
)
"""Leads from a part to its whole, past a noun or two: `504 orders of the`."""
_PAIR: Final = 2
_HUNDRED: Final = 100
_SHARES: Final = frozenset({NumberKind.PERCENT, NumberKind.RATIO})


def find_portion(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for a share as one figure of the sentence over another; both have evidence, and stand beside it."""
    if bound.claim.kind not in _SHARES or bound.claim.direction is not None or bound.statement.cells:
        return None
    near = sorted(
        (
            (other, operand)
            for other, operand in proven
            if other.statement.start == bound.statement.start and other.claim.kind not in _SHARES
        ),
        key=lambda pair: pair[0].claim.start,
    )
    for other, operand in proven:
        # `Roughly a quarter (26.2 %)` says one thing twice.
        is_same = other.claim.kind is NumberKind.PERCENT and other.claim.direction is None
        same = Actual(value=other.claim.value / _HUNDRED, nature=Nature.FRACTION)
        if (
            bound.claim.kind is NumberKind.RATIO
            and other.statement.start == bound.statement.start
            and is_same
            and agrees(bound.claim, same, ground.tolerance)
        ):
            return Proof(evidence=operand.place, status="derived", traces=operand.traces)
    for part, whole in _pairs(ground, bound, near):
        share = Actual(value=part.value / whole.value, nature=Nature.FRACTION)
        if agrees(bound.claim, share, ground.tolerance):
            return Proof(
                evidence=f"share of {part.place} and {whole.place}",
                status="derived",
                traces=(*part.traces, *whole.traces),
            )
    return None


def _pairs(
    ground: Ground, bound: Bound, near: Sequence[tuple[Bound, Operand]]
) -> Iterator[tuple[Operand, Operand]]:
    """Yield (part, whole): both before the share, both behind it, or one on each side."""
    text, claim = ground.scene.text.casefold(), bound.claim
    before = [pair for pair in near if pair[0].claim.end <= claim.start]
    after = [pair for pair in near if pair[0].claim.start >= claim.end]
    for part, whole in (pair for pair in (before[-2:], after[:2]) if len(pair) == _PAIR):
        if _OF.fullmatch(text, part[0].claim.end, whole[0].claim.start) and whole[1].value:
            yield part[1], whole[1]
    if before and after and after[0][1].value and _OF.fullmatch(text, claim.end, after[0][0].claim.start):
        yield before[-1][1], after[0][1]
