"""Changes to the code's text that leave every other place, and every line's number, as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import ast
    from collections.abc import Iterable


class Change(NamedTuple):
    """New text for the place of a node; an empty place is one before the node."""

    node: ast.expr | ast.stmt
    text: str
    before: bool = False
    """Insert the text before the node instead of replacing it."""


def rewritten(code: str, changes: Iterable[Change]) -> str:
    """Return the code with all changes made; their places do not overlap."""
    lines = [line.encode() for line in code.split("\n")]
    for change in sorted(
        changes, key=lambda change: (change.node.lineno, change.node.col_offset), reverse=True
    ):
        node = change.node
        start = (node.lineno - 1, node.col_offset)
        end = start if change.before else ((node.end_lineno or 1) - 1, node.end_col_offset or 0)
        before, after = lines[start[0]][: start[1]], lines[end[0]][end[1] :]
        # The lines that the node spanned stay, so that those below keep their numbers.
        lines[start[0]] = before + change.text.encode() + (after if start[0] == end[0] else b"")
        for place in range(start[0] + 1, end[0] + 1):
            lines[place] = after.lstrip() if place == end[0] else b""
    return b"\n".join(lines).decode()
