"""Typing errors: a word that means nothing is read as its one nearest neighbour, or stays unknown.

A real word is never corrected, nor is one that lies as near to two different words; short words only
when letters were swapped, dropped or doubled.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.inflection import MIN_STEM
from tabchat.planner.known_words import is_known
from tabchat.planner.tokens import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.inflection import Inflection
    from tabchat.planner.tokens import Token

SHORTEST: Final = 4
"""Letters of the shortest word that is corrected."""
_TWO_ERRORS: Final = 9
"""Letters from which two errors are allowed."""
_SUBSTITUTION: Final = 5
"""Letters from which a wrong letter is allowed."""


def corrected(
    tokens: Sequence[Token],
    unknown: Iterable[int],
    vocabulary: frozenset[str],
    inflection: Inflection,
    languages: Sequence[str],
) -> tuple[tuple[Token, ...], tuple[tuple[str, str], ...]]:
    """Return the tokens with the unknown ones corrected where that is safe, and what was changed."""
    row = list(tokens)
    changes: list[tuple[str, str]] = []
    for place in unknown:
        token = row[place]
        if token.kind is not TokenKind.WORD or not token.norm.isalpha() or len(token.norm) < SHORTEST:
            continue
        if any(is_known(inflection.base(token.norm), language) for language in languages):
            continue
        found = nearest_word(token.norm, vocabulary, inflection)
        if found is not None:
            row[place] = replace(token, norm=found)
            changes.append((token.text, found))
    return tuple(row), tuple(changes)


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
