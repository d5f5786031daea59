"""What a follow-up changes of the result: groups, measures, order, how many."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.plan import QueryPlan
from tabchat.planner import expressions as write
from tabchat.planner.nodes import Measure
from tabchat.planner.parts import Parts, column_name, name_of_entry, sorted_by
from tabchat.planner.plans import Unreadable, grouping_of, joined, selected, time_column
from tabchat.planner.recall import column_of, measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.nodes import Key, Order
    from tabchat.planner.plans import Grouping
    from tabchat.planner.scene import Scene
    from tabchat.planner.shapes.base import Question

_PRESENT: Final = " is not null"


def check_plain(parts: Parts, what: str) -> None:
    """Refuse to change what later steps of the plan read."""
    if parts.after:
        raise Unreadable(f"{what} of the last result cannot be changed by itself")


# Groups


def with_keys(
    parts: Parts, keys: Sequence[Key], clauses: Clauses, scene: Scene, *, add: bool, replaces: bool
) -> tuple[Parts, ...]:
    """Group by other columns, or by more; both readings when it was not said which."""
    check_plain(parts, "the grouping")
    if parts.lists_rows:
        raise Unreadable("what is to be computed for each group?")
    dated = column_of(scene.table, parts.time_column) if parts.time_column else None
    ready = [replace(key, column=dated) if key.unit and key.column is None and dated else key for key in keys]
    groups = grouping_of(ready, clauses, scene)
    if not parts.keys or replaces:
        return (_regrouped(parts, groups, kept=()),)
    added = _regrouped(parts, groups, kept=parts.keys)
    return (added,) if add else (_regrouped(parts, groups, kept=()), added)


def _regrouped(parts: Parts, groups: Grouping, *, kept: tuple[str, ...]) -> Parts:
    present = {f"{write.name(name)}{_PRESENT}" for name in parts.keys}
    if any(condition not in present for condition in parts.having):
        raise Unreadable("the groups were picked by a condition: ask for the new groups as a whole question")
    if kept and parts.limit is not None:
        raise Unreadable("more groups of the same first ones, or other first ones?")
    names = (*kept, *(name for name in groups.names if name not in kept))
    gone = {f"{name}{end}" for name in parts.keys if name not in kept for end in ("", "_number")}
    formulas = tuple(
        (name, formula) for name, formula in parts.map if name not in gone and name not in groups.maps
    )
    sort = tuple(entry for entry in parts.sort if not _sorts_by(entry, gone))
    if parts.limit is not None and (sort != parts.sort or not sort):
        raise Unreadable("the first by what?")
    having = tuple(
        f"{write.name(name)}{_PRESENT}" for name in names if name not in {*groups.maps, *dict(formulas)}
    )
    return replace(
        parts,
        keys=names,
        map=(*formulas, *groups.maps.items()),
        sort=sort or groups.sort,
        having=having if parts.having else (),
        columns=(),
    )


def _sorts_by(entry: str, names: set[str]) -> bool:
    text, _ = sorted_by(entry)
    return column_name(text) in names or any(text == f"min({write.name(name)})" for name in names)


# Measures


def measures_of(parts: Parts, scene: Scene) -> tuple[Measure, ...]:
    """Return what a plan computes; raises `Unreadable` when it is more than functions of columns."""
    if parts.lists_rows:
        raise Unreadable("the last result is rows: say what to compute, and of which column")
    found = [measure_of(entry, scene.table) for entry in parts.select]
    if not found or any(measure is None for measure in found):
        raise Unreadable("the last result is no plain measure: ask for the new one as a whole question")
    return tuple(measure for measure in found if measure is not None)


def with_measures(parts: Parts, measures: Sequence[Measure], scene: Scene, *, add: bool) -> Parts:
    """Compute something else of the same rows and groups, or something more."""
    check_plain(parts, "the measure")
    old = measures_of(parts, scene)
    chosen = [selected(measure) for measure in measures]
    present = {f"{write.name(name)}{_PRESENT}" for name in parts.keys}
    if any(condition not in present for condition in parts.having):
        raise Unreadable("the groups were picked by a condition: ask for the new measure as a whole question")
    if add:
        wanted = dict.fromkeys([*parts.select, *(item.select for item in chosen)])
        return replace(parts, select=tuple(wanted))
    names = [name_of_entry(entry) for entry in parts.select]
    sort = list(parts.sort)
    for place, entry in enumerate(sort):
        text, down = sorted_by(entry)
        if column_name(text) in names:
            if len(old) != 1 or len(chosen) != 1:
                raise Unreadable("what to sort by?")
            sort[place] = f"{write.name(chosen[0].name)} {'desc' if down else 'asc'}"
    return replace(parts, select=tuple(item.select for item in chosen), sort=tuple(sort), columns=())


def with_function(parts: Parts, function: str, scene: Scene, *, add: bool) -> Parts:
    """Compute another function of the same columns: `what about the median?`."""
    measures = []
    for measure in measures_of(parts, scene):
        if measure.column is None or measure.function == "count_distinct":
            raise Unreadable(f"the {function} of which column?")
        if not measure.column.kind.is_numeric and function not in {"min", "max"}:
            raise Unreadable(f"{measure.column.name} has no {function}")
        measures.append(Measure(function=function, column=measure.column))
    return with_measures(parts, tuple(dict.fromkeys(measures)), scene, add=add)


def with_column(parts: Parts, question: Question, *, add: bool) -> Parts:
    """Compute the same function of another column: `and the quantity?`."""
    column = question.node("C").column
    old = measures_of(parts, question.scene)
    if column is None or len(old) != 1:
        raise Unreadable("which function of the column?")
    function = old[0].function
    if function in {"count", "count_distinct", "sum"}:
        return with_measures(parts, (question.summed(column),), question.scene, add=add)
    measure = replace(old[0], column=column)
    return with_measures(parts, (measure,), question.scene, add=add)


def as_count(parts: Parts, scene: Scene) -> tuple[Parts, ...]:
    """Count what the last result is of; rows or groups when it has groups."""
    check_plain(parts, "the count")
    if parts.lists_rows:
        if parts.limit is not None:
            raise Unreadable("the rows that are shown, or all that meet the conditions?")
        return (replace(_scope(parts), select=("count() as count",)),)
    if not parts.keys:
        return (with_measures(parts, (Measure(function="count"),), scene, add=False),)
    counted = QueryPlan(select=("count() as count",))
    rows = with_measures(replace(parts, sort=(), limit=None), (Measure(function="count"),), scene, add=False)
    return (rows, replace(parts, after=(counted,)))


def _scope(parts: Parts) -> Parts:
    """Return the rows that a plan looks at, and nothing done with them."""
    used = {name for item in parts.filters for name in item.columns}
    formulas = tuple(pair for pair in parts.map if pair[0] in used)
    return Parts(period=parts.period, time_column=parts.time_column, map=formulas, filters=parts.filters)


def as_rows(parts: Parts, scene: Scene) -> Parts:
    """Show the rows behind the last result: its filters and its time, without groups."""
    check_plain(parts, "the rows")
    picked = any(not condition.endswith(_PRESENT) for condition in parts.having)
    if not parts.lists_rows and (picked or parts.limit is not None):
        raise Unreadable("the rows of the groups that are shown, or of all groups?")
    if any(measure_of(entry, scene.table) is None and "share(" not in entry for entry in parts.select):
        raise Unreadable("the last result is no plain measure: /source shows its rows")
    return _scope(parts)


def as_share(parts: Parts, scene: Scene) -> Parts:
    """Show the same as percentages: of groups their share, of a count the part that meets the filter."""
    check_plain(parts, "the measure")
    (measure, *others) = measures_of(parts, scene)
    if others or measure.function not in {"sum", "count"}:
        raise Unreadable("only counts and sums have shares")
    chosen = selected(measure)
    subject = write.name(measure.column.name) if measure.column is not None else ""
    if not parts.keys:
        return _as_percentage(parts, measure, subject)
    if parts.having or parts.limit is not None:
        raise Unreadable("a share of the groups that are shown, or of all rows?")
    if measure.column is None and parts.filters:
        raise Unreadable("share of all rows, or percentage within each group?")
    return replace(parts, select=(chosen.select, f"{write.call('share', subject)} as share"))


def _as_percentage(parts: Parts, measure: Measure, subject: str) -> Parts:
    if len(parts.filters) != 1 or parts.map:
        raise Unreadable("a percentage of what?")
    expression = joined([item.expr for item in parts.filters])
    percent = f"pct({expression}) as percent"
    if measure.column is not None:
        percent = f"sum(if({expression}, {subject}, 0)) / sum({subject}) * 100 as percent"
    return replace(parts, filters=(), select=(percent,))


# Order and number


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
        flipped = replace(last, sort=_flipped(last.sort, descending))
        return (replace(parts, after=(*parts.after[:-1], flipped)),)
    if not parts.sort or parts.sort[0].startswith("min("):
        raise Unreadable("what to sort by?")
    sort = _flipped(parts.sort, descending)
    other = replace(parts, sort=sort)
    if parts.limit is None or descending is not None:
        return (other,)
    return (other, replace(parts, after=(QueryPlan(sort=sort),)))


def _flipped(sort: tuple[str, ...], descending: bool | None) -> tuple[str, ...]:  # noqa: FBT001 - three-valued
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


def with_limit(parts: Parts, number: int, best: bool | None, scene: Scene) -> Parts:  # noqa: FBT001 - three-valued
    """Keep the first few: of the order there is, or of the highest (`best`), or of the lowest."""
    last = parts.after[-1] if parts.after else None
    if last is not None and not _is_view(last):
        raise Unreadable("the last result cannot be cut by itself")
    sort = last.sort if last is not None and last.sort else parts.sort
    if not parts.keys and not parts.lists_rows:
        raise Unreadable("the last result has one row")
    if best is not None and sort and sorted_by(sort[0])[1] != best:
        raise Unreadable("the first as they stand, or those at the other end?")
    if last is not None:
        return replace(parts, after=(*parts.after, QueryPlan(limit=number)))
    if best is None or sort:
        return replace(parts, limit=number)
    if parts.lists_rows or len(measures_of(parts, scene)) != 1:
        raise Unreadable("the first by what?")
    present = tuple(f"{write.name(name)}{_PRESENT}" for name in parts.keys if name not in parts.formulas)
    having = tuple(dict.fromkeys((*parts.having, *present)))
    name = name_of_entry(parts.select[0])
    entry = f"{write.name(name)} {'desc' if best else 'asc'}"
    return replace(parts, sort=(entry,), limit=number, having=having)
