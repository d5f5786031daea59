"""Typing errors: what a word that nothing knows may have been meant to be, and which words are real.

A real word is never corrected. Short words only are when letters were swapped, dropped or doubled. The lists of stems are
text, sorted by their bytes, made by `benchmarks/list_stems.py`; a look-up halves the file in memory instead of parsing it.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.inflection import MIN_STEM
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from pathlib import Path

    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.languages import Languages
    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.token import Word

LENGTHS: Final = range(3, 8)
"""Letters of the stems that are listed: longer words lie far from each other."""


def is_word(word: str, inflection: Inflection, listed: Path) -> bool | None:
    """Tell whether a folded word, without its ending, is in a list; None when lists hold no words of its length."""
    stem = inflection.base(word)
    if len(stem) not in LENGTHS or not listed.is_file():
        return None
    return _holds(_lines(listed), stem.encode())


@lru_cache(maxsize=4)
def _lines(path: Path) -> bytes:
    _, _, stems = path.read_bytes().partition(b"\n")
    return b"\n" + stems


def _holds(lines: bytes, stem: bytes) -> bool:
    low, high = 0, len(lines) - 1
    while low < high:
        start = lines.rfind(b"\n", low, (low + high) // 2 + 1)
        end = lines.find(b"\n", start + 1)
        held = lines[start + 1 : end]
        if held == stem:
            return True
        if held < stem:
            low = end
        else:
            high = start
    return False


_POSSESSIVE: Final = "'s"
_CODES: Final = re.compile(r"[^\W\d_]{1,3}\d{1,3}s")
"""Codes of which there are several; `1990s` is none."""
SHORTEST: Final = 4
"""Letters of the shortest word that is corrected but for swapped letters."""
_SWAPPED: Final = 3
"""Letters of the shortest word whose letters may have been swapped."""
_NAMED: Final = 6
"""Letters from which a capitalised word may be a misspelt word of the language, rather than a name."""
_SUBSTITUTION: Final = 5
"""Letters from which a wrong letter is allowed."""
_WHOLE: Final = 2
"""Errors up to which a word is meant in the form in which it is listed, whatever its ending."""
_MOST: Final = 3
"""Spellings that are offered for a word."""


def respelled(
    words: Sequence[Word],
    languages: Sequence[str],
    lexicons: Languages,
    known: Callable[[str], bool] | frozenset[str],
) -> tuple[Word, ...]:
    """Return the words, those that nothing knows with what they may have been meant to be."""
    loaded = [lexicons.load(language) for language in languages]
    is_known = known if callable(known) else known.__contains__
    entries = () if callable(known) else known
    words = [_owner(word, loaded, is_known) for word in words]
    return tuple(
        replace(word, spellings=spellings)
        if _may_be_wrong(word)
        and not is_known(word.norm)
        and not any(lexicon.has_word(word.norm) for lexicon in loaded)
        and not any(lexicons.is_word(word.norm, language) for language in languages)
        and (spellings := _spellings(word, loaded, entries))
        else word
        for word in words
    )


def _owner(word: Word, lexicons: Sequence[Lexicon], is_known: Callable[[str], bool]) -> Word:
    """Return the word for whom something is of, `Nina` of `Nina's`, or a code of which there are several, `P1` of `P1s`.

    A name or a phrase that is written so is kept, and what stands in quotes.
    """
    owner = word.norm.removesuffix("s" if _CODES.fullmatch(word.norm) else _POSSESSIVE)
    if owner == word.norm or word.kind is not TokenKind.WORD or is_known(word.norm):
        return word
    return word if any(lexicon.has_word(word.norm) for lexicon in lexicons) else replace(word, norm=owner)


def _may_be_wrong(word: Word) -> bool:
    return word.kind is TokenKind.WORD and len(word.norm) >= _SWAPPED and word.norm.isalpha()


def _spellings(word: Word, lexicons: Sequence[Lexicon], known: Iterable[str]) -> tuple[str, ...]:
    ranked: list[tuple[int, str]] = []
    own = [entry for letter in word.norm[:2] for entry in _by_letter(frozenset(known)).get(letter, ())]
    is_name = word.capital and len(word.norm) < _NAMED
    for lexicon in lexicons:
        if any(lexicon.alike(word.norm, entry) for entry in own):
            return ()
        entries = (
            ()
            if is_name
            else [entry for letter in word.norm[:2] for entry in lexicon.by_letter.get(letter, ())]
        )
        ranked += _near(word.norm, (*entries, *own), lexicon.inflection)
    return tuple(dict.fromkeys(found for _, found in sorted(ranked)))[:_MOST]


@lru_cache(maxsize=4)
def _by_letter(known: frozenset[str]) -> Mapping[str, tuple[str, ...]]:
    return by_letter(known)


def by_letter(words: Iterable[str]) -> Mapping[str, tuple[str, ...]]:
    """Return first letter → words of letters, in their order; a stem ends in `*`."""
    found: dict[str, list[str]] = {}
    for word in sorted(words):
        if word.removesuffix("*").isalpha():
            found.setdefault(word[0], []).append(word)
    return {letter: tuple(listed) for letter, listed in found.items()}


def nearest_word(word: str, vocabulary: Iterable[str], inflection: Inflection) -> str | None:
    """Return the form of the one word of `vocabulary` that `word` is a misspelling of."""
    near = sorted(_near(word, [entry for entry in vocabulary if entry[0] in word[:2]], inflection))
    best = [found for errors, found in near if errors == near[0][0]]
    return best[0] if best and all(inflection.alike(best[0], other) for other in best) else None


def _near(word: str, entries: Iterable[str], inflection: Inflection) -> list[tuple[int, str]]:
    """Return (errors in the whole word, the word without them) for every entry that has one error in its stem."""
    from rapidfuzz.distance import OSA

    stem = inflection.base(word)
    ending = word[len(stem) :]
    found: list[tuple[int, str]] = []
    for entry in entries:
        listed = entry.removesuffix("*")
        other = listed if entry != listed else inflection.base(entry)
        if abs(len(other) - len(stem)) > 1 or len(other) < MIN_STEM:
            continue
        if OSA.distance(stem, other, score_cutoff=1) > 1 or not _plausible(stem, other):
            continue
        errors = OSA.distance(word, listed)
        found.append(
            (errors, entry) if errors <= _WHOLE and entry == listed else (errors + 1, other + ending)
        )
    return found


def _plausible(word: str, other: str) -> bool:
    """Refuse a wrong letter in a short word, a wrong first letter in any, and another ending of one."""
    if sorted(word) == sorted(other):
        return True
    if len(word) < SHORTEST:
        return False
    if word.startswith(other) or other.startswith(word):
        return len(word) >= _SUBSTITUTION and len(other) > len(word)
    if len(word) == len(other):
        return len(word) >= _SUBSTITUTION and word[0] == other[0] and word[:-1] != other[:-1]
    return True
