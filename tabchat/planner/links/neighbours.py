"""The row beside one in its order: `the next stop after Lviv` says twice that it is the one behind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link

SIDES: Final = {"neighbour.next": "after", "neighbour.previous": "before"}
"""What says that a row is beside another → what says only on which side."""
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
    return None


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
