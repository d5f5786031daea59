"""What the words of a language mean to the planner."""

from __future__ import annotations

from bisect import bisect_left
from copy import copy
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.inflection import as_pairs, inflection_of, is_family
from tabchat.planner.words.phrases import COUNTRY, HEADER, NO_SPELLINGS, PhraseIndex
from tabchat.planner.words.spelling import by_letter
from tabchat.planner.words.token import header_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.planner.words.data_files import Sections
    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.phrases import Hit, Phrase, Spellings
    from tabchat.planner.words.vectors import Vector, Vectors

CELL: Final = "cell."
"""Words for cells that tables shorten: `cell.gender.female`."""
_BEGINNING: Final = 3
"""Letters that the forms of the name of a thing begin with."""
SHORT: Final = 2
"""Letters of a word that has no forms."""


def _words(name: str) -> cached_property[frozenset[str]]:
    """Return a property of a lexicon that holds one of its lists of words."""
    return cached_property(lambda lexicon: as_words(lexicon.sections["words"][name]))


def _pairs(name: str) -> cached_property[tuple[tuple[str, str], ...]]:
    """Return a property of a lexicon that holds one of its lists of pairs."""
    return cached_property(lambda lexicon: as_pairs(lexicon.sections["pairs"].get(name, "")))


def _lists(section: str, beginning: str = "") -> cached_property[Mapping[str, frozenset[str]]]:
    """Return a property of a lexicon that holds the lists of words of a section, by their names behind a `beginning`."""
    return cached_property(
        lambda lexicon: {beginning + name: as_words(said) for name, said in lexicon.sections[section].items()}
    )


def as_words(lines: str) -> frozenset[str]:
    """Return the members of a prepared list."""
    return frozenset(lines.split("\n")) if lines else frozenset()


def as_phrases(lines: str) -> frozenset[Phrase]:
    """Return the phrases of a prepared list."""
    return frozenset(tuple(line.split()) for line in lines.split("\n")) if lines else frozenset()


