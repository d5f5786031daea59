"""What each name of the code may stand for, where that can be told without running it.

Scopes are ignored: a name is known only when everything that is ever bound to
it is. Lists and dicts can change behind another name, so they are known only
as long as they are used where nothing keeps them.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable

_ELEMENTS: Final = (ast.List, ast.Tuple, ast.Set)
_MUTABLE: Final = (ast.List, ast.Set, ast.Dict, ast.ListComp, ast.SetComp, ast.DictComp)
_FLAT: Final = (ast.Constant, ast.expr_context, ast.Tuple, ast.UnaryOp, ast.unaryop)
_FUNCTION_ARGUMENTS: Final = frozenset(("aggfunc", "arg", "dtype", "func", None))
_LOOKING: Final = frozenset(("items", "values", "keys", "get"))
_DEEPEST: Final = 8


class Bindings:
    """The expressions that are bound to each name; None among them is a value that nobody knows."""

    def __init__(self, tree: ast.AST, keeping_nothing: frozenset[str]) -> None:
        """Read `tree`; methods named in `keeping_nothing` take a list or dict without keeping it."""
        nodes = list(ast.walk(tree))
        loops = [node for node in nodes if isinstance(node, (ast.For, ast.comprehension))]
        self._bound: dict[str, list[ast.expr | None]] = {}
        self._filled: dict[str, list[ast.expr | None]] = {}
        self._strings: dict[str, frozenset[str] | None] = {}
        self._keeping_nothing = keeping_nothing
        self._parents = {child: node for node in nodes for child in ast.iter_child_nodes(node)}
        self._looped = {
            part.id for loop in loops for part in ast.walk(loop.target) if isinstance(part, ast.Name)
        }
        loads: dict[str, list[ast.Name]] = {}
        for node in nodes:
            self._note(node)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
                loads.setdefault(node.id, []).append(node)
        self._let_go(loads)
        for loop in loops:
            for element in self._elements(loop.iter):
                self._bind(loop.target, element)
        self._let_go(loads)

    @property
    def names(self) -> frozenset[str]:
        """Every name that the code binds."""
        return frozenset(self._bound)

    def expressions(self, name: str) -> tuple[ast.expr, ...] | None:
        """Return all that `name` may stand for, None when that cannot be told.

        What is stored under a key counts as a list of its own.
        """
        found = self._bound.get(name)
        if not found:
            return None
        found = found + self._filled.get(name, [])
        known = tuple(expression for expression in found if expression is not None)
        return known if len(known) == len(found) else None

    def strings(self, node: ast.expr, depth: int = 0) -> frozenset[str] | None:
        """Return all texts that `node` may be, None when it may be anything else."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            return frozenset((node.value,))
        if isinstance(node, ast.IfExp):
            return self._all_strings((node.body, node.orelse), depth)
        if not isinstance(node, ast.Name) or depth >= _DEEPEST:
            return None
        if node.id not in self._strings:
            self._strings[node.id] = None  # what is bound to itself is not known
            self._strings[node.id] = self._all_strings(self.expressions(node.id), depth)
        return self._strings[node.id]

    def _all_strings(self, options: tuple[ast.expr, ...] | None, depth: int) -> frozenset[str] | None:
        found: set[str] = set()
        for option in options or ():
            texts = self.strings(option, depth + 1)
            if texts is None:
                return None
            found |= texts
        return frozenset(found) if options else None

    def is_type_test(self, node: ast.AST) -> bool:
        """Tell whether the node is the second argument of `isinstance`, alone or in a tuple."""
        parent = self._parents.get(node)
        if isinstance(parent, ast.Tuple):
            node, parent = parent, self._parents.get(parent)
        match parent:
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, kinds]):
                return kinds is node and "isinstance" not in self._bound
            case _:
                return False

    def is_sliced_by_tuple(self, node: ast.AST) -> bool:
        """Tell whether the node stands before brackets that hold several values, or a slice."""
        match self._parents.get(node):
            case ast.Subscript(value=value, slice=ast.Tuple() | ast.Slice()):
                return value is node
            case _:
                return False

    def _note(self, node: ast.AST) -> None:
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    self._bind(target, value)
            case ast.NamedExpr(target=target, value=value):
                self._bind(target, value)
            case ast.AugAssign(target=target):
                self._bind(target, None)
            case ast.arg(arg=name) | ast.ExceptHandler(name=str(name)):
                self._bound.setdefault(name, []).append(None)
            case ast.FunctionDef(name=name):
                self._bound.setdefault(name, []).append(_as_lambda(node))
            case ast.AnnAssign(target=target, value=value):
                self._bind(target, value)
            case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                parent = self._parents.get(node)
                stored = parent.value if isinstance(parent, ast.Assign) else None
                self._filled.setdefault(name, []).append(_as_element(stored))
            case _:
                pass

    def _bind(self, target: ast.expr, value: ast.expr | None) -> None:
        match target:
            case ast.Name(id=name):
                self._bound.setdefault(name, []).append(value)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                values: list[ast.expr | None] = [None] * len(targets)
                if isinstance(value, _ELEMENTS) and len(value.elts) == len(targets):
                    values = list(value.elts)
                if any(isinstance(item, ast.Starred) for item in (*targets, *values)):
                    values = [None] * len(targets)
                for each, one in zip(targets, values, strict=True):
                    self._bind(each, one)
            case ast.Starred(value=inner):
                self._bind(inner, None)
            case _:
                pass

    def _elements(self, values: ast.expr) -> list[ast.expr | None]:
        """Return what a loop over `values` gives, one by one; None for what cannot be told."""
        match values:
            case ast.Call(func=ast.Attribute(value=table, attr="items"), args=[]):
                return self._parts(table, _pairs)
            case _:
                return self._parts(values, _members)

    def _parts(
        self, node: ast.expr, take_apart: Callable[[ast.expr], list[ast.expr | None]]
    ) -> list[ast.expr | None]:
        options: tuple[ast.expr, ...] | None = (node,)
        if isinstance(node, ast.Name):
            options = None if node.id in self._looped else self.expressions(node.id)
        parts = [part for option in options or () for part in take_apart(option)]
        return parts or [None]

    def _let_go(self, loads: dict[str, list[ast.Name]]) -> None:
        """Forget lists and dicts that something else may hold on to and change."""
        for name, places in loads.items():
            bound = self._bound.get(name, [])
            if any(isinstance(value, _MUTABLE) for value in bound):
                nested = self._nested(name)
                if not all(self._kept_here(place, nested=nested) for place in places):
                    bound.append(None)

    def _kept_here(self, load: ast.Name, *, nested: bool) -> bool:
        parent = self._parents.get(load)
        if isinstance(parent, ast.keyword):
            # What stands behind a function is handed on to it.
            parent = self._parents.get(parent) if parent.arg in _FUNCTION_ARGUMENTS else None
        match parent:
            case ast.Call(func=ast.Attribute(attr=attr), args=arguments):
                return attr in self._keeping_nothing and load not in arguments[1:]
            case ast.Call(func=ast.Name(id=name)):
                return name in {"len", "print"} and name not in self._bound
            case ast.Subscript(value=value, ctx=ast.Store()):
                return value is load
            case ast.Subscript() | ast.For() | ast.comprehension():
                return not nested
            case ast.Attribute(attr=attr):
                return attr in _LOOKING and not nested
            case _:
                return False

    def _nested(self, name: str) -> bool:
        """Tell whether something in the list or dict could itself be changed."""
        values = self._bound.get(name, []) + self._filled.get(name, [])
        inner = [part for value in values if value is not None for part in list(ast.walk(value))[1:]]
        return None in values or any(not isinstance(part, _FLAT) for part in inner)


