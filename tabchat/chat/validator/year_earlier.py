"""A period against the same one of another year: `up 12 % from a year earlier (95)`, `up 28 % since 2022`."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.chat.validator.ground import columns_for, wanted_rows
from tabchat.chat.validator.operand import Operands, cell_operand
from tabchat.chat.validator.proof import Proof, find_in_row

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from tabchat.chat.validator.bound import Bound
    from tabchat.chat.validator.ground import Ground
    from tabchat.chat.validator.views import View
    from tabchat.engine.types import Value

_YEAR: Final = 4
_NEAR: Final = 3
_LED: Final = 12


def find_year_earlier(ground: Ground, bound: Bound) -> Proof | None:
    """Look for a level that the words before it put a year before the first period of the statement."""
    before, behind = (bound.reach[0], bound.claim.start), (bound.claim.end, bound.reach[1])
    cues = ground.scene.cues_in
    led = cues((max(before[0], before[1] - _LED), before[1]), "from", "than", "after")
    if bound.statement.cells or not (cues(before, "year_earlier") or (led and cues(behind, "year_earlier"))):
        return None
    for at in ground.asked():
        view = ground.views[at]
        rows = _rows(ground, bound, at)
        proof = find_in_row(ground, bound, view, rows[1], columns_for(bound, at, view)) if rows else None
        if proof is not None:
            return proof
    return None


def against_year_earlier(ground: Ground, bound: Bound, at: int, column: str) -> Iterator[Operands]:
    """Yield the first period of the statement against the one a year before, or the last row against `since 2022`."""
    view = ground.views[at]
    beside = (bound.reach[0], bound.reach[1])
    rows = _rows(ground, bound, at) if ground.scene.cues_in(beside, "year_earlier") else None
    rows = rows or _since(ground, bound, at)
    if rows is None:
        return
    subject, base = (cell_operand(view, row, column) for row in rows)
    if subject is not None and base is not None and subject.place != base.place:
        yield Operands(members=(subject, base), ordered=True)


def _rows(ground: Ground, bound: Bound, at: int) -> tuple[Mapping[str, Value], Mapping[str, Value]] | None:
    """Return the row of the first period of the statement, and the row a year before."""
    view = ground.views[at]
    dates = [item for item in bound.said if item.is_date and at in item.views()]
    if view.is_single or not dates:
        return None
    groups = tuple(item for item in next(bound.readings(), ()) if not item.is_date)
    wanted = wanted_rows(at, (dates[0], *groups))
    row = view.select(wanted).first() if view.select(wanted).count == 1 else None
    key = next(iter(wanted), None)
    if row is None or key is None:
        return None
    earlier = _earlier(row[key])
    rest = {name: frozenset({row[name]}) for name in view.block.result.group_by if name != key}
    before = view.select({**rest, key: frozenset({earlier})}) if earlier is not None else None
    return (row, before.rows()[0]) if before is not None and before.count == 1 else None


def _earlier(value: Value) -> Value:
    """Return the same period of the year before; none for anything else."""
    if isinstance(value, dt.date):
        return value.replace(year=value.year - 1) if (value.month, value.day) != (2, 29) else None
    if isinstance(value, int):
        return value - 1
    if isinstance(value, str) and value[:_YEAR].isdigit():
        return f"{int(value[:_YEAR]) - 1}{value[_YEAR:]}"
    return None


def _since(ground: Ground, bound: Bound, at: int) -> tuple[Mapping[str, Value], Mapping[str, Value]] | None:
    """Return the last row, and that of the only period that the statement names, behind `since`."""
    view = ground.views[at]
    dates = [item for item in bound.said if item.is_date and at in item.views()]
    if len({item.text for item in bound.said}) != 1 or len(view.keys) != 1 or not dates:
        return None
    start = dates[0].start
    cues = ground.scene.cues_in((bound.statement.start, start), "since")
    first, last = _only(view, at, bound), view.whole().last()
    if first is None or last is None or not any(start - cue.end <= _NEAR for cue in cues):
        return None
    return last, first


def _only(view: View, at: int, bound: Bound) -> Mapping[str, Value] | None:
    found = view.select(wanted_rows(at, bound.said[:1]))
    return found.first() if found.count == 1 else None
