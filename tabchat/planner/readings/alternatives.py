"""Two conditions of which one must hold: `at Shell or over 60 litres`, `under 20 or over 65 litres`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import BOUNDING, AnyOf, Condition, Operator
from tabchat.planner.links.lattice import Skip
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.bounds import bound_items
from tabchat.planner.readings.cells import cell_items, denied_items, text_items
from tabchat.planner.readings.comparatives import comparative_items
from tabchat.planner.readings.effect import DENIED, Kind, clause_said
from tabchat.planner.readings.phrases import hop
from tabchat.planner.readings.states import flag_items
from tabchat.planner.readings.times import clause_items

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tabchat.planner.links import Lattice
    from tabchat.planner.readings.effect import Effect, Features, Item

_CONDITIONS: Final[tuple[Callable[[Lattice, int], Iterator[Item]], ...]] = (
    *(cell_items, flag_items, bound_items, comparative_items, clause_items, text_items, denied_items),
)
_LISTED: Final = frozenset({Operator.EQ, Operator.IN})
"""What lists of cells say: `at Shell or BP`."""


def either_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read two conditions with `or` between them, on one column or on two; `not at Shell or BP` denies a list of cells."""
    if "or" not in lattice.names:
        return
    for first in _single(lattice, place):
        for tie in _ties(lattice, first):
            for at, skipped in _behind(lattice, tie):
                for second in _single(lattice, at):
                    either = _either(lattice, first.effect, second.effect)
                    if either is not None:
                        features = (*first.features, *second.features, *skipped, ("clause.either", 1.0))
                        yield clause_said(place, second.end, either, features, second.effect.column)


def _ties(lattice: Lattice, first: Item) -> Iterator[int]:
    """Yield the places behind `or`, right behind a condition or the word for rows that follows it: `P1 incidents or …`."""
    ends = (first.end, *(rows.end for rows in lattice.at(first.end, LinkKind.ROWS)))
    for end in dict.fromkeys(ends) if first.effect.name != DENIED else ():
        yield from (tie.end for tie in lattice.concepts(end, "or"))


def _single(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield what begins at a place and is one condition, or a comparison with a number whose column stands elsewhere."""
    for items in _CONDITIONS:
        for item in items(lattice, place):
            bound = item.effect.kind is Kind.BOUND and item.effect.name != "rows"
            if bound or (len(item.effect.clauses) == 1 and isinstance(item.effect.clauses[0], Condition)):
                yield item


def _behind(lattice: Lattice, place: int) -> Iterator[tuple[int, Features]]:
    """Yield the places of a second condition: behind small words, `with`, a verb or a word for rows, `affecting over 400`."""
    yield from hop(lattice, place, 2)
    for rows in lattice.at(place, LinkKind.ROWS):
        yield from hop(lattice, rows.end, 2)
    verb = place < len(lattice.skips) and lattice.skips[place] in {Skip.VERB, Skip.DOING}
    if verb or lattice.has(place, "had"):
        yield from hop(lattice, place + 1, 2)


def _either(lattice: Lattice, first: Effect, second: Effect) -> AnyOf | None:
    """Return that one of two conditions holds; None of two lists of cells, which are one, and where no column is told."""
    other = second.clauses[0] if second.clauses else None
    if not isinstance(other, Condition):
        return None
    one = first.clauses[0] if first.clauses else _bounded_like(lattice, first, other)
    if not isinstance(one, Condition) or one == other:
        return None
    if one.column != other.column and _goes_on(lattice, one, other, second):
        return None
    # `into the Ganges or the Murray`, which is a river of the table, too
    cells = (cell for at in range(second.start, second.end) for cell in lattice.at(at, LinkKind.CELL))
    columns = {other.column, *(lattice.column(cell).name for cell in cells)}
    listed = one.column in columns and one.part == other.part and {one.operator, other.operator} <= _LISTED
    return None if listed else AnyOf(conditions=(one, other))


def _goes_on(lattice: Lattice, one: Condition, other: Condition, second: Effect) -> bool:
    """Tell whether a second time names no date, so that it is of that of the first: `built before 1960 or after 2010`."""
    known = lattice.vocabulary.by_name
    named = any(
        column.name == other.column
        for place in range(second.start, second.end)
        for _, column in lattice.columns(place)
    )
    timed = (known[one.column], known[other.column])
    return not named and all(column.dated or column.facts.years for column in timed)


def _bounded_like(lattice: Lattice, bound: Effect, other: Condition) -> Condition | None:
    """Return a comparison of the column that the one behind it names: `under 20 or over 65 litres`."""
    column = lattice.vocabulary.by_name[other.column]
    if bound.operator is None or other.operator not in BOUNDING or other.part or not column.numeric:
        return None
    values = tuple(column.in_unit(quantity) for quantity in bound.quantities)
    return Condition(column=column.name, operator=bound.operator, values=values) if values else None
