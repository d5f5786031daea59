"""Figures from one time to the next: changes, running totals and moving means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, query
from tabchat.planner.plan.figures import aggregates, key_columns
from tabchat.planner.plan.groups import COUNT, Sort, bound_text, by_key, grouped_steps, ranked
from tabchat.planner.plan.scope import period_condition, scope_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.intent import Intent, Measure
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.figures import KeyColumn

_AGO: Final = {
    "month": "month({t})",
    "quarter": "quarter({t})",
    "day": "month({t}) * 100 + day({t})",
}
"""Unit → what a unit has in common with the same one a year before."""


@record
class _Moved:
    """The computed columns of the measures, in order."""

    maps: Mapping[str, str]
    changes: tuple[str, ...] = ()
    """Those that orders and bounds speak of: the changes, else the moving or running figures."""
    full: str | None = None
    """A moving figure, which the first rows have none of."""


def change(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan measures by the calendar key, or the cells of one column row by row, each with what it came from.

    Orders by a measure, and bounds on one, are on its change (else on its moving or running figure).
    """
    return _by_group(intent, columns) if intent.keys else _by_row(intent, columns)


def _by_group(intent: Intent, columns: Columns) -> PlannedCall:
    keys = key_columns(intent.keys, columns)
    time = next((key for key in keys if key.is_step), keys[0])
    others = [key for key in keys if key is not time]
    chosen = aggregates(intent.measures or (COUNT,), columns, [key.name for key in keys])
    steps = grouped_steps(intent, keys, chosen, columns)
    steps[0]["having"] = write.joined([time.present])
    names = [item.name for item in chosen]
    within = [key.name for key in others]
    before = None
    if intent.against == "year" and time.key.unit != "year":
        helpers = _years_before(time, columns, [*names, *(key.name for key in keys)])
        within.append(_grouped_by(steps[0], helpers))
        before = f"prev({write.name(next(iter(helpers)))}) == {write.name(next(iter(helpers)))} - 1"
    steps[0]["sort"] = [by_key(key).text for key in (time, *others)]
    moved = _moved(intent, names, before)
    shown = [time.name, *(key.name for key in others), *names, *moved.maps]
    last: Fields = {"within": within, "map": dict(moved.maps), "columns": shown}
    if moved.full is not None:
        last["where"] = f"{write.name(moved.full)} is not null"
    # What is sorted by a rank stays so, and its names have another order.
    return query(
        columns.table, _finished([*steps, last], intent, moved, time.name if time.rank is None else None)
    )


def _years_before(time: KeyColumn, columns: Columns, taken: Sequence[str]) -> dict[str, str]:
    """Return the year and the place in it of a calendar unit, as columns to group by as well."""
    unit = str(time.key.unit)
    if unit not in _AGO:
        raise Unplannable(f"a {unit} has no same {unit} a year before")
    cell = columns.moment(columns.time(time.key.column))
    year = columns.fresh("in_year", taken)
    place = columns.fresh("in_place", taken)
    return {year: write.call("year", cell), place: _AGO[unit].format(t=cell)}


def _grouped_by(step: Fields, helpers: Mapping[str, str]) -> str:
    maps, names = step["map"], step["group_by"]
    step["map"] = {**(maps if isinstance(maps, dict) else {}), **helpers}
    step["group_by"] = [*(names if isinstance(names, list) else []), *helpers]
    return list(helpers)[1]


def _by_row(intent: Intent, columns: Columns) -> PlannedCall:
    """Follow the cells of columns in the order of the dates; what filters say comes first, the period last."""
    names = [item.column for item in intent.measures if item.column and columns.number(item.column)]
    if not names:
        raise Unplannable("the changes of which column?")
    scope = scope_of(intent, columns, timeless=True)
    moved = _moved(intent, names, None)
    periods, first = _kept_for_last(intent, columns)
    time = _time_of_rows(intent, columns)
    shown = [
        *([time] if time else []),
        *(columns.find(name).name for name in intent.columns),
        *names,
        *moved.maps,
    ]
    full = [f"{write.name(moved.full)} is not null"] if moved.full is not None else []
    conditions = [*periods, *full]
    last: Fields = {
        "map": dict(moved.maps),
        "where": write.joined(conditions) if conditions else None,
        "columns": [*dict.fromkeys(shown)],
    }
    sort = _sorted_by_years(time, columns)
    if not scope.where and not first and sort is None:
        steps: list[Fields] = [
            {**scope.fields(maps=moved.maps), **{k: v for k, v in last.items() if k != "map"}}
        ]
    else:
        steps = [{**scope.fields(maps=first), "sort": sort}, last]
    return query(columns.table, _finished(steps, intent, moved, time))


