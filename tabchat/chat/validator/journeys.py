"""From one period to another: `online grew from 246 to 333 (+35 %)`, where the sentence need not write the periods."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.chat.validator.ground import columns_for, eligible, wanted_rows
from tabchat.chat.validator.operand import Operands, cell_operand, is_additive, statistic
from tabchat.chat.validator.proof import Proof, find_in_row
from tabchat.chat.validator.singles import is_pointed
from tabchat.chat.validator.timelines import in_time, rows_of, time_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.mentions import Mention
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

Ends: TypeAlias = "tuple[Mapping[str, Value], Mapping[str, Value]]"
"""Rows of the earlier and of the later period, of the same groups."""

_PAIR: Final = 2
_NEAR: Final = 14
_ARROWS: Final = frozenset("→➔➜⇒")


def find_journey(ground: Ground, bound: Bound) -> Proof | None:
    """Look for a level behind `from` or `to` in the row of the period where the journey begins or ends."""
    side = None if bound.statement.cells else _side(ground, bound)
    if side is None:
        return None
    for at, rows in _journeys(ground, bound):
        view = ground.views[at]
        columns = columns_for(bound, at, view)
        fitting = [name for name in columns if _fits(view, name, columns, is_end=side == 1)]
        proof = find_in_row(ground, bound, view, rows[side], fitting)
        if proof is not None:
            return proof
    return None


def of_journey(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the later row against the earlier one, where the words name no two periods themselves."""
    if bound.statement.cells:
        return
    for number, rows in _journeys(ground, bound):
        if number == at:
            view = ground.views[at]
            for column in columns_for(bound, at, view):
                yield from _against(view, rows, column, column)
            for first, last in _end_columns(view):
                yield from _against(view, rows, first, last)


def of_totals(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the total of the later period against that of the earlier one: `total revenue grew by 41.5K`."""
    view = ground.views[at]
    key = time_key(view) if "sum" in bound.roles or bound.is_whole else None
    if key is None or bound.statement.cells:
        return
    dates = [item for item in (*bound.said, *bound.when) if item.is_date and at in item.views()]
    labels: list[Mapping[str, Value]] = [{key: label} for label in sorted(view.labels(key), key=str)]
    ends = _ends(at, labels, key, dates, opens=False)
    for column in columns_for(bound, at, view) if ends is not None else ():
        if ends is None or not is_additive(view, column):
            continue
        before, after = (
            statistic(view, view.select({key: frozenset({row[key]})}), column, "sum") for row in ends
        )
        if before is not None and after is not None:
            yield Operands(members=(after, before), ordered=True)


def of_row_ends(ground: Ground, bound: Bound, at: int) -> Iterator[Operands]:
    """Yield the last value of a row against its first one: `2023 (+8 %)`, with columns of its first and last price."""
    view = ground.views[at]
    wanted = wanted_rows(at, next(bound.readings(), ()))
    selection = view.select(wanted)
    if not wanted or selection.count != 1:
        return
    row = selection.rows()[0]
    for first, last in _end_columns(view):
        yield from _against(view, (row, row), first, last)


def _against(view: View, rows: Ends, first: str, last: str) -> Iterator[Operands]:
    before, after = cell_operand(view, rows[0], first), cell_operand(view, rows[1], last)
    if before is not None and after is not None:
        yield Operands(members=(replace(after, unit=before.unit), before), ordered=True)


def _end_columns(view: View) -> Iterator[tuple[str, str]]:
    """Yield (column of first values, column of last values) of the same numbers."""
    for first in view.numeric:
        for last in view.numeric:
            one, other = view.qualities[first], view.qualities[last]
            if (one.role, other.role) == ("first", "last") and _source(view, first) == _source(view, last):
                yield first, last


def _source(view: View, column: str) -> tuple[str, ...]:
    origin = view.query.origins.get(column)
    return origin.sources if origin else ()


def _fits(view: View, column: str, columns: Sequence[str], *, is_end: bool) -> bool:
    """Tell whether a column may give that side of a journey: of first and last values, the one of that side."""
    roles = {view.qualities[name].role for name in columns}
    if not {"first", "last"} <= roles:
        return True
    return view.qualities[column].role != ("first" if is_end else "last")


def _side(ground: Ground, bound: Bound) -> int | None:
    """Return 0 for a figure behind `from`, 1 for one behind `to` in a sentence that has a `from` as well."""
    scene, claim = ground.scene, bound.claim
    near = (max(bound.reach[0], claim.start - _NEAR), claim.start)
    arrows = [scene.text[slice(*span)].strip(" *_$€£₴₽") for span in (near, (claim.end, bound.reach[1]))]
    if arrows[0][-1:] in _ARROWS or arrows[1][:1] in _ARROWS:
        return 1 if arrows[0][-1:] in _ARROWS else 0
    cues = [
        cue
        for cue in scene.cues_in(near, "from", "to")
        if not scene.text[cue.end : claim.start].strip(" *_≈~$€£₴₽")
    ]
    if cues:
        return 0 if cues[-1].name == "from" else 1
    return None


def _journeys(ground: Ground, bound: Bound) -> Iterator[tuple[int, Ends]]:
    """Yield (result, ends) of the periods that the words give, else of all those of the figure's groups."""
    groups = tuple(
        item for item in next(bound.readings(), ()) if not item.is_date and item not in bound.nearby
    )
    for at in eligible(ground, groups):
        view = ground.views[at]
        key = None if view.is_single else time_key(view)
        if key is None:
            continue
        rows = in_time(view.select(wanted_rows(at, groups)), key)
        if len(rows) < _PAIR:
            continue
        dates = [item for item in bound.said if item.is_date and at in item.views()]
        if not dates and not ground.scene.cues_in((bound.statement.start, bound.statement.end), "whole"):
            dates = [item for item in bound.when if at in item.views()]
        span = (bound.statement.start, bound.claim.start)
        opens = bool(ground.scene.cues_in(span, "since_then")) or _is_start(ground, bound, dates)
        ends = _ends(at, rows, key, dates, opens=opens)
        if ends is not None:
            yield at, ends


def _is_start(ground: Ground, bound: Bound, dates: Sequence[Mention]) -> bool:
    """Tell whether the only period is that of the figure behind `from`, or what the rest is compared with."""
    if len({item.text for item in dates}) != 1:
        return False
    start = dates[0].start
    if dates[0] in bound.said:
        return start < bound.claim.start and bool(
            ground.scene.cues_in((bound.statement.start, start), "from")
        )
    return dates[0] in bound.when and is_pointed(ground, dates[0])


def _ends(
    at: int, rows: Sequence[Mapping[str, Value]], key: str, dates: Sequence[Mention], *, opens: bool
) -> Ends | None:
    if not dates:
        return rows[0], rows[-1]
    wanted = [item for item in (wanted_rows(at, (date,)).get(key) for date in dates) if item is not None]
    held = [rows_of(rows, key, item) for item in wanted]
    if any(len(found) != 1 for found in held):
        return None
    found = sorted({rows.index(item) for one in held for item in one})
    if not found:
        return rows[0], rows[-1]
    if len(found) == 1 and opens:
        return (rows[found[0]], rows[-1]) if found[0] < len(rows) - 1 else None
    if len(found) == 1:
        return (rows[found[0] - 1], rows[found[0]]) if found[0] else None
    return rows[found[0]], rows[found[-1]]
