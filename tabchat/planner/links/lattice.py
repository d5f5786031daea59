"""All that the spans of a question can stand for, by the place of their first word. Nothing is chosen or refused here."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, TypeAlias

from tabchat.planner.links.cells import cell_links
from tabchat.planner.links.denials import denied_links
from tabchat.planner.links.headers import header_links
from tabchat.planner.links.link import Link, LinkKind
from tabchat.planner.links.nearness import near_links
from tabchat.planner.links.restating import is_restating, opens_an_order
from tabchat.planner.links.rows import row_links
from tabchat.planner.links.spans import span_links
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Sentence

__all__ = ["Lattice", "Link", "LinkKind", "Skip", "link"]

Features: TypeAlias = "tuple[tuple[str, float], ...]"

_ENGLISH_VERBS = ("ed", "ing")
_SLAVIC_VERBS = (
    *("ли", "лись", "лися", "ла", "лась", "лася", "ло", "лось", "лося", "вся", "лся", "ил", "ал", "ел"),
    *("ив", "ав", "ют", "ють", "ает", "ует", "ують", "є", "ит", "ть", "ться", "ти", "тися"),
)
"""Endings of the third person, the past tense and the infinitive."""
_SHORTEST_VERB = 4
"""Letters of a word whose ending tells a verb."""
_DENIALS = ("not", "without", "no", "only", "among", "never")


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
    """not, without, only."""
    REFUSED = "refused"
    """why, forecast, should."""
    NUMBER = "number"
    TABLE = "table"
    """A word that stands for a column or a cell."""
    NAME = "name"
    """An unknown word written like a name."""
    DOING = "doing"
    """An unknown word that ends like a verb: what rows are said to do."""
    UNKNOWN = "unknown"


@record
class Lattice:
    """A question over one table: its words, and the links that begin at each of them."""

    sentence: Sentence
    vocabulary: Vocabulary
    lexicons: tuple[Lexicon, ...]
    starts: tuple[tuple[Link, ...], ...]
    skips: tuple[Skip, ...]
    """What passing over each word would lose."""

    @cached_property
    def courtesies(self) -> frozenset[int]:
        """Places of the words before and behind the question itself: please, could you, thanks."""
        count = len(self.sentence.words)
        polite = {
            place
            for concept in self.sentence.concepts
            if concept.name == "stop.courtesy"
            for place in range(concept.start, concept.end)
        }
        loose = [place in polite or not self.sentence.words[place].norm.isalnum() for place in range(count)]
        before = list(takewhile(loose.__getitem__, range(count)))
        behind = list(takewhile(loose.__getitem__, reversed(range(count))))
        found = {*before, *behind}
        return frozenset(found) if found & polite else frozenset()

    @cached_property
    def names(self) -> frozenset[str]:
        """Names of all concepts of the question."""
        return frozenset(concept.name for concept in self.sentence.concepts)

    def links(self, kind: LinkKind) -> list[Link]:
        """Return the links of a kind, wherever they begin."""
        return [link for start in self.starts for link in start if link.kind is kind]

    def behind(self, name: str) -> list[int]:
        """Return the places behind the concepts of a name."""
        return [concept.end for concept in self.sentence.concepts if concept.name == name]

    def at(self, place: int, kind: LinkKind) -> list[Link]:
        """Return the links of a kind that begin at a place."""
        if not 0 <= place < len(self.starts):
            return []
        return [link for link in self.starts[place] if link.kind is kind]

    def columns(self, place: int) -> list[tuple[Link, TableColumn]]:
        """Return the columns that words from a place on may name, each with its link."""
        columns = self.vocabulary.columns
        return [(link, columns[link.column]) for link in self.at(place, LinkKind.COLUMN)]

    def concepts(self, place: int, *names: str) -> list[Link]:
        """Return the concepts at a place whose name is one of `names`, or begins with one that ends in a point."""
        return [
            link
            for link in self.at(place, LinkKind.CONCEPT)
            if any(link.name == name or (name[-1] == "." and link.name.startswith(name)) for name in names)
        ]

    def beyond(self, place: int) -> int:
        """Return the place behind the word at `place` and the article that may follow it."""
        return place + 1 + int(self.has(place + 1, "stop.article"))

    def has(self, place: int, *names: str) -> bool:
        """Tell whether a one-word concept begins at a place."""
        return any(True for _ in self.concepts(place, *names))


def link(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Lattice:
    """Find what every span of `sentence` can stand for."""
    found: list[Link] = []
    found += (
        Link(
            start=concept.start,
            end=concept.end,
            kind=LinkKind.CONCEPT,
            name=concept.name,
            features=() if concept.exact else (("concept.form", 1.0),),
        )
        for concept in sentence.concepts
    )
    found += (
        Link(start=item.start, end=item.end, kind=LinkKind.NUMBER, quantity=item)
        for item in sentence.quantities
    )
    found += (Link(start=item.start, end=item.end, kind=LinkKind.TIME, time=item) for item in sentence.times)
    headers = header_links(sentence, vocabulary, lexicons)
    cells = cell_links(sentence, vocabulary, lexicons)
    rows = row_links(sentence, vocabulary, lexicons)
    headers = _less_flags(headers, vocabulary, rows)
    headers += [*span_links(sentence, vocabulary, headers)]
    found += headers
    found += cells
    found += _rivalled(rows, headers)
    found += denied_links(sentence, vocabulary, lexicons)
    return _parted(sentence, vocabulary, lexicons, found)


def widened(lattice: Lattice) -> Lattice:
    """Return the lattice with what the words that nothing knows may mean, by what they are near to."""
    known = [found for start in lattice.starts for found in start]
    near = near_links(lattice.sentence, lattice.vocabulary, lattice.lexicons, known)
    if not near:
        return lattice
    return _parted(lattice.sentence, lattice.vocabulary, lattice.lexicons, [*known, *near])


def _parted(
    sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon], found: Sequence[Link]
) -> Lattice:
    """Return links by the places where they begin, with what passing over each word would lose."""
    starts: list[list[Link]] = [[] for _ in sentence.words]
    for item in found:
        starts[item.start].append(item)
    lattice = Lattice(
        sentence=sentence,
        vocabulary=vocabulary,
        lexicons=tuple(lexicons),
        starts=tuple(tuple(items) for items in starts),
        skips=(),
    )
    return replace(lattice, skips=tuple(_skip(lattice, place) for place in range(len(sentence.words))))


def _less_flags(headers: Sequence[Link], vocabulary: Vocabulary, rows: Sequence[Link]) -> list[Link]:
    """Drop a column of yes and no of which only the word for rows was said: `film` beside `First Film`."""
    named = {(found.start, found.end) for found in rows}
    return [
        found
        for found in headers
        if (found.start, found.end) not in named
        or not vocabulary.columns[found.column].flag
        or "column.missing" not in {name for name, _ in found.features}
    ]


def _rivalled(rows: Sequence[Link], headers: Sequence[Link]) -> list[Link]:
    """Mark words for rows that also name a column by all its words: `products` over a column of products."""
    named = {
        (found.start, found.end)
        for found in headers
        if not {"column.identifier", "column.missing", "column.synonym"}
        & {name for name, _ in found.features}
    }
    return [
        replace(found, features=(*found.features, ("rows.rival", 1.0)))
        if (found.start, found.end) in named and found.name != "label"
        else found
        for found in rows
    ]


def _skip(lattice: Lattice, place: int) -> Skip:  # noqa: PLR0911 - a list of classes, tried in order
    word = lattice.sentence.words[place]
    covering = [
        link
        for start in range(max(0, place - 5), place + 1)
        for link in lattice.starts[start]
        if link.start <= place < link.end
    ]
    names = {link.name for link in covering if link.kind is LinkKind.CONCEPT}
    single = {link.name for link in covering if link.kind is LinkKind.CONCEPT and link.end - link.start == 1}
    kinds = {link.kind for link in covering if not link.is_remote}
    if is_restating(lattice, place):
        return Skip.JOIN
    if single & set(_DENIALS) or any(name in {"not", "without"} for name in names):
        return Skip.DENIAL
    if any(name.split(".")[0] == "chart" for name in names):
        # Whoever asks for a picture gets one, or is told that there is none.
        return Skip.DENIAL
    if any(name.startswith("refuse.") for name in single):
        return Skip.REFUSED
    if any(name.startswith(("stop.light_verb", "verb.", "event.")) for name in names):
        return Skip.VERB
    if any(name.startswith("stop.") for name in names) or names & {"article", "yesno"}:
        return Skip.NOTHING
    if word.norm in ",;/()?!.:" or names & {"comma", "sign.dash"}:
        return Skip.JOIN
    if "from" in single and opens_an_order(lattice, place, only="limit.ge" in single):
        return Skip.CONCEPT
    if names & {"in", "pred", "and", "from", "to", "table", "exist", "than"}:
        return Skip.JOIN
    rows = [link for link in covering if link.kind is LinkKind.ROWS and link.name not in {"stranger", "near"}]
    if rows and not any("rows.rival" in dict(link.features) for link in rows):
        return Skip.ROW
    if LinkKind.NUMBER in kinds or LinkKind.TIME in kinds:
        return Skip.NUMBER
    if LinkKind.COLUMN in kinds or LinkKind.CELL in kinds:
        return Skip.TABLE
    if names & {"list", "which", "who", "when", "count", "howmuch"}:
        return Skip.NOTHING
    if any(not name.startswith(("entity.", "header.", "country.", "measure.")) for name in names):
        return Skip.CONCEPT
    if word.capital or word.kind == "quoted":
        return Skip.NAME
    passive = place > 0 and lattice.has(place - 1, "yesno", "pred") and word.norm.isascii()
    return Skip.DOING if _is_verb(word.norm) and not passive else Skip.UNKNOWN


def _is_verb(word: str) -> bool:
    """Tell whether an unknown word ends like a verb; adjectives and nouns of these languages mostly do not."""
    endings = _ENGLISH_VERBS if word.isascii() else _SLAVIC_VERBS
    return len(word) > _SHORTEST_VERB and word.endswith(endings)
