"""Which way money goes in a table that keeps both: what was spent is below zero, and what came in above it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator, all_conditions
from tabchat.planner.links.rates import buys, sells, spends

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent, Measure, Order
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary

_SPENT: Final = frozenset({"header.cost", "header.expense", "verb.cost"})
_EARNED: Final = frozenset({"header.income", "verb.salary"})
_BOTH_WAYS: Final = frozenset({"amount", "total"})
"""Groups of columns of what came in and what went out."""
_OTHER_END: Final = {"max": "min", "min": "max"}


def is_signed(column: TableColumn) -> bool:
    """Tell whether amounts go both ways."""
    low, high = column.facts.low, column.facts.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return False
    return column.measure and low < 0 < high


def keeps_both_ways(column: TableColumn) -> bool:
    """Tell whether a column tells of money by its sign whether it came in or went out."""
    return is_signed(column) and column.monetary and not _BOTH_WAYS.isdisjoint(column.groups | column.kinds)


def flow_said(lattice: Lattice) -> Operator | None:
    """Return how amounts that went the way of which a question speaks compare with zero; None where their sign does not tell.

    Refunds of sales and of purchases are below zero, too.
    """
    vocabulary = lattice.vocabulary
    # A `cost type` is no expense.
    named = {
        place for link, _ in lattice.column_links if not link.is_near for place in range(link.start, link.end)
    }
    said = {one.name for one in lattice.sentence.concepts if one.start not in named}
    spent = lattice.says("spending") or not _SPENT.isdisjoint(said)
    earned = not _EARNED.isdisjoint(said)
    traded = any(told(vocabulary) for told in (sells, buys, spends)) or bool(vocabulary.called_persons)
    if spent == earned or traded:
        return None
    return Operator.LT if spent else Operator.GT


def of_one_way(intent: Intent, flow: Operator | None, vocabulary: Vocabulary) -> Intent:
    """Return an intent over the amounts of one way alone: the biggest expense is the lowest of those below zero."""
    if flow is None:
        return intent
    named = {*(one.column for one in intent.measures), *(one.column for one in intent.orders)}
    told = [one.name for one in vocabulary.columns if one.name in named and keeps_both_ways(one)]
    if not told or any(one.column in told for one in all_conditions(intent)):
        return intent
    kept = (Condition(column=name, operator=flow, values=(0,)) for name in told)
    intent = replace(intent, clauses=(*intent.clauses, *kept))
    if flow is Operator.GT:
        return intent
    return replace(
        intent,
        measures=tuple(_turned(one) if one.column in told else one for one in intent.measures),
        orders=tuple(_reversed(one) if _ranks(one, intent) in told else one for one in intent.orders),
    )


def keeps_one_way(intent: Intent, name: str) -> bool:
    """Tell whether only amounts below zero, or above it, are kept of a column."""
    return any(
        one.column == name and one.operator in {Operator.LT, Operator.GT} and one.values == (0,)
        for one in all_conditions(intent)
    )


def _turned(measure: Measure) -> Measure:
    return replace(measure, function=_OTHER_END.get(measure.function, measure.function))


def _reversed(order: Order) -> Order:
    return replace(order, descending=not order.descending)


def _ranks(order: Order, intent: Intent) -> str | None:
    """Return the column whose amounts an order is of."""
    return order.column or (intent.measures[order.measure].column if intent.measures else None)
