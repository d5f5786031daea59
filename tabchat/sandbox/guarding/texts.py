"""Texts that are more than data: format strings, query texts, statistical formulas."""

from __future__ import annotations

import ast
import re
import string
import tokenize
from io import StringIO
from typing import Final

_QUOTED: Final = re.compile(r"`[^`\"'\\\n]*`")
_NAME: Final = r"(?!__)[^\W\d]\w*"
_NUMBER: Final = r"\d+(?:\.\d+)?"
_TERM: Final = re.compile(
    rf"""
      C\(\s*{_NAME}\s*\)
    | Q\(\s*(?:"[^"\\]*"|'[^'\\]*')\s*\)
    | np\.(?:log|log2|log10|log1p|exp|sqrt)\(\s*{_NAME}\s*\)
    | I\(\s*{_NAME}\s*(?:(?:\*\*|[-+*/])\s*(?:{_NAME}|{_NUMBER})\s*)*\)
    | {_NAME}(?!\s*[\w(.\[])
    | {_NUMBER}
    | \*\* | [-+*:~/()|]
    | \s+
    """,
    re.VERBOSE,
)
_DEEPEST_FORMAT: Final = 3


def format_is_safe(text: str, depth: int = 0) -> bool:
    """Tell whether no field of the format string reaches an attribute; an unreadable one is not safe."""
    try:
        fields = list(string.Formatter().parse(text))
    except ValueError:
        return False
    for _literal, name, specification, _conversion in fields:
        if name is not None and ("." in name or "__" in name):
            return False
        if specification and (depth >= _DEEPEST_FORMAT or not format_is_safe(specification, depth + 1)):
            return False
    return True


def formula_is_safe(text: str) -> bool:
    """Tell whether a formula of statsmodels holds only names, numbers, operators and a few functions.

    Such a formula is Python that patsy or formulaic evaluates.
    """
    place = 0
    while place < len(text):
        found = _TERM.match(text, place)
        if found is None:
            return False
        place = found.end()
    return True


def query_tree(text: str) -> ast.Module | str:
    """Return the text of `query` or `eval` as pandas reads it, or what is wrong with it."""
    plain = _QUOTED.sub(lambda quoted: " column" + " " * (len(quoted[0]) - 7), text)
    if "`" in plain:
        return "holds a backtick that quotes no column's name"
    try:
        tokens = [
            (token.type, token.string) for token in tokenize.generate_tokens(StringIO(plain.strip()).readline)
        ]
    except (tokenize.TokenError, SyntaxError):
        return "cannot be read"
    if any(kind in {tokenize.OP, tokenize.ERRORTOKEN} and text == "@" for kind, text in tokens):
        return "refers to a variable with `@`"
    words = {"&": " and ", "|": " or "}
    joined = " ".join(words.get(text, text) if kind == tokenize.OP else text for kind, text in tokens)
    try:
        return ast.parse(joined.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "cannot be read"
