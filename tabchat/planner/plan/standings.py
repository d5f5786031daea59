"""Intent → the plan that tells at which places of an order some groups stand."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.expressions import Unplannable, query
from tabchat.planner.plan.figures import aggregates, key_columns
from tabchat.planner.plan.groups import grouped_step
from tabchat.planner.plan.scope import written

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.expressions import Fields, PlannedCall

_PLACE: Final = "place"
"""The column of the places; those that equal one another share one."""


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
