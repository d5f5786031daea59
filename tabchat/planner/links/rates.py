"""Amounts and what they are for, as headers tell them: `COST_PA` and `Annual fee` for a year, a `Day rate` for a day.

`The average mark in math` is that of a column `Math`. Money came in, of sales and orders of customers, or went out.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import MONEY

if TYPE_CHECKING:
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.vocabulary import Vocabulary

_SHORT: Final = {"pa": "year", "pcm": "month", "pm": "month", "pw": "week", "pd": "day"}
"""What headers of contracts write for per annum, per calendar month …"""
_RATES: Final = frozenset(
    {"rate", "rent", "fee", "price", "cost", "charge", "ставка", "тариф", "ціна", "цена", "плата"}
)
"""Words behind or before a unit of time that make it that of an amount: `Day rate`, `Ціна за добу`."""
_OPENING: Final = ("per", "article", "each", "every", "per.time", "in")
"""What stands before the unit of a rate: per year, a year, за добу."""
_MARKS: Final = frozenset({"mark", "rating"})
"""Groups of columns of marks."""
_JOINING: Final = ("in", "by", "to", "from")
"""Words between a mark and its subject: in math, по математике, з математики."""
COMING_TO: Final = frozenset({"revenue", "amount", "total", "gross", "sales"})
"""Groups of columns of what rows come to."""
GOING_OUT: Final = frozenset({"cost", "expense"})
"""Groups of columns of what was spent."""
OTHERWISE: Final = frozenset({"budget", "bonus", "debt", "deposit", "tax", "fine", "discount"})
"""Groups of columns of money that is neither what was sold nor what was paid for it."""


def rate_of(lattice: Lattice, column: TableColumn) -> str | None:
    """Return the unit of time that the amounts of a column are for; None where its header tells none."""
    if not column.monetary:
        return None
    # `p.a.` is two words.
    for word in (*column.words, *map("".join, pairwise(column.words))):
        if word in _SHORT:
            return _SHORT[word]
        for lexicon in lattice.lexicons:
            said = {name.partition(".")[::2] for name in lexicon.find((word,))}
            for family, unit in sorted(said):
                if family in {"every", "unit"} and _RATES & {*column.words}:
                    return unit
    return None


def rated_by(lattice: Lattice, unit: str) -> list[TableColumn]:
    """Return the columns whose amounts are for a unit of time."""
    return [column for column in lattice.vocabulary.columns if rate_of(lattice, column) == unit]


def named_rates(lattice: Lattice, unit: str) -> list[TableColumn]:
    """Return those of them that a word names which is not that unit: in `each month` none names a `Monthly fee`."""
    named = {
        link.column
        for link in lattice.links(LinkKind.COLUMN)
        if not link.is_near and not lattice.concepts(link.start, "unit.", "every.")
    }
    return [column for column in rated_by(lattice, unit) if column.place in named]


def rates_said(lattice: Lattice, place: int) -> list[str]:
    """Return the units of time that the word at a place says an amount is for: yearly, per year, a year."""
    adverbs = [link.name.removeprefix("every.") for link in lattice.concepts(place, "every.")]
    opened = place if lattice.has(place, *_OPENING) else place - 1
    if not lattice.has(opened, *_OPENING):
        return adverbs
    return adverbs + [link.name.removeprefix("unit.") for link in lattice.concepts(opened + 1, "unit.")]


def all_rates_said(lattice: Lattice) -> set[str]:
    """Return the units of time that any word says an amount is for."""
    return {unit for place in range(len(lattice.starts)) for unit in rates_said(lattice, place)}


def tells_a_rate(lattice: Lattice, place: int) -> bool:
    """Tell whether a word says again what amounts are for: `the yearly cost`, of a column `Cost p.a.` alone."""
    return any(named_rates(lattice, unit) for unit in rates_said(lattice, place))


def prices_what_is_beside(lattice: Lattice, place: int) -> bool:
    """`ціна продажу`, `закупівельна ціна`, of `Продаж, грн`: money by its unit alone, where the noun means no other column."""
    told = {link.name.removeprefix("header.") for link in lattice.concepts(place, "header.")} & {*MONEY}
    if (
        not told
        or lattice.sentence.words[place].norm.isascii()
        or any(not link.is_near for link, _ in lattice.columns(place))
    ):
        return False
    beside = [*lattice.columns(place + 1)]
    beside += [found for found in lattice.columns(place - 1) if found[0].end == place] if place else []
    return any(
        column.monetary and column.kinds.isdisjoint(MONEY) and "column.missing" not in link.signs
        for link, column in beside
    )


def tells_a_mark(lattice: Lattice, place: int) -> bool:
    """Tell whether a word for marks stands beside a column of numbers that can be some."""
    if not lattice.has(place, "header.mark"):
        return False
    if any(not column.groups.isdisjoint(_MARKS) for column in lattice.vocabulary.measures):
        return False
    behind = place + 1 + int(lattice.has(place + 1, *_JOINING))
    before = [column for link, column in lattice.columns(place - 1) if link.end == place] if place else []
    return any(column.measure for column in (*before, *(column for _, column in lattice.columns(behind))))


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
