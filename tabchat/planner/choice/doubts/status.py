"""Doubts about what became of rows: a status tells what is so now, a date what was done, and both may differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Operator, all_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.twins import FEW
from tabchat.planner.readings.states import STATES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn
    from tabchat.planner.links.link import Link

_FILLED: Final = frozenset({Operator.MISSING, Operator.PRESENT})
_ROOT: Final = 5
"""Letters by which a verb is known in a state: deliver, `Delivered`."""
_EVENT: Final = "event."


def _differs_from_a_date(lattice: Lattice, intent: Intent) -> bool:
    """`orders shipped`, by the status alone or by the date alone, where some that were shipped are delivered by now."""
    conditions = [*all_conditions(intent)]
    stated = {(one.column, value) for one in conditions for value in one.values}
    filled = {one.column for one in conditions if one.operator in _FILLED}
    for cell, status, rows in _states(lattice):
        by_status = any((status.name, text) in stated for text in cell.texts)
        twins = {twin.values for twin in lattice.vocabulary.twins.values() if twin.column == status.name}
        for date in dates_of(lattice, cell.start) if cell.texts not in twins else ():
            gaps = date.facts.exact and date.facts.filled not in {None, lattice.vocabulary.facts.row_count}
            if gaps and date.facts.filled != rows and by_status != (date.name in filled):
                return True
    return False


def _dates_by_a_status(lattice: Lattice, intent: Intent) -> bool:
    """`when was the last order delivered`, answered by when the last one was ordered that is delivered by now."""
    if "when" not in lattice.names:
        return False
    known = lattice.vocabulary.by_name
    told = {*intent.columns, *(one.column for one in intent.measures)}
    dates = {name for name in told if name is not None and name in known and known[name].dated}
    stated = {(one.column, value) for one in all_conditions(intent) for value in one.values}
    return bool(dates) and any(
        (status.name, text) in stated and dates.isdisjoint(one.name for one in dates_of(lattice, cell.start))
        for cell, status, _ in _states(lattice)
        if lattice.concepts(cell.start, _EVENT)
        for text in cell.texts
    )


def _takes_all_for_what_was_done(lattice: Lattice, intent: Intent) -> bool:
    """`how many parcels did Nico deliver`, answered by all of his, those that failed among them."""
    asked = {one.column for one in all_conditions(intent)}
    done = [place for place in range(len(lattice.starts)) if lattice.has(place, "stop.auxiliary")]
    roots = {word.norm[:_ROOT] for word in lattice.sentence.words[done[0] + 1 :]} if done else set()
    return any(
        len(text) > _ROOT and text.casefold()[:_ROOT] in roots
        for column in _unasked(lattice, asked)
        for text in column.facts.texts
    )


def _takes_who_does_for_what_is_done(lattice: Lattice, intent: Intent) -> bool:
    """`хто виконав найбільше задач` (who has done most), answered by whose they are, those that are not done among them."""
    asked = {one.column for one in all_conditions(intent)}
    roots = {
        lattice.sentence.words[link.start].norm[:_ROOT]
        for link in lattice.links(LinkKind.COLUMN)
        if "column.agent" in link.signs
    }
    return any(
        text.casefold()[:_ROOT] in roots for column in _unasked(lattice, asked) for text in column.facts.texts
    )


def _unasked(lattice: Lattice, asked: Collection[str]) -> Iterator[TableColumn]:
    """Yield the columns of few states that no condition is on."""
    for column in lattice.vocabulary.columns:
        few = column.text and len(column.facts.texts) <= FEW
        if few and column.name not in asked and not column.groups.isdisjoint(STATES):
            yield column


def _states(lattice: Lattice) -> Iterator[tuple[Link, TableColumn, int]]:
    """Yield the cells of few different ones that were said: link, column, how many rows have them."""
    for cell in lattice.links(LinkKind.CELL):
        column = lattice.column(cell)
        facts = column.facts
        if facts.counts and facts.complete and len(facts.texts) <= FEW:
            counts = dict(zip(facts.texts, facts.counts, strict=True))
            yield cell, column, sum(counts.get(text, 0) for text in cell.texts)


def dates_of(lattice: Lattice, place: int) -> list[TableColumn]:
    """Return the dates that a word names, or of the event that it tells."""
    deeds = [one.name.removeprefix(_EVENT) for one in lattice.concepts(place, _EVENT)]
    words = frozenset[str]().union(*map(lattice.vocabulary.evidence, deeds))
    named = {link.column for link, _ in lattice.columns(place)}
    return [
        column
        for column in lattice.vocabulary.columns
        if column.dated and (column.place in named or not words.isdisjoint(column.words))
    ]


STATUS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _differs_from_a_date,
    _dates_by_a_status,
    _takes_all_for_what_was_done,
    _takes_who_does_for_what_is_done,
)
"""Each tells whether a reading is doubtful."""
