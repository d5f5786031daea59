"""The texts that code spells out: what its writer knew before it ran."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from tabchat.engine.cells import inert

if TYPE_CHECKING:
    from collections.abc import Iterator


def literals(code: str) -> frozenset[str]:
    """Return the whole texts and the names of keywords of `code`, as a name or a cell of a result would show them.

    What stands between the braces of an f-string is a part of a text, and is none of them.
    """
    tree = _tree(code)
    parts = set(map(id, _parts(tree)))
    texts = (
        node.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in parts
    )
    keywords = (node.arg for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg)
    return frozenset(inert(text) for text in (*texts, *keywords))


def printed_literals(code: str) -> frozenset[str]:
    """Return the lines of the texts of `code`, those of f-strings included, as they are printed."""
    tree = _tree(code)
    parts = (node.value for node in _parts(tree) if isinstance(node.value, str))
    return frozenset(
        line.strip() for text in (*literals(code), *parts) for line in text.splitlines() if line.strip()
    )


def _tree(code: str) -> ast.Module:
    import textwrap

    return ast.parse(textwrap.dedent(code.replace("\r\n", "\n").replace("\r", "\n")))


def _parts(tree: ast.Module) -> Iterator[ast.Constant]:
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            yield from (part for part in ast.walk(node) if isinstance(part, ast.Constant))
