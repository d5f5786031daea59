"""How many rows a percentage stands for: 7.36 % of 435 tests are 32 failures, 23 % of all 139."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof
from tabchat.chat.validator.words import words_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_HUNDRED: Final = Decimal(100)
_NEAR: Final = Decimal("0.001")
"""How far a product may be from a whole number: percentages are kept in double precision."""
_STEM: Final = 4
_KINDS: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT, NumberKind.PERCENT})


def find_counted_part(ground: Ground, bound: Bound) -> Proof | None:
    """Look for the figure as the rows that a percentage column counts, where the words name what it is one of."""
    if bound.claim.kind not in _KINDS or bound.claim.direction is not None:
        return None
    for at in ground.asked():
        view = ground.views[at]
        for percent, count in _columns(ground, bound, view):
            parts = [_part(row, percent, count) for row in view.whole().rows()]
            whole = [part for part in parts if part is not None]
            total = sum(whole, Decimal(0))
            if len(whole) != len(parts) or not total:
                continue
            for place, actual in _told(ground, bound, at, (percent, count), total):
                if agrees(bound.claim, actual, ground.tolerance):
                    return Proof(evidence=f"{place} {view.key}.{percent} of {count}", status="derived")
    return None


def _told(
    ground: Ground, bound: Bound, at: int, columns: tuple[str, str], total: Decimal
) -> Iterator[tuple[str, Actual]]:
    """Yield (place, value): of the group that is named, of all groups, and the share of the group in them."""
    view = ground.views[at]
    is_share = bound.claim.kind is NumberKind.PERCENT
    for mentions in (*bound.readings(), *((item,) for item in (*bound.said, *bound.around))):
        rows = view.select(wanted_rows(at, mentions)).rows() if mentions else []
        part = _part(rows[0], *columns) if len(rows) == 1 else None
        if part is not None:
            share = Actual(value=part / total, nature=Nature.FRACTION)
            yield "part", share if is_share else Actual(value=part)
    if not is_share and view.query.limit is None and (bound.may_be_whole or bound.is_whole):
        yield "all parts of", Actual(value=total)


def _columns(ground: Ground, bound: Bound, view: View) -> Iterator[tuple[str, str]]:
    """Yield (percentage, count) of a small frame, where a word near the figure names what is counted."""
    if view.is_single or view.held is None:
        return
    counts = [name for name in view.numeric if view.qualities[name].role == "count"]
    said = words_of(ground.scene.text[bound.statement.start : bound.statement.end])
    for percent in view.numeric:
        quality = view.qualities[percent]
        stems = {word[:_STEM] for word in quality.tokens if len(word) >= _STEM}
        named = any(word.text[:_STEM] in stems for word in said)
        if quality.nature is Nature.PERCENT and len(counts) == 1 and named:
            yield percent, counts[0]


def _part(row: Mapping[str, Value], percent: str, count: str) -> Decimal | None:
    share, size = decimal_of(row[percent]), decimal_of(row[count])
    if share is None or size is None:
        return None
    part = share * size / _HUNDRED
    whole = part.to_integral_value()
    return whole if abs(part - whole) <= _NEAR else None
