"""Whether the money of a table came in or went out: sales and orders of customers, or expenses and purchases."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary

COMING_TO: Final = frozenset({"revenue", "amount", "total", "gross", "sales"})
"""Groups of columns of what rows come to."""
GOING_OUT: Final = frozenset({"cost", "expense"})
"""Groups of columns of what was spent."""
OTHERWISE: Final = frozenset({"budget", "bonus", "debt", "deposit", "tax", "fine", "discount"})
"""Groups of columns of money that is neither what was sold nor what was paid for it."""


def sells(vocabulary: Vocabulary) -> bool:
    """Tell whether rows are sales: by a word of the table or its headers, or as orders of customers; nothing was bought."""
    told = vocabulary.header_stock
    if buys(vocabulary):
        return False
    ordered = any("customer" in column.groups for column in vocabulary.columns)
    billed = ordered and not told.isdisjoint(vocabulary.evidence("billed"))
    return billed or not told.isdisjoint(vocabulary.evidence("sold"))


def buys(vocabulary: Vocabulary) -> bool:
    """Tell whether a word of the table or its headers says that something was bought, or that money was spent otherwise."""
    return not vocabulary.header_stock.isdisjoint(vocabulary.evidence("bought"))


def spends(vocabulary: Vocabulary) -> bool:
    """Tell whether a word of the table or its headers says that rows are expenses."""
    return not vocabulary.header_stock.isdisjoint(vocabulary.evidence("spent"))


def flow_of(vocabulary: Vocabulary) -> TableColumn | None:
    """Return the only amount of money, if it is what rows come to, and all of them go one way."""
    sums = [column for column in vocabulary.money if column.additive]
    if len(sums) != 1 or any(map(vocabulary.directed, vocabulary.columns)):
        return None
    kinds = sums[0].kinds
    return sums[0] if OTHERWISE.isdisjoint(kinds) and not kinds.isdisjoint(COMING_TO | GOING_OUT) else None
