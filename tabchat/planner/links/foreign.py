"""Headers in languages that no question is read in → the English words that say the same: `Menge`, of a quantity."""

from __future__ import annotations

import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.transliteration import spelled_words
from tabchat.planner.words.token import header_words

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.facts import TableFacts
    from tabchat.planner.words import Languages, Lexicon

_ENGLISH: Final = "en"
_LEAST: Final = 2
"""Words of headers that show in which language they are written."""
_KNOWN: Final = 3
"""One of so many words at the least is known: headers of any other language have a word or two in common with these."""
_LETTERS: Final = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PLAIN: Final = str.maketrans({"ł": "l", "ø": "o", "œ": "oe", "æ": "ae"})


def words_meant(facts: TableFacts, languages: Languages, lexicons: Sequence[Lexicon]) -> Mapping[str, str]:
    """Return header word → word that the lexicons have, of headers in Latin letters that are not English."""
    return spelled_words(facts, languages, lexicons) or foreign_words(facts, languages)


def foreign_words(facts: TableFacts, languages: Languages) -> Mapping[str, str]:
    """Return header word → English word, for a table of which the headers are in one of the languages of `headers.toml`."""
    headers = {
        word
        for column in facts.columns
        if column.formula is None
        for word in header_words(column.name)
        if len(word) >= _LEAST and word.isalpha()
    }
    english = languages.load(_ENGLISH) if _ENGLISH in languages.letters else None
    if english is None or not any(any("a" <= letter <= "z" for letter in word) for word in headers):
        return {}
    # `ville` is a word of English books, and no English header.
    unknown = {word for word in headers if not english.has_word(word)}
    others = {word for word in unknown if languages.is_word(word, _ENGLISH) is not True}
    if 2 * len(others) < len(headers):
        return {}
    best: dict[str, str] = {}
    for known in _glossaries(languages.folder).values():
        words = {*unknown, *(part for noun in facts.row_nouns for part in header_words(noun)), *_short(facts)}
        found = {word: said for word in words for one in _spellings(word) if (said := known.get(one))}
        hits = others & found.keys()
        if (
            len(hits) >= _LEAST
            and _KNOWN * len(hits) >= len(others)
            and len(hits) > len(others & best.keys())
        ):
            best = found
    return best


def with_nouns(facts: TableFacts, spelled: Mapping[str, str]) -> TableFacts:
    """Return the facts with what rows are called in the letters of its language as well."""
    nouns = (*(spelled.get(noun, noun) for noun in facts.row_nouns), *facts.row_nouns)
    return replace(facts, row_nouns=tuple(dict.fromkeys(nouns))) if spelled else facts


def _short(facts: TableFacts) -> set[str]:
    """Return the words of headers that join others, or stand for a number."""
    return {word for column in facts.columns for word in header_words(column.name) if len(word) <= _KNOWN}


def _spellings(word: str) -> Iterator[str]:
    """Yield a word without accents, as `headers.toml` writes it."""
    for letters in (word.translate(_LETTERS), word):
        parted = unicodedata.normalize("NFKD", letters.translate(_PLAIN))
        yield "".join(letter for letter in parted if not unicodedata.combining(letter))


@lru_cache(maxsize=4)
def _glossaries(folder: Path) -> Mapping[str, Mapping[str, str]]:
    """Return language → its word → the English one."""
    from tabchat.planner.words.lexicon_file import listed_words, read_sections

    path = folder / "headers.toml"
    sections = read_sections(path.read_text(encoding="utf-8")) if path.exists() else {}
    return {
        language: {word: english for english, said in words.items() for word in listed_words(said)}
        for language, words in sections.items()
    }
