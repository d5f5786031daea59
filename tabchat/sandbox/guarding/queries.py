"""The small language of `query` and `eval`: expressions over columns."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import texts, words
from tabchat.sandbox.guarding.attributes import OBJECTS

if TYPE_CHECKING:
    from tabchat.sandbox.guarding.inspector import Inspector

_NODES: Final = words.listed("""
    Module Expr Assign BoolOp And Or BinOp Add Sub Mult Div FloorDiv Mod Pow BitOr BitAnd UnaryOp Invert Not UAdd
    USub Compare Eq NotEq Lt LtE Gt GtE In NotIn Name Load Store Constant List Tuple Attribute Call keyword
    """)
_HINT: Final = 'Use a mask such as `df[df["price"] > 10]`.'
_CHECKED: Final = (
    words.DISPATCHERS
    | words.WRITERS
    | words.QUERIES
    | words.listed("""
    astimezone astype crosstab day_name decode encode format format_map fromordinal fromtimestamp month_name now pivot_table
    today tz_convert tz_localize
    """)
)


def check(inspector: Inspector, place: ast.expr, text: str) -> None:
    """Object to a text that could do more than compare and compute."""
    trees = texts.query_trees(text)
    if isinstance(trees, str):
        inspector.object_to(place, f"The text {text!r} {trees}.", _HINT)
        return
    faults = (_fault(node) for tree in trees for node in ast.walk(tree))
    if (fault := next((fault for fault in faults if fault is not None), None)) is not None:
        inspector.object_to(place, f"The text {text!r} holds {fault}.", _HINT)


def _fault(node: ast.AST) -> str | None:
    if type(node).__name__ not in _NODES:
        return f"`{type(node).__name__}`, which is not available here"
    match node:
        case ast.Name(id=name) if name.startswith("__"):
            return f"`{name}`, which may not be used"
        case ast.Attribute(attr=attr) if attr not in OBJECTS or attr in _CHECKED:
            return f"`{attr}`, which is not available here"
        case ast.keyword(arg=name) if name is None or name in words.FORBIDDEN_KEYWORDS:
            return f"the argument `{name or '**'}`, which is not available here"
        case _:
            return None
