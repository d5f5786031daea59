"""The texts of the cells of a table, and the words in them.

All texts of all columns stand in one long folded line, which `str.find` passes in a millisecond for a megabyte: no index
has to be built for a question of ten words. Some cells stand for what was said without being written so: `f` for women,
`EUR` for euros, a country in another language.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property
from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.vocabulary import CURRENCIES
from tabchat.planner.links.link import Link, cell_link
from tabchat.planner.links.units import CURRENCY_SIGNS
from tabchat.planner.words.token import fold
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Concept, Lexicon, Sentence

_MOST_HITS: Final = 600
"""Cells with one word from which on the word tells nothing by itself."""
_BREAK: Final = "\n"
_LONG: Final = 50_000
"""Characters that are folded letter by letter, rather than with care."""
_PLAIN: Final = str.maketrans({"ё": "е", **dict.fromkeys("’ʼ`", "'"), "\u00a0": " ", "№": "no "})
_WORD: Final = re.compile(r"[^\W\d_]+")
_BETWEEN_ITEMS: Final = re.compile(r"[;|/,]")
_CELL_WORD: Final = re.compile(r"[^\W_]*\d(?:\.\d+){2,}(?!\w)|[^\W_]+(?:'[^\W\d_]+)*")
"""An address or a version in numbers (`10.0.0.7`) is one word."""
_ALIAS: Final = (("cell", 1.0), ("cell.alias", 1.0))
_FEW: Final = 20
"""Cells of a column of kinds of things."""
_TELLING: Final = {"status": frozenset({"status", "state", "stage", "result"})}
"""What cells mean → groups of columns whose cells may."""


@record
class CellText:
    """One distinct text of one column."""

    column: int
    text: str
    """As it is written in the file."""
    folded: str

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Its folded words, in order."""
        return tuple(words_of(self.folded))


@record
class CellMatch:
    """A cell, some words of which a span says."""

    start: int
    end: int
    cell: CellText
    said: int
    """Words of the cell that were said."""
    form: bool = False
    """Whether one was said in another form."""
    alias: bool = False

    @property
    def unsaid(self) -> int:
        """Words of the cell that were not said."""
        return len(self.cell.words) - self.said


class CellTexts:
    """Every distinct text that is known of a table."""

    def __init__(self, columns: Sequence[tuple[int, Sequence[str]]]) -> None:
        self._columns = [(place, texts) for place, texts in columns if texts]

    @cached_property
    def _texts(self) -> list[tuple[int, str]]:
        return [(place, text) for place, texts in self._columns for text in texts]

    @cached_property
    def _line(self) -> str:
        plain = _BREAK.join(text.replace(_BREAK, " ") for _, text in self._texts)
        return f"{_BREAK}{_folded(plain)}{_BREAK}"

    @cached_property
    def _starts(self) -> list[int]:
        starts, place = [], 0
        line = self._line
        while (place := line.find(_BREAK, place)) >= 0:
            starts.append(place)
            place += 1
        return starts

    def holds(self, word: str) -> bool:
        """Tell whether a folded word stands in some cell."""
        return next(self._hits(word, 1, whole=True), None) is not None

    def words(self, most: int) -> frozenset[str]:
        """Return the words of all texts; none when there are more than `most` texts."""
        if len(self._texts) > most:
            return frozenset()
        line = self._line
        # `Domino's` is no possessive where a cell is written so.
        own = (word for word in words_of(line) if "'" in word) if "'" in line else ()
        return frozenset((*_WORD.findall(line), *own))

    def beginning(self, stem: str, most: int = _MOST_HITS) -> list[int] | None:
        """Return the places of the texts with a word that begins with `stem`; None when they are too many."""
        found = list(dict.fromkeys(self._hits(stem, most + 1, whole=False)))
        return None if len(found) > most else found

    def at(self, place: int) -> CellText:
        """Return the text at a place."""
        column, text = self._texts[place]
        start, end = self._starts[place] + 1, self._starts[place + 1]
        return CellText(column=column, text=text, folded=self._line[start:end])

    def _hits(self, key: str, most: int, *, whole: bool) -> Iterator[int]:
        line, starts, place, count = self._line, self._starts, -1, 0
        while (place := line.find(key, place + 1)) >= 0:
            if line[place - 1].isalnum():
                continue
            if whole and line[place + len(key)].isalnum():
                continue
            row = bisect_right(starts, place) - 1
            yield row
            count += 1
            if count >= most:
                return
            # The rest of this text holds nothing new.
            place = starts[row + 1] - 1


