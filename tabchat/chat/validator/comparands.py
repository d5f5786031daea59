"""What a group is compared with where the words name no other: an average, the runner-up, the period before."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.ground import wanted_rows
from tabchat.chat.validator.operand import Operand, Operands, cell_operand, statistic
from tabchat.chat.validator.series import against_rest, row_before
from tabchat.chat.validator.year_earlier import against_year_earlier

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View

_PAIR: Final = 2
_NEAR: Final = 8
_PLACE: Final = 10
"""Letters of an ordinal, which is a figure of its own."""


def against_known(
    ground: Ground, bound: Bound, at: int, column: str, named: Sequence[Mention], cell: Operand
) -> Iterator[Operands]:
    """Yield a group against the mean of all, the other one of two, or the period before."""
    view = ground.views[at]
    yield from _against_rows(ground, bound, view, column, cell)
    yield from against_year_earlier(ground, bound, at, column)
    low, high = bound.segment
    dated = {item.text for item in bound.said if item.is_date and low <= item.start < high}
    for date in named if len(dated) <= 1 and cell.traces else ():
        pointed = ground.scene.cues_in((date.start - _NEAR, date.start), "than")
        if date.is_date and not pointed:
            yield from _against_previous(view, column, at, (date, *named), cell)


def _against_next(view: View, column: str, cell: Operand) -> Iterator[Operands]:
    """Yield the first of all rows against the second: `twice as much as the runner-up`."""
    for desc in (True, False) if view.qualities[column].is_change else (True,):
        rows = view.whole().top(column, _PAIR, desc=desc)
        found = [operand for row in rows if (operand := cell_operand(view, row, column)) is not None]
        if len(found) == _PAIR and found[0].place == cell.place:
            # Of changes, the size counts: a loss of 6 is larger than one of 5.
            yield Operands(members=(found[0], found[1]) if desc else (found[1], found[0]), ordered=True)


def _against_previous(
    view: View, column: str, at: int, named: Sequence[Mention], cell: Operand
) -> Iterator[Operands]:
    """Yield a cell against the period before the first one named, within the same other groups."""
    keys = [item.column for item in named[0].named if item.view == at and item.wanted is not None]
    rows = view.select(wanted_rows(at, named)).rows()
    if keys and len(rows) == 1:
        before = row_before(view, rows[0], keys[0])
        operand = cell_operand(view, before, column) if before is not None else None
        if operand is not None:
            yield Operands(members=(cell, operand), ordered=True)


def _against_rows(ground: Ground, bound: Bound, view: View, column: str, cell: Operand) -> Iterator[Operands]:
    """Yield a cell against the second of all rows, the others, their average, or the other one of two."""
    behind = (bound.claim.end, min(bound.reach[1] + _PLACE, bound.statement.end))
    if ground.scene.cues_in(behind, "next"):
        yield from _against_next(view, column, cell)
    if ground.scene.cues_in((bound.claim.end, bound.reach[1]), "rest"):
        yield from against_rest(ground, bound, view, column, cell)
    for role in ("mean", "median"):
        if ground.scene.speaks_of((bound.statement.start, bound.statement.end), role):
            other = statistic(view, view.whole(), column, role)
            if other is not None:
                yield Operands(members=(cell, other), ordered=True)
    if view.row_count == _PAIR:
        for row in view.whole().rows():
            operand = cell_operand(view, row, column)
            if operand is not None and operand.place != cell.place:
                yield Operands(members=(cell, operand), ordered=True)
