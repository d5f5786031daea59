"""Rows of the file: those that meet conditions, in an order; different values; the first ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable, query
from tabchat.planner.plan.groups import Sort, ranked
from tabchat.planner.plan.scope import scope_of

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.call import Fields, PlannedCall
    from tabchat.planner.plan.columns import Columns

_HEAD = 5
"""Rows of a look at the file that says no number."""


def rows(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan rows of the file; those without a cell to rank them by are in no ranking."""
    scope = scope_of(intent, columns)
    if any(order.column is None for order in intent.orders):
        raise Unplannable("rows are sorted by a column")
    if any(key.column is None or key.unit for key in intent.limit_keys):
        raise Unplannable("the limit holds in each group of a column")
    ordered = [columns.find(str(order.column)) for order in intent.orders]
    groups = [columns.find(str(key.column)).name for key in intent.limit_keys]
    # Texts that name months are sorted by their days.
    starts = {
        column.name: columns.fresh(f"{column.name}_start") for column in ordered if column.span is not None
    }
    maps = {starts[column.name]: columns.moment(column) for column in ordered if column.name in starts}
    sorts = [
        Sort(what=write.name(starts.get(column.name, column.name)), descending=order.descending)
        for column, order in zip(ordered, intent.orders, strict=True)
    ]
    ranking = intent.limit is not None or bool(intent.offset)
    within = [Sort(what=write.name(name)) for name in groups]
    present = [f"{sort.what} is not null" for sort in (*(sorts if ranking else ()), *within)]
    step = scope.fields(maps=maps, where=present)
    asked = [*groups, *(columns.find(name).name for name in intent.columns)]
    shown = [*dict.fromkeys([*asked, *(column.name for column in ordered)])] if intent.columns else None
    if maps and groups:
        # Row functions of a step see the columns that it starts with.
        steps: list[Fields] = [step, {"columns": shown or [*columns.names]}]
        return query(columns.table, ranked(steps, sorts, intent, within=within))
    step["columns"] = shown or ([*columns.names] if scope.maps or maps else None)
    return query(columns.table, ranked([step], sorts, intent, within=within))


def values(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the different values of columns, with how many rows have each; a missing cell is no value."""
    if not intent.columns:
        raise Unplannable("the values of which column?")
    if intent.orders:
        raise Unplannable("values come in their own order")
    names = [columns.find(name).name for name in intent.columns]
    present = write.any_of([f"{write.name(name)} is not null" for name in names])
    count = columns.fresh("count")
    step = {
        **scope_of(intent, columns).fields(where=[present]),
        "group_by": [*dict.fromkeys(names)],
        "select": [f"count() as {write.name(count)}"],
    }
    return query(columns.table, ranked([step], (), intent, shown=[*names, count]))


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
