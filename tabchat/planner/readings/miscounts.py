"""Figures that a question did not ask for: sums of what is counted, means of the rows to compare with them, numbers of what is one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import (
    BOUNDING,
    COUNT,
    Operator,
    Output,
    plain_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import CALLED, LinkKind, is_named
from tabchat.planner.readings.amounts import goods_counted

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links.lattice import Lattice

_BY: Final = frozenset({"by", "per", "each", "wise", "distribution"})
"""Words that ask for groups by themselves."""


def miscounts(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent computes another figure than a question asks for."""
    return (
        _sums_what_is_counted(lattice, intent)
        or _takes_their_number_for_a_column(lattice, intent)
        or _averages_what_is_counted(lattice, intent)
        or _compares_by_a_condition(lattice, intent)
        or _bounds_rows_before_their_mean(lattice, intent)
        or _counts_one_value(intent)
        or _counts_rows_of_a_figure(lattice, intent)
        or _counts_more_than_there_are(lattice, intent)
        or _counts_one_row(lattice, intent)
        or _shares_another_part(lattice, intent)
        or _takes_an_amount_for_most_rows(lattice, intent)
    )


def _takes_an_amount_for_most_rows(lattice: Lattice, intent: Intent) -> bool:
    """`who has the most open issues`, answered by the points of these, which no word names."""
    told = {one.column for one in intent.measures} | {one.column for one in intent.orders}
    if told - {None} <= lattice.named:
        return False
    most = {link.end for link in lattice.links(LinkKind.CONCEPT) if link.name.startswith("degree.")}
    return any(
        link.name in CALLED
        for place in _beyond_kinds(lattice, most)
        for link in lattice.at(place, LinkKind.ROWS)
    )


def _beyond_kinds(lattice: Lattice, places: set[int]) -> set[int]:
    """Return the places behind what says which rows: `open`, `high priority`, `unpaid`."""
    ends = {
        link.end
        for place in places
        for kind in (LinkKind.CELL, LinkKind.COLUMN, LinkKind.CONCEPT)
        for link in lattice.at(place, kind)
        if kind is not LinkKind.CONCEPT or is_named(link.name, ("pending", "event."))
    }
    return ends | _beyond_kinds(lattice, ends) if ends else ends


def _shares_another_part(lattice: Lattice, intent: Intent) -> bool:
    """`share of Rome in total fee where fee is over 20`, answered by the share of these fees in what Rome came to."""
    parts = {one.column for measure in intent.measures for one in single_conditions(measure.part)}
    # `share of each city` is that of groups.
    return bool(parts) and any(cells.isdisjoint(parts) for cells in shared_cells(lattice))


def shared_cells(lattice: Lattice) -> Iterator[frozenset[str]]:
    """Yield the columns of a cell whose share is asked for, `share of Rome`; none for that of each group."""
    for concept in lattice.sentence.concepts:
        if concept.name != "share":
            continue
        # «частка Києва в загальній сумі» has no preposition before the part.
        bare = any(_is_in_a_figure(lattice, cell.end) for cell in lattice.at(concept.end, LinkKind.CELL))
        if bare or lattice.has(concept.end, "in"):
            at = concept.end if bare else lattice.beyond(concept.end)
            cells = {lattice.column(cell).name for cell in lattice.at(at, LinkKind.CELL) if cell.whole}
            if cells or (lattice.has(at, "each") and lattice.columns(at + 1)):
                yield frozenset(cells)


def _is_in_a_figure(lattice: Lattice, place: int) -> bool:
    """Tell whether `in` stands at a place, and what is added up behind it."""
    summed = lattice.has(place + 1, "agg.sum") or any(one.measure for _, one in lattice.columns(place + 1))
    return lattice.has(place, "in") and summed


def _sums_what_is_counted(lattice: Lattice, intent: Intent) -> bool:
    """`how many orders in total`, answered by a sum of their amounts, or of their numbers: none of them is named."""
    if intent.output not in {Output.VALUE, Output.GROUPS} or not lattice.has(0, "count"):
        return False
    # There may be several of the goods that each row is called after.
    rows = [link for link in lattice.called if not goods_counted(lattice, link.start)]
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


def _takes_their_number_for_a_column(lattice: Lattice, intent: Intent) -> bool:
    """«середня кількість замовлень на місто», answered by a column `кількість` of how much was ordered."""
    counted = {
        one.end - 1
        for one in lattice.sentence.concepts
        if one.name in {"count", "agg.mean"}
        for rows in lattice.at(one.end, LinkKind.ROWS)
        if rows.name in CALLED and not goods_counted(lattice, rows.start)
    }
    if not counted or not lattice.vocabulary.tells_apart:
        return False
    links = [link for link in lattice.links(LinkKind.COLUMN) if not link.is_near]
    said = {lattice.column(link).name for link in links if link.end - 1 in counted}
    # «з кількістю понад 3» names it for a condition alone.
    bounded = {one.column for one in single_conditions(intent.clauses)}
    said -= {lattice.column(link).name for link in links if link.end - 1 not in counted} - bounded
    orders = {one.column for one in intent.orders}
    return not said.isdisjoint({one.column for one in intent.measures} | orders)


