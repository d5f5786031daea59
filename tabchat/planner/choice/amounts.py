"""Doubts about which amount is told: rows, what they name, or a sum of them; money, or the numbers of receipts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Operator, Output, used_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice


_MANY: Final = 1_000
"""Rows that nobody asks for as the first ones."""
_PLACES: Final = frozenset({"rel.first", "rel.last", "edge.first", "edge.last"})
"""Words for a place in an order, which say nothing of its direction."""
_RANKS: Final = ("super.", "top.", "scale.", "asc", "desc", "agg.max", "agg.min", "count.", "sort")
_YEARS: Final = range(1900, 2100)
"""Numbers that are more likely years."""


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
    return any(
        (measure.part or measure.share) and measure.function == "sum" and measure.column not in said
        for measure in intent.measures
    ) and not any(name.startswith("agg.") for name in lattice.names)


def _compares_counts(lattice: Lattice, intent: Intent) -> bool:
    """`where is bread cheaper`, answered by where there are fewer rows of it; `how many times bigger is London`, of one row."""
    if intent.output is not Output.COMPARISON or intent.measures != (Measure(),):
        return False
    compared = {
        clause.column for side in intent.sides for clause in side.clauses if isinstance(clause, Condition)
    }
    return bool(compared & lattice.vocabulary.unique) or any(
        name.startswith("scale.more.") for name in lattice.names
    )


def _computes_with_receipts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether receipts may be meant by their money: `the average receipt`, over a column of their numbers."""
    columns = lattice.vocabulary.by_name
    return "ticket" in lattice.names and any(
        measure.column is not None and not columns[measure.column].monetary for measure in intent.measures
    )


def _counts_rows(intent: Intent) -> bool:
    return intent.output is Output.VALUE and intent.measures == (Measure(),)


def _counts_rows_for_things(lattice: Lattice, intent: Intent) -> bool:
    """`how many clients`, answered by the rows although a column of clients names some of them repeatedly."""
    columns = lattice.vocabulary.columns
    rows = [found.start for found in lattice.links(LinkKind.ROWS) if found.name != "generic"]
    return _counts_rows(intent) and any(
        columns[found.column].text and not columns[found.column].facts.unique and not found.is_loose
        for place in {*lattice.behind("count"), *rows}
        for found in lattice.at(place, LinkKind.COLUMN)
    )


def _shares_nothing_named(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether it is of the rows or of the money: `the share of each method`."""
    counted = any(measure.share and measure.function == "count" for measure in intent.measures)
    return counted and not lattice.links(LinkKind.ROWS) and bool(lattice.vocabulary.money)


def _counts_all_for_an_event(lattice: Lattice, intent: Intent) -> bool:
    """`how many tickets are still open`, answered by all of them."""
    everything = intent.output is Output.VALUE and not (intent.clauses or intent.periods or intent.keys)
    if not everything or not _counts_rows(intent):
        return False
    if Skip.DOING in lattice.skips:
        return True
    rows = [found.start for found in lattice.links(LinkKind.ROWS)]
    # `how many orders` names the rows by what they are of.
    happened = {concept.start for concept in lattice.sentence.concepts if concept.name.startswith("event.")}
    return not happened <= {*rows[:1]}


def _ranks_by_an_unknown_deed(lattice: Lattice, intent: Intent) -> bool:
    """`who was ill most often`, answered by who has the most rows: what is done may be told by cells."""
    counted = intent.output is Output.GROUPS and intent.measures == (Measure(),) and intent.limit is not None
    return counted and Skip.DOING in lattice.skips


def _counts_for_a_price(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a price was asked for: `what does it cost without a discount`, answered by a number of rows."""
    counted = any(measure.function in {"count", "count_distinct"} for measure in intent.measures)
    return counted and "verb.price" in lattice.names


def _counts_two_things_together(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether each was meant by itself: `how many cats and how many dogs`, answered by one number."""
    again = any(lattice.concepts(place, "count") for place in lattice.behind("and"))
    return again and intent.output is Output.VALUE and len(intent.measures) == 1


def _sums_what_is_asked_of_one(lattice: Lattice, intent: Intent) -> bool:
    """`which class is Ann in`, answered by a sum of classes."""
    asked = {
        lattice.vocabulary.columns[found.column].name
        for place in lattice.behind("which")
        for found in lattice.at(place, LinkKind.COLUMN)
    }
    return intent.output is Output.VALUE and any(
        measure.function == "sum" and measure.column in asked for measure in intent.measures
    )


def _limits_to_thousands(_lattice: Lattice, intent: Intent) -> bool:
    """`fastest 10k time`, answered by the ten thousand fastest."""
    return (intent.limit or 0) >= _MANY


def _compares_with_a_year(lattice: Lattice, intent: Intent) -> bool:
    """`visitors in 2023`, answered by the rows with 2023 visitors although the table tells times."""
    vocabulary = lattice.vocabulary
    clauses = [*intent.clauses, *(clause for measure in intent.measures for clause in measure.part)]
    return bool(vocabulary.dates or vocabulary.year_columns) and any(
        isinstance(clause, Condition)
        and clause.operator is Operator.EQ
        and vocabulary.by_name[clause.column].measure
        and all(isinstance(value, int | float) and value in _YEARS for value in clause.values)
        for clause in clauses
    )


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


def _adds_what_goes_both_ways(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether amounts that came in are added to those that went out: `the total amount`, of deposits and withdrawals."""
    vocabulary = lattice.vocabulary
    measured = [
        measure.column for measure in intent.measures if measure.function in {"sum", "mean", "median"}
    ]
    if not any(name is not None and vocabulary.by_name[name].additive for name in measured):
        return False
    told = used_columns(intent)
    return any(vocabulary.directed(column) and column.name not in told for column in vocabulary.columns)


def _takes_sums_for_expenses(lattice: Lattice, intent: Intent) -> bool:
    """`expenses by month`, answered by sums that may hold incomes, too: no column is called so."""
    said = [
        concept
        for concept in lattice.sentence.concepts
        # Who spent the most is told by what they paid; a verb names no column.
        if concept.name == "header.cost" and lattice.skips[concept.start] is not Skip.VERB
    ]
    return bool(intent.measures) and any(not lattice.at(found.start, LinkKind.COLUMN) for found in said)


def _ranks_by_places(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether the first may be the best ones: `the first 3 products by revenue`, answered by the lowest."""
    if not intent.orders or intent.limit is None or _PLACES.isdisjoint(lattice.names):
        return False
    if any(name.startswith(_RANKS) for name in lattice.names):
        return False
    column = lattice.vocabulary.by_name.get(intent.orders[0].column or "")
    return intent.output is Output.GROUPS if column is None else column.measure


AMOUNTS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _adds_what_goes_both_ways,
    _takes_sums_for_expenses,
    _shares_a_sum_unsaid,
    _compares_counts,
    _computes_with_receipts,
    _counts_rows_for_things,
    _shares_nothing_named,
    _counts_all_for_an_event,
    _ranks_by_an_unknown_deed,
    _counts_for_a_price,
    _counts_two_things_together,
    _sums_what_is_asked_of_one,
    _limits_to_thousands,
    _compares_with_a_year,
    _takes_a_part_for_an_amount,
    _ranks_by_places,
)
"""Each tells whether a reading is doubtful."""
