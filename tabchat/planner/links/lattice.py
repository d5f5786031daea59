"""All that the spans of a question can stand for, by the place of their first word. Nothing is chosen or refused here."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import takewhile
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.cells import cell_links
from tabchat.planner.links.denials import denied_links
from tabchat.planner.links.headers import header_links
from tabchat.planner.links.link import CALLED, Link, LinkKind, forms_of, is_named
from tabchat.planner.links.medals import less_contests, less_medals
from tabchat.planner.links.nearness import near_links
from tabchat.planner.links.rivals import (
    less_agents,
    less_deeds,
    less_flags,
    less_kinds,
    less_meanings,
    less_terms,
    listings,
    rivalled_cells,
    rivalled_rows,
)
from tabchat.planner.links.rows import repeats, row_links
from tabchat.planner.links.skips import Skip, skip_of
from tabchat.planner.links.sounds import sounding_links
from tabchat.planner.links.times import span_links, timed
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Lexicon, Quantity, Sentence

__all__ = ["Lattice", "Link", "LinkKind", "Skip", "link"]

_PLURAL: Final = ("і", "ї", "их", "їх", "ие", "ые", "ых")
"""Endings of Ukrainian and Russian adjectives in the plural."""


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

    def tells(self, *names: str) -> bool:
        """Tell whether a concept of the question is one of `names`, or begins with one that ends in a point."""
        return any(is_named(name, names) for name in self.names)

    @cached_property
    def _by_kind(self) -> Mapping[LinkKind, Sequence[Link]]:
        found: dict[LinkKind, list[Link]] = {kind: [] for kind in LinkKind}
        for start in self.starts:
            for link in start:
                found[link.kind].append(link)
        return found

    @cached_property
    def _by_place(self) -> Mapping[tuple[int, LinkKind], Sequence[Link]]:
        found: dict[tuple[int, LinkKind], list[Link]] = {}
        for place, start in enumerate(self.starts):
            for link in start:
                found.setdefault((place, link.kind), []).append(link)
        return found

    @cached_property
    def _concepts(self) -> Mapping[int, Sequence[tuple[Link, frozenset[str]]]]:
        """Place → the concepts that begin there, each with what names it."""
        found: dict[int, list[tuple[Link, frozenset[str]]]] = {}
        for link in self.links(LinkKind.CONCEPT):
            found.setdefault(link.start, []).append((link, forms_of(link.name)))
        return found

    def links(self, kind: LinkKind) -> Sequence[Link]:
        """Return the links of a kind, wherever they begin."""
        return self._by_kind[kind]

    @cached_property
    def called(self) -> tuple[Link, ...]:
        """The words by which the table itself calls its rows."""
        return tuple(link for link in self.links(LinkKind.ROWS) if link.name in CALLED)

    @cached_property
    def column_links(self) -> tuple[tuple[Link, TableColumn], ...]:
        """The links to columns, each with its column."""
        return tuple((link, self.column(link)) for link in self.links(LinkKind.COLUMN))

    @cached_property
    def cell_links(self) -> tuple[tuple[Link, TableColumn], ...]:
        """The links to cells, each with their column."""
        return tuple((link, self.column(link)) for link in self.links(LinkKind.CELL))

    @cached_property
    def quantities(self) -> tuple[tuple[Link, Quantity], ...]:
        """The numbers, each behind its link."""
        numbers = ((link, link.quantity) for link in self.links(LinkKind.NUMBER))
        return tuple((link, number) for link, number in numbers if number is not None)

    @cached_property
    def listings(self) -> tuple[tuple[Link, ...], ...]:
        """The columns that are listed one behind the other: `name, city and salary`."""
        return listings(self.sentence, self.links(LinkKind.COLUMN), self.links(LinkKind.ROWS))

    @cached_property
    def named(self) -> frozenset[str]:
        """Names of the columns that words may name."""
        return frozenset(self.column(link).name for link in self.links(LinkKind.COLUMN))

    def named_only(self, by: Callable[[Link], object]) -> frozenset[str]:
        """Return the names of the columns that nothing but some links names: those of a part of a header, of a root."""
        columns = self.links(LinkKind.COLUMN)
        return frozenset(self.column(link).name for link in columns if by(link)) - {
            self.column(link).name for link in columns if not by(link)
        }

    @cached_property
    def tells_people(self) -> bool:
        """Whether a word is one for persons: people, patients."""
        return any(name.startswith("entity.person") for name in self.names)

    def said(self, name: str) -> frozenset[str]:
        """Return the words that say something in the languages of the question: `spending`, spent."""
        return frozenset().union(*(lexicon.said.get(name, ()) for lexicon in self.lexicons))

    def says(self, name: str) -> bool:
        """Tell whether a word of the question says something."""
        return not self.said(name).isdisjoint(word.norm for word in self.sentence.words)

    def behind(self, name: str) -> list[int]:
        """Return the places behind the concepts of a name."""
        return [concept.end for concept in self.sentence.concepts if concept.name == name]

    def at(self, place: int, kind: LinkKind) -> Sequence[Link]:
        """Return the links of a kind that begin at a place."""
        return self._by_place.get((place, kind), ())

    def columns(self, place: int) -> list[tuple[Link, TableColumn]]:
        """Return the columns that words from a place on may name, each with its link."""
        columns = self.vocabulary.columns
        return [(link, columns[link.column]) for link in self.at(place, LinkKind.COLUMN)]

    def measured(self, intent: Intent, *functions: str) -> list[TableColumn]:
        """Return the columns of which an intent tells figures: of some functions, or of any."""
        told = (one for one in intent.measures if not functions or one.function in functions)
        return [self.vocabulary.by_name[one.column] for one in told if one.column is not None]

    def repeats(self, column: TableColumn) -> bool:
        """Tell whether cells of a column are known to repeat."""
        return repeats(column.facts, self.vocabulary.facts.row_count)

    @cached_property
    def unsaid_dates(self) -> tuple[TableColumn, ...]:
        """Columns of dates that a time may be of which stands by itself; all of them where a word names a later one."""
        taken = self.vocabulary.default_dates
        later = {column.place for column in self.vocabulary.dates} - {column.place for column in taken}
        named = any(link.column in later for link in self.links(LinkKind.COLUMN))
        return self.vocabulary.dates if named else taken

    def column(self, link: Link) -> TableColumn:
        """Return the column of a link."""
        return self.vocabulary.columns[link.column]

    def numbers(self, place: int) -> list[tuple[Quantity, int]]:
        """Return numbers at a place and the places behind them, with and without their thousands or units."""
        found = self.at(place, LinkKind.NUMBER)
        return [(link.quantity, link.end) for link in found if link.quantity is not None]

    def concepts(self, place: int, *names: str) -> Sequence[Link]:
        """Return the concepts at a place whose name is one of `names`, or begins with one that ends in a point."""
        return [link for link, forms in self._concepts.get(place, ()) if not forms.isdisjoint(names)]

    def dimensions(self, *kinds: str) -> frozenset[str]:
        """Return what words of scale are about, of some kinds of `scale.more.`, `scale.most.`: price, of `dearer`."""
        return frozenset(name.split(".", 3)[3] for name in self.names if name.startswith(kinds))

    def called_like(self, rows: Link) -> int:
        """Return the place of the column of texts that a word for rows names, too: `the dearest club`, over clubs; -1 for none."""
        named = (
            link.column
            for link, column in self.columns(rows.start)
            if link.end == rows.end and column.text and not link.is_loose
        )
        return next(named, -1)

    def is_plural(self, start: int, end: int) -> bool:
        """Tell whether a word for rows or cells is in the plural: by its ending, or by that of the adjective before it."""
        words = self.sentence.words
        last = words[end - 1]
        if last.norm.isascii():
            # `P1s` is read as the code P1.
            return last.text.casefold().endswith("s") and not last.norm.endswith("ss")
        return start > 0 and words[start - 1].norm.endswith(_PLURAL)

    def beyond(self, place: int) -> int:
        """Return the place behind the word at `place` and the article that may follow it."""
        return place + 1 + int(self.has(place + 1, "stop.article"))

    def has(self, place: int, *names: str) -> bool:
        """Tell whether a one-word concept begins at a place."""
        return bool(self.concepts(place, *names))


def link(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Lattice:
    """Find what every span of `sentence` can stand for."""
    rows, cells = (found(sentence, vocabulary, lexicons) for found in (row_links, cell_links))
    rows, cells = less_kinds(sentence, rows, cells), less_deeds(cells, sentence, rows)
    headers = less_agents(header_links(sentence, vocabulary, lexicons), rows, sentence)
    headers = less_flags(headers, vocabulary, rows)
    headers = less_medals(less_terms(headers, vocabulary), vocabulary)
    rows, headers = (less_contests(sentence, vocabulary, headers, links) for links in (rows, headers))
    headers += [*span_links(sentence, vocabulary, headers)]
    sentence = timed(sentence, vocabulary, headers)
    if runs := listings(sentence, headers, rows):
        listed = frozenset(place for run in runs for link in run for place in range(*link.span))
        sentence = less_meanings(sentence, listed)
        rows, cells = (
            [one for one in found if listed.isdisjoint(range(*one.span))] for found in (rows, cells)
        )
    found = [
        *_known_links(sentence),
        *headers,
        *rivalled_cells(cells, rows, headers),
        *rivalled_rows(rows, headers, sentence, vocabulary),
        *denied_links(sentence, vocabulary, lexicons, {cell.span for cell in cells if cell.whole}),
    ]
    found += sounding_links(sentence, vocabulary, lexicons, found)
    return _parted(sentence, vocabulary, lexicons, found)


def _known_links(sentence: Sentence) -> Iterator[Link]:
    """Yield what is known of words whatever the table is."""
    for item in sentence.concepts:
        features = () if item.exact else (("concept.form", 1.0),)
        yield Link(start=item.start, end=item.end, kind=LinkKind.CONCEPT, name=item.name, features=features)
    for number in sentence.quantities:
        yield Link(start=number.start, end=number.end, kind=LinkKind.NUMBER, quantity=number)
    for time in sentence.times:
        yield Link(start=time.start, end=time.end, kind=LinkKind.TIME, time=time)


def widened(lattice: Lattice) -> Lattice:
    """Return the lattice with what the words that nothing knows may mean, by what they are near to."""
    known = [found for start in lattice.starts for found in start]
    near = near_links(lattice.sentence, lattice.vocabulary, lattice.lexicons, known)
    if not near:
        return lattice
    near = less_contests(lattice.sentence, lattice.vocabulary, known, near)
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
    return replace(lattice, skips=tuple(skip_of(lattice, place) for place in range(len(sentence.words))))
