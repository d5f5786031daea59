"""Two or more things side by side, and one calendar unit beside the one before: how they differ; and at which places of an order groups stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import COUNT
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.expressions import Unplannable, fresh, is_relative, query
from tabchat.planner.plan.figures import Aggregate, aggregates, key_columns, value_of
from tabchat.planner.plan.groups import Sort, by_key, grouped_step, ranked
from tabchat.planner.plan.scope import of_one_row, period_condition, scope_of, written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent, Side
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.expressions import Fields, PlannedCall
    from tabchat.planner.plan.figures import KeyColumn
    from tabchat.values import JsonValue

_LONGEST: Final = 1_000_000
"""Characters of the names of all sides together."""
_FORMULAS: Final = {
    "difference": "{one} - {two}",
    "ratio": "{one} / nullif({two}, 0)",
    "percent": "({two} - {one}) / if({one} > 0, {one}) * 100",
}
_AGO: Final = {
    "month": "month({t})",
    "quarter": "quarter({t})",
    "day": "month({t}) * 100 + day({t})",
}
"""Unit → what a unit has in common with the same one a year before."""
_COUNTED: Final = {
    "year": "year({t})",
    "quarter": "year({t}) * 4 + quarter({t})",
    "month": "year({t}) * 12 + month({t})",
    "week": "days_between(date('2001-01-01'), period_week({t})) / 7",
}
"""Unit → its number; days without rows, such as those of a weekend, are passed over."""
_PLACE: Final = "place"
"""The column of the places; those that equal one another share one."""


def comparison(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the first measure on each side, and how two differ, or which side is the greatest (else: the least).

    The difference is the first minus the second, the ratio the first by the second, the percentage the change from
    the first to the second.
    """
    if len(intent.sides) < 2:  # noqa: PLR2004 - what stands alone is compared with nothing
        raise Unplannable("compared with what?")
    if intent.keys or intent.having:
        raise Unplannable("sides are compared as wholes, not by groups")
    measure = (intent.measures or (COUNT,))[0]
    if measure.share:
        raise Unplannable("a share of which total?")
    names: list[str] = []
    maps: dict[str, str] = {}
    figures: list[Aggregate] = []
    for place, side in enumerate(intent.sides, start=1):
        names.append(fresh(side.label or "side", names))
        condition = _side(side, columns)
        if side.period is not None and is_relative(side.period):
            # What looks at all the rows is computed ahead of the aggregates.
            helper = columns.fresh(f"in_{place}", names)
            maps[helper], condition = condition, helper
        figures.append(Aggregate(expression=value_of(measure, columns, condition), name=names[-1]))
    select: list[JsonValue] = [item.select for item in (*figures, *_difference(intent, figures))]
    steps: list[Fields] = [{**scope_of(intent, columns).fields(maps=maps), "select": select}]
    return query(columns.table, [*steps, _which(intent, figures)] if intent.comparison == "which" else steps)


def _side(side: Side, columns: Columns) -> str:
    conditions = of_one_row(side.clauses, columns)
    if side.period is not None:
        conditions.append(period_condition(side.period, columns))
    return write.joined(conditions or ["true"])


def _difference(intent: Intent, figures: Sequence[Aggregate]) -> list[Aggregate]:
    if intent.comparison in {None, "which"}:
        return []
    if len(figures) != 2:  # noqa: PLR2004 - a difference has two sides
        raise Unplannable("the difference of which two?")
    one, two = (f"({figure.expression})" for figure in figures)
    formula = _FORMULAS[str(intent.comparison)].format(one=one, two=two)
    name = fresh(str(intent.comparison), [figure.name for figure in figures])
    return [Aggregate(expression=formula, name=name)]


def _which(intent: Intent, figures: Sequence[Aggregate]) -> Fields:
    """Return the step that names the sides with the greatest (else: least) figure, all that share it."""
    least = bool(intent.orders) and not intent.orders[0].descending
    names = [write.name(figure.name) for figure in figures]
    best = write.call("least" if least else "greatest", *names)
    parts = [
        write.call("if", f"{name} == {best}", write.text(f", {figure.name}"), "''")
        for name, figure in zip(names, figures, strict=True)
    ]
    which = fresh("which", [figure.name for figure in figures])
    formula = write.call("substring", write.call("concat", *parts), "3", str(_LONGEST))
    return {"map": {which: formula}, "columns": [which, *(figure.name for figure in figures)]}