def _time_of_rows(intent: Intent, columns: Columns) -> str | None:
    """Return the column that rows follow each other by: the named one, the first of dates, or one of years."""
    named = next((period.column for period in intent.periods if period.column), None)
    dated = columns.first_date or next((column for column in columns.all if column.years), None)
    return named or (dated.name if dated is not None else None)


def _sorted_by_years(time: str | None, columns: Columns) -> str | None:
    """Return the order of rows that have years only; the engine puts rows with dates in order itself."""
    if time is None or columns.find(time).kind.is_temporal:
        return None
    return f"{write.name(time)} asc"


def _kept_for_last(intent: Intent, columns: Columns) -> tuple[list[str], dict[str, str]]:
    """Return the conditions of the periods, and what they need computed before any row is left out."""
    conditions = [period_condition(period, columns) for period in intent.periods]
    if not conditions:
        return [], {}
    if not intent.clauses and len(conditions) == 1:
        return conditions, {}
    name = columns.fresh("in_period")
    return [write.name(name)], {name: write.any_of(conditions)}


def _moved(intent: Intent, names: Sequence[str], before: str | None) -> _Moved:
    maps: dict[str, str] = {}
    changes: list[str] = []
    full = None
    first = write.name(names[0])
    if intent.window is not None:
        if intent.window < 2:  # noqa: PLR2004 - one row has nothing to average
            raise Unplannable("a window has two rows or more")
        full = f"rolling_mean_{intent.window}_{names[0]}"
        maps[full] = write.call("rolling_mean", first, str(intent.window))
    if intent.cumulative:
        maps[f"total_{names[0]}"] = write.call("cumsum", first)
    others = [*maps]
    kinds: tuple[str, ...] = (intent.change,) if intent.change is not None else ("difference", "percent")
    if intent.change is None and maps:
        kinds = ()
    for name in names:
        for kind in kinds:
            made = f"{name}_change_pct" if kind == "percent" else f"{name}_change"
            maps[made] = _change(write.name(name), kind == "percent", before)
            changes.append(made)
    return _Moved(maps=maps, changes=tuple(changes or others), full=full)


def _change(name: str, percent: bool, before: str | None) -> str:  # noqa: FBT001 - names the kind
    earlier = write.call("prev", name)
    if before is not None:
        earlier = write.call("if", before, earlier)
    difference = f"{name} - {earlier}"
    return f"({difference}) / nullif({earlier}, 0) * 100" if percent else difference


def _finished(steps: list[Fields], intent: Intent, moved: _Moved, time: str | None) -> list[Fields]:
    """Keep the changes that the bounds ask for, in the order of the intent or of time."""
    bounds = [
        bound_text(write.name(moved.changes[_place(_number(bound.measure, intent), intent, moved)]), bound)
        for bound in intent.having
    ]
    sorts = [
        Sort(
            what=write.name(order.column or moved.changes[_place(order.measure, intent, moved)]),
            descending=order.descending,
        )
        for order in intent.orders
    ]
    if bounds or (sorts and intent.limit):
        present = [f"{sort.what} is not null" for sort in sorts] if intent.limit else []
        steps = [*steps, {"where": write.joined([*bounds, *present]), "columns": steps[-1]["columns"]}]
    if not sorts and time is not None:
        sorts = [Sort(what=write.name(time))]
    return ranked(steps, sorts, intent)


def _number(measure: Measure, intent: Intent) -> int:
    known = intent.measures or (COUNT,)
    if measure not in known:
        raise Unplannable("a change is compared by the figure that changes")
    return known.index(measure)


def _place(number: int, intent: Intent, moved: _Moved) -> int:
    """Return the place of the first change of a measure."""
    each = max(1, len(moved.changes) // len(intent.measures or (COUNT,)))
    return min(number * each, len(moved.changes) - 1)
