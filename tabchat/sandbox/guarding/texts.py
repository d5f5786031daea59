"""Texts that are more than data: format strings, query texts, statistical formulas."""

from __future__ import annotations

import ast
import re
import string
import tokenize
import warnings
from io import StringIO
from typing import Final

_QUOTED: Final = re.compile(r"`[^`\"'\\\n]*`")
_NAME: Final = r"(?!__)[^\W\d]\w*"
_NUMBER: Final = r"\d+(?:\.\d+)?"
_TEXT: Final = r"(?:\"[^\"\\`{}]*\"|'[^'\\`{}]*')"
_TERM: Final = re.compile(
    rf"""
      C\(\s*{_NAME}\s*(?:,\s*Treatment\(\s*(?:reference\s*=\s*)?(?:{_TEXT}|{_NUMBER})\s*\)\s*)?\)
    | Q\(\s*{_TEXT}\s*\)
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


def query_trees(text: str) -> list[ast.Module] | str:
    """Return the lines of a text of `query` or `eval` as pandas reads them, or what is wrong with it."""
    trees: list[ast.Module] = []
    for line in text.splitlines():
        tree = _query_line(line.strip())
        if isinstance(tree, str):
            return tree
        trees.append(tree)
    return trees


def _query_line(line: str) -> ast.Module | str:
    plain = _QUOTED.sub("column", line)
    if "`" in plain:
        return "holds a backtick that quotes no column's name"
    try:
        tokens = list(tokenize.generate_tokens(StringIO(plain).readline))
    except (tokenize.TokenError, SyntaxError):
        return "cannot be read"
    if any(token.type != tokenize.STRING and "@" in token.string for token in tokens):
        return "refers to a variable with `@`"
    # As pandas does before it parses.
    words = {"&": " and ", "|": " or "}
    joined = " ".join(
        words.get(token.string, token.string) if token.type == tokenize.OP else token.string
        for token in tokens
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(joined.strip())
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return "cannot be read"