def _averages_what_is_counted(lattice: Lattice, intent: Intent) -> bool:
    """`how many orders on average per city`, answered by the mean of a column that nothing names."""
    if "per" not in lattice.names:
        return False
    counts = [one.end for one in lattice.concepts(0, "count")] or lattice.behind("count")
    counts += [one.end for place in counts for one in lattice.concepts(place, "agg.mean")]
    counted = any(rows.name in CALLED for place in counts for rows in lattice.at(place, LinkKind.ROWS))
    means = {one.column for one in intent.measures if one.function == "mean"}
    return counted and not means <= {*lattice.named, None}


def _compares_by_a_condition(lattice: Lattice, intent: Intent) -> bool:
    """`with weight over 3, where are more orders, in Rome or in Oslo`, answered by the sums of these weights."""
    if intent.output is not Output.COMPARISON:
        return False
    bounded = {one.column for one in single_conditions(intent.clauses) if one.operator in BOUNDING}
    once = {name for name in bounded if sum(column.name == name for _, column in lattice.column_links) == 1}
    more = any(
        rows.name in CALLED
        for one in lattice.sentence.concepts
        if one.name.startswith(("more", "fewer"))
        for rows in lattice.at(one.end, LinkKind.ROWS)
    )
    return more and any(one.column in once for one in intent.measures)


def _bounds_rows_before_their_mean(lattice: Lattice, intent: Intent) -> bool:
    """`stations with an average delay above 8 minutes`, answered by the means of the trips that were so late."""
    if intent.output is not Output.GROUPS or intent.orders or _asks_for_groups(lattice):
        return False
    averaged = {one.column for one in intent.measures if one.function in {"mean", "median"}}
    return any(
        one.column in averaged and one.operator in BOUNDING for one in single_conditions(intent.clauses)
    )


def _asks_for_groups(lattice: Lattice) -> bool:
    """Tell whether a word asks for groups: that of «менша за 32» stands before a number."""
    said = [one for one in lattice.sentence.concepts if one.name in _BY]
    return any(not (one.name == "by" and any(lattice.numbers(one.end))) for one in said)


def _counts_one_value(intent: Intent) -> bool:
    """`how many deaths did the Greens have`, answered by the different parties among the rows of one: there is one."""
    pinned = {one.column for one in plain_conditions(intent.clauses, Operator.EQ) if one.part is None}
    return any(
        one.function == "count_distinct" and one.column in pinned and not one.part for one in intent.measures
    )


def _counts_rows_of_a_figure(lattice: Lattice, intent: Intent) -> bool:
    """`how many losses from 1984 to 1988`, answered by the number of rows, or of different numbers, although a column has the losses."""
    if intent.output is not Output.VALUE or intent.keys:
        return False
    if not intent.measures or any(one.function not in {"count", "count_distinct"} for one in intent.measures):
        return False
    return any(
        column.measure
        and column.additive
        and column.facts.integral
        and not column.monetary
        and not link.is_loose
        and link.end - link.start == len(column.words)
        and lattice.is_plural(link.start, link.end)
        and not lattice.at(place, LinkKind.ROWS)
        and not lattice.at(place, LinkKind.CELL)
        for place in lattice.behind("count")
        if lattice.has(0, "count")
        for link, column in lattice.columns(place)
    )


def _counts_more_than_there_are(lattice: Lattice, intent: Intent) -> bool:
    """`how many cities have at least 25,000 people`, answered by those with so many rows, in a table of ten."""
    rows = lattice.vocabulary.facts.row_count
    return rows is not None and any(
        one.measure == COUNT and one.operator in BOUNDING and min(one.values, default=0) > rows
        for one in intent.having
    )


def _counts_one_row(lattice: Lattice, intent: Intent) -> bool:
    """`how many games did Rovers win`, answered by the number of rows of a club that has one, or of its different wins."""
    if intent.output is not Output.VALUE or len(intent.measures) != 1 or intent.keys:
        return False
    (measure,) = intent.measures
    pinned = {one.column for one in plain_conditions(intent.clauses, Operator.EQ) if one.part is None}
    if pinned.isdisjoint(lattice.vocabulary.unique):
        return False
    named = {column for link, column in lattice.column_links if not link.is_near}
    told = told_columns(intent)
    amounts = measure == COUNT and any(column.measure and column.name not in told for column in named)
    different = measure.function == "count_distinct" and not measure.part
    return amounts or different
