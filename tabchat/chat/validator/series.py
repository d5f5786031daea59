"""Operands that no group is named for: ends and extremes of a frame, its first few rows, the row before."""

from __future__ import annotations

from decimal import Decimal
from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.claims.sizes import sizes_in
from tabchat.chat.validator.ground import columns_for
from tabchat.chat.validator.operand import (
    Operand,
    Operands,
    cell_operand,
    statistic,
    total_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_PAIR: Final = 2


def of_ends(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the extremes that the words name, and the last row against the first."""
    view = ground.views[at]
    whole = view.whole()
    span = (bound.statement.start, bound.statement.end)
    roles = {item.name for item in ground.scene.roles_in(span)}
    for column in columns_for(bound, at, view):
        low, high = (statistic(view, whole, column, role) for role in ("min", "max"))
        if low is None or high is None:
            continue
        if {"max", "min"} <= roles or "range" in roles or view.row_count == _PAIR:
            yield Operands(members=(high, low), ordered=view.row_count != _PAIR)
        for role, operand in (("max", high), ("min", low)):
            if role in roles:
                yield Operands(members=(operand,), total=total_of(ground, view, column, whole))
        if roles & {"first", "last", "change"} or bound.claim.direction is not None:
            yield from _last_and_first(view, column)


def _last_and_first(view: View, column: str) -> Iterator[Operands]:
    first, last = view.whole().first(), view.whole().last()
    if first is not None and last is not None and view.row_count > 1:
        end, start = cell_operand(view, last, column), cell_operand(view, first, column)
        if end is not None and start is not None:
            yield Operands(members=(end, start), ordered=True)


def of_top(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the first few rows by each column, taken together: `the top three make up 75 %`."""
    scene, view = ground.scene, ground.views[at]
    span = (bound.statement.start, bound.statement.end)
    cues = scene.cues_in(span, "top")
    sizes = [
        claim.value
        for claim in ground.counts
        if any(
            cue.end <= claim.start <= cue.end + _PAIR or claim.end <= cue.start <= claim.end + _PAIR
            for cue in cues
        )
        and span[0] <= claim.start < span[1]
        and claim.start != bound.claim.start
    ]
    sizes += [
        Decimal(number)
        for (low, high), number in (sizes_in(scene.text, span) if cues else ())
        if any(cue.end <= low <= cue.end + _PAIR or high <= cue.start <= high + _PAIR for cue in cues)
    ]
    for size in dict.fromkeys(sizes):
        if not 1 < size <= view.row_count:
            continue
        for column in columns_for(bound, at, view):
            for desc in (True, False):
                rows = view.whole().top(column, int(size), desc=desc)
                total = total_of(ground, view, column, view.whole())
                yield from _together(view, column, rows, total)


def _together(
    view: View, column: str, rows: Sequence[Mapping[str, Value]], total: Operand | None
) -> Iterator[Operands]:
    members = [operand for row in rows if (operand := cell_operand(view, row, column)) is not None]
    if members:
        yield Operands(members=tuple(members), total=total, joined=True)


def row_before(view: View, row: Mapping[str, Value], key: str) -> Mapping[str, Value] | None:
    """Return the row of the period before, among rows that have the same other groups."""
    rest = {
        name: frozenset({row[name]})
        for name in view.block.result.group_by
        if name != key and row.get(name) is not None
    }
    rows = [item for item in view.select(rest).rows() if item[key] is not None and item[key] < row[key]]  # type: ignore[operator]
    return max(rows, key=lambda item: item[key], default=None)  # type: ignore[arg-type,return-value]


def against_rest(ground: Ground, bound: Bound, view: View, column: str, cell: Operand) -> Iterator[Operands]:
    """Yield a cell against all others: their average, or their sum where they are taken together."""
    if view.held is None or len(view.keys) != 1:
        return
    rows = [cell_operand(view, row, column) for row in view.whole().rows()]
    values = [item.value for item in rows if item is not None and item.place != cell.place]
    if not values:
        return
    together = bool(ground.scene.cues_in((bound.claim.end, bound.reach[1]), "together"))
    total = sum(values, Decimal(0))
    other = Operand(
        value=total if together else total / len(values),
        place=f"{'sum' if together else 'average'} of the others of {view.key}.{column}",
        unit=cell.unit,
        nature=cell.nature,
    )
    yield Operands(members=(cell, other), ordered=True)


def of_places(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield two rows that the statement calls by their places: `the first costs 10 more than the second`."""
    view, statement = ground.views[at], bound.statement
    places = [
        int(item.value)
        for item in ground.counts
        if item.kind is NumberKind.ORDINAL and statement.start <= item.start < statement.end
    ]
    if len(places) != _PAIR or not 1 <= min(places) < max(places) <= view.row_count or bound.said:
        return
    for column in columns_for(bound, at, view):
        rows = view.whole().top(column, max(places), desc=True)
        found = [cell_operand(view, rows[place - 1], column) for place in places if place <= len(rows)]
        known = [item for item in found if item is not None]
        if len(known) == _PAIR:
            yield Operands(members=(known[0], known[1]), ordered=True)
