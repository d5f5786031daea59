"""What the words of a language mean to the planner."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.inflection import is_family
from tabchat.planner.words.phrases import NO_SPELLINGS, index_phrases
from tabchat.planner.words.spelling import by_letter
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.phrases import Hit, Phrase, PhraseIndex, Spellings

CELL: Final = "cell."
"""Words for cells that tables shorten: `cell.gender.female`."""
HEADER: Final = "header."
"""Words for columns: `header.revenue`."""
SHORT: Final = 2
"""Letters of a word that has no forms."""


@record
class Lexicon:
    """One language."""

    language: str
    phrases: Mapping[Phrase, frozenset[str]]
    """Folded words → concept ids. A word that ends in `*` is a stem."""
    stems_of_phrases: frozenset[str]
    """Every word of a phrase that ends in `*`."""
    longest: int
    """Words of the longest phrase."""
    inflection: Inflection
    """Forms of headers."""
    value_inflection: Inflection
    """Forms of cell values."""
    phrase_endings: tuple[str, ...]
    """Endings that a `*` of this lexicon stands for."""
    header_groups: Mapping[str, frozenset[Phrase]]
    scales: Mapping[str, tuple[str, ...]]
    evidence: Mapping[str, frozenset[str]]
    """Entity or event → header words that show that the table has it."""
    dates: Mapping[str, frozenset[str]]
    """`first` → header words of the date on which a row began; `later` → of what became of it since."""
    countable: frozenset[str]
    """Header words for things that a number counts: nights, votes."""
    nonadditive: frozenset[str]
    better: frozenset[str]
    worse: frozenset[str]
    units: frozenset[str]
    naming: frozenset[str]
    timely: frozenset[str]
    """Words that may be said with the name of a column of lengths of time: time."""
    lasting: Mapping[str, str]
    """Units of time that only headers are shortened to (`h`) → their seconds."""
    denying: tuple[tuple[str, str], ...]
    """(beginning that denies a word, the word that does so by itself): un, not."""
    magnitudes: tuple[tuple[str, str], ...]
    """(word of a header, name of a scale): `kusd` says thousands."""
    measuring: frozenset[str]
    """Words of headers that only say that there is a figure: amount, value."""
    totals: frozenset[str]
    """Words of headers for the money that a sale comes to: total, sum."""
    identifying: frozenset[str]
    """Words of headers whose numbers are names: id, code, number."""
    participles: tuple[str, ...]
    """Endings of headers that say what happened to a row."""
    mass: tuple[str, ...]
    """Endings of a noun in the singular after the word for `how many`; none where the word itself tells."""
    stated: tuple[str, ...]
    """Endings of words that are no such nouns although they end like them."""
    joining: frozenset[str]
    located: tuple[str, ...]
    """Endings of a noun behind `на` that says where something is."""
    written: Mapping[str, frozenset[str]]
    """`cell.gender.female` → how cells may say it; empty when the file has none."""
    adjectives: tuple[str, ...]
    """Endings of adjectives, where a noun stands before its genitive; none where it stands behind it."""
    phrasing: Mapping[str, str]
    read_as: Mapping[str, str]
    """English template of a fragment of `read as` → the language's own; empty when English is said."""
    cell_forms: tuple[frozenset[Phrase], ...]
    """Groups of words that stand for one another where one of them is a cell: won, win, winner."""
    cell_names: tuple[frozenset[Phrase], ...]
    """The same of names that no ending tells: United Kingdom, UK, British."""
    quantifying: frozenset[str]
    """Words that add nothing to the name of a column of numbers: `lead concentration`."""
    pricing: frozenset[str]
    """The same of a column of money: `ціна квитка`."""
    measured_in: Mapping[str, frozenset[str]]
    """Meaning of a header → units that only such a thing is measured in."""
    decades: frozenset[str]
    """What stands behind a year to make it ten: `1990s`, `1990-х`."""
    follow_ups: Mapping[str, frozenset[Phrase]]
    """What a follow-up says of itself (`start`, `instead` …) → its phrases; empty when the file has none."""

    def find(self, words: Phrase) -> frozenset[str]:
        """Return the concepts of exactly these words: those of the words as they stand, else of their stems."""
        exact = self.phrases.get(words)
        if exact is not None:
            return exact
        return frozenset().union(
            *(hit.concepts for hit in self.concepts_at(words, 0) if hit.end == len(words))
        )

    def concepts_at(
        self, words: Sequence[str], start: int, spellings: Spellings = NO_SPELLINGS
    ) -> Iterator[Hit]:
        """Yield every phrase that begins at a place; what a word as it stands means goes before its stems."""
        return self._concept_index.at(words, start, self._stem_keys, spellings)

    def headers_at(
        self, words: Sequence[str], start: int, spellings: Spellings = NO_SPELLINGS
    ) -> Iterator[Hit]:
        """Yield every name of a header, in any of its forms, as `header.<group>`."""
        return self._header_index.at(words, start, self._header_forms, spellings)

    def header_group(self, *words: str) -> frozenset[str]:
        """Return the groups of `[headers]` that hold a name of exactly these folded words, in any of its forms."""
        hits = (hit for hit in self.headers_at(words, 0) if hit.end == len(words))
        return frozenset(name.removeprefix(HEADER) for hit in hits for name in hit.concepts)

    def stems(self, word: str) -> frozenset[str]:
        """Return the signs that the forms of a folded word share: its stems, and `~family` of its root."""
        return self.inflection.stems(word)

    def alike(self, one: str, other: str) -> bool:
        """Tell whether two folded words are forms of one word, of one root, or one the short form of the other."""
        return self.inflection.alike(one, other)

    def moving(self, way: str) -> tuple[frozenset[str], ...]:
        """Return what cells of movements one way (`in`, `out`) are written like."""
        return tuple(
            words for name, words in self.written.items() if name.startswith(f"{CELL}movement.{way}")
        )

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the phrases and of the names of headers; a stem ends in `*`."""
        named = (phrase for group in self.header_groups.values() for phrase in group)
        return frozenset(word for phrase in (*self.phrases, *named) for word in phrase)

    @cached_property
    def by_letter(self) -> Mapping[str, tuple[str, ...]]:
        """First letter → words of the vocabulary."""
        return by_letter(self.vocabulary)

    def has_word(self, word: str) -> bool:
        """Tell whether a folded word, in one of its forms, stands in a phrase or in a name of a header."""
        return word in self.vocabulary or bool(self._stem_keys(word)) or bool(self._header_forms(word))

    @cached_property
    def _concept_index(self) -> PhraseIndex:
        return index_phrases(self.phrases.items())

    @cached_property
    def _header_index(self) -> PhraseIndex:
        return index_phrases(
            (
                (phrase, (f"{HEADER}{name}",))
                for name, phrases in self.header_groups.items()
                for phrase in phrases
            ),
            every=True,
        )

    @cached_property
    def _header_words(self) -> Mapping[str, tuple[str, ...]]:
        """First two letters or `~family` → words of the names of headers."""
        found: dict[str, set[str]] = {}
        for word in {word for group in self.header_groups.values() for phrase in group for word in phrase}:
            base = self.inflection.base(word)
            for key in (word[:2], *self.inflection.kin.get(word, ()), *self.inflection.kin.get(base, ())):
                found.setdefault(key, set()).add(word)
        return {key: tuple(sorted(words)) for key, words in found.items()}

    def _header_forms(self, word: str) -> list[str]:
        if len(word) <= SHORT:
            return []
        stems = self.inflection.stems(word)
        keys = {word[:2], *(stem if is_family(stem) else stem[:2] for stem in stems)}
        near = {other for key in keys for other in self._header_words.get(key, ()) if other != word}
        return [other for other in near if len(other) > SHORT and self.inflection.alike(word, other)]

    def _stem_keys(self, word: str) -> list[str]:
        shorter = [word[: len(word) - len(ending)] for ending in self.phrase_endings if word.endswith(ending)]
        return [f"{key}*" for key in (word, *reversed(shorter)) if f"{key}*" in self.stems_of_phrases]
