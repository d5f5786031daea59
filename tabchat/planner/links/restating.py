"""Words with a meaning of their own that only say again what the words beside them say: `top 5 heaviest`, `only 2023`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.links.lattice import Lattice

_MOST: Final = ("super.", "scale.most.", "degree.most")
"""Beginnings of the names of superlatives."""
_SEVERAL: Final = frozenset({"and", "or", "comma"})
_WHOSE: Final = frozenset({"who", "which"})
_CHANGES: Final = frozenset({"growth", "grow", "diff", "change.any"})
_SHARES: Final = frozenset({"share", "rate", "pctword"})
_ASKED: Final = frozenset({"schema", "types", "list", "which", "count", "missing"})
"""What may be asked of columns as such."""
_PERCENT: Final = frozenset({"%", "pct", "percent"})


def is_restating(lattice: Lattice, place: int) -> bool:
    """Tell whether passing over the word at `place` loses nothing."""
    return any(said(lattice, place) for said in _RESTATING)


def opens_an_order(lattice: Lattice, place: int, *, only: bool) -> bool:
    """Tell of `by district, from the dearest`: an order of all of them, not the dearest one.

    With `only`, the word means nothing else; с самым большим простоем says of what the superlative is.
    """
    ends = [found.end for found in lattice.concepts(lattice.beyond(place), *_MOST)]
    named = any(lattice.columns(end) or lattice.has(end, "count") for end in ends)
    return bool(ends) and (only or not named or lattice.has(place - 1, "comma"))


def _ranks_a_superlative(lattice: Lattice, place: int) -> bool:
    """`top 5 heaviest cars`."""
    numbered = any(found.end == place + 2 for found in lattice.at(place + 1, LinkKind.NUMBER))
    return lattice.has(place, "top.max") and numbered and lattice.has(place + 2, *_MOST)


def _tells_whose(lattice: Lattice, place: int) -> bool:
    """`books by Henry Hale`: what follows is a cell, so no key; of several cells, each may be meant."""
    behind = lattice.beyond(place)
    return (
        lattice.has(place, "by")
        and not lattice.columns(behind)
        and bool(lattice.at(behind, LinkKind.CELL))
        and _SEVERAL.isdisjoint(lattice.names)
    )


def _tells_a_state(lattice: Lattice, place: int) -> bool:
    """`repairs under warranty`, over a column of yes and no: `above Kitchen` compares, and is no such word."""
    columns = lattice.columns(lattice.beyond(place))
    return (
        lattice.has(place, "cmp.gt", "cmp.lt") and bool(columns) and all(column.flag for _, column in columns)
    )


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
    """`revenue by month, only 2023`, `show 2021 only`; `customers who bought in 2023 only` bought at no other time."""
    if not lattice.has(place, "only"):
        return False
    if lattice.has(place - 1, "comma"):
        return bool(lattice.at(place + 1, LinkKind.TIME)) and _WHOSE.isdisjoint(lattice.names)
    opening = int(lattice.has(0, "list"))
    return any(found.end == place for found in lattice.at(opening, LinkKind.TIME))


def _tells_of_whom(lattice: Lattice, place: int) -> bool:
    """`women among the members`, where no share asks among whom it is taken, and no rank tells who they are."""
    behind = lattice.beyond(place)
    ranked = any(lattice.has(at, *_MOST, "top.") for at in (behind, behind + 1))
    return lattice.has(place, "among") and not ranked and _SHARES.isdisjoint(lattice.names)


def _tells_what_it_names(lattice: Lattice, place: int) -> bool:
    """Tell of a word for columns beside the name of one: `the sum of the Amount column`, `by the column Region`."""
    named = lattice.columns(lattice.beyond(place)) or any(
        found.end == place
        for start in range(max(0, place - 3), place)
        for found in lattice.at(start, LinkKind.COLUMN)
    )
    asked = any(concept.name in _ASKED and concept.end <= place for concept in lattice.sentence.concepts)
    return lattice.has(place, "columns") and bool(named) and not asked


def _tells_how_long(lattice: Lattice, place: int) -> bool:
    """Tell whether nothing is compared with the days: `the mean price over the last 30 days`."""
    behind = lattice.beyond(place)
    spans = lattice.at(behind, LinkKind.TIME)
    return lattice.has(place, "cmp.gt") and bool(spans) and not lattice.at(behind, LinkKind.NUMBER)


_RESTATING: Final[tuple[Callable[[Lattice, int], bool], ...]] = (
    _ranks_a_superlative,
    _tells_whose,
    _tells_a_state,
    _tells_both_sides,
    _tells_the_whole,
    _tells_the_unit,
    _tells_the_time_again,
    _tells_of_whom,
    _tells_what_it_names,
    _tells_how_long,
)
