"""Doubts about the grain of a table: what one row stands for, and what groups of rows are of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    BOUNDING,
    COUNT,
    DENYING,
    Output,
    all_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.link import CALLED, PERSONS, LinkKind
from tabchat.planner.links.rates import all_rates_said, rated_by
from tabchat.planner.links.rows import is_coded
from tabchat.planner.readings.coherence import thing_of
from tabchat.planner.readings.states import STATES

if TYPE_CHECKING:
    from tabchat.planner.intent import Condition, Intent
    from tabchat.planner.links import Lattice, TableColumn


_PARTED: Final = frozenset({"sum", "count", "count_distinct"})
"""Functions that tell the same of parts and of what they are parts of."""


@doubt
def _counts_rows_of_what_repeats(lattice: Lattice, intent: Intent) -> bool:
    """`how many sensors are offline`, answered by the number of their readings; `orders per customer`, by lines of orders."""
    counted = any(one.function == "count" and one.column is None for one in intent.measures)
    if not counted and all(one.measure.column or one.measure.function != "count" for one in intent.having):
        return False
    called = {link.span for link in lattice.links(LinkKind.ROWS) if link.name in {*CALLED, "entity"}}
    used = {key.column for key in intent.keys} | {one.column for one in single_conditions(intent.clauses)}
    used |= {one.per for one in intent.measures}
    people = {column.name for column in lattice.vocabulary.called_persons}
    return any(
        link.span in called
        and column.name not in used
        and (
            column.identifying
            or "column.identifier" in link.signs
            or (
                not {"column.missing", "column.synonym", "column.agent"} & link.signs
                and (column.name in people or is_coded(column))
            )
        )
        and lattice.repeats(column)
        for link, column in lattice.column_links
    )


@doubt
def _ranks_titles_for_rows(lattice: Lattice, intent: Intent) -> bool:
    """`job with the most applicants`, answered by all jobs of one title together: rows are jobs themselves."""
    rows = {link.span for link in lattice.links(LinkKind.ROWS) if link.name in CALLED}
    called = {
        column.name for link, column in lattice.column_links if link.span in rows and lattice.repeats(column)
    }
    ranked = intent.limit is not None and bool(lattice.measured(intent, "sum"))
    return ranked and any(key.column in called for key in intent.keys)


@doubt
def _counts_rows_of_a_panel(lattice: Lattice, intent: Intent) -> bool:
    """`how many stocks`, answered by the prices of each on every day: as many rows as days times stocks."""
    if intent.measures != (COUNT,) or intent.output is not Output.VALUE or intent.clauses or intent.keys:
        return False
    rows, columns = lattice.vocabulary.facts.row_count, lattice.vocabulary.columns
    days = [column.facts.distinct for column in columns if column.dated and column.facts.exact]
    texts = [column.facts.distinct for column in columns if column.text and column.facts.exact]
    return any(
        day is not None and text is not None and min(day, text) > 1 and day * text == rows
        for day in days
        for text in texts
    )


@doubt
def _counts_times_of_what_is_missing(lattice: Lattice, intent: Intent) -> bool:
    """`who got a bonus more than three times`, answered by who has more rows, with a bonus or without."""
    times = "times" in lattice.names and any(one.measure == COUNT for one in intent.having)
    return times and any(
        lattice.vocabulary.lacks(column) and not column.text
        for link, column in lattice.column_links
        if not link.is_near
    )


@doubt
def _counts_rows_of_a_sort(lattice: Lattice, intent: Intent) -> bool:
    """`how many companies`, answered by the gifts of donors of that sort, each of whom gave several."""
    vocabulary = lattice.vocabulary
    if intent.output is not Output.VALUE or intent.measures != (COUNT,) or vocabulary.tells_apart:
        return False
    counted = {*lattice.behind("count")}
    kept = {(one.column, text) for one in single_conditions(intent.clauses) for text in one.values}
    sorts = {
        column.name
        for cell, column in lattice.cell_links
        if cell.start in counted and not lattice.at(cell.end, LinkKind.ROWS)
        if not kept.isdisjoint((column.name, text) for text in cell.texts)
    }
    settled = vocabulary.facts.determined or {}
    things = (vocabulary.by_name[name] for name in settled.keys() & vocabulary.by_name.keys())
    return any(
        not sorts.isdisjoint(settled[thing.name]) and lattice.repeats(thing)
        for thing in things
        if thing.named or thing.identifying or is_coded(thing)
    )


@doubt
def _holds_of_a_part(lattice: Lattice, intent: Intent) -> bool:
    """`orders without a lamp`, `returned orders`, `orders of more than 3 pieces`, answered by those of which one line is so."""
    columns = lattice.vocabulary.by_name
    measures = (*intent.measures, *(one.measure for one in intent.having))
    told = {one.column for one in measures if one.function == "count_distinct" and one.column}
    things = {one for one in told if columns[one].identifying or is_coded(columns[one])}
    settled = lattice.vocabulary.facts.determined or {}
    # What holds of any line of an order holds of the order: its country, the day, a product that it has.
    open_ones = {one.column for one in all_conditions(intent) if not _is_of_any(one, columns[one.column])}
    open_ones |= {key.column for key in intent.keys if key.column and _is_a_state(columns[key.column])}
    return any(
        lattice.repeats(columns[thing]) and not open_ones <= {*settled.get(thing, ())} for thing in things
    )


def _is_of_any(one: Condition, column: TableColumn) -> bool:
    """Tell whether what meets a condition somewhere meets it: nothing denied, added up, or come to in part."""
    denied = one.operator in DENYING or (one.operator in BOUNDING and column.measure)
    return not (denied or _is_a_state(column))


def _is_a_state(column: TableColumn) -> bool:
    return column.flag or not column.groups.isdisjoint(STATES)


_ASSUMED: Final = frozenset({"entity", "meant", "near"})
"""Names of links of words for rows that the table does not call them by."""
SORTS: Final = frozenset({"type", "category", "kind", "group"})
"""Groups of columns of sorts of things."""
_OF_EVENTS: Final = frozenset({"entity.operation", "entity.transaction", "entity.movement", "entity.event"})
"""Words for what happens, each time as for each sort of it."""


@doubt
def _groups_by_a_number_of_them(lattice: Lattice, intent: Intent) -> bool:
    """`rent per room`, answered for flats of one room, of two, and so on."""
    columns = lattice.vocabulary.by_name
    places = (*lattice.behind("per"), *lattice.behind("per.time"))
    each = {lattice.column(link).name for at in places for link in lattice.at(at, LinkKind.COLUMN)}
    numbers = {name for name in each if columns[name].measure and not columns[name].facts.years}
    keys = {key.column for key in intent.keys if key.unit is None}
    return not numbers.isdisjoint(keys) and any(one.column for one in intent.measures)


@doubt
def _tells_another_rate(lattice: Lattice, intent: Intent) -> bool:
    """Tell of `the cost of a drone per day`, `daily cost by drone`, that is answered by deposits although a `Day rate` tells it."""
    columns, grouped = lattice.vocabulary.by_name, {key.unit for key in intent.keys}
    told = {one.column for one in intent.measures if one.column is not None}
    told |= {one.column for one in intent.orders if one.column is not None}
    paid = {name for name in told if columns[name].monetary}
    return any(
        told.isdisjoint(rated) and bool(paid - lattice.named if unit in grouped else paid)
        for unit in all_rates_said(lattice)
        if (rated := {column.name for column in rated_by(lattice, unit)})
    )


@doubt
def _adds_up_rows_unasked(lattice: Lattice, intent: Intent) -> bool:
    """`cumulative return`, answered by how many rows there were until each day."""
    asked = "count" in lattice.names or bool(lattice.links(LinkKind.ROWS))
    return "running" in lattice.names and COUNT in intent.measures and not asked


@doubt
def _counts_sorts_of_events(lattice: Lattice, intent: Intent) -> bool:
    """`how many operations`, answered by two: there are those in and those out."""
    sorts = {
        column.name
        for link, column in lattice.column_links
        if any(one.name in _OF_EVENTS for one in lattice.concepts(link.start, "entity."))
    }
    return any(one.function == "count_distinct" and one.column in sorts for one in intent.measures)


@doubt
def _ranks_past_a_deed(lattice: Lattice, intent: Intent) -> bool:
    """`which car is returned most often`, answered by the one that was rented most often: some are not back."""
    if not (intent.keys and intent.orders and intent.limit) or intent.measures != (COUNT,):
        return False
    told = told_columns(intent)
    return any(
        link.is_near
        and column.dated
        and told.isdisjoint(other.name for _, other in lattice.columns(link.start))
        for link, column in lattice.column_links
    )


@doubt
def _counts_records(lattice: Lattice, intent: Intent) -> bool:
    """`orders per campaign`, `stock per item`, answered by numbers of rows that tell of days, or of changes."""
    if intent.measures != (COUNT,) or not intent.keys or intent.orders or intent.having:
        return False
    names = {link.name for link in lattice.links(LinkKind.ROWS)}
    counted = not lattice.names.isdisjoint({"count", "howmuch"})
    return bool(names) and names <= _ASSUMED and not counted and not lattice.vocabulary.tells_apart


@doubt
def _ranks_people_by_money(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether what brought in the most people is told by the money that it brought in."""
    columns = lattice.vocabulary.by_name
    asked = (*lattice.behind("degree.most"), *lattice.behind("super.max"))
    people = any(lattice.has(place, *PERSONS) for place in asked)
    ranked = {one.column for one in intent.measures} | {one.column for one in intent.orders}
    return people and bool(intent.orders) and any(columns[name].monetary for name in ranked if name)


