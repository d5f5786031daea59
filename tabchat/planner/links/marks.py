"""Words for marks: `the average mark in math` is that of a column `Math`, where none is called after marks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from tabchat.planner.links.lattice import Lattice

_MARKS: Final = frozenset({"mark", "rating"})
"""Groups of columns of marks."""
_JOINING: Final = ("in", "by", "to", "from")
"""Words between a mark and its subject: in math, по математике, з математики."""


def tells_a_mark(lattice: Lattice, place: int) -> bool:
    """Tell whether a word for marks stands beside a column of numbers that can be some."""
    if not lattice.has(place, "header.mark"):
        return False
    if any(not column.groups.isdisjoint(_MARKS) for column in lattice.vocabulary.measures):
        return False
    behind = place + 1 + int(lattice.has(place + 1, *_JOINING))
    before = [column for link, column in lattice.columns(place - 1) if link.end == place] if place else []
    return any(column.measure for column in (*before, *(column for _, column in lattice.columns(behind))))
