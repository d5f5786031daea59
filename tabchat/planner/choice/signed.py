"""Doubts about amounts of both signs: what went out is negative, and the greatest of all is what came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import BOUNDING, all_conditions

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_SIGNED: Final = frozenset({"amount", "total"})
"""Groups of columns of what came in and what went out."""


def _ranks_what_came_in_for_what_went_out(lattice: Lattice, intent: Intent) -> bool:
    """`biggest expense`, `transactions above 100`, over amounts of which those that were spent are negative."""
    known = lattice.vocabulary.by_name
    told = {one.column for one in intent.orders if one.column} | {
        one.column for one in all_conditions(intent)
    }
    if any(order.column is None for order in intent.orders):
        told |= {one.column for one in intent.measures if one.column}
    told |= {one.column for one in intent.measures if one.function in {"max", "min"} and one.column}
    signed = [known[name] for name in told if name in known and _is_signed(known[name])]
    spent = {
        "header.cost",
        "header.expense",
        "verb.cost",
        "scale.most.max.cost",
        "scale.most.max.price",
        "header.payment",
    }
    bounded = any(one.operator in BOUNDING for one in all_conditions(intent))
    return any(
        not spent.isdisjoint(lattice.names) or (bounded and "balance" not in column.words)
        for column in signed
    )


def _is_signed(column: TableColumn) -> bool:
    low, high = column.facts.low, column.facts.high
    if not (isinstance(low, int | float) and isinstance(high, int | float)):
        return False
    return low < 0 < high and column.monetary and not column.groups.isdisjoint(_SIGNED)


SIGNED: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (_ranks_what_came_in_for_what_went_out,)
"""Each tells whether a reading is doubtful."""
