"""Doubts about shares: of the rows, of a sum, or of those who did something."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.prices import is_signed
from tabchat.planner.intent import BOUNDING, Condition, Operator, single_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import MONEY

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_EACH: Final = frozenset({"by", "per", "each", "distribution"})
"""Words that ask for groups."""
_PARTS: Final = frozenset({"share", "pctword"})
_NUMBERED: Final = BOUNDING | {Operator.EQ, Operator.IN}
_BOTH: Final = 2
"""Different answers where no is written as well as yes."""
_PERCENT: Final = frozenset({"share", "percent", "rate", "discount"})
"""Groups of headers of parts."""


def _said(lattice: Lattice) -> frozenset[str]:
    """Return the names of the columns whose header words of the question name whole."""
    return frozenset(
        lattice.vocabulary.columns[found.column].name
        for found in lattice.links(LinkKind.COLUMN)
        if not found.is_loose
    )


def _shares_a_sum_unsaid(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a share may be of the rows: `what percent of sales was paid in cash`, over a column of their money.

    A rate may be of something else: `the conversion rate` is of clicks.
    """
    said = frozenset() if "rate" in lattice.names else _said(lattice)
    # `percentage of turnover`, a word for money and for no rows
    rows = {link.start for link in lattice.links(LinkKind.ROWS) if not link.is_near}
    if "rate" not in lattice.names and any(
        one.name.removeprefix("header.") in MONEY and one.start not in rows
        for one in lattice.sentence.concepts
    ):
        return False
    return any(
        (measure.part or measure.share) and measure.function == "sum" and measure.column not in said
        for measure in intent.measures
    ) and not any(name.startswith("agg.") for name in lattice.names)


def _shares_nothing_named(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether it is of the rows or of the money: `the share of each method`."""
    counted = any(measure.share and measure.function == "count" for measure in intent.measures)
    return counted and not lattice.links(LinkKind.ROWS) and bool(lattice.vocabulary.money)


def _takes_a_part_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a part was meant: `customers who make up 80% of revenue`, answered by those with a revenue of 80."""
    parts = {
        found.quantity.value
        for found in lattice.links(LinkKind.NUMBER)
        if found.quantity and found.quantity.percent
    }
    columns = lattice.vocabulary.by_name
    return any(
        isinstance(clause, Condition)
        and not clause.part
        and not parts.isdisjoint(clause.values)
        and columns[clause.column].facts.unit != "%"
        and not ({"percent", "%"} & columns[clause.column].units)
        for clause in intent.clauses
    )


def _tells_shares_of_a_flag(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one share was asked for, and not those of yes and no: `what percent of the records say to plant it again`."""
    columns = lattice.vocabulary.by_name
    shared = any(measure.share for measure in intent.measures) and _EACH.isdisjoint(lattice.names)
    return shared and any(key.column is not None and columns[key.column].flag for key in intent.keys)


def _shares_what_is_not_told(lattice: Lattice, intent: Intent) -> bool:
    """`percentage that would recommend`, or of satisfaction above 3, answered as if all who gave no answer had said no."""
    columns, lacks = lattice.vocabulary.by_name, lattice.vocabulary.lacks
    return any(
        one.operator is not Operator.PRESENT
        and one.other is None
        and lacks(columns[one.column])
        and (
            columns[one.column].facts.distinct == _BOTH
            if columns[one.column].flag
            else columns[one.column].numeric and one.operator in _NUMBERED
        )
        for measure in intent.measures
        for one in single_conditions(measure.part)
    )


def _shares_both_ways(lattice: Lattice, intent: Intent) -> bool:
    """`share of amount by category`, of amounts of both signs: parts of what is left of them are no parts."""
    columns = lattice.vocabulary.by_name
    shared = [one for one in intent.measures if one.function == "sum" and (one.share or one.part)]
    return any(is_signed(columns[one.column]) for one in shared if one.column is not None)


def _shares_within_or_among(lattice: Lattice, intent: Intent) -> bool:
    """`share of laptops in revenue by region`: the part of laptops in each region, or of each region in laptops."""
    by = [place for name in _EACH for place in lattice.behind(name)]
    parted = {one.column for one in single_conditions(intent.clauses) if one.part is None}
    parted |= {one.column for measure in intent.measures for one in single_conditions(measure.part)}
    links = [*lattice.links(LinkKind.CELL), *lattice.links(LinkKind.COLUMN)]
    told = any(link.end < max(by, default=0) for link in links if lattice.column(link).name in parted)
    summed = any(one.function == "sum" and (one.share or one.part) for one in intent.measures)
    return bool(intent.keys) and summed and told


SHARES: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _shares_a_sum_unsaid,
    _shares_nothing_named,
    _takes_a_part_for_an_amount,
    _tells_shares_of_a_flag,
    _shares_what_is_not_told,
    _shares_both_ways,
    _shares_within_or_among,
)
"""Each tells whether a reading is doubtful."""