def items_of(text: str) -> list[str]:
    """Return what a cell lists: `Comedy` and `Drama`, of `Comedy; Drama`."""
    return [item.strip() for item in _BETWEEN_ITEMS.split(text)]


def words_of(folded: str) -> list[str]:
    """Return the words and numbers of a folded text."""
    return _CELL_WORD.findall(folded)


def _folded(text: str) -> str:
    """Fold many texts at once, line by line, as `words.fold` does one; the number of lines stays."""
    if text.isascii():
        return text.casefold()
    if len(text) < _LONG:
        return _BREAK.join(fold(part) for part in text.split(_BREAK))
    return text.casefold().translate(_PLAIN)


def meant_cells(
    sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon], known: set[tuple[int, int, int]]
) -> Iterator[Link]:
    """Yield the cells that are meant, beside those of spans and columns that are `known` to be written there."""
    yield from _meant(sentence, vocabulary, lexicons)
    yield from _currencies(sentence, vocabulary)
    yield from _countries(sentence, vocabulary, known)


def _meant(sentence: Sentence, vocabulary: Vocabulary, lexicons: Sequence[Lexicon]) -> Iterator[Link]:
    """Yield cells that tables shorten: `f` for women, where the lexicon says how such cells are written."""
    for concept in sentence.concepts:
        if not concept.name.startswith("cell."):
            continue
        written = {form for lexicon in lexicons for form in lexicon.written.get(concept.name, frozenset())}
        general = concept.name.split(".")[1]
        groups = _TELLING.get(general, frozenset({general}))
        for column in vocabulary.columns:
            texts = [text for text in column.facts.texts if " ".join(words_of(fold(text))) in written]
            few = column.facts.complete and len(column.facts.texts) <= _FEW
            if texts and few and (groups & column.groups or len(column.facts.texts) <= 4):  # noqa: PLR2004
                yield cell_link(concept.start, concept.end, column.place, texts, _ALIAS)


def _currencies(sentence: Sentence, vocabulary: Vocabulary) -> Iterator[Link]:
    """Yield the cells of a currency that is said in words: `EUR`, of euros."""
    for concept in sentence.concepts if vocabulary.currency_columns else ():
        code = concept.name.removeprefix("currency.")
        for column in vocabulary.currency_columns:
            texts = [
                text
                for text in column.facts.texts
                if CURRENCY_SIGNS.get(CURRENCIES.get(text.upper(), "")) == code
            ]
            if texts:
                yield cell_link(concept.start, concept.end, column.place, texts, _ALIAS)


def _is_small(country: Concept, sentence: Sentence) -> bool:
    """Tell whether a short word in small letters means something else first: `us`, `can`."""
    words = sentence.words[country.start : country.end]
    if len(words) > 1 or words[0].capital:
        return False
    return any(
        (other.start, other.end) == (country.start, country.end) and other.name.startswith("stop.")
        for other in sentence.concepts
    )


def _countries(
    sentence: Sentence, vocabulary: Vocabulary, known: set[tuple[int, int, int]]
) -> Iterator[Link]:
    """Yield cells that name a country by another name, or in another language."""
    for concept in sentence.concepts:
        if not concept.name.startswith("country.") or _is_small(concept, sentence):
            continue
        cells = vocabulary.countries.get(concept.name.removeprefix("country."), ())
        for column in dict.fromkeys(place for place, _ in cells):
            if (concept.start, concept.end, column) not in known:
                texts = [text for place, text in cells if place == column]
                yield cell_link(concept.start, concept.end, column, texts, (*_ALIAS, ("cell.country", 1.0)))
