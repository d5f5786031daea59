"""Words with a meaning of their own that only say again what the words beside them say: `top 5 heaviest`, `only 2023`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.links.lattice import Lattice

_MOST: Final = ("super.", "scale.most.", "degree.most")
_CHANGES: Final = frozenset({"growth", "grow", "diff", "change.any"})
_SHARES: Final = frozenset({"share", "rate", "pctword"})
_PERCENT: Final = frozenset({"%", "pct", "percent"})


def is_restating(lattice: Lattice, place: int) -> bool:
    """Tell whether passing over the word at `place` loses nothing."""
    return any(said(lattice, place) for said in _RESTATING)


def _ranks_a_superlative(lattice: Lattice, place: int) -> bool:
    """`top 5 heaviest cars`."""
    numbered = any(found.end == place + 2 for found in lattice.at(place + 1, LinkKind.NUMBER))
    return lattice.has(place, "top.max") and numbered and lattice.has(place + 2, *_MOST)


def _tells_whose(lattice: Lattice, place: int) -> bool:
    """`books by Henry Hale`, `bridges over the River Aire`, `repairs under warranty`: what follows is no key and no bound."""
    if not lattice.has(place, "by", "cmp.gt", "cmp.lt"):
        return False
    behind = place + 1 + int(lattice.has(place + 1, "stop.article"))
    if lattice.at(behind, LinkKind.NUMBER) or lattice.at(behind, LinkKind.TIME):
        return False
    columns = lattice.columns(behind)
    if lattice.has(place, "by") or not columns:
        return not columns and bool(lattice.at(behind, LinkKind.CELL))
    return all(column.flag for _, column in columns)


def _tells_both_sides(lattice: Lattice, place: int) -> bool:
    """Tell whether `between` stands before what is compared: `the difference between 2024 and 2023`."""
    return lattice.has(place, "between") and not _CHANGES.isdisjoint(lattice.names)


def _tells_the_whole(lattice: Lattice, place: int) -> bool:
    """`total price across all sales`."""
    return lattice.has(place, "by") and lattice.has(place + 1, "all")


def _tells_the_unit(lattice: Lattice, place: int) -> bool:
    """`average humidity % per room`, over a column of percents; `growth from May to June, in percent`."""
    if not lattice.has(place, "share", "pctword"):
        return False
    said = any(
        found.end == place and not _PERCENT.isdisjoint(lattice.vocabulary.columns[found.column].words)
        for start in range(max(0, place - 3), place)
        for found in lattice.at(start, LinkKind.COLUMN)
    )
    return said or (lattice.has(place - 1, "in") and not _CHANGES.isdisjoint(lattice.names))


def _tells_the_time_again(lattice: Lattice, place: int) -> bool:
    """`only 2023`, `show 2021 only`: a period keeps nothing else anyway."""
    if not lattice.has(place, "only"):
        return False
    before = (
        found.end for start in range(max(0, place - 3), place) for found in lattice.at(start, LinkKind.TIME)
    )
    return bool(lattice.at(place + 1, LinkKind.TIME)) or place in before


def _tells_of_whom(lattice: Lattice, place: int) -> bool:
    """`women among the members`, where no share asks among whom it is taken."""
    return lattice.has(place, "among") and _SHARES.isdisjoint(lattice.names)


_RESTATING: Final[tuple[Callable[[Lattice, int], bool], ...]] = (
    _ranks_a_superlative,
    _tells_whose,
    _tells_both_sides,
    _tells_the_whole,
    _tells_the_unit,
    _tells_the_time_again,
    _tells_of_whom,
)