class Lexicon:
    """One language: what `prepared` made of its data files, each part of it taken up at its first use."""

    def __init__(self, sections: Sections, vectors: Path | None = None) -> None:
        """Take over the prepared sections of a language, and where the vectors of its words are kept."""
        self.sections = sections
        self._vectors_path = vectors
        self.language = str(sections["language"])
        self.more_cell_names: tuple[frozenset[Phrase], ...] = ()
        self._known_things: dict[str, frozenset[str]] = {}
        self._known_groups: dict[Phrase, frozenset[str]] = {}

    units = _words("units")
    """Words of headers that only say the unit."""
    naming = _words("naming")
    """Words of headers that only say that the column names things."""
    identifying = _words("identifying")
    """Words of headers whose numbers are names: id, code, number."""
    numbered = _words("numbered")
    """Headers of things that are called by their numbers: room, station."""
    agents = _words("agents")
    """Endings of words for somebody who does something: inspector."""
    joining = _words("joining")
    """Words of headers that only join the others: of."""
    denying = _pairs("denying")
    """(beginning that denies a word, the word that does so by itself): un, not."""
    opposites = _pairs("opposites")
    """(word, the yes that it denies): failed, passed."""
    compounds = _pairs("compounds")
    """(numeral that begins a word, its number): дво, 2 of двокімнатний."""
    magnitudes = _pairs("magnitudes")
    """(word of a header, name of a scale): `kusd` says thousands."""
    nonadditive = _words("words")
    """Header words of columns that are not summed unless the question says so."""
    charges = _words("charges")
    """Header words of what each thing costs, of which a sum and a mean both say something: rent, fee."""
    habitual = _words("verbs")
    """Verbs in a form that tells what each thing is or takes: costs, lasts."""
    several = _words("several")
    """Nouns for several that do not end like it: people, staff."""
    better = _words("better")
    """Header words of what is best when it is most."""
    worse = _words("worse")
    """Header words of what is best when it is least."""

    evidence = _lists("evidence")
    """Entity or event → header words that show that the table has it."""
    said = _lists("said")
    """What words of a question say beyond their concept → these words: `spending`, spent."""
    written = _lists("written", CELL)
    """`cell.gender.female` → how cells may say it; empty when the file has none."""

    @cached_property
    def lasting(self) -> Mapping[str, str]:
        """Units of time that only headers are shortened to (`h`) → their seconds."""
        return dict(as_pairs(self.sections["pairs"].get("lasting", "")))

    @cached_property
    def follow_ups(self) -> Mapping[str, frozenset[Phrase]]:
        """What a follow-up says of itself (`start`, `instead` …) → its phrases; empty when the file has none."""
        return {name: as_phrases(said) for name, said in self.sections["follow_ups"].items()}

    @cached_property
    def inflection(self) -> Inflection:
        """Forms of headers."""
        return inflection_of(self.sections["forms"], self.sections["kin"], "endings")

    @cached_property
    def value_inflection(self) -> Inflection:
        """Forms of cell values."""
        return inflection_of(self.sections["forms"], {}, "value_endings")

    @cached_property
    def phrase_endings(self) -> tuple[str, ...]:
        """Endings that a `*` of this lexicon stands for, longest first."""
        return tuple(self.sections["forms"]["phrase_endings"].split())

    def find(self, words: Phrase) -> frozenset[str]:
        """Return the concepts of exactly these words: those of the words as they stand, else of their stems."""
        return self._concept_index.exactly(words) or frozenset().union(
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
        """Yield every name of a header or of a country, in any of its forms."""
        return self._header_index.at(words, start, self._header_forms, spellings)

    def groups_named(self, words: Phrase) -> frozenset[str]:
        """Return the groups of `[headers]` that have exactly these folded words for a name, as they stand."""
        names = self._header_index.exactly(words)
        return frozenset(name.removeprefix(HEADER) for name in names if name.startswith(HEADER))

    def groups_of_header(self, header: str) -> frozenset[str]:
        """Return the groups that a header belongs to by all its words, or by those before its unit; a `Line total` is a total."""
        words = header_words(header)
        total = frozenset(("total",) if self.evidence.get("total", frozenset()) & {*words} else ())
        return total.union(*(self.groups_named(words[:end]) for end in range(1, len(words) + 1)))

    def header_group(self, *words: str) -> frozenset[str]:
        """Return the groups of `[headers]` that hold a name of exactly these folded words, in any of its forms."""
        if words not in self._known_groups:
            hits = (hit for hit in self.headers_at(words, 0) if hit.end == len(words))
            names = (name for hit in hits for name in hit.concepts if name.startswith(HEADER))
            things = self._things_of(words[0]) if len(words) == 1 else frozenset()
            self._known_groups[words] = things.union(name.removeprefix(HEADER) for name in names)
        return self._known_groups[words]

    @cached_property
    def _things(self) -> list[str]:
        """Names of everyday things and deeds, each with the groups of headers that they are in, sorted."""
        return str(self.sections["things"]).splitlines()

    def _things_of(self, word: str) -> frozenset[str]:
        """Return the groups of the everyday things and deeds that a folded word names, in any of its forms."""
        if word not in self._known_things:
            found: set[str] = set()
            beginning = word[:_BEGINNING]
            for place in range(bisect_left(self._things, beginning), len(self._things)):
                name, _, groups = self._things[place].partition("\t")
                if not name.startswith(beginning):
                    break
                shared = max(_BEGINNING, min(len(word), len(name)) // 2)
                if word == name or (word[:shared] == name[:shared] and self.inflection.are_forms(word, name)):
                    found.update(groups.split())
            self._known_things[word] = frozenset(found)
        return self._known_things[word]

    def country(self, *words: str) -> str | None:
        """Return the code of the country or the continent that exactly these folded words name: `us`, `ua`."""
        hits = (hit for hit in self.headers_at(words, 0) if hit.end == len(words))
        found = sorted(name for hit in hits for name in hit.concepts if name.startswith(COUNTRY))
        return found[0].removeprefix(COUNTRY) if found else None

    def stems(self, word: str) -> frozenset[str]:
        """Return the signs that the forms of a folded word share: its stems, and `~family` of its root."""
        return self.inflection.stems(word)

    @cached_property
    def _vectors(self) -> Vectors | None:
        from tabchat.planner.words.vectors import Vectors

        return None if self._vectors_path is None else Vectors(self._vectors_path)

    def vector(self, word: str) -> Vector | None:
        """Return the vector of a folded word, or of what is left of it without an ending; None when it has none."""
        if self._vectors is None:
            return None
        for form in (word, *sorted(self.inflection.stems(word), key=lambda stem: (-len(stem), stem))):
            found = self._vectors.find(form)
            if found is not None:
                return found
        return None

    def acts(self, word: str) -> bool:
        """Tell whether a word ends like one for somebody who does something."""
        return any(word.endswith(ending) and len(word) > len(ending) + 2 for ending in self.agents)

    def alike(self, one: str, other: str) -> bool:
        """Tell whether two folded words are forms of one word, of one root, or one the short form of the other."""
        return self.inflection.alike(one, other)

    def other_names(self, first: str) -> Iterator[tuple[Phrase, frozenset[Phrase]]]:
        """Yield (a name that begins with a word, other names of the same), of what cells call by several names.

        Some of them are forms that no ending tells: won, win, winner.
        """
        for line in self.sections["other_names"].get(first, "").splitlines():
            name, *others = (tuple(name.split(" ")) for name in line.split("\t"))
            yield name, frozenset(others)
        for group in self.more_cell_names:
            for name in group:
                if name[0] == first:
                    yield name, group - {name}

    def with_cell_names(self, groups: tuple[frozenset[Phrase], ...]) -> Lexicon:
        """Return a lexicon with more groups of names of one cell; what is prepared of it is kept."""
        own = copy(self)
        own.more_cell_names = (*self.more_cell_names, *groups)
        return own

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """Every word of the phrases and of the names of headers; a stem ends in `*`."""
        return as_words(self.sections["vocabulary"])

    @cached_property
    def by_letter(self) -> Mapping[str, tuple[str, ...]]:
        """First letter → words of the vocabulary."""
        return by_letter(self.vocabulary)

    @cached_property
    def _vocabulary_lines(self) -> str:
        """The vocabulary with a new line on both sides of each word: a look at a few words takes no set of them all."""
        return f"\n{self.sections['vocabulary']}\n"

    def has_word(self, word: str) -> bool:
        """Tell whether a folded word, in one of its forms, stands in a phrase or in a name of a header."""
        listed = f"\n{word}\n" in self._vocabulary_lines
        return listed or bool(self._stem_keys(word)) or bool(self._header_forms(word))

    @cached_property
    def _concept_index(self) -> PhraseIndex:
        return PhraseIndex(firsts=self.sections["concepts"])

    @cached_property
    def _header_index(self) -> PhraseIndex:
        return PhraseIndex(firsts=self.sections["names"], every=True)

    def _header_forms(self, word: str) -> list[str]:
        if len(word) <= SHORT:
            return []
        stems = self.inflection.stems(word)
        keys = {word[:2], *(stem if is_family(stem) else stem[:2] for stem in stems)}
        forms = self.sections["name_forms"]
        near = {other for key in keys for other in forms.get(key, "").split() if other != word}
        return [other for other in near if len(other) > SHORT and self.inflection.alike(word, other)]

    @cached_property
    def _stem_words(self) -> frozenset[str]:
        return as_words(self.sections["stems"])

    @cached_property
    def _phrase_ending_set(self) -> frozenset[str]:
        return frozenset(("", *self.phrase_endings))

    def _stem_keys(self, word: str) -> list[str]:
        """Return the stems with a `*` that a word is a form of, the longest first."""
        ends = range(len(word), max(0, len(word) - len(self.phrase_endings[0])) - 1, -1)
        return [
            f"{word[:end]}*"
            for end in ends
            if word[end:] in self._phrase_ending_set and f"{word[:end]}*" in self._stem_words
        ]
