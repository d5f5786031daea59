"""What is said of every group at once: `no region exceeds 600,000`, `all three days fell more than 5 %`."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.ground import columns_for
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.whole import spoken_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.selection import Selection
    from tabchat.chat.validator.views import View

_AHEAD: Final = 4
_BESIDE: Final = 24
_HUNDRED: Final = 100
_PERCENTS: Final = frozenset({Nature.PERCENT, Nature.FRACTION, Nature.LOOSE})


def quantifier(ground: Ground, bound: Bound) -> str | None:
    """Return `every` or `none` for a threshold that is said of all groups, none for any other figure."""
    scene, claim = ground.scene, bound.claim
    if claim.bound is None or bound.statement.cells or claim.kind is NumberKind.ORDINAL:
        return None
    span = (bound.reach[0], claim.start)
    cues = scene.cues_in(span, "every", "none")
    if not cues or scene.mentions_in(span) or scene.cues_in(bound.segment, "together", "share"):
        return None
    cue = cues[-1]
    behind = range(cue.word + cue.length, min(cue.word + cue.length + _AHEAD, len(scene.words)))
    keys = [view.key_words(scene.words) for view in ground.views]
    if not any(at in named for named in keys for at in behind):
        return None
    # `Жоден не перевищує` denies twice: all lie at the threshold or below.
    denied = scene.text[cue.end : claim.start].casefold().split()
    return "every" if cue.name == "none" and "не" in denied and claim.bound == "under" else cue.name


def find_universal(ground: Ground, bound: Bound) -> Proof | None:
    """Accept the threshold when all groups lie beyond it, or none of them."""
    none = quantifier(ground, bound) == "none"
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single or not view.row_count:
            continue
        for column in _likely(view, columns_for(bound, at, view), bound.claim):
            rows = spoken_of(ground, bound, at)
            beyond = _beyond(ground, bound, view, rows, column)
            if beyond is not None and beyond == (0 if none else rows.count):
                place = f"{'none' if none else 'all'} of {view.key}.{column}"
                return Proof(evidence=f"{place} {bound.claim.text}", status="derived")
    return None


def _beyond(ground: Ground, bound: Bound, view: View, rows: Selection, column: str) -> int | None:
    """Return how many rows lie beyond the threshold, or reach it; none for a column of another sort."""
    claim = bound.claim
    near = (max(bound.statement.start, claim.start - _BESIDE), min(claim.end + _BESIDE, bound.statement.end))
    reaches = bool(ground.scene.cues_in(near, "inclusive"))
    quality = view.qualities[column]
    if (claim.kind is NumberKind.PERCENT) != (quality.nature in _PERCENTS):
        return None
    limit = claim.readings[0][0]
    if quality.nature is Nature.FRACTION:
        limit = limit / Decimal(_HUNDRED)
    above = claim.bound == "over"
    if claim.direction == "down" and quality.is_change:
        limit, above = -limit, not above
    if reaches:
        return rows.stats(column).count - rows.beyond(column, limit, above=not above)
    return rows.beyond(column, limit, above=above)


def _likely(view: View, columns: Sequence[str], claim: WrittenNumber) -> Sequence[str]:
    """Return the column whose numbers are of the threshold's size, when the words name none."""
    limit = float(claim.readings[0][0])
    sizes = {name: float(value) for name in columns if (value := view.whole().stats(name).max)}
    if len(columns) == 1 or limit <= 0 or claim.kind is NumberKind.PERCENT or not sizes:
        return columns
    return [min(sizes, key=lambda name: abs(math.log(max(abs(sizes[name]), 1e-9) / limit)))]
