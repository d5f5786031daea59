"""Figures that a question did not ask for: sums of what is counted, and means of the rows that they were to be compared with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import BOUNDING, Condition, Operator, Output, single_conditions
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.readings.amounts import goods_counted

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links.lattice import Lattice

_BY: Final = frozenset({"by", "per", "each", "wise", "distribution"})
"""Words that ask for groups by themselves."""
_BESIDE: Final = frozenset({"row_before", "row_after"})
"""Parts of a condition on the row beside one."""


def miscounts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent computes another figure than a question asks for."""
    return (
        _sums_what_is_counted(lattice, intent)
        or _bounds_rows_before_their_mean(lattice, intent)
        or _counts_the_row_beside(intent)
        or _counts_one_value(intent)
    )


def _sums_what_is_counted(lattice: Lattice, intent: Intent) -> bool:
    """`how many orders in total`, answered by a sum of their amounts, or of their numbers: none of them is named."""
    if intent.output not in {Output.VALUE, Output.GROUPS} or not lattice.has(0, "count"):
        return False
    rows = [link for link in lattice.links(LinkKind.ROWS) if link.name in CALLED]
    # There may be several of the goods that each row is called after.
    rows = [link for link in rows if not goods_counted(lattice, link.start)]
    opened = any(
        all(lattice.skips[at] in {Skip.NOTHING, Skip.JOIN} for at in range(link.start))
        and not any(not column.identifying and column.measure for _, column in lattice.columns(link.start))
        for link in rows
    )
    told = map(lattice.column, lattice.links(LinkKind.COLUMN))
    named = {column.name for column in told if not column.identifying}
    named |= {
        name
        for one in lattice.sentence.concepts
        if one.name.startswith(("verb.", "money", "pieces"))
        for name in lattice.vocabulary.by_name
    }
    return opened and any(one.function == "sum" and one.column not in named for one in intent.measures)


def _bounds_rows_before_their_mean(lattice: Lattice, intent: Intent) -> bool:
    """`stations with an average delay above 8 minutes`, answered by the means of the trips that were so late."""
    if intent.output is not Output.GROUPS or intent.orders or not _BY.isdisjoint(lattice.names):
        return False
    averaged = {one.column for one in intent.measures if one.function in {"mean", "median"}}
    return any(
        one.column in averaged and one.operator in BOUNDING for one in single_conditions(intent.clauses)
    )


def _counts_the_row_beside(intent: Intent) -> bool:
    """`which city comes after Lviv`, answered by a number of rows: there is one behind each."""
    beside = any(one.part in _BESIDE for one in single_conditions(intent.clauses))
    figures = intent.output in {Output.VALUE, Output.GROUPS, Output.EXISTS}
    return beside and figures and all(one.function.startswith("count") for one in intent.measures)


def _counts_one_value(intent: Intent) -> bool:
    """`how many deaths did the Greens have`, answered by the different parties among the rows of one: there is one."""
    pinned = {
        one.column
        for one in intent.clauses
        if isinstance(one, Condition) and one.operator is Operator.EQ and one.part is None
    }
    return any(
        one.function == "count_distinct" and one.column in pinned and not one.part for one in intent.measures
    )
