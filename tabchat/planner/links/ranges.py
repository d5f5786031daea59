"""Words at the ends of ranges that say again what the ranges say: `from the 1st to the 15th inclusive`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from tabchat.planner.links.lattice import Lattice

_JOINING: Final = ("and", "to", "until", "sign.dash")
"""Words between both ends of a range."""


def closes_a_range(lattice: Lattice, place: int) -> bool:
    """`from the 1st to the 15th inclusive`: both ends are included anyway, but not of `over 100 inclusive`."""
    ranged = lattice.has(place, "inclusive") and not lattice.names.isdisjoint({"between", "from"})
    return ranged and any(
        link.end == place and any(lattice.has(at, *_JOINING) for at in range(link.start - 1, place))
        for kind in (LinkKind.NUMBER, LinkKind.TIME)
        for link in lattice.links(kind)
    )


def tells_how_long(lattice: Lattice, place: int) -> bool:
    """Tell whether nothing is compared with the days: `the mean price over the last 30 days`."""
    behind = lattice.beyond(place)
    spans = lattice.at(behind, LinkKind.TIME)
    return lattice.has(place, "cmp.gt") and bool(spans) and not lattice.at(behind, LinkKind.NUMBER)


def joins_two_bounds(lattice: Lattice, place: int) -> bool:
    """`over 100 million people but less than 1,000 km2`: both hold."""
    bounds = {one.start for one in lattice.sentence.concepts if one.name.startswith(("cmp.", "scale.more."))}
    return lattice.has(place, "but") and not bounds.isdisjoint({place + 1, place + 2}) and min(bounds) < place
