"""Thresholds of the groups that a sentence names, and of a number of them: `both above 51K`, `seven between 2 and 4 %`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.chat.claims import NumberKind
from tabchat.chat.validator.compare import decimal_of
from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.natures import Nature
from tabchat.chat.validator.proof import Proof

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from decimal import Decimal

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_PAIR: Final = 2
_NEAR: Final = 24
_HUNDRED: Final = 100
_PERCENTS: Final = frozenset({Nature.PERCENT, Nature.FRACTION, Nature.LOOSE})


def find_of_named(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Accept a threshold, or an end of a range, that `all` or `both` of the groups named before keep to."""
    claim = bound.claim
    if claim.bound is None and not claim.is_range_end:
        return None
    ends = _ends(bound, bounds)
    start = min(item.claim.start for item in ends)
    cues = ground.scene.cues_in((max(bound.statement.start, start - _NEAR), start), "every", "together")
    since = max((item.claim.end for item in bounds if item.claim.end <= start), default=0)
    names = [item for item in bound.said if max(since, bound.statement.start) <= item.start < start]
    if not cues or len({item.text for item in names}) < _PAIR:
        return None
    for at in ground.asked():
        view = ground.views[at]
        known = [view.select(wanted_rows(at, (item,))) for item in names if at in item.views()]
        if len(known) != len(names):
            continue
        # A longer period is named for those within it: `in Q4, with October and November both above 70K`.
        known = [item for item in known if item.count == 1]
        if len(known) < _PAIR:
            continue
        for column in _columns(ground, bound, at):
            if all(_keeps(view, item.rows()[0], column, ends) for item in known):
                return Proof(evidence=f"all named of {view.key}.{column}", status="derived")
    return None


def find_number_within(ground: Ground, bound: Bound, bounds: Sequence[Bound]) -> Proof | None:
    """Accept how many groups lie within a range, and both ends of that range."""
    here = [item for item in bounds if item.statement is bound.statement]
    ends = [item for item in here if item.claim.is_range_end]
    counts = (
        [
            item
            for item in here
            if item.claim.kind is NumberKind.COUNT and item.claim.end <= ends[0].claim.start
        ]
        if ends
        else []
    )
    if len(ends) != _PAIR or not counts or bound not in (*ends, counts[0]):
        return None
    for at in ground.asked():
        view = ground.views[at]
        for column in () if view.is_single or view.held is None else _columns(ground, ends[0], at):
            inside = [row for row in view.whole().rows() if _keeps(view, row, column, ends)]
            if len(inside) == counts[0].claim.value and _touches(view, inside, column, ends):
                return Proof(evidence=f"rows of {view.key} by {column}", status="derived")
    return None


def _columns(ground: Ground, bound: Bound, at: int) -> Iterator[str]:
    view = ground.views[at]
    percent = bound.claim.kind is NumberKind.PERCENT
    for column in () if view.is_single else columns_for(bound, at, view):
        if percent == (view.qualities[column].nature in _PERCENTS):
            yield column


def _ends(bound: Bound, bounds: Sequence[Bound]) -> list[Bound]:
    """Return the threshold alone, or both ends of its range."""
    if not bound.claim.is_range_end:
        return [bound]
    return [item for item in bounds if item.statement is bound.statement and item.claim.is_range_end][:_PAIR]


def _keeps(view: View, row: Mapping[str, Value], column: str, ends: Sequence[Bound]) -> bool:
    """Tell whether a cell lies beyond a threshold, or within a range as far as its digits tell."""
    number = _value(view, row, column)
    if number is None:
        return False
    if len(ends) == 1:
        limit = ends[0].claim.readings[0][0]
        return number >= limit if ends[0].claim.bound == "over" else number <= limit
    (low, room), (high, more) = (item.claim.readings[0] for item in ends)
    return low - room <= number <= high + more


def _touches(view: View, rows: Sequence[Mapping[str, Value]], column: str, ends: Sequence[Bound]) -> bool:
    """Tell whether the ends of a range are the least and the largest of the cells within it."""
    cells = [number for row in rows if (number := _value(view, row, column)) is not None]
    (low, room), (high, more) = (item.claim.readings[0] for item in ends)
    return bool(cells) and abs(min(cells) - low) <= room and abs(max(cells) - high) <= more


def _value(view: View, row: Mapping[str, Value], column: str) -> Decimal | None:
    number = decimal_of(row[column])
    if number is None:
        return None
    quality = view.qualities[column]
    return number * _HUNDRED if quality.nature is Nature.FRACTION else number * quality.scale
