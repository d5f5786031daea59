"""Doubts about ambiguity: a word that stands for several columns, cells or rows alike, of which a reading takes one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.register import doubt
from tabchat.planner.intent import (
    BOUNDING,
    Operator,
    Output,
    all_conditions,
    single_conditions,
    told_columns,
)
from tabchat.planner.links.cell_texts import items_of
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import MONEY, PERCENT, says_yes_or_no

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice
    from tabchat.planner.links.link import Link

_DIFFERENT: Final = frozenset({"count_distinct", "mode"})
_BEGINNINGS: Final = ("hire", "birth")
"""What dates of people tell of them once, whatever happened later."""
_DONE: Final = "ed"


@doubt
def _takes_one_of_equal_columns(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a column has rivals of the same word: `matches with more than 5 goals`, by the home goals alone."""
    told, columns = told_columns(intent), lattice.vocabulary.columns
    links = [link for link, column in lattice.column_links if column.measure]
    missing = {link: dict(link.features).get("column.missing", 0.0) for link in links}
    nearest: dict[int, float] = {}
    for link in links:
        nearest[link.column] = min(missing[link], nearest.get(link.column, 1.0))
    alike: dict[tuple[int, int, bool], set[str]] = {}
    for link in links:
        # `petal length` names one column, `length` two.
        if {"column.missing", "column.rivals"} <= link.signs and missing[link] <= nearest[link.column]:
            named = alike.setdefault((*link.span, "column.headless" in link.signs), set())
            named.add(columns[link.column].name)
    return any(len(names) > 1 and len(names & told) == 1 for names in alike.values())


@doubt
def _takes_one_of_equal_money(lattice: Lattice, intent: Intent) -> bool:
    """`who got more money`, answered by `Amount requested`, beside an `Amount awarded`: no word names either."""
    named = {column.name for _, column in lattice.column_links}
    columns, asked = lattice.vocabulary.by_name, "money" in lattice.names
    told = [columns[one.column] for one in intent.measures if one.column and one.column not in named]
    return asked and any(
        other is not column and other.additive and other.kinds & column.kinds & {*MONEY}
        for column in told
        if column.monetary
        for other in lattice.vocabulary.money
    )


@doubt
def _ranks_what_was_last(lattice: Lattice, intent: Intent) -> bool:
    """Tell of `what came in last in August`, by a `Last delivery`: the last of these, or all of which that was the last one."""
    ordered = {one.column for one in intent.orders} & {one.column for one in all_conditions(intent)}
    last = {word for one in lattice.lexicons for word in one.said.get("last", ())}
    return any(not last.isdisjoint(lattice.vocabulary.by_name[name].words) for name in ordered if name)


@doubt
def _names_one_by_a_unit(lattice: Lattice, intent: Intent) -> bool:
    """`average %`, of one of several columns of percentages."""
    told, columns = told_columns(intent), [one for one in lattice.vocabulary.columns if one.numeric]
    percentages = [one for one in columns if one.facts.unit == "%" or not PERCENT.isdisjoint(one.words)]
    links = lattice.column_links
    return len(percentages) > 1 and any(
        one.name in told and all("column.unit" in link.signs for link, column in links if column is one)
        for one in percentages
        if any(column is one for _, column in links)
    )


