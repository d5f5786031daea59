"""What a derivation may be made of: the named cells of one column, what they are compared with, single values."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.comparands import against_known
from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.journeys import of_journey, of_row_ends, of_totals
from tabchat.chat.validator.operand import (
    Operand,
    Operands,
    is_additive,
    selected,
    statistic,
    total_of,
)
from tabchat.chat.validator.other_sides import (
    against_meant,
    against_pointed,
    against_rival,
    columns_of_figure,
    identity,
    rows_named,
    within_other_keys,
)
from tabchat.chat.validator.series import of_ends, of_places, of_top
from tabchat.chat.validator.singles import is_pointed, of_singles

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention

_MOST_PAIRS: Final = 8
_PAIR: Final = 2
_NEAR: Final = 8
_FAR: Final = 16
_NOWHERE: Final = (0, 0)


def operand_sets(ground: Ground, bound: Bound, proven: Sequence[tuple[Bound, Operand]]) -> Iterator[Operands]:
    """Yield the sets of operands that the text names, the best bound first."""
    for at in ground.asked():
        view = ground.views[at]
        if view.is_single:
            continue
        known = [mention for mention in bound.said if at in mention.views()]
        if known or bound.context:
            clause = _in_clause(ground, bound, known)
            if clause and len(clause) < len(known):
                yield from _of_groups(ground, bound, at, clause)
            yield from _of_groups(ground, bound, at, known)
        else:
            yield from of_ends(ground, bound, at)
            yield from _of_groups(ground, bound, at, [item for item in bound.around if at in item.views()])
        if bound.these:
            yield from _of_groups(ground, replace(bound, reach=_NOWHERE), at, bound.these)
        yield from against_rival(ground, bound, at)
        yield from of_top(ground, bound, at)
        yield from of_places(ground, bound, at)
        yield from of_journey(ground, bound, at)
        yield from of_totals(ground, bound, at)
        yield from of_row_ends(ground, bound, at)
        yield from within_other_keys(ground, bound, at)
    yield from of_singles(ground, bound)
    yield from _of_proven(bound, [operand for other, operand in proven if _is_near(bound, other)])


def _in_clause(ground: Ground, bound: Bound, known: Sequence[Mention]) -> list[Mention]:
    """Return the names of the figure's own clause: `Asia grew by 71 % from 2022 to 2024, while Europe lost 9 %`."""
    span = (bound.statement.start, bound.statement.end)
    cuts = [item.start for item in ground.scene.cues_in(span, "contrast")]
    low = max((cut for cut in cuts if cut < bound.claim.start), default=span[0])
    high = min((cut for cut in cuts if cut > bound.claim.start), default=span[1])
    return [item for item in known if low <= item.start < high]


def _of_groups(ground: Ground, bound: Bound, at: int, mentions: Sequence[Mention]) -> Iterator[Operands]:
    """Yield the group of the figure alone, against the others that the statement names, and all together."""
    subject = next((mentions for mentions in bound.readings() if mentions), ())
    focus = [item for item in subject if at in item.views()]
    shared, varied = _split(at, [*mentions, *(item for item in focus if item not in mentions)])
    main = next((item for item in focus if item in varied), None)
    near = [
        item for item in bound.around if at in item.views() and _dimension(at, item) & _dimension(at, *varied)
    ]
    whole = ground.views[at].select(wanted_rows(at, shared))
    for column in columns_of_figure(ground, bound, at):
        cells = [
            (item, operand)
            for item in varied
            if (operand := selected(ground.views[at], rows_named(ground, at, item, shared), column))
            is not None
        ]
        if not cells:
            continue
        total = total_of(ground, ground.views[at], column, whole) or _of_shown(ground, bound, at, column)
        if bound.is_whole and shared and len(cells) == 1:
            total_in_all = total_of(ground, ground.views[at], column, ground.views[at].whole())
            yield Operands(members=(cells[0][1],), total=total_in_all)
        for item, operand in cells:
            if main is None or item is main:
                yield Operands(members=(operand,), total=total)
                yield from against_known(ground, bound, at, column, (item, *shared), operand)
        if _are_compared(ground, bound, varied):
            yield from _pairs(ground, bound, cells, main)
            yield from against_pointed(ground, bound, cells)
        if len({item.text for item in varied}) == 1:
            others = [
                (item, selected(ground.views[at], rows_named(ground, at, item, shared), column))
                for item in near
            ]
            around = [(item, operand) for item, operand in others if operand is not None]
            yield from _pairs(ground, bound, [cells[0], *around], cells[0][0])
        yield from against_meant(ground, bound, at, column, cells)
        yield from _joined(bound, cells, total)


def _of_shown(ground: Ground, bound: Bound, at: int, column: str) -> Operand | None:
    """Return the sum of the rows shown, where the words take a share of no more: `41 % of that`."""
    view = ground.views[at]
    span = (bound.statement.start, bound.statement.end)
    if not ground.scene.cues_in(span, "of_shown") or not is_additive(view, column):
        return None
    return statistic(view, view.whole(), column, "sum")


