"""Doubts about shares, of the rows, of a sum, or of those who did something; and about which way money went.

What went out may be negative, and the greatest of all came in.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.derived import SPANS
from tabchat.planner.intent import BOUNDING, Operator, all_conditions, plain_conditions, single_conditions
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.rates import GOING_OUT, OTHERWISE, buys, sells, spends
from tabchat.planner.links.units import MONEY
from tabchat.planner.readings.flows import flow_said, is_signed, keeps_both_ways, keeps_one_way

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link

_EACH: Final = frozenset({"by", "per", "each", "distribution"})
"""Words that ask for groups."""
_PARTS: Final = frozenset({"share", "pctword"})
_NUMBERED: Final = BOUNDING | {Operator.EQ, Operator.IN}
_BOTH: Final = 2
"""Different answers where no is written as well as yes."""
_EARNED: Final = frozenset({"revenue", "sales", "salary", "profit", "price", "gross"})
"""Groups of columns of what is earned, whatever rows are."""
_SPENT: Final = frozenset(
    (
        *("header.cost", "header.expense", "header.payment", "verb.cost"),
        *("scale.most.max.cost", "scale.most.max.price"),
    )
)
"""Words for what went out."""


def _said(lattice: Lattice) -> frozenset[str]:
    """Return the names of the columns whose header words of the question name whole."""
    return frozenset(column.name for found, column in lattice.column_links if not found.is_loose)


@doubt
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
    ) and not lattice.tells("agg.")


@doubt
def _shares_nothing_named(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether it is of the rows or of the money: `the share of each method`."""
    counted = any(measure.share and measure.function == "count" for measure in intent.measures)
    return counted and not lattice.links(LinkKind.ROWS) and bool(lattice.vocabulary.money)


@doubt
def _takes_a_part_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a part was meant: `customers who make up 80% of revenue`, answered by those with a revenue of 80."""
    parts = {
        found.quantity.value
        for found in lattice.links(LinkKind.NUMBER)
        if found.quantity and found.quantity.percent
    }
    columns = lattice.vocabulary.by_name
    return any(
        not clause.part
        and not parts.isdisjoint(clause.values)
        and columns[clause.column].facts.unit != "%"
        and not ({"percent", "%"} & columns[clause.column].units)
        for clause in plain_conditions(intent.clauses)
    )


@doubt
def _tells_shares_of_a_flag(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one share was asked for, and not those of yes and no: `what percent of the records say to plant it again`."""
    columns = lattice.vocabulary.by_name
    shared = any(measure.share for measure in intent.measures) and _EACH.isdisjoint(lattice.names)
    return shared and any(key.column is not None and columns[key.column].flag for key in intent.keys)


@doubt
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


@doubt
def _shares_both_ways(lattice: Lattice, intent: Intent) -> bool:
    """`share of amount by category`, of amounts of both signs: parts of what is left of them are no parts."""
    shared = [one for one in intent.measures if one.function == "sum" and (one.share or one.part)]
    return any(is_signed(lattice.vocabulary.by_name[one.column]) for one in shared if one.column is not None)


@doubt
def _shares_within_or_among(lattice: Lattice, intent: Intent) -> bool:
    """`share of laptops in revenue by region`: the part of laptops in each region, or of each region in laptops."""
    by = [place for name in _EACH for place in lattice.behind(name)]
    parted = {one.column for one in single_conditions(intent.clauses) if one.part is None}
    parted |= {one.column for measure in intent.measures for one in single_conditions(measure.part)}
    links = [*lattice.links(LinkKind.CELL), *lattice.links(LinkKind.COLUMN)]
    told = any(link.end < max(by, default=0) for link in links if lattice.column(link).name in parted)
    summed = any(one.function == "sum" and (one.share or one.part) for one in intent.measures)
    return bool(intent.keys) and summed and told


@doubt
def _ranks_what_came_in_for_what_went_out(lattice: Lattice, intent: Intent) -> bool:
    """`biggest expense`, `transactions above 100`, over amounts of which those that were spent are negative."""
    known = lattice.vocabulary.by_name
    told = {one.column for one in intent.orders if one.column} | {
        one.column for one in all_conditions(intent)
    }
    if any(order.column is None for order in intent.orders):
        told |= {one.column for one in intent.measures if one.column}
    told |= {one.column for one in intent.measures if one.function in {"max", "min"} and one.column}
    signed = [known[name] for name in told if name in known and keeps_both_ways(known[name])]
    # Who says `negative`, or `below -200`, knows the signs.
    bounded = any(
        one.operator in BOUNDING and not any(isinstance(v, int | float) and v <= 0 for v in one.values)
        for one in all_conditions(intent)
    )
    return any(
        (not _SPENT.isdisjoint(lattice.names) and not keeps_one_way(intent, column.name))
        or (bounded and "balance" not in column.words)
        for column in signed
    )


@doubt
def _takes_a_state_for_an_amount(lattice: Lattice, intent: Intent) -> bool:
    """`part of the claims that we paid`, answered by the claims whose status is `Paid`, beside a column of what was paid."""
    parts = {one.column for measure in intent.measures for one in single_conditions(measure.part)}
    cells = {link.span for link, column in lattice.cell_links if column.name in parts}
    paid = (column for link, column in lattice.column_links if link.span in cells and column.measure)
    return any(column.name not in intent.used_columns for column in paid)


