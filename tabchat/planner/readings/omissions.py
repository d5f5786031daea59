"""Readings without what a question keeps, or tells of: `only paid`, `goods, where the total is over 300`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Output, told_columns
from tabchat.planner.links.denials import tells_there_is_one
from tabchat.planner.links.link import LinkKind, is_vague

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_KEPT: Final = (LinkKind.COLUMN, LinkKind.CELL)


def omits(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether an intent leaves out what a question keeps, or what it tells something of."""
    return (
        _drops_what_only_keeps(lattice, intent)
        or _takes_places_for_things(lattice, intent)
        or _surveys_what_one_lacks(lattice, intent)
    )


def _drops_what_only_keeps(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `total fee, only paid` is answered without that flag, or without the cells that are said."""
    if "only" not in lattice.names:
        return False
    told = told_columns(intent)
    kept = (
        [lattice.column(link) for kind in _KEPT for link in lattice.at(place, kind) if not is_vague(link)]
        for place in lattice.behind("only")
        # `the only single` is one.
        if not tells_there_is_one(lattice, place - 1)
    )
    return any(
        any(one.flag or one.text for one in named) and told.isdisjoint(one.name for one in named)
        for named in kept
    )


def _takes_places_for_things(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `goods, where the total is over 300` are cities: `where` opens what is told of the goods."""
    placed = {one.name for one in lattice.vocabulary.places} & {key.column for key in intent.keys}
    if not placed or "where" not in lattice.names:
        return False
    told = told_columns(intent)
    begun = {one.start for one in lattice.sentence.concepts if one.name == "where"}
    begun |= {place - 1 for place in begun if lattice.has(place - 1, "comma")}
    return any(
        link.end in begun and lattice.column(link).text and lattice.column(link).name not in told
        for link in lattice.links(LinkKind.COLUMN)
        if not is_vague(link)
    )


def _surveys_what_one_lacks(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether `orders with an empty note` are the empty cells of every column."""
    if intent.output is not Output.MISSING:
        return False
    ends = {one.end for one in lattice.sentence.concepts if one.name.startswith("missing")}
    # Where no column is a note, there is none to be empty.
    return any(lattice.has(end, "header.") and not lattice.columns(end) for end in ends) or any(
        # `gaps in the data` are of no column in inches.
        link.start in ends and not is_vague(link) and "column.unit" not in link.signs
        for link, column in lattice.column_links
        if column.name not in intent.columns
    )