def _dimension(at: int, *mentions: Mention) -> frozenset[str]:
    return frozenset(item.column for mention in mentions for item in mention.named if item.view == at)


def _split(at: int, mentions: Sequence[Mention]) -> tuple[list[Mention], list[Mention]]:
    """Return names that hold for all operands, and those of the dimension in which they differ."""
    by_column: dict[str, list[Mention]] = {}
    for mention in mentions:
        for item in mention.named:
            if item.view == at and item.wanted is not None:
                by_column.setdefault(item.column, []).append(mention)
                break
    if not by_column:
        return [], []
    widest = max(by_column, key=lambda column: len({item.text for item in by_column[column]}))
    return [items[0] for column, items in by_column.items() if column != widest], by_column[widest]


def _pairs(
    ground: Ground, bound: Bound, cells: Sequence[tuple[Mention, Operand]], main: Mention | None
) -> Iterator[Operands]:
    """Yield each comparison of two; one side is the group of the figure itself."""
    subject = _subject(ground, bound)
    unique = list({identity(operand): (item, operand) for item, operand in reversed(cells)}.values())[::-1]
    for index, (first, one) in enumerate(unique[:_MOST_PAIRS]):
        for second, other in unique[index + 1 : _MOST_PAIRS]:
            if is_pointed(ground, first) and is_pointed(ground, second):
                # Both are what something else is compared with.
                continue
            if main is None or main.text in {first.text, second.text} or len(unique) == _PAIR:
                pair = _ordered(ground, (first, one), (second, other))
                yield Operands(members=pair[::-1] if second is subject else pair, ordered=True)


def _are_compared(ground: Ground, bound: Bound, mentions: Sequence[Mention]) -> bool:
    """Tell whether the statement compares its groups; two dates may just have a figure each."""
    if not all(item.is_date for item in mentions):
        return True
    span = (bound.statement.start, bound.statement.end)
    if ground.scene.cues_in(span, "than", "from", "to", "difference", "together", "times"):
        return True
    if not any(item.is_date for item in bound.said):
        # The sentence before has just put them side by side.
        return True
    if bound.claim.text[0] in "+-−" or any(is_pointed(ground, item) for item in mentions):
        return True
    return ground.scene.speaks_of(span, "range") or ground.scene.speaks_of(span, "change")


def _subject(ground: Ground, bound: Bound) -> Mention | None:
    """Return the only group of a clause of its own: `Portugal has 2,535, so Egypt has 3,766 more`."""
    behind = (bound.claim.end, min(bound.claim.end + _FAR, bound.reach[1]))
    inside = [item for item in bound.said if bound.segment[0] <= item.start < bound.segment[1]]
    says = ground.scene.cues_in(behind, "more", "less") and not ground.scene.cues_in(behind, "than")
    alone = len(inside) == 1 and not inside[0].is_date and inside[0].end <= bound.claim.start
    return inside[0] if says and alone and bound.claim.direction is not None else None


def _ordered(
    ground: Ground, one: tuple[Mention, Operand], other: tuple[Mention, Operand]
) -> tuple[Operand, Operand]:
    """Return (subject, base): the later of two dates, else the one that is not what `than` points at."""
    low, high = sorted((one, other), key=lambda pair: pair[0].start)
    pointed = [is_pointed(ground, item) for item, _ in (low, high)]
    if pointed == [True, False]:
        return high[1], low[1]
    if pointed != [False, True] and low[0].is_date and high[0].is_date:
        early, late = sorted((one, other), key=lambda pair: _when(pair[0]))
        return late[1], early[1]
    return low[1], high[1]


def _when(mention: Mention) -> str:
    """Return something that sorts periods of one result in time."""
    wanted = next((item.wanted for item in mention.named if item.wanted), frozenset())
    return min(map(str, wanted), default="")


def _joined(
    bound: Bound, cells: Sequence[tuple[Mention, Operand]], total: Operand | None
) -> Iterator[Operands]:
    """Yield the groups between the figures beside it, then all of the statement, taken together."""
    near = {
        identity(operand): operand
        for item, operand in cells
        if bound.reach[0] <= item.start and item.end <= bound.reach[1]
    }
    every = {identity(operand): operand for _, operand in cells}
    for members in (near, every):
        if len(members) > 1:
            yield Operands(members=tuple(members.values()), total=total, joined=True)


def _of_proven(bound: Bound, near: Sequence[Operand]) -> Iterator[Operands]:
    """Yield figures that the text has just given: `from 4,000 to 5,000, 25 % more`."""
    if len(near) < _PAIR:
        return
    before, last = near[-_PAIR:]
    yield Operands(members=(last, before), ordered=bound.claim.direction is not None)
    yield Operands(members=tuple(near), joined=True)


def _is_near(bound: Bound, other: Bound) -> bool:
    if other.claim.kind is NumberKind.ORDINAL or other.claim.start == bound.claim.start:
        return False
    same_line = other.statement.paragraph == bound.statement.paragraph and not bound.statement.cells
    return other.statement.start == bound.statement.start or same_line
