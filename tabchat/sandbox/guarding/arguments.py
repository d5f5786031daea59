"""How the arguments of a call are written."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.sandbox.guarding.inspector import Inspector


def keywords(node: ast.Call) -> Iterator[tuple[str, ast.expr]]:
    """Yield the keyword arguments, also those of a dict that is spread in the call."""
    for keyword in node.keywords:
        if keyword.arg is not None:
            yield keyword.arg, keyword.value
        elif isinstance(keyword.value, ast.Dict):
            for key, value in zip(keyword.value.keys, keyword.value.values, strict=True):
                if isinstance(key, ast.Constant) and isinstance(key.value, str):
                    yield key.value, value


def spreads_unknown(node: ast.Call) -> bool:
    """Tell whether `**` spreads a dict whose keys do not all stand in the call."""
    for keyword in node.keywords:
        if keyword.arg is None:
            keys = keyword.value.keys if isinstance(keyword.value, ast.Dict) else [None]
            if not all(isinstance(key, ast.Constant) for key in keys):
                return True
    return False


def all_written_out(inspector: Inspector, node: ast.Call) -> bool:
    """Tell whether every argument stands in the call; object if not."""
    if any(isinstance(argument, ast.Starred) for argument in node.args) or spreads_unknown(node):
        inspector.object_to(node, f"`{called(node)}` takes no `*` or `**` here.", "Write the arguments out.")
        return False
    return True


def called(node: ast.Call) -> str:
    """Return the name of what is called, for messages."""
    return node.func.attr if isinstance(node.func, ast.Attribute) else "this call"
