"""Doubts about how many: rows, or the number that a column tells of them; rows, or the different things that they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Measure, Output, single_conditions, used_columns
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import CALLED, LinkKind
from tabchat.planner.readings.states import STATES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_HELD: Final = frozenset({"quantity", "stock"})
"""Groups of columns of how many there are of a thing."""
_EVERY: Final = ("each", "all")
_DIFFERENT: Final = frozenset({"count_distinct", "mode"})
_NEARLY_ALL: Final = 0.9


def _counts_rows(intent: Intent) -> bool:
    return Measure() in intent.measures and intent.output in {Output.VALUE, Output.GROUPS}


def _counts_rows_for_pieces(lattice: Lattice, intent: Intent) -> bool:
    """`how many hammers do we have`, answered by the rows of hammers, beside a column of how many there are."""
    held = [one for one in lattice.vocabulary.measures if not _HELD.isdisjoint(one.groups) and one.additive]
    if not held or not _counts_rows(intent) or not used_columns(intent).isdisjoint(one.name for one in held):
        return False
    things = {(one.column, one.values) for one in intent.clauses if isinstance(one, Condition)}
    return any(
        lattice.concepts(place, "pieces", "measure.piece", "header.pieces")
        or any((lattice.column(cell).name, cell.texts) in things for cell in lattice.at(place, LinkKind.CELL))
        for place in (*lattice.behind("count"), *lattice.behind("howmuch"))
    )


def _counts_rows_for_money(lattice: Lattice, intent: Intent) -> bool:
    """`сколько ушло` (how much went out), `сколько аренда` (how much is rent), answered by the number of payments."""
    if not _counts_rows(intent) or not lattice.vocabulary.money or intent.output is not Output.VALUE:
        return False
    if not (lattice.has(0, "count") and lattice.has(0, "howmuch")) or len(lattice.skips) == 1:
        return False
    # What is counted stands in the plural of the genitive, and so is written as no cell is.
    cash = lattice.sentence.words[1].norm in lattice.vocabulary.evidence("cash")
    things = any(
        cash
        or (
            not ({"cell.form", "cell.part"} & cell.signs)
            and lattice.column(cell).groups.isdisjoint({*STATES, "gender"})
            and not lattice.column(cell).named
            and not lattice.at(cell.end, LinkKind.ROWS)
        )
        for cell in lattice.at(1, LinkKind.CELL)
    )
    paid = lattice.skips[1] is Skip.VERB and lattice.has(1, "event.pay", "cell.movement.", "verb.")
    return paid or (things and not lattice.at(1, LinkKind.ROWS))


def _shares_rows_for_money(lattice: Lattice, intent: Intent) -> bool:
    """`доля аренды` (the share of rent), answered by that of the payments rather than of what was paid."""
    if not lattice.vocabulary.money or not any(
        one.part and one.function == "count" for one in intent.measures
    ):
        return False
    said = {place for cell in lattice.links(LinkKind.CELL) for place in range(cell.start, cell.end)}
    known = lattice.vocabulary.by_name
    rows = any(link.name != "stranger" for link in lattice.links(LinkKind.ROWS))
    kinds = not rows and all(
        known[one.column].text and not known[one.column].flag and known[one.column].groups.isdisjoint(STATES)
        for measure in intent.measures
        for one in single_conditions(measure.part)
    )
    return kinds and all(
        place in said or lattice.has(place, "share") or skip in {Skip.JOIN, Skip.NOTHING}
        for place, skip in enumerate(lattice.skips)
    )


def _loses_different(lattice: Lattice, intent: Intent) -> bool:
    """`how many different books were borrowed`, answered by the number of loans."""
    if "distinct" not in lattice.names or intent.output is Output.VALUES:
        return False
    told = any(one.function in _DIFFERENT for one in intent.measures)
    return _counts_rows(intent) and not told


def _counts_dates_of_a_deed(lattice: Lattice, intent: Intent) -> bool:
    """`скільки виставлено` (how many, or how much, was invoiced), answered by the number of different days of it."""
    told = {one.column for one in intent.measures if one.function == "count_distinct"}
    return any(
        lattice.column(link).name in told
        and lattice.column(link).dated
        and lattice.concepts(link.start, "event.")
        for link in lattice.links(LinkKind.COLUMN)
    )


def _loses_every(lattice: Lattice, intent: Intent) -> bool:
    """`how many students passed every exam`, answered by those who passed any of them."""
    if not intent.clauses or intent.having or intent.output not in {Output.VALUE, Output.VALUES, Output.ROWS}:
        return False
    return any(
        lattice.at(place, LinkKind.ROWS) or lattice.columns(place)
        for place in lattice.behind("each")
        if place > 1 and lattice.skips[place - 2] not in {Skip.JOIN, Skip.NOTHING}
    )


def _counts_rows_of_what_repeats(lattice: Lattice, intent: Intent) -> bool:
    """`how many sensors are offline`, answered by the number of their readings."""
    if not _counts_rows(intent) or intent.output is not Output.VALUE or not intent.clauses:
        return False
    called = {link.span for link in lattice.links(LinkKind.ROWS) if link.name in CALLED}
    places = {*lattice.behind("count")}
    return any(
        link.span in called
        and link.start in places
        and (column.identifying or "column.identifier" in link.signs)
        and column.facts.distinct is not None
        and column.facts.distinct < _NEARLY_ALL * (column.facts.filled or 0)
        for link in lattice.links(LinkKind.COLUMN)
        for column in [lattice.column(link)]
    )


COUNTS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _counts_rows_for_pieces,
    _counts_rows_for_money,
    _shares_rows_for_money,
    _loses_different,
    _counts_dates_of_a_deed,
    _loses_every,
    _counts_rows_of_what_repeats,
)
"""Each tells whether a reading is doubtful."""
