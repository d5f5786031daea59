"""Conditions that measure rows by what they should have: what is out of stock, below its least stock, late."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.link import LinkKind
from tabchat.planner.links.units import HELD
from tabchat.planner.readings.bounds import COMPARED, against
from tabchat.planner.readings.effect import clause_said
from tabchat.planner.readings.phrases import paths

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.readings.effect import Features, Item

_STOCK: Final = (("level.stock", 1.0),)
_HAVING: Final = {"out_of_stock": Operator.LE, "at_hand": Operator.GT, "in_stock": Operator.GT}
"""How many there are to nothing."""
_IN_TIME: Final = {"late": Operator.GT, "punctual": Operator.LE, "ahead": Operator.LT}
"""How the day on which something was done lies to the day on which it was due."""
_BESIDE: Final = {"after": Operator.GT, "before": Operator.LT}
"""The same, before the words for that day."""


def level_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `out of stock`, `available`, `below the reorder level`, `paid late`, `on time`."""
    if lattice.has(place, *_HAVING, *COMPARED):
        held = _held_of(lattice.vocabulary)
        yield from _stocked(lattice, place, held) if held is not None else ()
    yield from _below_least(lattice, place)
    if not lattice.names.isdisjoint({*_IN_TIME, *_BESIDE}):
        yield from _timely(lattice, place)


def _held_of(vocabulary: Vocabulary) -> TableColumn | None:
    """Return the only column of how many there are of a thing now, beside none of how many should be."""
    least = vocabulary.evidence("reorder")
    found = [
        column
        for column in vocabulary.measures
        if column.additive and not HELD.isdisjoint(column.groups) and least.isdisjoint(column.words)
    ]
    # The quantity of a movement is none that is there.
    things = any(
        column.text and column.wordy for column in vocabulary.columns if column.name in vocabulary.unique
    )
    held = len(found) == 1 and ("stock" in found[0].groups or things)
    return found[0] if held and not any(map(vocabulary.directed, vocabulary.columns)) else None


def _stocked(lattice: Lattice, place: int, held: TableColumn) -> Iterator[Item]:
    for concept in lattice.concepts(place, *_HAVING):
        named = any(link.end == concept.end and one is held for link, one in lattice.columns(place))
        if named and paths(lattice, concept.end, 2, tuple(COMPARED)):
            # `where in stock is less than 20`, of a column `in_stock`
            continue
        clause = Condition(column=held.name, operator=_HAVING[concept.name], values=(0,))
        yield clause_said(place, concept.end, clause, _STOCK, held.place)
    least = lattice.vocabulary.evidence("reorder")
    for (concept, link), end, told in paths(lattice, place, tuple(COMPARED), 2, LinkKind.COLUMN):
        column = lattice.column(link)
        if not least.isdisjoint(column.words):
            features = (*told, *_STOCK)
            yield from against(COMPARED[concept.name], held, column, place, end, features)


def _below_least(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `stock (has fallen) below the (agreed) minimum`, whatever the column of these levels is called more."""
    least = lattice.vocabulary.evidence("reorder")
    levels = [column for column in lattice.vocabulary.measures if not least.isdisjoint(column.words)]
    if len(levels) != 1:
        return
    for link, column in lattice.columns(place):
        compared = (one for at in range(link.end, link.end + 3) for one in lattice.concepts(at, *COMPARED))
        for concept in compared:
            for at in (concept.end, concept.end + 1):
                for end in (said.end for said in lattice.concepts(at, "agg.min")):
                    for last in {end, *(noun.end for noun, _ in lattice.columns(end))}:
                        features = (*link.features, *_STOCK)
                        yield from against(COMPARED[concept.name], column, levels[0], place, last, features)


def _timely(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read `late`, of what was done beside when it was due, with the word for what was done, or alone."""
    words = lattice.vocabulary.evidence("due")
    dated = [column for column in lattice.vocabulary.columns if column.dated]
    due = [column for column in dated if not words.isdisjoint(column.words)]
    if len(due) != 1:
        return
    only = _done_by(lattice, due[0]) if lattice.has(place, *_IN_TIME, *_BESIDE) else None
    if only is not None:
        for concept in lattice.concepts(place, *_IN_TIME):
            yield _late(_IN_TIME[concept.name], only, due[0], place, concept.end, ())
        # `paid after the due date`, where `paid` is a state rather than the date.
        for (concept, link), end, told in paths(lattice, place, (*_BESIDE,), 2, LinkKind.COLUMN):
            if lattice.column(link) is due[0]:
                yield _late(_BESIDE[concept.name], only, due[0], place, end, told)
    for (link, concept), end, told in paths(lattice, place, LinkKind.COLUMN, 1, (*_IN_TIME,)):
        done = lattice.column(link)
        if done in dated and done is not due[0]:
            yield _late(_IN_TIME[concept.name], done, due[0], place, end, told)


def _late(
    operator: Operator, done: TableColumn, due: TableColumn, start: int, end: int, told: Features
) -> Item:
    clause = Condition(column=done.name, operator=operator, other=due.name)
    return clause_said(start, end, clause, (*told, ("level.due", 1.0)), done.place)


def _done_by(lattice: Lattice, due: TableColumn) -> TableColumn | None:
    """Return the only date that is neither when something was due nor when everything began."""
    vocabulary = lattice.vocabulary
    others = [
        column
        for column in vocabulary.columns
        if column.dated and column is not due and column not in vocabulary.openings
    ]
    return others[0] if len(others) == 1 else None
