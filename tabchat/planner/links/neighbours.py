"""The row beside one in its order: `the next stop after Lviv` says twice that it is the one behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link

SIDES: Final = {"neighbour.next": "after", "neighbour.previous": "before"}
"""What says that a row is beside another → what says only on which side."""
_ASKING: Final = ("which", "who")
_FARTHEST: Final = 6
"""Words from `next` to the `after` that it belongs to."""


def name_beside(lattice: Lattice, place: int) -> Link | None:
    """Return the cell behind a word for a side, and an article, that is the name of one row; None for others."""
    cells = lattice.at(place, LinkKind.CELL) or lattice.at(lattice.beyond(place - 1), LinkKind.CELL)
    named = [
        cell for cell in cells if not cell.name and len(cell.texts) == 1 and lattice.column(cell).kept_unique
    ]
    return max(named, key=lambda cell: cell.end, default=None)


def beside_of(lattice: Lattice, place: int) -> str | None:
    """Return `neighbour.next` or `.previous` where a side at `place` is of what an earlier word says: `the next stop after`."""
    for name, side in SIDES.items():
        if lattice.has(place, side) and any(
            lattice.has(at, name) for at in range(max(0, place - _FARTHEST), place)
        ):
            return name
        if lattice.has(place, side) and _asks_for_one(lattice, place):
            return name
    return None


def _asks_for_one(lattice: Lattice, place: int) -> bool:
    """Tell whether one thing of a column is asked for that stands behind another one of it: `what is the stop after Mill`.

    `which city was founded after Lviv` asks when, and `which stops are after Mill` for several.
    """
    cell = name_beside(lattice, place + 1)
    if cell is None or not lattice.has(0, *_ASKING):
        return False
    asked = [
        link
        for start in lattice.starts[:place]
        for link in start
        if link.kind is LinkKind.COLUMN or (link.kind is LinkKind.CELL and link.whole)
    ]
    return bool(asked) and all(
        link.kind is LinkKind.COLUMN
        and link.column == cell.column
        and not lattice.is_plural(link.start, link.end)
        for link in asked
    )


def tells_the_neighbour_again(lattice: Lattice, place: int) -> bool:
    """Tell whether what stands at the name says it as well: `the next title listed after Omega`, `the previous stop before Lviv`."""
    for name, side in SIDES.items():
        if not lattice.has(place, name):
            continue
        for at in range(place + 1, min(place + 1 + _FARTHEST, len(lattice.starts))):
            ends = [link.end for link in lattice.concepts(at, name, side)]
            if any(name_beside(lattice, end) is not None for end in ends):
                return True
    return False
