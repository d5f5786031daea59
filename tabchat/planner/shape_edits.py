"""What a follow-up changes of the result: its groups, its measure, or whether there is any."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.plan import QueryPlan
from tabchat.planner import expressions as write
from tabchat.planner.nodes import Measure
from tabchat.planner.parts import Parts, column_name, name_of_entry, sorted_by
from tabchat.planner.plans import Unreadable, grouping_of, joined, selected
from tabchat.planner.recall import column_of, measure_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.grammar import Clauses
    from tabchat.planner.nodes import Key
    from tabchat.planner.plans import Grouping
    from tabchat.planner.scene import Scene
    from tabchat.planner.shapes.base import Question

PRESENT: Final = " is not null"


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
    present = {f"{write.name(name)}{PRESENT}" for name in parts.keys}
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
        f"{write.name(name)}{PRESENT}" for name in names if name not in {*groups.maps, *dict(formulas)}
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
    present = {f"{write.name(name)}{PRESENT}" for name in parts.keys}
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
        return (replace(scope_alone(parts), select=("count() as count",)),)
    if not parts.keys:
        return (with_measures(parts, (Measure(function="count"),), scene, add=False),)
    counted = QueryPlan(select=("count() as count",))
    rows = with_measures(replace(parts, sort=(), limit=None), (Measure(function="count"),), scene, add=False)
    return (rows, replace(parts, after=(counted,)))


def scope_alone(parts: Parts) -> Parts:
    """Return the rows that a plan looks at, and nothing done with them."""
    used = {name for item in parts.filters for name in item.columns}
    formulas = tuple(pair for pair in parts.map if pair[0].casefold() in used)
    return Parts(period=parts.period, time_column=parts.time_column, map=formulas, filters=parts.filters)


def as_rows(parts: Parts, scene: Scene) -> Parts:
    """Show the rows behind the last result: its filters and its time, without groups."""
    check_plain(parts, "the rows")
    picked = any(not condition.endswith(PRESENT) for condition in parts.having)
    if not parts.lists_rows and (picked or parts.limit is not None):
        raise Unreadable("the rows of the groups that are shown, or of all groups?")
    if any(measure_of(entry, scene.table) is None and "share(" not in entry for entry in parts.select):
        raise Unreadable("the last result is no plain measure: /source shows its rows")
    return scope_alone(parts)


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
