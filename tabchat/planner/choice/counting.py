"""Doubts about what is counted: rows, the things that they name, or pieces of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure, Output
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice


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


def _counts_something_else(lattice: Lattice, intent: Intent) -> bool:
    """`how many contracts with a delay`, answered by the sum of the days of delay."""
    if intent.output not in {Output.VALUE, Output.GROUPS} or any(
        measure.function in {"count", "count_distinct"} for measure in intent.measures
    ):
        return False
    heads = [found for end in lattice.behind("count") for found in lattice.at(end, LinkKind.ROWS)]
    said = {
        lattice.vocabulary.columns[found.column].name
        for head in heads
        for found in lattice.at(head.start, LinkKind.COLUMN)
    }
    return bool(heads) and not any(measure.column in said for measure in intent.measures)


def _counts_without_a_noun(lattice: Lattice, intent: Intent) -> bool:
    """`how many were from Labour`: rows, or the persons whom some of them name repeatedly."""
    return (
        _counts_rows(intent)
        and any(not column.facts.unique for column in lattice.vocabulary.people)
        and any(lattice.has(end, "pred", "yesno", "stop.auxiliary") for end in lattice.behind("count"))
    )


def _counts_what_was_done(lattice: Lattice, intent: Intent) -> bool:
    """`how much was spent in all`, answered by the number of rows although a column holds amounts."""
    return (
        _counts_rows(intent)
        and not (intent.clauses or intent.periods or lattice.links(LinkKind.ROWS))
        and bool(lattice.vocabulary.measures)
        and not {Skip.VERB, Skip.DOING}.isdisjoint(lattice.skips)
    )


def _counts_goods(lattice: Lattice, intent: Intent) -> bool:
    """`how many desserts`: rows with them, or pieces of them, where a column holds pieces."""
    return (
        _counts_rows(intent)
        and not lattice.links(LinkKind.ROWS)
        and any("quantity" in column.groups for column in lattice.vocabulary.measures)
        and any(lattice.at(end, LinkKind.CELL) for end in lattice.behind("count"))
    )


def _shares_nothing_named(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether it is of the rows or of the money: `the share of each method`."""
    counted = any(measure.share and measure.function == "count" for measure in intent.measures)
    return counted and not lattice.links(LinkKind.ROWS) and bool(lattice.vocabulary.money)


COUNTING: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _counts_rows_for_things,
    _counts_something_else,
    _counts_without_a_noun,
    _counts_what_was_done,
    _counts_goods,
    _shares_nothing_named,
)
"""Each tells whether a reading is doubtful."""
