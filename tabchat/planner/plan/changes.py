"""Figures from one calendar unit to the next: changes and moving means."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, query
from tabchat.planner.plan.figures import aggregates, key_columns
from tabchat.planner.plan.groups import COUNT, Sort, by_key, grouped_step, ranked

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.figures import KeyColumn

_AGO: Final = {
    "month": "month({t})",
    "quarter": "quarter({t})",
    "day": "month({t}) * 100 + day({t})",
}
"""Unit → what a unit has in common with the same one a year before."""


def change(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan measures by the calendar key, each with what it came from, or a moving mean of the first.

    Orders by a measure are on its change, or on the moving mean.
    """
    if not intent.keys or intent.having:
        raise Unplannable("a change is told of every month, week or year")
    keys = key_columns(intent.keys, columns)
    time = next((key for key in keys if key.is_step), keys[0])
    others = [key for key in keys if key is not time]
    chosen = aggregates(intent.measures or (COUNT,), columns, [key.name for key in keys])
    step = grouped_step(intent, keys, chosen, columns)
    step["having"] = write.joined([time.present])
    names = [item.name for item in chosen]
    within = [key.name for key in others]
    before = None
    if intent.against == "year" and time.key.unit != "year":
        helpers = _years_before(time, columns, [*names, *(key.name for key in keys)])
        within.append(_grouped_by(step, helpers))
        before = f"prev({write.name(next(iter(helpers)))}) == {write.name(next(iter(helpers)))} - 1"
    step["sort"] = [by_key(key).text for key in (time, *others)]
    full = None if intent.window is None else f"rolling_mean_{intent.window}_{names[0]}"
    moved = _changes(names, str(intent.change), before) if full is None else _mean(full, names[0], intent)
    shown = [time.name, *(key.name for key in others), *names, *moved]
    last: Fields = {"within": within, "map": dict(moved), "columns": shown}
    if full is not None:
        last["where"] = f"{write.name(full)} is not null"
    # What is sorted by a rank stays so, and its names have another order.
    name = time.name if time.rank is None else None
    return query(columns.table, _finished([step, last], intent, [*moved], name))


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


def _mean(made: str, name: str, intent: Intent) -> Mapping[str, str]:
    if intent.window is None or intent.window < 2:  # noqa: PLR2004 - one row has nothing to average
        raise Unplannable("a window has two rows or more")
    return {made: write.call("rolling_mean", write.name(name), str(intent.window))}


def _changes(names: Sequence[str], kind: str, before: str | None) -> Mapping[str, str]:
    found = {}
    for name in names:
        cell = write.name(name)
        if kind == "total":
            found[f"{name}_running"] = write.call("cumsum", cell)
            continue
        earlier = write.call("prev", cell)
        if before is not None:
            earlier = write.call("if", before, earlier)
        difference = f"{cell} - {earlier}"
        if kind == "percent":
            found[f"{name}_change_pct"] = f"({difference}) / nullif({earlier}, 0) * 100"
        else:
            found[f"{name}_change"] = difference
    return found


def _finished(steps: list[Fields], intent: Intent, moved: Sequence[str], time: str | None) -> list[Fields]:
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
    if not sorts and time is not None:
        sorts = [Sort(what=write.name(time))]
    return ranked(steps, sorts, intent)
