"""What is won: medals, of which a `Total` counts all, points, and games, of which a column counts those that were won."""

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
    from tabchat.planner.words import Sentence

_METALS: Final = frozenset({"gold", "silver", "bronze"})
_MEDALS: Final = frozenset({"medals"})
_WON: Final = _METALS | _MEDALS | {"points", "prize"}
"""Groups of columns of what is won."""
_OUTCOMES: Final = frozenset({"wins", "losses", "draws"})
_VERBS: Final = frozenset({"win", "won", "lose", "lost", "draw", "drew"})
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


def contests(sentence: Sentence, vocabulary: Vocabulary, links: Sequence[Link]) -> frozenset[int]:
    """Return the places of words for games beside a verb that a column counts by itself: `how many games did Rovers win`."""
    columns = vocabulary.columns
    counted = {
        link.start
        for link in links
        if link.kind is LinkKind.COLUMN
        and not link.is_near
        and columns[link.column].measure
        and columns[link.column].groups & _OUTCOMES
        and sentence.words[link.start].norm in _VERBS
    }
    games = [one for one in sentence.concepts if one.name == "entity.match"] if counted else []
    return frozenset(place for one in games for place in range(one.start, one.end)) - counted


def less_contests(
    sentence: Sentence, vocabulary: Vocabulary, known: Sequence[Link], links: Sequence[Link]
) -> list[Link]:
    """Return links without those of games that only say of what a column counts the wins."""
    places = contests(sentence, vocabulary, known)
    return [link for link in links if link.start not in places]


def tells_of_what(lattice: Lattice, place: int) -> bool:
    """Tell whether a word for games says only what was won or lost, of which a column has the number."""
    return place in contests(lattice.sentence, lattice.vocabulary, lattice.links(LinkKind.COLUMN))


def plays_against(lattice: Lattice, place: int) -> bool:
    """Tell whether `against` stands before an opponent, and compares nothing: `the result against the Lions`."""
    behind = (place + 1, lattice.beyond(place))
    cells = [cell for at in behind for cell in lattice.at(at, LinkKind.CELL)]
    return lattice.has(place, "compare") and any(
        "opponent" in lattice.column(cell).groups and cell.whole for cell in cells
    )


def tells_a_win(lattice: Lattice, place: int) -> bool:
    """Tell whether `won` says only what is done with medals: `how many gold medals did Norway win`, where nothing else says who won."""
    if not lattice.concepts(place, *_WINS) or lattice.at(place, LinkKind.COLUMN):
        return False
    if any(cell.whole for cell in lattice.at(place, LinkKind.CELL)):
        return False
    if lattice.has(place + 1, "had", "by"):
        # Who won with 18 points, or by 3, was the winner.
        return False
    named = map(lattice.column, lattice.links(LinkKind.COLUMN))
    return any(column.measure and not column.groups.isdisjoint(_WON) for column in named)
