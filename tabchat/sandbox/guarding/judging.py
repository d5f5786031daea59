"""Tells whether an expression can only be a known aggregation, type or time zone."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import words
from tabchat.sandbox.guarding.attributes import OBJECTS, STORED
from tabchat.sandbox.guarding.reserved import RESERVED
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.sandbox.guarding.inspector import Inspector

_DEEPEST: Final = 8
_TYPE_NAMES: Final = frozenset(("int", "float", "str", "bool", "object", "complex"))
_METHODS_AS_VALUES: Final = words.listed(
    "cdf findall format fullmatch get match pdf ppf predict search sub transform"
)
_LAYOUT_KEYS: Final = frozenset(("offsets", "formats", "itemsize", "names"))


def is_aggregation(  # noqa: C901, PLR0911 - one case for each kind of expression
    inspector: Inspector, node: ast.expr, depth: int = 0, *, labelled: bool = False
) -> bool:
    """Tell whether the expression is a function or the name of an aggregation, or holds only such.

    pandas takes a tuple for a list of functions, except where it is `labelled`
    (`agg(x=("column", "max"))`): there the first element names a column. In a
    list, a pair may name the new column first.
    """

    def judged(part: ast.expr) -> bool:
        return depth < _DEEPEST and is_aggregation(inspector, part, depth + 1)

    def judged_label(part: ast.expr) -> bool:
        return depth < _DEEPEST and is_aggregation(inspector, part, depth + 1, labelled=labelled)

    match node:
        case ast.Constant(value=value):
            return value is None or (isinstance(value, str) and value in words.AGGREGATIONS)
        case ast.Lambda():
            return True
        case ast.Tuple(elts=[_, last]) if labelled:
            return judged(last)
        case ast.List(elts=parts) | ast.Set(elts=parts):
            return all(_is_pair(part, judged) or judged(part) for part in parts)
        case ast.Tuple(elts=parts) | ast.Dict(values=parts):
            return all(judged_label(part) if isinstance(node, ast.Dict) else judged(part) for part in parts)
        case ast.Starred(value=part) | ast.ListComp(elt=part) | ast.DictComp(value=part):
            return judged_label(part)
        case ast.IfExp(body=body, orelse=other):
            return judged_label(body) and judged_label(other)
        case ast.Name(id=name):
            return _known_name(inspector, name, judged_label, labelled=labelled)
        case ast.Subscript(value=ast.Name() as table):
            return judged(table)
        case ast.Attribute():
            return _is_function(inspector, node)
        case ast.Call():
            return _made_by_call(inspector, node, judged)
        case _:
            return False


def _is_pair(node: ast.expr, judged: Callable[[ast.expr], bool]) -> bool:
    """Tell whether the element is `("new name", function)`, with a name that no function has."""
    match node:
        case ast.Tuple(elts=[ast.Constant(value=str(name)), function]):
            known = name in OBJECTS or name in RESERVED or name in words.FILES
            return (name in words.AGGREGATIONS or not known) and judged(function)
        case _:
            return False


def _known_name(
    inspector: Inspector, name: str, judged: Callable[[ast.expr], bool], *, labelled: bool
) -> bool:
    if name not in inspector.bindings.names:
        return name in words.CALLABLES or (inspector.with_stats and name in ESTIMATORS)
    return _all_bound(inspector, "labelled" if labelled else "aggregation", name, judged)


def _all_bound(inspector: Inspector, kind: str, name: str, judged: Callable[[ast.expr], bool]) -> bool:
    """Judge all that is bound to a name, once: names that stand for names make many ways."""
    verdicts = inspector.verdicts
    if (kind, name) not in verdicts:
        verdicts[kind, name] = False  # what is bound to itself is not known
        expressions = inspector.bindings.expressions(name)
        verdicts[kind, name] = expressions is not None and all(judged(one) for one in expressions)
    return verdicts[kind, name]


def _is_function(inspector: Inspector, node: ast.Attribute) -> bool:
    """Tell whether the attribute is a method: of a row, it may be any cell of that label."""
    if inspector.path(node) is not None:
        return node.attr not in STORED
    owner = node.value
    if isinstance(owner, ast.Constant):
        return True
    if not isinstance(owner, ast.Name):
        return False
    if owner.id not in inspector.bindings.names:
        return owner.id in words.BUILTINS
    expressions = inspector.bindings.expressions(owner.id)
    return (
        node.attr in _METHODS_AS_VALUES
        and expressions is not None
        and all(_has_only_methods(inspector, expression) for expression in expressions)
    )


def _has_only_methods(inspector: Inspector, node: ast.expr) -> bool:
    """Tell whether the value is a text, a dict, a pattern or a model: none takes labels for attributes."""
    match node:
        case ast.Constant() | ast.Dict() | ast.DictComp():
            return True
        case ast.Call(func=ast.Attribute(attr="fit", value=model)):
            return _has_only_methods(inspector, model)
        case ast.Call(func=ast.Name(id=name)):
            return name in ESTIMATORS and name not in inspector.bindings.names
        case ast.Call(func=function):
            return inspector.path(function) == "re.compile"
        case _:
            return False


def _made_by_call(inspector: Inspector, node: ast.Call, judged: Callable[[ast.expr], bool]) -> bool:
    path = inspector.path(node.func)
    if path == "pd.NamedAgg":
        return True  # its own rule judges it
    if path is not None:
        return path.startswith(("np.vectorize", "stats.gaussian_kde"))
    match node.func:
        case ast.Name(id="dict"):
            return not node.args and all(judged(keyword.value) for keyword in node.keywords)
        case ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"):
            return len(node.args) > 1 and judged(node.args[1])
        case _:
            return False


def is_type(  # noqa: C901, PLR0911 - one case for each kind of expression
    inspector: Inspector, node: ast.expr, depth: int = 0
) -> bool:
    """Tell whether the expression is a type, or its name as a text that stands in the code."""

    def judged(part: ast.expr) -> bool:
        return depth < _DEEPEST and is_type(inspector, part, depth + 1)

    match node:
        case ast.Constant():
            return True  # texts are checked wherever they stand
        case ast.Name(id=name) if name not in inspector.bindings.names:
            return name in _TYPE_NAMES
        case ast.Name(id=name):
            return _all_bound(inspector, "type", name, judged)
        case ast.Attribute(attr=attr):
            return inspector.path(node) is not None or attr in {"dtype", "dtypes"}
        case ast.Subscript(value=value):
            return judged(value)
        case ast.IfExp(body=body, orelse=other):
            return judged(body) and judged(other)
        case ast.Dict(keys=keys, values=values):
            named = {
                key.value for key in keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
            return not _LAYOUT_KEYS & named and all(judged(value) for value in values)
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return all(judged(part) for part in parts)
        case ast.DictComp(value=value):
            return judged(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="dict"), attr="fromkeys"), args=[_, value]):
            return judged(value)
        case ast.Call(func=function):
            path = inspector.path(function) or ""
            return path == "np.dtype" or (path.startswith("pd.") and path.endswith("Dtype"))
        case _:
            return False


def is_time_zone(inspector: Inspector, node: ast.expr) -> bool:
    """Tell whether the expression is a time zone whose name stands in the code, or one of the table's."""
    if isinstance(node, ast.Constant) and node.value is None:
        return True
    if inspector.bindings.strings(node) is not None:
        return True
    if isinstance(node, ast.Attribute):
        if inspector.path(node) in {"datetime.timezone.utc", "datetime.UTC"}:
            return True
        inner = node.value.attr if isinstance(node.value, ast.Attribute) else None
        return node.attr == "tz" and inner in {"dt", "index"}
    return False
