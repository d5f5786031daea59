"""What passing over a word of a question loses: nothing, where it only says again what the words beside it say."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.denials import keeps_some, tells_there_is_one
from tabchat.planner.links.link import CALLED, OF_THE_TABLE, LinkKind, is_named
from tabchat.planner.links.medals import plays_against, tells_a_win, tells_of_what
from tabchat.planner.links.neighbours import tells_the_neighbour_again
from tabchat.planner.links.rates import prices_what_is_beside, tells_a_mark, tells_a_rate
from tabchat.planner.links.rows import is_verb, names_the_deed
from tabchat.planner.links.times import closes_a_range, joins_two_bounds, tells_how_long, tells_the_whole
from tabchat.planner.links.units import PERCENT

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice


class Skip(StrEnum):
    """What is lost when a word is passed over."""

    NOTHING = "nothing"
    """An article, courtesy, filler."""
    JOIN = "join"
    """A preposition, a conjunction, a comma."""
    ROW = "row"
    """A word for rows."""
    VERB = "verb"
    """A verb that says what happens to rows, or restates a column."""
    CONCEPT = "concept"
    """A word with a meaning of its own."""
    DENIAL = "denial"
    """not, without, only; and charts: whoever asks for a picture gets one, or is told that there is none."""
    REFUSED = "refused"
    """why, forecast, should."""
    NUMBER = "number"
    TABLE = "table"
    """A word that stands for a column or a cell."""
    NAME = "name"
    """An unknown word written like a name."""
    DOING = "doing"
    """An unknown word that ends like a verb in Ukrainian or Russian, what rows are said to do; in English adjectives end so, too."""
    UNKNOWN = "unknown"


_TELLING: Final = (
    (Skip.DENIAL, True, ("not", "without", "no", "only", "among", "never")),
    (Skip.DENIAL, False, ("not", "without", "chart", "chart.")),
    (Skip.REFUSED, True, ("refuse.",)),
    (Skip.VERB, False, ("stop.light_verb", "stop.deed", "stop.happening", "verb.", "event.")),
    (Skip.NOTHING, False, ("stop.", "article", "yesno")),
    (Skip.JOIN, False, ("comma", "sign.dash")),
)
"""What is lost with a word of some concepts, whatever else it means; of some only where it is the whole concept."""
_JOINS: Final = frozenset({"in", "pred", "and", "from", "to", "table", "exist", "than"})
_OPENERS: Final = frozenset({"list", "which", "who", "when", "count", "howmuch"})
_SIGNS: Final = ",;/()?!.:"
_LONGEST: Final = 5
"""Words before one that a phrase with it may begin with."""
_COPULAS: Final = frozenset({"це", "это"})
"""`this` as a noun, which is how Ukrainian and Russian say `is`."""
_SUPERLATIVES: Final = ("super.", "scale.most.", "degree.most")
"""Beginnings of the names of superlatives."""
_ALONE: Final = frozenset({"cell", "cell.columns"})
"""What is told of a link of one word to the one cell that is just it."""
_SEVERAL: Final = frozenset({"and", "or", "comma"})
_WHOSE: Final = frozenset({"who", "which"})
_CHANGES: Final = frozenset({"growth", "grow", "diff", "change.any"})
_SHARES: Final = frozenset({"share", "rate", "pctword"})
_NOUNS: Final = {"time": "duration"}
"""Group of headers that a noun is of → the dimension that it says."""
_ASKED: Final = frozenset({"schema", "types", "list", "which", "count", "missing"})
"""What may be asked of columns as such."""
_HIRED: Final = frozenset({"hired", "hire"})


def skip_of(lattice: Lattice, place: int) -> Skip:  # noqa: PLR0911 - a list of classes, tried in order
    """Return what is lost when the word at `place` is passed over."""
    word = lattice.sentence.words[place]
    starts = lattice.starts[max(0, place - _LONGEST) : place + 1]
    covering = [link for start in starts for link in start if link.end > place]
    concepts = [link for link in covering if link.kind is LinkKind.CONCEPT]
    names = {link.name for link in concepts}
    single = {link.name for link in concepts if link.end - link.start == 1}
    kinds = {link.kind for link in covering if not link.is_remote}
    if any(said(lattice, place) for said in _RESTATING):
        return Skip.JOIN
    if any(
        link.kind is LinkKind.CELL and link.whole and link.signs <= _ALONE for link in lattice.starts[place]
    ):
        return Skip.TABLE
    for skip, whole, telling in _TELLING:
        if any(is_named(name, telling) for name in (single if whole else names)):
            return skip
    if word.norm in _SIGNS:
        return Skip.JOIN
    if "from" in single and _opens_an_order(lattice, place, only="limit.ge" in single):
        return Skip.CONCEPT
    if names & _JOINS:
        return Skip.JOIN
    rows = [link for link in covering if link.kind is LinkKind.ROWS and link.name not in {"stranger", "near"}]
    if rows and not any("rows.rival" in link.signs for link in rows):
        return Skip.ROW
    if LinkKind.NUMBER in kinds or LinkKind.TIME in kinds:
        return Skip.NUMBER
    if LinkKind.COLUMN in kinds or LinkKind.CELL in kinds:
        return Skip.TABLE
    if names & _OPENERS:
        return Skip.NOTHING
    if any(not name.startswith(OF_THE_TABLE) for name in names):
        return Skip.CONCEPT
    if word.capital or word.kind == "quoted":
        return Skip.NAME
    if is_verb(word.norm) and names_the_deed(word.norm, lattice.vocabulary):
        return Skip.VERB
    return Skip.DOING if is_verb(word.norm) and not word.norm.isascii() else Skip.UNKNOWN


def _opens_an_order(lattice: Lattice, place: int, *, only: bool) -> bool:
    """Tell of `by district, from the dearest`: an order of all of them, not the dearest one.

    With `only`, the word means nothing else; с самым большим простоем says of what the superlative is.
    """
    ends = [found.end for found in lattice.concepts(lattice.beyond(place), *_SUPERLATIVES)]
    named = any(lattice.columns(end) or lattice.has(end, "count", "agg.") for end in ends)
    return bool(ends) and (only or not named or lattice.has(place - 1, "comma"))


def _ranks_a_superlative(lattice: Lattice, place: int) -> bool:
    """`top 5 heaviest cars`."""
    numbered = any(found.end == place + 2 for found in lattice.at(place + 1, LinkKind.NUMBER))
    return lattice.has(place, "top.max") and numbered and lattice.has(place + 2, *_SUPERLATIVES)


def _tells_whose(lattice: Lattice, place: int) -> bool:
    """`books by Henry Hale`: what follows is a cell, so no key; of several cells, each may be meant."""
    behind = lattice.beyond(place)
    return (
        lattice.has(place, "by")
        and not lattice.columns(behind)
        and bool(lattice.at(behind, LinkKind.CELL))
        and _SEVERAL.isdisjoint(lattice.names)
    )


def _tells_by_what(lattice: Lattice, place: int) -> bool:
    """`compare dogs and cats by average bill`: what follows is the figure of each side, so no key."""
    named = lattice.has(place, "by") and lattice.has(lattice.beyond(place), "agg.")
    return named and not lattice.names.isdisjoint({"compare", "versus"})


def _tells_a_state(lattice: Lattice, place: int) -> bool:
    """`repairs under warranty`, over a column of yes and no: `above Kitchen` compares, and is no such word."""
    flags = [column.flag for _, column in lattice.columns(lattice.beyond(place))]
    return lattice.has(place, "cmp.gt", "cmp.lt") and bool(flags) and all(flags)


def _tells_both_sides(lattice: Lattice, place: int) -> bool:
    """Tell whether `between` stands before what is compared: `the difference between 2024 and 2023`."""
    return lattice.has(place, "between") and not _CHANGES.isdisjoint(lattice.names)


def _tells_the_unit(lattice: Lattice, place: int) -> bool:
    """`average humidity % per room`, over a column of percents; `growth from May to June, in percent`, like a share."""
    if not lattice.has(place, "share", "pctword"):
        return False
    said = any(not PERCENT.isdisjoint(column.words) for column in _columns_before(lattice, place))
    asked = any(
        concept.name in _SHARES - {"pctword"} and not concept.start <= place < concept.end
        for concept in lattice.sentence.concepts
    )
    return said or (lattice.has(place - 1, "in") and (asked or not _CHANGES.isdisjoint(lattice.names)))


def _columns_before(lattice: Lattice, place: int) -> list[TableColumn]:
    """Return the columns that are named right before a place."""
    starts = range(max(0, place - 3), place)
    return [column for start in starts for link, column in lattice.columns(start) if link.end == place]


def _tells_the_time_again(lattice: Lattice, place: int) -> bool:
    """`revenue by month, only 2023`, `show 2021 only`; `customers who bought in 2023 only` bought at no other time."""
    if not lattice.has(place, "only"):
        return False
    if lattice.has(place - 1, "comma"):
        return bool(lattice.at(place + 1, LinkKind.TIME)) and _WHOSE.isdisjoint(lattice.names)
    opening = int(lattice.has(0, "list"))
    return any(found.end == place for found in lattice.at(opening, LinkKind.TIME))


def _tells_of_whom(lattice: Lattice, place: int) -> bool:
    """`women among the members`, where no share asks among whom it is taken, and no rank tells who they are.

    `the share of women among all members`, `among members`, is that of all rows.
    """
    behind = lattice.beyond(place)
    every = lattice.has(behind, "all")
    rows = lattice.at(behind + int(every), LinkKind.ROWS)
    if lattice.has(place, "among") and any(every or link.name in CALLED for link in rows):
        return True
    ranked = any(lattice.has(at, *_SUPERLATIVES, "top.") for at in (behind, behind + 1))
    return lattice.has(place, "among") and not ranked and _SHARES.isdisjoint(lattice.names)


def _tells_what_it_names(lattice: Lattice, place: int) -> bool:
    """Tell of a word for columns beside the name of one: `the sum of the Amount column`, `by the column Region`."""
    named = lattice.columns(lattice.beyond(place)) or _columns_before(lattice, place)
    asked = any(concept.name in _ASKED and concept.end <= place for concept in lattice.sentence.concepts)
    return lattice.has(place, "columns") and bool(named) and not asked


def _tells_what_it_is(lattice: Lattice, place: int) -> bool:
    """`elapsed time` in minutes, `the milk type`, where no other column is meant by the noun."""
    kind = lattice.has(place, "header.type")
    if kind and any(column.text for link, column in lattice.columns(place + 1) if not link.is_near):
        # за видом пального
        return not lattice.columns(place)
    return any(
        says_what_it_is(lattice, place, column)
        or (kind and column.text and not _names_another(lattice, place, column))
        for column in _columns_before(lattice, place)
    )


def says_what_it_is(lattice: Lattice, place: int, column: TableColumn) -> bool:
    """Tell whether a noun says only the dimension or the unit of a column: `lesson length` of one in minutes, `in kilos`.

    One that names another column does not: `average time by price`, where a `Time` is beside it.
    """
    if _names_another(lattice, place, column):
        return False
    names = [
        link.name.partition(".")[::2] for link in lattice.concepts(place, "header.", "measure.", "span.")
    ]
    return any(
        (family == "header" and column.measures(_NOUNS.get(name, name)))
        or (family == "measure" and name in column.units)
        or (family == "span" and column.seconds == float(name))
        for family, name in names
    )


def _names_another(lattice: Lattice, place: int, column: TableColumn) -> bool:
    named = [other for link, other in lattice.columns(place) if not link.is_near]
    return bool(named) and column not in named


def _is_a_copula(lattice: Lattice, place: int) -> bool:
    """`Памфір це який жанр`, where no time follows."""
    copula = lattice.sentence.words[place].norm in _COPULAS
    return copula and not lattice.at(place, LinkKind.TIME)


def _asks_how_much(lattice: Lattice, place: int) -> bool:
    """`how high is Denali`: what is asked for is the dimension of the adjective."""
    return lattice.has(place, "how") and bool(lattice.concepts(place + 1, "scale.plain."))


def _works_where_it_pays(lattice: Lattice, place: int) -> bool:
    """`how many people work in Sales`, of a table of those who do: it has what they are paid, or when they were hired."""
    return lattice.has(place, "stop.work") and any(
        "salary" in column.kinds or _HIRED & {*column.words} for column in lattice.vocabulary.columns
    )


_RESTATING: Final[tuple[Callable[[Lattice, int], bool], ...]] = (
    tells_a_rate,
    prices_what_is_beside,
    _ranks_a_superlative,
    _tells_whose,
    _tells_by_what,
    _tells_a_state,
    _tells_both_sides,
    tells_the_whole,
    _tells_the_unit,
    _tells_the_time_again,
    _tells_of_whom,
    _tells_what_it_names,
    tells_how_long,
    closes_a_range,
    _works_where_it_pays,
    joins_two_bounds,
    _tells_what_it_is,
    _asks_how_much,
    _is_a_copula,
    tells_a_mark,
    tells_the_neighbour_again,
    plays_against,
    tells_a_win,
    tells_of_what,
    tells_there_is_one,
    keeps_some,
)