@doubt
def _takes_one_of_equal_cells(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a cell is one of another column, too: `how many matches did the Wolves lose`, by those away alone."""
    told, columns = told_columns(intent), lattice.vocabulary.columns
    headers = [link for link in lattice.links(LinkKind.COLUMN) if not link.is_near]
    named = {columns[link.column].name for link in headers}
    cells = [cell for cell in lattice.links(LinkKind.CELL) if cell.whole]
    taken = {
        (clause.column, clause.values)
        for clause in single_conditions(intent.clauses)
        if clause.operator is Operator.EQ and clause.column not in named
    }
    return any(
        (columns[cell.column].name, cell.texts) in taken
        # `from WAW` says which of two airports.
        and not lattice.has(cell.start - 1, "from", "to")
        and other.span == cell.span
        and other.signs == cell.signs
        and columns[other.column].name not in told
        for cell in cells
        for other in cells
    )


@doubt
def _may_be_rows_or_some_of_them(lattice: Lattice, _: Intent) -> bool:
    """`how many bookings`, of all channels or by `Booking`; `cars`, of a file of cars that holds vans, too."""
    cells = lattice.links(LinkKind.CELL)
    called = {link.span for link in lattice.called}
    # `bookings that came through Booking` says which are meant.
    shared = [cell for cell in cells if cell.span in called and cell.whole and _is_loosely_said(cell)]
    return any(
        not any(other.texts == cell.texts and other.span != cell.span for other in cells) for cell in shared
    )


def _is_loosely_said(cell: Link) -> bool:
    """Tell whether a cell was said in another form, or in small letters where it is written with a capital."""
    small = "cell.capital" not in cell.signs and any(text[:1].isupper() for text in cell.texts)
    return small or "cell.form" in cell.signs


@doubt
def _takes_lists_for_single_things(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether lists are told apart where the things in them may be meant: `how many genres`, of cells like `Comedy; Drama`."""
    told = {key.column for key in intent.keys}
    told |= {measure.column for measure in intent.measures if measure.function in _DIFFERENT}
    told |= set(intent.columns) if intent.output is Output.VALUES else set()
    columns = lattice.vocabulary.by_name
    return any(
        name in columns and _holds_lists(columns[name].facts.texts) for name in told if name is not None
    )


def _holds_lists(texts: Sequence[str]) -> bool:
    """Tell whether most texts are made of two or more of the same few things."""
    lists = [items_of(text) for text in texts]
    items = {item for found in lists for item in found}
    return len(items) < len(texts) and 2 * sum(len(found) > 1 for found in lists) > len(texts)


@doubt
def _bounds_rows_of_what_repeats(lattice: Lattice, intent: Intent) -> bool:
    """`orders over 500`, answered by lines of orders."""
    if intent.output not in {Output.ROWS, Output.VALUE}:
        return False
    called = {link.span for link in lattice.called}
    repeated = any(
        link.span in called
        and "column.missing" not in link.signs
        and column.identifying
        and lattice.repeats(column)
        for link, column in lattice.column_links
    )
    known = lattice.vocabulary.by_name
    return repeated and any(
        clause.operator in BOUNDING and known[clause.column].measure and known[clause.column].additive
        for clause in single_conditions(intent.clauses)
    )


@doubt
def _ranks_repeated_things(lattice: Lattice, intent: Intent) -> bool:
    """`three dearest products`, answered by three places where one of them lies, `top product`, by what one line came to."""
    vocabulary, told = lattice.vocabulary, intent.used_columns
    added = any(vocabulary.by_name[one].facts.operands for one in told & vocabulary.by_name.keys())
    if intent.output is not Output.ROWS or ((intent.limit or 1) == 1 and not added):
        return False
    told = intent.used_columns
    called = {link.span for link in lattice.links(LinkKind.ROWS) if link.name == "entity"}
    return any(
        link.span in called and column.text and column.name not in told and lattice.repeats(column)
        for link, column in lattice.column_links
    )


@doubt
def _looks_into_texts_without_it(lattice: Lattice, intent: Intent) -> bool:
    """`how many items contain nuts`, answered by the names of the items, none of which does, although lists of allergens do."""
    sought = [
        (lattice.vocabulary.by_name[one.column], str(one.values[0]).casefold())
        for one in all_conditions(intent)
        if one.operator is Operator.CONTAINS
    ]
    return any(
        column.facts.complete and not any(part in text.casefold() for text in column.facts.texts)
        for column, part in sought
    )


@doubt
def _dates_rows_by_when_each_began(lattice: Lattice, intent: Intent) -> bool:
    """`who got no bonus this month`, answered by those who were hired in it: no word says that the date of it is meant."""
    named, vocabulary = {link.column for link in lattice.links(LinkKind.COLUMN)}, lattice.vocabulary
    dated = {period.column for period in intent.periods}
    dated |= {key.column for key in intent.keys if key.unit is not None}
    people = frozenset().union(*map(vocabulary.evidence, ("person", "person.employee")))
    begun = [
        (column, name)
        for column in vocabulary.dates
        for name in _BEGINNINGS
        if column.place not in named and not vocabulary.evidence(name).isdisjoint(column.words)
        # `Дата прийому` of repairs and visits is theirs.
        if name == "birth" or any(people & {*one.words} for one in vocabulary.columns if one != column)
    ]
    only = len(vocabulary.dates) == 1
    return any(
        (column.name in dated or (only and None in dated)) and f"event.{name}" not in lattice.names
        for column, name in begun
    )


@doubt
def _counts_what_a_flag_says(lattice: Lattice, intent: Intent) -> bool:
    """`how many paid` of cells that say yes, no and maybe: how many rows say yes, rather than how many things are said."""
    counted = {one.column for one in intent.measures if one.function == "count_distinct"}
    return any(
        column.name in counted and says_yes_or_no(column.facts) for column in lattice.vocabulary.columns
    )


@doubt
def _takes_either_for_both(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether one of both will do where both may be asked: `customers who have won and lost deals`."""
    if intent.output is not Output.VALUES or "and" not in lattice.names:
        return False
    deed = "had" in lattice.names or lattice.tells("event.", "verb.")
    joined = any(one.operator is Operator.IN for one in single_conditions(intent.clauses))
    listed = (lattice.vocabulary.by_name[name] for name in intent.columns)
    return deed and joined and any(not column.facts.unique for column in listed)


@doubt
def _dates_by_the_booking(lattice: Lattice, intent: Intent) -> bool:
    """`bookings on Fridays`, `revenue per week`, by when tables were booked, beside a date of each for when that was."""
    vocabulary, words = lattice.vocabulary, lattice.sentence.words
    rows = {link.start for link in lattice.links(LinkKind.ROWS)}
    made = {
        column.name
        for column in vocabulary.dates
        if not vocabulary.evidence("reserve").isdisjoint(column.words)
    }
    others = [column for column in vocabulary.dates if column.name not in made]
    if not made or all(map(vocabulary.lacks, others)):
        return False
    named = {
        link.column
        for link in lattice.links(LinkKind.COLUMN)
        if link.start not in rows or words[link.start].norm.endswith(_DONE)
    }
    timed = vocabulary.timed_by(intent)
    timed |= {key.column or vocabulary.dates[0].name for key in intent.keys if key.unit is not None}
    timed -= {vocabulary.columns[place].name for place in named}
    return not timed.isdisjoint(made)


@doubt
def _takes_a_cell_for_its_thing(lattice: Lattice, intent: Intent) -> bool:
    """`which vans used more than 1900 litres`, answered by the plates of all, of which `Van` is one type."""
    told = {(one.column, value) for one in all_conditions(intent) for value in one.values}
    used = intent.used_columns
    named = {link.column for link in lattice.links(LinkKind.COLUMN) if "column.synonym" not in link.signs}
    return any(
        cell.whole
        and cell.span == link.span
        and of.place != column.place
        and told.isdisjoint((of.name, text) for text in cell.texts)
        for link, column in lattice.column_links
        if "column.synonym" in link.signs
        and column.text
        and column.name in used
        and column.place not in named
        for cell, of in lattice.cell_links
    )
