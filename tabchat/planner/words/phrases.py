"""An index of phrases by their words, which finds all that begin at one place of a question in one walk."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
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
    """Phrases by their words."""

    root: _Trie
    every: bool = False
    """Whether all forms of a phrase count that end at one place, rather than the likeliest alone."""

    def at(
        self, words: Sequence[str], start: int, forms: Forms, spellings: Spellings = NO_SPELLINGS
    ) -> Iterator[Hit]:
        """Yield the phrases that begin at a place, the short ones first."""
        frontier: list[tuple[bool, _Trie]] = [(True, self.root)]
        for place in range(start, len(words)):
            frontier = _reached(frontier, words[place], forms, spellings)
            if not frontier:
                return
            ended = [(exact, node[""]) for exact, node in frontier if "" in node]
            for exact, concepts in ended if self.every else ended[:1]:
                yield Hit(end=place + 1, concepts=frozenset(concepts), exact=exact)


def _reached(
    frontier: list[tuple[bool, _Trie]], word: str, forms: Forms, spellings: Spellings
) -> list[tuple[bool, _Trie]]:
    """Return the nodes behind one more word, those first that the word as it stands leads to."""
    options = list(forms(word))
    for other in spellings.get(word, ()):
        options += [other, *forms(other)]
    reached: list[tuple[bool, _Trie]] = []
    for exact, node in frontier:
        if word and word in node:
            reached.append((exact, node[word]))
        reached += [(False, node[option]) for option in options if option in node]
    return reached


def index_phrases(phrases: Iterable[tuple[Phrase, Iterable[str]]], *, every: bool = False) -> PhraseIndex:
    """Index (phrase, its concepts)."""
    root: _Trie = {}
    for phrase, concepts in phrases:
        node = root
        for word in phrase:
            node = node.setdefault(word, {})
        node.setdefault("", {}).update(dict.fromkeys(concepts, _NOTHING))
    return PhraseIndex(root=root, every=every)
