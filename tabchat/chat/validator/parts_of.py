"""Parts of a whole in other words: `the remaining 37 %`, `one in 17`."""

from __future__ import annotations

import re
from decimal import Decimal
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import Actual, agrees, decimal_of
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.operand import is_additive
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.answer import Claim
    from tabchat.chat.claims import WrittenNumber
    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Scene
    from tabchat.chat.validator.operand import Operand
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_HUNDRED: Final = Decimal(100)
_HALF: Final = Decimal("0.5")
_ONE_IN: Final = re.compile(
    r"(?:\b(?:one|1)\s+(?:in|out of)(?:\s+every)?|\b(?:одне|один|одна|одно|1)\s+(?:із|з|зі|на|из)(?:\s+кожних|\s+каждых)?"
    r"|\b(?:every|each|кожн\w+|кажд\w+))\s*(?:about|roughly|приблизно|примерно)?\s*$"
)
_BEFORE: Final = 32
_PART_OF: Final = re.compile(r"[\s*_]+(?:out\s+)?(?:of|із|з|из)\s+(?:the\s+|all\s+)?[*_]*")
_COUNTS: Final = frozenset({NumberKind.NUMBER, NumberKind.COUNT})


def find_part(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Look for the figure as what is left of a hundred per cent, or as how many there is one in."""
    rest = _rest_of_rows(ground, bound)
    if rest is not None:
        return rest
    if bound.claim.kind is NumberKind.PERCENT:
        return _rest(ground, bound, proven)
    before = ground.scene.text[max(bound.statement.start, bound.claim.start - _BEFORE) : bound.claim.start]
    if _ONE_IN.search(before.casefold()):
        return next(_one_in(ground, bound), None)
    return None


def false_parts(scene: Scene, bounds: Sequence[Bound]) -> Iterator[WrittenNumber]:
    """Yield each whole that is less than its part: `414 of 405`."""
    for one, other in pairwise(bounds):
        between = scene.text[one.claim.end : other.claim.start]
        counted = one.claim.kind in _COUNTS and other.claim.kind in _COUNTS
        if counted and one.claim.value > other.claim.value and _PART_OF.fullmatch(between.casefold()):
            yield other.claim


def repeated_parts(
    scene: Scene, bounds: Sequence[Bound], views: Sequence[View], told: Sequence[Claim]
) -> Iterator[WrittenNumber]:
    """Yield each part that only the cell of its whole bears out: `481 of 481` where 470 of them passed."""
    cells = {claim.start: claim.traces[0] for claim in told if len(claim.traces) == 1}
    keys = {view.block.data_key: view for view in views if not view.is_turned}
    for one, other in pairwise(bounds):
        first, second = cells.get(one.claim.start), cells.get(other.claim.start)
        between = scene.text[one.claim.end : other.claim.start].casefold()
        if (
            first is None
            or first.column is None
            or first != second
            or not first.row
            or not _PART_OF.fullmatch(between)
        ):
            continue
        view = keys.get(first.data_key)
        wanted = {name: frozenset({value}) for name, value in first.row.items()}
        row = view.select(wanted).first() if view is not None and set(wanted) <= set(view.keys) else None
        same = [name for name in view.numeric if row[name] == row.get(first.column)] if view and row else []
        if len(same) == 1:
            yield one.claim


def _rest(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Proof | None:
    """Accept what the percentages given before leave, where a word for the rest stands beside it."""
    if not ground.scene.cues_in((bound.reach[0], bound.claim.end), "rest"):
        return None
    near = [
        (other, operand)
        for other, operand in proven
        if other.statement.paragraph == bound.statement.paragraph
        and other.claim.kind is NumberKind.PERCENT
        and other.claim.direction is None
        and other.claim.start < bound.claim.start
    ]
    for taken in (near[-1:], near):
        left = _HUNDRED - sum((other.claim.value for other, _ in taken), Decimal(0))
        if taken and left >= 0 and agrees(bound.claim, Actual(value=left, nature=Nature.PERCENT)):
            places = " and ".join(operand.place for _, operand in taken)
            return Proof(evidence=f"rest of {places}", status="derived")
    return None


def _rest_of_rows(ground: Ground, bound: Bound) -> Proof | None:
    """Accept what all the groups have together that the text has not named before."""
    cues = ground.scene.cues_in((bound.reach[0], bound.claim.start), "rest") or ground.scene.cues_in(
        (bound.statement.start, bound.claim.start), "rest"
    )
    if not cues or bound.statement.cells:
        return None
    sizes = [item.value for item in ground.counts if cues[-1].end <= item.start < bound.claim.start]
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single or view.held is None or view.query.limit is not None or len(view.keys) != 1:
            continue
        key = view.keys[0]
        rest = view.select({key: view.labels(key) - _named(ground, bound, at, key)})
        if rest.count in {0, view.row_count} or any(
            size != rest.count for size in sizes if size < view.row_count
        ):
            continue
        for column in columns_for(bound, at, view):
            added, total = rest.stats(column).sum, view.whole().stats(column).sum
            if not is_additive(view, column) or added is None or not total:
                continue
            told = (Actual(value=added), Actual(value=added / total, nature=Nature.FRACTION))
            if ground.agree(bound, told[bound.claim.kind is NumberKind.PERCENT]):
                return Proof(evidence=f"rest of {view.key}.{column}", status="derived")
    return None


def _named(ground: Ground, bound: Bound, at: int, key: str) -> frozenset[Value]:
    """Return the groups that stand before the figure: in its statement, else anywhere above."""
    before = [item for item in ground.scene.mentions if item.end <= bound.claim.start]
    near = [item for item in before if item.start >= bound.statement.start]
    wanted = (
        named.wanted
        for item in near or before
        for named in item.named
        if named.view == at and named.column == key
    )
    return frozenset(value for values in wanted if isinstance(values, frozenset) for value in values)


def _one_in(ground: Ground, bound: Bound) -> Iterator[Proof]:
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single:
            cells = list(view.values().items())
        else:
            rows = view.select(wanted_rows(at, next(bound.readings(), ()))).rows()
            cells = [(name, rows[0][name]) for name in columns_for(bound, at, view)] if len(rows) == 1 else []
        for name, value in cells:
            number, actual = decimal_of(value), view.actual(name, value)
            if not number or actual is None or actual.nature not in {Nature.PERCENT, Nature.FRACTION}:
                continue
            share = number / _HUNDRED if actual.nature is Nature.PERCENT else number
            if abs(1 / share - bound.claim.value) <= _HALF:
                yield Proof(evidence=f"one in so many of {view.key}.{name}", status="derived")
