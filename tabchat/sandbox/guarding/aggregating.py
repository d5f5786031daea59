"""Calls that take functions, or names of aggregations in their place."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import judging
from tabchat.sandbox.guarding.arguments import all_written_out, called, keywords

if TYPE_CHECKING:
    from tabchat.sandbox.guarding.inspector import Inspector

_LITERAL_AGGREGATION: Final = 'Write it in the call, such as "sum", ["mean", "max"] or a lambda.'


def unknown_aggregation(inspector: Inspector, node: ast.expr) -> None:
    """Object to what may be the name of any method."""
    if isinstance(node, ast.Constant):
        inspector.object_to(
            node, f"{node.value!r} is no aggregation that is available here.", _LITERAL_AGGREGATION
        )
        return
    inspector.object_to(node, "The aggregation must be known before the code runs.", _LITERAL_AGGREGATION)


def dispatch(inspector: Inspector, node: ast.Call) -> None:
    """Judge what `agg` and its like are given: a text is the name of any method of the object."""
    first = node.args[0] if node.args else None
    given = [value for name, value in keywords(node) if name in {"func", "arg"}]
    # Behind a function come its own arguments, which name nothing of the object.
    known = isinstance(first, (ast.Lambda, ast.Name, ast.Attribute, ast.Constant))
    given += node.args[:1] if known else node.args
    labelled: list[ast.expr] = []
    if called(node) in {"agg", "aggregate"}:
        labelled = _named_aggregations(node, alone=first is None)
    elif not all_written_out(inspector, node):
        return
    for value in given:
        if not judging.is_aggregation(inspector, value):
            unknown_aggregation(inspector, value)
    for value in labelled:
        if not judging.is_aggregation(inspector, value, labelled=True):
            unknown_aggregation(inspector, value)


def _named_aggregations(node: ast.Call, *, alone: bool) -> list[ast.expr]:
    """Return the keyword arguments that pandas takes for new columns, with what is spread."""
    found = [
        value for name, value in keywords(node) if isinstance(value, ast.Tuple) or (alone and name != "axis")
    ]
    return found + [keyword.value for keyword in node.keywords if keyword.arg is None]


def mapping(inspector: Inspector, node: ast.Call) -> None:
    """Object to a text, which names no function."""
    if node.args and isinstance(node.args[0], ast.Constant):
        inspector.object_to(node, "`map` takes a function, a dict or a series.", "Use a lambda.")


def pivot_table(inspector: Inspector, node: ast.Call) -> None:
    """Judge an `aggfunc` that is given by its place."""
    place = 4 if inspector.path(node.func) else 3
    all_written_out(inspector, node)
    for argument in node.args[place:]:
        if not judging.is_aggregation(inspector, argument):
            unknown_aggregation(inspector, argument)


def crosstab(inspector: Inspector, node: ast.Call) -> None:
    """Object to an `aggfunc` that is given by its place."""
    all_written_out(inspector, node)
    for argument in node.args[5:]:
        unknown_aggregation(inspector, argument)


def named_aggregation(inspector: Inspector, node: ast.Call) -> None:
    """Judge the `aggfunc` of `pd.NamedAgg`."""
    all_written_out(inspector, node)
    given = node.args[1:2] + [value for name, value in keywords(node) if name == "aggfunc"]
    for value in given:
        if not judging.is_aggregation(inspector, value):
            unknown_aggregation(inspector, value)
