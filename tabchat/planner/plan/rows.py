"""Rows of the file: those that meet conditions, in an order; different values; the first ones; the one beside another."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, query
from tabchat.planner.plan.conditions import written
from tabchat.planner.plan.figures import computed, key_columns
from tabchat.planner.plan.groups import Sort, ranked
from tabchat.planner.plan.scope import period_conditions, scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns

_HEAD = 5
"""Rows of a look at the file that says no number."""


def rows(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan rows of the file; those without a cell to rank them by are in no ranking."""
    scope = scope_of(intent, columns)
    keys = key_columns(intent.limit_keys, columns)
    sorts, moments = _sorts(intent, columns)
    ranking = intent.limit is not None or bool(intent.offset)
    present = [f"{sort.what} is not null" for sort in sorts] if ranking else []
    present += [key.present for key in keys]
    maps = {**computed(keys), **moments}
    step = scope.fields(maps=maps, where=present)
    within = [Sort(what=write.name(key.name)) for key in keys]
    shown = _shown(intent, columns, [*computed(keys)], [key.name for key in keys])
    if maps and intent.limit_keys:
        # Row functions of a step see the columns that it starts with.
        steps: list[Fields] = [step, {"columns": shown}]
        return query(columns.table, ranked(steps, sorts, intent, within=within))
    step["columns"] = shown if intent.columns or scope.maps or maps else None
    return query(columns.table, ranked([step], sorts, intent, within=within))


def _sorts(intent: Intent, columns: Columns) -> tuple[list[Sort], Mapping[str, str]]:
    """Return the order of rows, and what is computed for it: the days of texts that name months."""
    found: list[Sort] = []
    moments: dict[str, str] = {}
    for order in intent.orders:
        if order.column is None:
            raise Unplannable("rows are sorted by a column")
        column = columns.find(order.column)
        name = column.name if column.span is None else columns.fresh(f"{column.name}_start", moments)
        if column.span is not None:
            moments[name] = columns.moment(column)
        found.append(Sort(what=write.name(name), descending=order.descending))
    return found, moments


def _shown(intent: Intent, columns: Columns, maps: Sequence[str], keys: Sequence[str]) -> list[str]:
    """Return the columns of the answer: groups, what was asked for, what it is sorted by; or all of the file."""
    if not intent.columns:
        return [*maps, *columns.names]
    ordered = [order.column for order in intent.orders if order.column is not None]
    return [*dict.fromkeys([*keys, *(columns.find(name).name for name in intent.columns), *ordered])]


def values(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the different values of columns, with how many rows have each; a missing cell is no value."""
    if not intent.columns:
        raise Unplannable("the values of which column?")
    names = [columns.find(name).name for name in intent.columns]
    present = write.any_of([f"{write.name(name)} is not null" for name in names])
    count = columns.fresh("count")
    step = {
        **scope_of(intent, columns).fields(where=[present]),
        "group_by": [*dict.fromkeys(names)],
        "select": [f"count() as {write.name(count)}"],
    }
    sorts = [
        _of_values(order.column, names, count, columns, down=order.descending) for order in intent.orders
    ]
    return query(columns.table, ranked([step], sorts, intent, shown=[*names, count]))


def _of_values(name: str | None, names: Sequence[str], count: str, columns: Columns, *, down: bool) -> Sort:
    """Return the order of values: their own, that of their rows, or that of their best cell of another column."""
    if name is None or name in names:
        return Sort(what=write.name(name or count), descending=down)
    best = write.call("max" if down else "min", write.name(columns.find(name).name))
    return Sort(what=best, descending=down, grouped=True)


def head(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the first rows of the file, or the last ones; both in its order."""
    limit = intent.limit or _HEAD
    shown = [columns.find(name).name for name in intent.columns]
    if not (intent.orders and intent.orders[0].descending):
        steps: list[Fields] = [{"limit": limit, "columns": shown}]
        if intent.offset:
            steps = [{"where": f"file_row() > {intent.offset}", **steps[0]}]
        return query(columns.table, steps)
    row = columns.fresh("row")
    last: Fields = {"map": {row: "file_row()"}, "sort": f"{write.name(row)} desc", "limit": limit}
    return query(
        columns.table, [last, {"sort": f"{write.name(row)} asc", "columns": shown or [*columns.names]}]
    )


def neighbour(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the row after the one in scope (`offset` 1), or before it (-1); in the order of the file or of `orders`."""
    scope = scope_of(intent, columns, timeless=True)
    picked = [*written(intent.clauses, columns), *period_conditions(intent.periods, columns)]
    if not picked:
        raise Unplannable("the row beside which one?")
    steps: list[Fields] = [_in_order(intent, columns, scope.maps)]
    if intent.periods:
        # A relative period hangs on the last of all dates, whatever the order.
        name = columns.fresh("picked")
        steps[0]["map"] = {**dict(scope.maps), **_file_row(intent, columns), name: write.joined(picked)}
        picked = [write.name(name)]
    side = "next" if intent.offset < 0 else "prev"
    step = abs(intent.offset) or 1
    distance = () if step == 1 else (str(step),)
    shown = _shown(intent, columns, [], [])
    steps.append({"where": write.call(side, write.joined(picked), *distance), "columns": shown})
    return query(columns.table, steps)


def _file_row(intent: Intent, columns: Columns) -> Mapping[str, str]:
    return {} if intent.orders else {columns.fresh("row"): "file_row()"}


def _in_order(intent: Intent, columns: Columns, maps: Mapping[str, str]) -> Fields:
    """Return the step that puts all the rows into the order in which they are beside each other."""
    row = _file_row(intent, columns)
    sorts, moments = _sorts(intent, columns)
    texts = [sort.text for sort in sorts] or [f"{write.name(name)} asc" for name in row]
    return {"map": {**maps, **row, **moments}, "sort": texts}
