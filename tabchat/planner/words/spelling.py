"""Typing errors: a word that means nothing is read as its one nearest neighbour, or stays unknown.

A real word is never corrected, nor is one that lies as near to two different words; short words only
when letters were swapped, dropped or doubled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.inflection import MIN_STEM
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.token import Word

SHORTEST: Final = 4
"""Letters of the shortest word that is corrected."""
_TWO_ERRORS: Final = 9
"""Letters from which two errors are allowed."""
_SUBSTITUTION: Final = 5
"""Letters from which a wrong letter is allowed."""


def respelled(
    words: Sequence[Word], lexicons: Sequence[Lexicon], known: Callable[[str], bool] | frozenset[str]
) -> tuple[Word, ...]:
    """Return the words, those that nothing knows with what they may have been meant to be."""
    is_word = known if callable(known) else known.__contains__
    return tuple(
        replace(word, spellings=_spellings(word.norm, lexicons, known))
        if _is_doubtful(word)
        and not is_word(word.norm)
        and not any(knows(lexicon, word.norm) for lexicon in lexicons)
        else word
        for word in words
    )


def knows(lexicon: Lexicon, word: str) -> bool:
    """Tell whether a lexicon has a word, in any of its forms, in one of its phrases or names of headers."""
    return lexicon.has_word(word)


def _is_doubtful(word: Word) -> bool:
    return word.kind is TokenKind.WORD and len(word.norm) >= SHORTEST and word.norm.isalpha()


def _spellings(
    word: str, lexicons: Sequence[Lexicon], known: Callable[[str], bool] | frozenset[str]
) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for lexicon in lexicons:
        vocabulary = lexicon.vocabulary if callable(known) else lexicon.vocabulary | known
        nearest = nearest_word(word, vocabulary, lexicon.inflection)
        if nearest is not None:
            found[nearest] = None
    return tuple(found)


def nearest_word(word: str, vocabulary: Iterable[str], inflection: Inflection) -> str | None:
    """Return the form of the one word of `vocabulary` that `word` is a misspelling of."""
    from rapidfuzz.distance import OSA

    stem = inflection.base(word)
    limit = 2 if len(stem) >= _TWO_ERRORS else 1
    near: dict[tuple[int, int], set[str]] = {}
    for entry in vocabulary:
        if entry[0] not in stem[:2]:
            continue
        other = entry.removesuffix("*") if entry.endswith("*") else inflection.base(entry)
        if abs(len(other) - len(stem)) > limit or len(other) < MIN_STEM:
            continue
        distance = OSA.distance(stem, other, score_cutoff=limit)
        if distance <= limit and _plausible(stem, other, distance):
            whole = OSA.distance(word, entry.removesuffix("*"))
            near.setdefault((distance, whole), set()).add(other)
    if not near:
        return None
    best = sorted(near[min(near)])
    if not all(inflection.alike(best[0], other) for other in best):
        return None
    return best[0] + word[len(stem) :]


def _plausible(word: str, other: str, distance: int) -> bool:
    """Refuse a wrong letter in a short word, and a wrong first letter in any."""
    if word.startswith(other) or other.startswith(word):
        return len(word) >= _SUBSTITUTION and len(other) > len(word)
    if distance == 1 and len(word) == len(other) and sorted(word) != sorted(other):
        return len(word) >= _SUBSTITUTION and word[0] == other[0]
    return True
