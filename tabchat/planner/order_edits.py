"""What a follow-up changes of the order of a result, and how much of it is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.engine.plan import QueryPlan
from tabchat.planner import expressions as write
from tabchat.planner.nodes import Measure
from tabchat.planner.parts import Parts, column_name, name_of_entry, sorted_by
from tabchat.planner.plans import Unreadable, selected, time_column
from tabchat.planner.recall import measure_of
from tabchat.planner.shape_edits import PRESENT, measures_of, with_measures

if TYPE_CHECKING:
    from tabchat.planner.nodes import Order
    from tabchat.planner.scene import Scene
    from tabchat.planner.shapes.base import Question


def with_order(parts: Parts, order: Order, scene: Scene) -> tuple[Parts, ...]:
    """Sort the last result; what was limited before stays what it was."""
    name = _sorted_name(parts, order, scene)
    last = parts.after[-1] if parts.after else None
    if last is not None and not _is_view(last):
        raise Unreadable("the order of the last result cannot be changed by itself")
    entry = f"{write.name(name)} {'desc' if order.descending else 'asc'}"
    if last is not None:
        return (replace(parts, after=(*parts.after[:-1], replace(last, sort=(entry,)))),)
    if parts.limit is None:
        return (replace(parts, sort=(entry,)),)
    seen = replace(parts, after=(QueryPlan(sort=(entry,)),))
    old = column_name(sorted_by(parts.sort[0])[0]) if parts.sort else None
    return (seen, replace(parts, sort=(entry,))) if old == name else (seen,)


def _is_view(step: QueryPlan) -> bool:
    """Tell whether a step only sorts or cuts."""
    return step == QueryPlan(sort=step.sort, limit=step.limit)


def _sorted_name(parts: Parts, order: Order, scene: Scene) -> str:
    column = order.column
    if order.by_time and parts.lists_rows:
        column = time_column(scene)
    if order.measure is not None and order.measure.bare:
        column = order.measure.column
    if parts.lists_rows:
        return _row_order(parts, order, column.name if column is not None else None)
    names = [name_of_entry(entry) for entry in parts.select]
    if order.by_time:
        found = [name for name in parts.keys if name in parts.formulas]
    elif order.measure is not None and not order.measure.bare:
        wanted = selected(order.measure)
        found = [name for name in names if name == wanted.name]
    elif column is not None:
        measured = {
            name
            for name, entry in zip(names, parts.select, strict=True)
            if (measure := measure_of(entry, scene.table)) is not None and measure.column is column
        }
        found = [*(name for name in parts.keys if name == column.name), *sorted(measured)]
    else:
        found = [column_name(sorted_by(entry)[0]) for entry in parts.sort[:1]] or names[:1]
    if len(found) != 1 or not parts.keys:
        raise Unreadable("what to sort by?")
    return found[0]


def _row_order(parts: Parts, order: Order, name: str | None) -> str:
    if order.measure is not None and not order.measure.bare:
        raise Unreadable("rows cannot be sorted by an aggregate")
    if name is None and order.descending is not None and parts.sort:
        name = column_name(sorted_by(parts.sort[0])[0])
    if name is None:
        raise Unreadable("what to sort by?")
    return name


def turned(parts: Parts, *, descending: bool | None = None) -> tuple[Parts, ...]:
    """Turn the order round, or set its direction; of a first few, the same ones or the last ones may be meant."""
    last = parts.after[-1] if parts.after else None
    if last is not None and last.where is not None and "rank(" in last.where:
        return (replace(parts, after=(*parts.after[:-1], _turned_rank(last, descending=descending))),)
    if last is not None and not (_is_view(last) and last.sort):
        raise Unreadable("the order of the last result cannot be changed by itself")
    if last is not None:
        flipped = replace(last, sort=_flipped(last.sort, descending=descending))
        return (replace(parts, after=(*parts.after[:-1], flipped)),)
    if not parts.sort or parts.sort[0].startswith("min("):
        raise Unreadable("what to sort by?")
    sort = _flipped(parts.sort, descending=descending)
    other = replace(parts, sort=sort)
    if parts.limit is None or descending is not None:
        return (other,)
    return (other, replace(parts, after=(QueryPlan(sort=sort),)))


def _flipped(sort: tuple[str, ...], *, descending: bool | None) -> tuple[str, ...]:
    turned_entries = []
    for place, entry in enumerate(sort):
        text, down = sorted_by(entry)
        wanted = not down if descending is None else down if place else descending
        turned_entries.append(f"{text} {'desc' if wanted else 'asc'}")
    return tuple(turned_entries)


def _turned_rank(step: QueryPlan, *, descending: bool | None) -> QueryPlan:
    where = step.where or ""
    down = "'desc'" in where
    wanted = not down if descending is None else descending
    if where.count("'desc'") + where.count("'asc'") != 1:
        raise Unreadable("the order of the last result cannot be changed by itself")
    old, new = ("'desc'", "'asc'") if down else ("'asc'", "'desc'")
    return replace(step, where=where.replace(old, new)) if wanted != down else step


def with_extreme(parts: Parts, question: Question) -> tuple[Parts, ...]:
    """Read `and the lowest?`: the other end of the ranking, or of the measure."""
    up = question.node("S").has("super.max")
    if parts.sort or parts.after:
        return turned(parts, descending=up)
    (measure, *others) = measures_of(parts, question.scene)
    ends = measure.function in {"min", "max"}
    if others or measure.column is None or (parts.keys and not ends):
        raise Unreadable("the highest or lowest of what?")
    other = Measure(function="max" if up else "min", column=measure.column)
    return (with_measures(parts, (other,), question.scene, add=False),)


def with_limit(parts: Parts, number: int, scene: Scene, *, best: bool | None, those: bool = False) -> Parts:
    """Keep the first few: of the order there is, or of the highest (`best`), or of the lowest."""
    last = parts.after[-1] if parts.after else None
    if last is not None and not _is_view(last):
        raise Unreadable("the last result cannot be cut by itself")
    sort = last.sort if last is not None and last.sort else parts.sort
    if not parts.keys and not parts.lists_rows:
        raise Unreadable("the last result has one row")
    if best is not None and sort and sorted_by(sort[0])[1] != best:
        if last is not None or parts.limit is None or those:
            raise Unreadable("the first as they stand, or those at the other end?")
        return replace(parts, sort=_flipped(sort, descending=best), limit=number)
    if last is not None:
        return replace(parts, after=(*parts.after, QueryPlan(limit=number)))
    if best is None or sort:
        return replace(parts, limit=number)
    if parts.lists_rows or len(measures_of(parts, scene)) != 1:
        raise Unreadable("the first by what?")
    present = tuple(f"{write.name(name)}{PRESENT}" for name in parts.keys if name not in parts.formulas)
    having = tuple(dict.fromkeys((*parts.having, *present)))
    name = name_of_entry(parts.select[0])
    entry = f"{write.name(name)} {'desc' if best else 'asc'}"
    return replace(parts, sort=(entry,), limit=number, having=having)
