"""Cells that stand for what was said without being written so: `f` for women, `EUR` for euros, a country in another language."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.vocabulary import CURRENCIES
from tabchat.planner.links.cell_texts import words_of
from tabchat.planner.links.link import Link, cell_link
from tabchat.planner.links.units import CURRENCY_SIGNS
from tabchat.planner.words.token import fold

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Concept, Lexicon, Sentence

_ALIAS: Final = (("cell", 1.0), ("cell.alias", 1.0))
_FEW: Final = 20
"""Cells of a column of kinds of things."""
_TELLING: Final = {"status": frozenset({"status", "state", "stage", "result"})}
"""What cells mean → groups of columns whose cells may."""


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
