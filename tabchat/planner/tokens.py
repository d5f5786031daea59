"""The words of a text, as the older modules of the planner call them."""

from tabchat.planner.words.token import (
    TokenKind,
    fold,
    header_words,
    parse_number,
    tokenize,
    without_apostrophe,
)
from tabchat.planner.words.token import Word as Token

__all__ = ["Token", "TokenKind", "fold", "header_words", "parse_number", "tokenize", "without_apostrophe"]
