"""How much the first few groups make, where the text says only how many they are: `three regions make 81.5 %`."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, decimal_of
from tabchat.chat.validator.ground import columns_for
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.operand import is_additive
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.words import word_from

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View

_BEHIND: Final = 2
_COUNTS: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT})


def find_leaders(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Accept a number of groups and the share that the largest so many have, when they agree."""
    statement = bound.statement
    if bound.said or not ground.scene.cues_in((statement.start, statement.end), "share", "together"):
        return None
    beside = [item for item in bounds if item.statement is statement]
    numbers = [item for item in beside if item.claim.kind in _COUNTS]
    shares = [item for item in beside if item.claim.kind is NumberKind.PERCENT]
    if len(numbers) != 1 or len(shares) != 1 or bound not in (*numbers, *shares):
        return None
    for at in ground.asked():
        view = ground.views[at]
        if not view.is_single and view.query.limit is None and _counts_groups(ground, numbers[0], view):
            for column in columns_for(shares[0], at, view):
                if is_additive(view, column) and _make(ground, numbers[0], shares[0], view, column):
                    return Proof(evidence=f"share of the first of {view.key}.{column}", status="derived")
    return None


def _counts_groups(ground: Ground, number: Bound, view: View) -> bool:
    words = ground.scene.words
    first = word_from(words, number.claim.end)
    keys = view.key_words(words)
    return 1 < number.claim.value <= view.row_count and any(
        at in keys for at in range(first, first + _BEHIND)
    )


def _make(ground: Ground, number: Bound, share: Bound, view: View, column: str) -> bool:
    rows = view.whole().top(column, int(number.claim.value), desc=True)
    total = view.whole().stats(column).sum
    added = sum((decimal_of(row[column]) or Decimal(0) for row in rows), Decimal(0))
    return bool(total) and ground.agree(share, Actual(value=added / (total or 1), nature=Nature.FRACTION))
