"""Headers in languages that no question is read in → the English words that say the same: `Menge`, of a quantity.

Headers in Latin letters that spell Cyrillic words → these words: `ZAKUP_GRN`, of закупка, грн.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_left
from collections import defaultdict
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.links.sounds import heard_of, sound_of
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
_SHORTEST: Final = 3
"""Letters of a word that is listened to."""
_TELLING: Final = 5
"""Letters of a word that shows in which language the headers are written."""
_CUT: Final = 4
"""Sounds that are left of a word which a header cuts short: `uvoln`, of увольнение."""


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


def spelled_words(facts: TableFacts, languages: Languages, lexicons: Sequence[Lexicon]) -> Mapping[str, str]:
    """Return Latin word → Cyrillic one of the lexicons, for the headers of a table most of which no English word explains."""
    cyrillic = [lexicon for lexicon in lexicons if lexicon.language != _ENGLISH]
    if not cyrillic or _ENGLISH not in languages.letters:
        return {}
    headers = [*(column.name for column in facts.columns if column.formula is None), *facts.row_nouns]
    words = {word for header in headers for word in header_words(header) if len(word) >= _SHORTEST}
    latin = sorted(word for word in words if word.isascii() and word.isalpha())
    if 2 * len(latin) <= len(words):
        return {}
    english = {word for word in latin if _is_english(word, languages)}
    if 2 * len(english) >= len(latin):
        return {}
    found = ((word, _spelled(word, cyrillic, exactly=word in english)) for word in latin)
    spelled = {word: said for word, said in found if said is not None}
    heard = [word for word in spelled if word not in english]
    # `POL` and `ETA` may be short for anything, and headers of a third language have a word or two in common with ours.
    telling = any(len(word) >= _TELLING for word in heard)
    return spelled if telling and 2 * len(heard) >= len(latin) - len(english) else {}


def _is_english(word: str, languages: Languages) -> bool:
    return languages.load(_ENGLISH).has_word(word) or languages.is_word(word, _ENGLISH) is True


def _spelled(word: str, lexicons: Sequence[Lexicon], *, exactly: bool) -> str | None:
    """Return the word that sounds so to its last letter, else another form of it, else one that begins so.

    `exactly` takes the first alone: `data` is an English word, and дата. Of several words that begin so their beginning is known.
    """
    sound, whole = sound_of(word), heard_of(word)
    known = [_sounds(lexicon) for lexicon in lexicons]
    alike = [one for sounds in known for one in sounds.get(sound or "", ())]
    same = [one for one in alike if heard_of(one) == whole]
    if same or exactly or alike:
        return next(iter(same if exactly else (*same, *alike)), None)
    if sound is None or len(sound) < _CUT:
        return None
    longer = [one for lexicon in lexicons for one in _beginning(lexicon, sound)]
    if longer and all(lexicons[0].alike(longer[0], one) for one in longer):
        return min(longer, key=len)
    beginnings = (one[:end] for one in sorted(longer) for end in range(_SHORTEST, len(one)))
    return next((one for one in beginnings if sound_of(one) == sound), None)


def _beginning(lexicon: Lexicon, sound: str) -> Iterator[str]:
    """Yield the words of a lexicon whose sounds begin so."""
    sounds = _sounds(lexicon)
    order = _order(lexicon)
    for place in range(bisect_left(order, sound), len(order)):
        if not order[place].startswith(sound):
            return
        yield from sounds[order[place]]


@lru_cache(maxsize=4)
def _order(lexicon: Lexicon) -> Sequence[str]:
    """Return the sounds of a lexicon, sorted."""
    return sorted(_sounds(lexicon))


@lru_cache(maxsize=4)
def _sounds(lexicon: Lexicon) -> Mapping[str, Sequence[str]]:
    """Return sound → the words of a lexicon that sound so, in the order of the alphabet."""
    found: dict[str, list[str]] = defaultdict(list)
    for word in sorted(lexicon.vocabulary):
        sound = sound_of(word) if len(word) >= _SHORTEST else None
        if sound:
            found[sound].append(word)
    return found
