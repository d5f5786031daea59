"""Spans of a question → how many rows something has: ordered twice, more than twice, three times or more, repeat customers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Operator
from tabchat.planner.readings.bounds import BEHIND, COMPARED, bounds_at, pending
from tabchat.planner.readings.effect import Kind, said
from tabchat.planner.readings.phrases import hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Features, Item

_TIMES: Final = "times."
"""Begins the names of once, twice and thrice."""
_TOLD: Final = ("bound.times", 1.0)


def repeat_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read how many rows something has: so many times, and more often than once, as what is said to come back has."""
    for often, end in _often(lattice, place):
        yield _rows(place, end, Operator.EQ, often, (_TOLD, ("bound.pending", 1.0)))
        for behind in lattice.concepts(end, *BEHIND):
            # `twice or more`
            told = (_TOLD, (behind.name, 1.0))
            yield _rows(place, behind.end, BEHIND[behind.name], often, told)
    for compared in lattice.concepts(place, *COMPARED):
        for at, skipped in hop(lattice, compared.end, 2):
            for often, end in _often(lattice, at):
                # `more than twice`
                said_so = (_TOLD, (compared.name, 1.0), *skipped)
                yield _rows(place, end, COMPARED[compared.name], often, said_so)
    for bound in bounds_at(lattice, place):
        for at, _ in hop(lattice, bound.end, 1):
            for times in lattice.concepts(at, "times"):
                numbered = (*bound.features, _TOLD)
                yield pending(bound, place, times.end, numbered, "rows")
                for behind in lattice.concepts(times.end, *BEHIND) if bound.operator is Operator.EQ else ():
                    # `four times or more`
                    atleast = bound._replace(operator=BEHIND[behind.name])
                    yield pending(atleast, place, behind.end, numbered, "rows")
    for again in lattice.concepts(place, "again"):
        # Nothing comes back in a column that holds each cell once.
        if any(not column.kept_unique for _, column in lattice.columns(again.end)):
            yield _rows(place, again.end, Operator.GT, [1.0], (("bound.again", 1.0),))


def says_how_often(lattice: Lattice, place: int) -> bool:
    """Tell whether a phrase at a place says how often something was done: bought `more than twice`."""
    return any(True for _ in repeat_items(lattice, place))


def _often(lattice: Lattice, place: int) -> Iterator[tuple[list[float], int]]:
    """Yield the number that a word for so many times says, and the place behind it."""
    for concept in lattice.concepts(place, _TIMES):
        yield [float(concept.name.removeprefix(_TIMES))], concept.end


def _rows(start: int, end: int, operator: Operator, numbers: list[float], told: Features) -> Item:
    return said(Kind.BOUND, start, end, told, name="rows", operator=operator, values=tuple(numbers))
