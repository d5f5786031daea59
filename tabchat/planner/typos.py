"""Typing errors, as the older modules of the planner call them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.known_words import is_known
from tabchat.planner.words.spelling import SHORTEST, nearest_word
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.words.inflection import Inflection
    from tabchat.planner.words.token import Word

__all__ = ["SHORTEST", "corrected", "nearest_word"]


def corrected(
    tokens: Sequence[Word],
    unknown: Iterable[int],
    vocabulary: frozenset[str],
    inflection: Inflection,
    languages: Sequence[str],
) -> tuple[tuple[Word, ...], tuple[tuple[str, str], ...]]:
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
