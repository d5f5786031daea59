"""An index of phrases by their words, which finds all that begin at one place of a question in one walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator

Phrase = tuple[str, ...]
"""Folded words."""
Forms = Callable[[str], Sequence[str]]
"""Word → the words of an index that it is a form of, the likeliest first."""
Spellings = Mapping[str, Sequence[str]]
"""Unknown word → what it may have been meant to be."""
HEADER: Final = "header."
"""Words for columns: `header.revenue`."""
COUNTRY: Final = "country."
"""Names of countries: `country.de`."""
NO_SPELLINGS: Final[Spellings] = MappingProxyType({})
_Trie = dict[str, "_Trie"]
"""Word → what may follow it; the keys behind the empty word are the concepts of the phrase that ends here."""
_NOTHING: Final[_Trie] = {}


@record
class Hit:
    """A phrase that was found."""

    end: int
    """One past the place of its last word."""
    concepts: frozenset[str]
    exact: bool
    """False when a word of it is another form, or a corrected spelling."""


@record
class PhraseIndex:
    """Phrases by their words: those with one first word are taken apart when a question has that word."""

    firsts: Mapping[str, str]
    """What `phrases_by_first` made."""
    every: bool = False
    """Whether all forms of a phrase count that end at one place, rather than the likeliest alone."""
    _nodes: dict[str, _Trie] = field(default_factory=dict)

    def at(
        self, words: Sequence[str], start: int, forms: Forms, spellings: Spellings = NO_SPELLINGS
    ) -> Iterator[Hit]:
        """Yield the phrases that begin at a place, the short ones first."""
        frontier = [
            (exact, self._node(word))
            for exact, word in _options(words[start], forms, spellings)
            if word in self.firsts
        ]
        for place in range(start, len(words)):
            if place > start:
                frontier = _reached(frontier, _options(words[place], forms, spellings))
            if not frontier:
                return
            ended = [(exact, node[""]) for exact, node in frontier if "" in node]
            for exact, concepts in ended if self.every else ended[:1]:
                yield Hit(end=place + 1, concepts=frozenset(concepts), exact=exact)

    def exactly(self, words: Phrase) -> frozenset[str]:
        """Return the concepts of a phrase of exactly these words."""
        node = self._node(words[0]) if words and words[0] in self.firsts else _NOTHING
        for word in words[1:]:
            node = node.get(word, _NOTHING)
        return frozenset(node.get("", ()))

    def _node(self, first: str) -> _Trie:
        """Return what may follow a first word."""
        if first not in self._nodes:
            self._nodes[first] = {}
            for line in self.firsts[first].split("\n"):
                behind, _, concept = line.partition("\t")
                node = self._nodes[first]
                for word in behind.split():
                    node = node.setdefault(word, {})
                node.setdefault("", {})[concept] = _NOTHING
        return self._nodes[first]


def _options(word: str, forms: Forms, spellings: Spellings) -> list[tuple[bool, str]]:
    """Return (whether it is the word as it stands, word) of what a word may be in an index, that one first."""
    other = list(forms(word))
    for meant in spellings.get(word, ()):
        other += [meant, *forms(meant)]
    return [(True, word), *((False, option) for option in other)]


def _reached(
    frontier: list[tuple[bool, _Trie]], options: Sequence[tuple[bool, str]]
) -> list[tuple[bool, _Trie]]:
    """Return the nodes behind one more word."""
    return [
        (exact and as_it_stands, node[option])
        for exact, node in frontier
        for as_it_stands, option in options
        if option and option in node
    ]


def phrases_by_first(phrases: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return first word → a line `words behind it<tab>what it says` for each phrase.

    Given are (phrase, its words parted by single spaces; what it says).
    """
    firsts: dict[str, list[str]] = {}
    for phrase, concept in phrases:
        first, _, behind = phrase.partition(" ")
        firsts.setdefault(first, []).append(f"{behind}\t{concept}")
    return {first: "\n".join(lines) for first, lines in firsts.items()}