@doubt
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


@doubt
def _counts_what_is_divided(lattice: Lattice, intent: Intent) -> bool:
    """`how many gifts per paid order`, answered by the number of gifts that were paid."""
    divided = bool(intent.keys) or any(one.per or one.per_unit for one in intent.measures)
    cells = [cell for place in lattice.behind("per") for cell in lattice.at(place, LinkKind.CELL)]
    rows = any(
        not lattice.is_plural(link.start, link.end)
        for cell in cells
        for link in lattice.at(cell.end, LinkKind.ROWS)
    )
    return rows and not divided and all(one.function in _PARTED for one in intent.measures)


@doubt
def _groups_by_nobody(lattice: Lattice, intent: Intent) -> bool:
    """`average rating by employee`, answered by one mean of all although several columns have names."""
    by = any(lattice.has(lattice.beyond(place - 1), *PERSONS) for place in lattice.behind("by"))
    return by and intent.output is Output.VALUE


@doubt
def _tells_a_part_for_the_whole(lattice: Lattice, intent: Intent) -> bool:
    """`max order value`, answered by the dearest line of an order, of which there are several."""
    thing, known = thing_of(lattice), lattice.vocabulary.by_name
    if thing is None or thing in intent.used_columns:
        return False
    told = {one.column for one in intent.measures if one.function not in _PARTED}
    told |= {one.column for one in intent.orders if intent.output is Output.ROWS and intent.limit}
    ends = [place for rows in lattice.links(LinkKind.ROWS) if not rows.is_near for place in rows.span]
    return any(
        column.name in told
        and known[column.name].measure
        and known[column.name].additive
        and any(abs(place - end) <= 1 for place in link.span for end in ends)
        for link, column in lattice.column_links
    )