@doubt
def _takes_a_sign_for_a_way(lattice: Lattice, intent: Intent) -> bool:
    """`how much did I spend`, answered by what is below zero: of an account; what a credit card was charged may be above it."""
    # Who says `negative` knows the signs.
    guessed = flow_said(lattice) is not None
    return guessed and any(
        keeps_both_ways(one) and keeps_one_way(intent, one.name) for one in lattice.vocabulary.columns
    )


@doubt
def _takes_money_the_other_way(lattice: Lattice, intent: Intent) -> bool:
    """`how much did we earn`, answered by expenses; `total spending`, by what customers paid."""
    vocabulary = lattice.vocabulary
    named = {column.name for link, column in lattice.column_links if not link.is_near}
    told = {
        one.column for one in intent.measures if one.column and not keeps_one_way(intent, one.column)
    } - named
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
    # Customers pay, and earn nothing.
    customers = {column.name for column in vocabulary.columns if "customer" in column.groups}
    if "who" in lattice.names and any(key.column in customers for key in intent.keys):
        return True
    # The income of a person is another one.
    earned = _EARNED if vocabulary.people else _EARNED | {"income"}
    unsaid = [one for one in kinds if one.isdisjoint(earned)]
    return bool(unsaid) and (not sells(vocabulary) or any(not one.isdisjoint(GOING_OUT) for one in unsaid))


def _is_money(column: TableColumn) -> bool:
    """Tell whether a column, or what rows come to at their price, is money."""
    return column.monetary or (bool(column.facts.operands) and column.facts.unit not in SPANS)


def _has_a_share(lattice: Lattice, link: Link) -> bool:
    """Tell whether a share is asked for of what is named before it: `Rome as a percentage of total fee`, but not `in Rome, share of`."""
    # `paid orders in percent`
    place = max((link.end, *(rows.end for rows in lattice.at(link.end, LinkKind.ROWS))))
    while lattice.skips[place : place + 1] in {(Skip.NOTHING,), (Skip.JOIN,)} and not lattice.has(
        place, "comma"
    ):
        place += 1
    return lattice.has(place, *_PARTS) and not lattice.has(link.start - 1, "in", "pred", "not", "without")


def _is_said_of_one(lattice: Lattice, link: Link, shares: Sequence[int]) -> bool:
    """Tell whether a question says of what is named that a share is its: `what share of distance comes from Central where …`."""
    said = any(
        lattice.has(at, "pred") and not lattice.has(at, "where") for at in (link.start - 1, link.start - 2)
    )
    return said and link.start > min(shares, default=link.start)


@doubt
def _parts_by_what_comes_later(lattice: Lattice, intent: Intent) -> bool:
    """`share of orders in Rome with qty over 3`, answered by the part of these in Rome that are over 3: or of those over 3, Rome."""
    parted = {one.column for measure in intent.measures for one in single_conditions(measure.part)}
    others = {one.column for one in single_conditions(intent.clauses)} - parted
    shares = [one.end for one in lattice.sentence.concepts if one.name == "share"]
    links = [*lattice.links(LinkKind.CELL), *lattice.links(LinkKind.COLUMN)]
    asked = (link for link in links if lattice.column(link).name in others)
    if parted and any(
        _has_a_share(lattice, link) or _is_said_of_one(lattice, link, shares) for link in asked
    ):
        return True
    # «Київ: частка в загальній сумі, крім чаю» names first whose share it is.
    headed = any(lattice.column(link).name in others for link in links if not link.start)
    flagged = any(lattice.vocabulary.by_name[name].flag for name in parted)
    if not (parted and others and shares) or headed or flagged:
        return headed and bool(parted and shares)
    behind = [link for link in links if link.start >= min(shares)]
    # «яку частку загальної суми дає Київ де сума не менше 20» names the sum twice, for a condition behind.
    first = max((one.start for one in behind if lattice.column(one).name in parted), default=None)
    told = [one.start for one in behind if lattice.column(one).name in others]
    if first is None:
        # `with qty over 3, share of Rome in total fee`
        return bool(told)
    before = min(told, default=first) < first
    # `what share of orders in Rome is over 20`; «де є примітка» says of which
    said = {name for at in (first - 1, first - 2) for name in ("pred", "where") if lattice.has(at, name)}
    return before and said != {"pred"}


@doubt
def _shares_what_is_a_part_itself(lattice: Lattice, intent: Intent) -> bool:
    """`percent of waste of aubergines`, answered by their part of all waste, beside a harvest in kg that waste is a part of."""
    columns = [one for one in lattice.vocabulary.measures if one.units and one.additive and not one.monetary]
    shared = {one.column for one in intent.measures if one.part and one.function == "sum"}
    return any(
        one.name in shared and other.name not in shared and one.units == other.units and _is_below(one, other)
        for one in columns
        for other in columns
    )


def _is_below(one: TableColumn, other: TableColumn) -> bool:
    """Tell whether the greatest cell of a column of numbers is less than that of another."""
    high, higher = one.facts.high, other.facts.high
    return isinstance(high, int | float) and isinstance(higher, int | float) and high < higher
