"""Doubts about groups: what each of them is of, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure, Output, told_columns
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_ASSUMED: Final = frozenset({"entity", "meant", "near"})
"""Names of links of words for rows that the table does not call them by."""
SORTS: Final = frozenset({"type", "category", "kind", "group"})
"""Groups of columns of sorts of things."""
_OF_EVENTS: Final = frozenset({"entity.operation", "entity.transaction", "entity.movement", "entity.event"})
"""Words for what happens, each time as for each sort of it."""


def _groups_by_what_rows_are(lattice: Lattice, intent: Intent) -> bool:
    """`average goals per match`, answered for each `Matchday`, of a table whose rows are matches."""
    rows = {link.span for link in lattice.links(LinkKind.ROWS)}
    kin = lattice.named_only(lambda link: "column.kin" in link.signs and link.span in rows)
    return any(key.column in kin for key in intent.keys if key.unit is None)


def _groups_by_a_number_of_them(lattice: Lattice, intent: Intent) -> bool:
    """`rent per room`, answered for flats of one room, of two, and so on."""
    columns = lattice.vocabulary.by_name
    places = (*lattice.behind("per"), *lattice.behind("per.time"))
    each = {lattice.column(link).name for at in places for link in lattice.at(at, LinkKind.COLUMN)}
    numbers = {name for name in each if columns[name].measure and not columns[name].facts.years}
    keys = {key.column for key in intent.keys if key.unit is None}
    return not numbers.isdisjoint(keys) and any(one.column for one in intent.measures)


def _groups_a_price_by_days(lattice: Lattice, intent: Intent) -> bool:
    """`how much is a car per day`, answered by what it brought in on each day."""
    priced = any(name.startswith("verb.price") for name in lattice.names) and bool(intent.clauses)
    timed = intent.output is Output.GROUPS and any(key.unit for key in intent.keys)
    return priced and timed and any(one.function == "sum" for one in intent.measures)


def _adds_up_rows_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`cumulative return`, answered by how many rows there were until each day."""
    asked = "count" in lattice.names or bool(lattice.links(LinkKind.ROWS))
    return "running" in lattice.names and Measure() in intent.measures and not asked


def _counts_sorts_of_events(lattice: Lattice, intent: Intent) -> bool:
    """`how many operations`, answered by two: there are those in and those out."""
    sorts = {
        lattice.column(link).name
        for link in lattice.links(LinkKind.COLUMN)
        if any(one.name in _OF_EVENTS for one in lattice.concepts(link.start, "entity."))
    }
    return any(one.function == "count_distinct" and one.column in sorts for one in intent.measures)


def _ranks_past_a_deed(lattice: Lattice, intent: Intent) -> bool:
    """`which car is returned most often`, answered by the one that was rented most often: some are not back."""
    if not (intent.keys and intent.orders and intent.limit) or intent.measures != (Measure(),):
        return False
    told = told_columns(intent)
    return any(
        link.is_near
        and column.dated
        and told.isdisjoint(other.name for _, other in lattice.columns(link.start))
        for link in lattice.links(LinkKind.COLUMN)
        for column in [lattice.column(link)]
    )


def _counts_records(lattice: Lattice, intent: Intent) -> bool:
    """`orders per campaign`, `stock per item`, answered by numbers of rows that tell of days, or of changes."""
    if intent.measures != (Measure(),) or not intent.keys or intent.orders or intent.having:
        return False
    names = {link.name for link in lattice.links(LinkKind.ROWS)}
    counted = not lattice.names.isdisjoint({"count", "howmuch"})
    return bool(names) and names <= _ASSUMED and not counted and not lattice.vocabulary.tells_apart


def _ranks_people_by_money(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether what brought in the most people is told by the money that it brought in."""
    columns = lattice.vocabulary.by_name
    asked = (*lattice.behind("degree.most"), *lattice.behind("super.max"))
    people = any(lattice.has(place, "entity.person") for place in asked)
    ranked = {one.column for one in intent.measures} | {one.column for one in intent.orders}
    return people and bool(intent.orders) and any(columns[name].monetary for name in ranked if name)


def _groups_by_sorts_of_something_else(lattice: Lattice, intent: Intent) -> bool:
    """`kinds of flowers`, answered by the types of customers, beside a column `Flower`."""
    told, keys = told_columns(intent), {key.column for key in intent.keys}
    return any(
        lattice.column(link).name in keys
        and "column.synonym" in link.signs
        and bool(SORTS & lattice.column(link).groups)
        and any(
            column.text and not other.is_loose and column.name not in told
            for other, column in lattice.columns(link.end)
        )
        for link in lattice.links(LinkKind.COLUMN)
    )


def _groups_by_nobody(lattice: Lattice, intent: Intent) -> bool:
    """`average rating by employee`, answered by one mean of all although several columns have names."""
    by = any(lattice.has(lattice.beyond(place - 1), "entity.person") for place in lattice.behind("by"))
    return by and intent.output is Output.VALUE


GROUPS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _groups_by_what_rows_are,
    _groups_by_a_number_of_them,
    _groups_a_price_by_days,
    _adds_up_rows_unasked,
    _counts_sorts_of_events,
    _ranks_past_a_deed,
    _counts_records,
    _ranks_people_by_money,
    _groups_by_sorts_of_something_else,
    _groups_by_nobody,
)
"""Each tells whether a reading is doubtful."""