def shadowed(tree: ast.AST, modules: frozenset[str]) -> frozenset[str]:
    """Return the modules of which the code never sees more than its own value of that name.

    Those whose first mention is a plain assignment at the top level that does
    not itself mention the name: from then on, the name is the new value.
    """
    seen: set[str] = set()
    found: set[str] = set()
    for statement in getattr(tree, "body", []):
        if not isinstance(statement, ast.stmt):
            break
        mentioned = {node.id for node in ast.walk(statement) if isinstance(node, ast.Name)}
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            inside = {node.id for node in ast.walk(statement.value) if isinstance(node, ast.Name)}
            if isinstance(target, ast.Name) and target.id in modules - seen - inside:
                found.add(target.id)
        seen |= mentioned
    return frozenset(found)


def _as_element(value: ast.expr | None) -> ast.expr | None:
    return None if value is None else ast.List(elts=[value], ctx=ast.Load())


def _as_lambda(function: ast.FunctionDef) -> ast.Lambda:
    """Return a function that is known to be one; what it returns nobody asks."""
    return ast.Lambda(args=function.args, body=ast.Constant(value=None))


def _members(node: ast.expr) -> list[ast.expr | None]:
    if isinstance(node, ast.Dict):
        return list(node.keys)
    return list(node.elts) if isinstance(node, _ELEMENTS) else [None]


def _pairs(node: ast.expr) -> list[ast.expr | None]:
    if not isinstance(node, ast.Dict) or None in node.keys:
        return [None]
    return [
        ast.Tuple(elts=[key, value], ctx=ast.Load())
        for key, value in zip(node.keys, node.values, strict=True)
        if key is not None
    ]
