"""How deeply SQL nests, told from its tokens: the parser is compiled, and overruns the stack where Python would stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot.tokenizer_core import TokenType

if TYPE_CHECKING:
    from collections.abc import Iterable

    from sqlglot.tokenizer_core import Token

MOST_LEVELS: Final = 100
"""Brackets and CASEs within one another. Some 2,000 fill a stack of 8 MB, and threads may have 512 KB."""

MOST_SOURCES: Final = 1_000
"""FROMs in all: one that follows another without brackets is read within it."""

_OPENING: Final = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE, TokenType.CASE})
_CLOSING: Final = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE, TokenType.END})
_PREFIXES: Final = frozenset({TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE})


def is_too_deep(tokens: Iterable[Token], most: int = MOST_LEVELS) -> bool:
    """Tell whether a text nests too deeply to be parsed: more than `most` levels, or signs in a row."""
    level = sources = run = 0
    for token in tokens:
        kind = token.token_type
        level += kind in _OPENING
        level -= kind in _CLOSING and level > 0
        sources += kind is TokenType.FROM
        run = run + 1 if kind in _PREFIXES else 0
        if max(level, run) > most or sources > MOST_SOURCES:
            return True
    return False
