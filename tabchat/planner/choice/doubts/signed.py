"""Doubts about which way money went: earned or spent; what went out may be negative, and the greatest of all came in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.derived import SPANS
from tabchat.planner.intent import BOUNDING, all_conditions
from tabchat.planner.links.flows import GOING_OUT, OTHERWISE, buys, sells, spends
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_EARNED: Final = frozenset({"revenue", "sales", "salary", "profit", "price", "gross"})
"""Groups of columns of what is earned, whatever rows are."""
_SPENT: Final = frozenset(
    (
        *("header.cost", "header.expense", "header.payment", "verb.cost"),
        *("scale.most.max.cost", "scale.most.max.price"),
    )
)
"""Words for what went out."""
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
    bounded = any(one.operator in BOUNDING for one in all_conditions(intent))
    return any(
        not _SPENT.isdisjoint(lattice.names) or (bounded and "balance" not in column.words)
        for column in signed
    )


def _is_signed(column: TableColumn) -> bool:
    low, high = column.facts.low, column.facts.high
    if not (isinstance(low, int | float) and isinstance(high, int | float)):
        return False
    return low < 0 < high and column.monetary and not column.groups.isdisjoint(_SIGNED)


def _takes_money_the_other_way(lattice: Lattice, intent: Intent) -> bool:
    """`how much did we earn`, answered by expenses; `total spending`, by what customers paid."""
    vocabulary = lattice.vocabulary
    named = {lattice.column(link).name for link in lattice.links(LinkKind.COLUMN) if not link.is_near}
    told = {one.column for one in intent.measures if one.column} - named
    kinds = [column.kinds for column in vocabulary.columns if column.name in told and _is_money(column)]
    spending = lattice.says("spending")
    if not kinds or not (spending or lattice.says("earning")):
        return False
    if any(not one.isdisjoint(OTHERWISE) for one in kinds):
        return True
    if spending:
        # What each customer spent is what came in.
        people = {column.name for column in vocabulary.called_persons}
        if not people.isdisjoint(key.column for key in intent.keys):
            return False
        wrong = any(one.isdisjoint(GOING_OUT) for one in kinds)
        return wrong and not (spends(vocabulary) or buys(vocabulary))
    # The income of a person is another one.
    earned = _EARNED if vocabulary.people else _EARNED | {"income"}
    unsaid = [one for one in kinds if one.isdisjoint(earned)]
    return bool(unsaid) and (not sells(vocabulary) or any(not one.isdisjoint(GOING_OUT) for one in unsaid))


def _is_money(column: TableColumn) -> bool:
    """Tell whether a column, or what rows come to at their price, is money."""
    return column.monetary or (bool(column.facts.operands) and column.facts.unit not in SPANS)


SIGNED: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _ranks_what_came_in_for_what_went_out,
    _takes_money_the_other_way,
)
"""Each tells whether a reading is doubtful."""
