"""Misspelt words in edit requests: put right where that is certain, and never into another edit."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.tokens import TokenKind, tokenize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.edits.words import Words
    from tabchat.planner.linker import Linked, Linker
    from tabchat.planner.tokens import Token


def is_sure(linked: Linked, linker: Linker) -> bool:
    """Tell whether no misspelt word was taken for one that only stands for a column of another name."""
    return all(_is_sure(word, linker) for _, word in linked.corrections)


def _is_sure(word: str, linker: Linker) -> bool:
    """Tell whether a misspelt word was guessed but once.

    Two guesses in a row, the word and then what it stands for, are too many for an edit.
    """
    headers = linker.headers
    return _is_own(word, linker) or not any(
        stem in headers.word_meanings for stem in headers.inflection.stems(word)
    )


def _is_own(word: str, linker: Linker) -> bool:
    """Tell whether a word is in the name of a column."""
    headers = linker.headers
    return any(headers.inflection.alike(word, other) for column in headers.columns for other in column.base)


_SHORTEST: Final = 4


def mended(tokens: Sequence[Token], words: Words, linker: Linker, question: str) -> tuple[Token, ...] | None:
    """Return the tokens with misspelt words of requests put right; None when there are none."""
    from tabchat.planner.typos import nearest_word

    linked = linker.link(tokens, question)
    typed = dict(linked.corrections)
    unknown = {place for item in linked.items if item.unknown for place in range(item.start, item.end)}
    row = list(tokens)
    for place, token in enumerate(tokens):
        if token.kind is not TokenKind.WORD or len(token.norm) < _SHORTEST:
            continue
        if any(True for _ in words.found(tokens, place)):
            continue
        meant = typed.get(token.text)
        if meant is not None and (meant in words.vocabulary or _is_own(meant, linker)):
            row[place] = replace(token, norm=meant)
        elif place in unknown:
            near = nearest_word(token.norm, words.vocabulary, linker.headers.inflection)
            if near is not None:
                row[place] = replace(token, norm=near)
    return tuple(row) if row != list(tokens) else None


def spread_quotes(tokens: Sequence[Token], names: frozenset[tuple[str, ...]]) -> tuple[Token, ...]:
    """Take the quotation marks off names that the table has: columns and cells."""
    row: list[Token] = []
    for token in tokens:
        inner = tokenize(token.text) if token.kind is TokenKind.QUOTED else ()
        if inner and tuple(item.norm for item in inner) in names:
            shift = token.start + 1
            row += [replace(item, start=item.start + shift, end=item.end + shift) for item in inner]
        else:
            row.append(token)
    return tuple(row)
