"""Typing errors: what a word that nothing knows may have been meant to be.

A real word is never corrected. Short words only are when letters were swapped, dropped or doubled.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.inflection import MIN_STEM
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.languages import Languages
    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.token import Word

SHORTEST: Final = 4
"""Letters of the shortest word that is corrected but for swapped letters."""
_SWAPPED: Final = 3
"""Letters of the shortest word whose letters may have been swapped."""
_TWO_ERRORS: Final = 9
"""Letters from which two errors are allowed."""
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
    return tuple(
        replace(word, spellings=spellings)
        if _may_be_wrong(word)
        and not is_known(word.norm)
        and not any(lexicon.has_word(word.norm) for lexicon in loaded)
        and not any(lexicons.is_word(word.norm, language) for language in languages)
        and (spellings := _spellings(word.norm, loaded, entries))
        else word
        for word in words
    )


def _may_be_wrong(word: Word) -> bool:
    return word.kind is TokenKind.WORD and len(word.norm) >= _SWAPPED and word.norm.isalpha()


def _spellings(word: str, lexicons: Sequence[Lexicon], known: Iterable[str]) -> tuple[str, ...]:
    beginnings = word[:2]
    ranked: list[tuple[int, int, str]] = []
    own = [entry for letter in beginnings for entry in _by_letter(frozenset(known)).get(letter, ())]
    for lexicon in lexicons:
        entries = [entry for letter in beginnings for entry in lexicon.by_letter.get(letter, ())]
        if any(lexicon.alike(word, entry) for entry in own):
            return ()
        ranked += _near(word, (*entries, *own), lexicon.inflection)
    return tuple(dict.fromkeys(found for *_, found in sorted(ranked)))[:_MOST]


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
    best = [found for errors, whole, found in near if (errors, whole) == near[0][:2]]
    return best[0] if best and all(inflection.alike(best[0], other) for other in best) else None


def _near(word: str, entries: Iterable[str], inflection: Inflection) -> list[tuple[int, int, str]]:
    """Return (errors in the stem, errors in the whole, the word without them) for every entry that is near."""
    from rapidfuzz.distance import OSA

    stem = inflection.base(word)
    ending = word[len(stem) :]
    limit = 2 if len(stem) >= _TWO_ERRORS else 1
    found: list[tuple[int, int, str]] = []
    for entry in entries:
        other = entry.removesuffix("*") if entry.endswith("*") else inflection.base(entry)
        if abs(len(other) - len(stem)) > limit or len(other) < MIN_STEM:
            continue
        distance = OSA.distance(stem, other, score_cutoff=limit)
        if distance > limit or not _plausible(stem, other, distance):
            continue
        whole = OSA.distance(word, entry.removesuffix("*"))
        if whole <= _WHOLE and not entry.endswith("*"):
            found.append((distance, whole, entry))
        found.append((distance, whole + 1, other + ending))
    return found


def _plausible(word: str, other: str, distance: int) -> bool:
    """Refuse a wrong letter in a short word, and a wrong first letter in any."""
    if len(word) < SHORTEST:
        return sorted(word) == sorted(other)
    if word.startswith(other) or other.startswith(word):
        return len(word) >= _SUBSTITUTION and len(other) > len(word)
    if distance == 1 and len(word) == len(other) and sorted(word) != sorted(other):
        return len(word) >= _SUBSTITUTION and word[0] == other[0]
    return True