def change(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan measures by the calendar key, each with what it came from, or a moving mean or sum of the first.

    Orders by a measure are on its change, or on the moving figure.
    """
    if not intent.keys or intent.having:
        raise Unplannable("a change is told of every month, week or year")
    if intent.window is not None and intent.window < 2:  # noqa: PLR2004 - one row has nothing to average
        raise Unplannable("a window has two rows or more")
    keys = key_columns(intent.keys, columns)
    time = next((key for key in keys if key.is_step), keys[0])
    others = [key for key in keys if key is not time]
    chosen = aggregates(intent.measures or (COUNT,), columns, [key.name for key in keys])
    step = grouped_step(intent, keys, chosen, columns, [time.present])
    step["sort"] = [by_key(key).text for key in (time, *others)]
    names = [item.name for item in chosen]
    within = [key.name for key in others]
    goes_on, taken = None, [*names, *(key.name for key in keys)]
    back = (intent.window or 2) - 1
    if intent.against == "year" and time.key.unit != "year":
        year, place = _year_and_place(step, time, columns, taken)
        within.append(place)
        goes_on = f"prev({write.name(year)}) == {write.name(year)} - 1"
    elif intent.change != "total" or intent.window is not None:
        number = _number(time, columns)
        if number is not None:
            counted = columns.fresh("in_order", taken)
            _group_by(step, {counted: number})
            goes_on = f"prev({write.name(counted)}, {back}) == {write.name(counted)} - {back}"
    moved = _moved(names, intent, goes_on)
    shown = [time.name, *(key.name for key in others), *names, *moved]
    last: Fields = {"within": within, "map": dict(moved), "columns": shown}
    if intent.window is not None:
        last["where"] = f"{write.name(next(iter(moved)))} is not null"
    return query(columns.table, _in_order([step, last], intent, [*moved], time))


def _year_and_place(step: Fields, time: KeyColumn, columns: Columns, taken: Sequence[str]) -> tuple[str, str]:
    """Group by the year of a calendar unit and its place in the year as well; return the names of the two."""
    unit = str(time.key.unit)
    if unit not in _AGO:
        raise Unplannable(f"a {unit} has no same {unit} a year before")
    cell = columns.moment(columns.time(time.key.column))
    year, place = columns.fresh("in_year", taken), columns.fresh("in_place", taken)
    _group_by(step, {year: write.call("year", cell), place: _AGO[unit].format(t=cell)})
    return year, place


def _number(time: KeyColumn, columns: Columns) -> str | None:
    """Write the number of a calendar unit in the order of its kind; None where units may be left out."""
    if not time.is_step:
        return None
    column = columns.time(time.key.column)
    unit = time.key.unit or column.span
    if not (column.kind.is_temporal or column.span):
        return write.name(column.name) if unit in {None, "year"} else None
    return _COUNTED[unit].format(t=columns.moment(column)) if unit in _COUNTED else None


def _group_by(step: Fields, computed: dict[str, str]) -> None:
    """Group by computed columns as well."""
    maps, names = step["map"], step["group_by"]
    step["map"] = {**(maps if isinstance(maps, dict) else {}), **computed}
    step["group_by"] = [*(names if isinstance(names, list) else []), *computed]


def _moved(names: Sequence[str], intent: Intent, goes_on: str | None) -> dict[str, str]:
    """Return name → formula of the moving mean, or of what each figure is beside the earlier one, if that `goes_on`."""
    if intent.window is not None:
        function = "rolling_sum" if intent.change == "total" else "rolling_mean"
        moving = write.call(function, write.name(names[0]), str(intent.window))
        moving = moving if goes_on is None else write.call("if", goes_on, moving)
        return {f"{function}_{intent.window}_{names[0]}": moving}
    found = {}
    for name in names:
        cell = write.name(name)
        before = write.call("prev", cell)
        # A percentage of what is nothing, or less, says nothing.
        known = [goes_on or "", f"{before} > 0" if intent.change == "percent" else ""]
        known = [condition for condition in known if condition]
        earlier = write.call("if", write.joined(known), before) if known else before
        if intent.change == "total":
            found[f"{name}_running"] = write.call("cumsum", cell)
        elif intent.change == "percent":
            found[f"{name}_change_pct"] = f"({cell} - {before}) / {earlier} * 100"
        else:
            found[f"{name}_change"] = f"{cell} - {earlier}"
    return found


def _in_order(steps: list[Fields], intent: Intent, moved: Sequence[str], time: KeyColumn) -> list[Fields]:
    """Put the rows into the order of the intent, or of time."""
    sorts = [
        Sort(
            what=write.name(order.column or moved[min(order.measure, len(moved) - 1)]),
            descending=order.descending,
        )
        for order in intent.orders
    ]
    if sorts and intent.limit:
        present = [f"{sort.what} is not null" for sort in sorts]
        steps = [*steps, {"where": write.joined(present), "columns": steps[-1]["columns"]}]
    # What is sorted by a rank stays so, and its names have another order.
    if not sorts and time.rank is None:
        sorts = [Sort(what=write.name(time.name))]
    return ranked(steps, sorts, intent)


def standing(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the places of the groups that are `placed`; groups without a figure have none."""
    keys = key_columns(intent.keys, columns)
    chosen = aggregates(intent.measures[:1], columns, [key.name for key in keys])
    if not keys or not intent.placed or not chosen or len(intent.orders) != 1:
        raise Unplannable("whose place by what?")
    figure, direction = write.name(chosen[0].name), "desc" if intent.orders[0].descending else "asc"
    place = columns.fresh(_PLACE)
    present = [*(key.present for key in keys), f"{figure} is not null"]
    step = {**grouped_step(intent, keys, chosen, columns, present), "sort": [f"{figure} {direction}"]}
    ranked: Fields = {"map": {place: write.call("rank", figure, write.text(direction))}}
    told: Fields = {
        "where": write.joined(written(intent.placed, columns)),
        "columns": [*(key.name for key in keys), place, chosen[0].name],
    }
    return query(columns.table, [step, ranked, told])
