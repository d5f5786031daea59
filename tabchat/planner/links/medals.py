"""Tables of medals: what their `Total` counts, and that medals and points are what is won."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.columns import column_of
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.planner.context import UserContext
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.links.units import Stock
    from tabchat.planner.links.vocabulary import Vocabulary

_METALS: Final = frozenset({"gold", "silver", "bronze"})
_MEDALS: Final = frozenset({"medals"})
_WON: Final = _METALS | _MEDALS | {"points", "prize"}
"""Groups of columns of what is won."""
_WINS: Final = ("header.wins", "header.winner")


def columns_of(facts: TableFacts, stock: Stock, context: UserContext | None) -> list[TableColumn]:
    """Return the columns of a table, taken apart; the `Total` beside gold, silver and bronze is that of the medals."""
    found = [column_of(place, column, stock, facts, context) for place, column in enumerate(facts.columns)]
    metals = {metal for column in found if column.measure for metal in column.groups & _METALS}
    if metals < _METALS or any(column.groups & _MEDALS for column in found):
        return found
    return [
        replace(column, groups=column.groups | _MEDALS, kinds=column.kinds | _MEDALS)
        if column.measure and column.words == ("total",)
        else column
        for column in found
    ]


def less_medals(headers: Sequence[Link], vocabulary: Vocabulary) -> list[Link]:
    """Return links of headers without medals of all kinds where a word says which: `gold medals` are no `Total`."""
    groups = [column.groups for column in vocabulary.columns]
    kinds = [link for link in headers if groups[link.column] & _METALS]
    return [
        link
        for link in headers
        if not groups[link.column] & _MEDALS
        or not any(kind.start < link.start and link.end <= kind.end for kind in kinds)
    ]


def tells_a_win(lattice: Lattice, place: int) -> bool:
    """Tell whether `won` says only what is done with medals: `how many gold medals did Norway win`, where nothing else says who won."""
    if not lattice.concepts(place, *_WINS) or lattice.at(place, LinkKind.COLUMN):
        return False
    if any(cell.whole for cell in lattice.at(place, LinkKind.CELL)):
        return False
    named = map(lattice.column, lattice.links(LinkKind.COLUMN))
    return any(column.measure and not column.groups.isdisjoint(_WON) for column in named)
