"""Walks the syntax tree and objects to everything that is not on a list."""

from __future__ import annotations

import ast
import unicodedata
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding import calls, hints, words
from tabchat.sandbox.guarding.attributes import OBJECTS, STATISTICS, STORED
from tabchat.sandbox.guarding.bindings import Bindings, shadowed
from tabchat.sandbox.guarding.problems import CodeProblem
from tabchat.sandbox.guarding.reserved import RESERVED
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS, listed_paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.sandbox.guarding.imports import Imports

_MOST_PROBLEMS: Final = 20
_CHECKED_PARTS: Final = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)


class Inspector:
    """Collects what is wrong with one tree; `columns` are the table's."""

    def __init__(self, tree: ast.AST, imports: Imports, *, columns: Sequence[str], with_stats: bool) -> None:
        self.with_stats = with_stats
        self.imports = imports
        self.bindings = Bindings(tree, words.DISPATCHERS | {"astype", "pivot_table"})
        self.problems: list[CodeProblem] = []
        self._depth = 0
        self.verdicts: dict[tuple[str, str], bool] = {}
        modules = words.MODULES | (words.STATS_MODULES if with_stats else frozenset())
        self.modules = modules - shadowed(tree, modules)
        self.paths = listed_paths(with_stats=with_stats)
        self.attributes = OBJECTS | STATISTICS if with_stats else OBJECTS
        self.columns = frozenset(unicodedata.normalize("NFKC", name) for name in (*columns, *_made(tree)))
        available = words.BUILTINS | {"df"} | (frozenset(ESTIMATORS) if with_stats else frozenset())
        self.names = available | self.bindings.names

    def object_to(self, node: ast.AST, what: str, hint: str | None = None) -> None:
        """Note a problem at the node's place; of very many, only the first."""
        if len(self.problems) < _MOST_PROBLEMS:
            line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0) + 1
            self.problems.append(CodeProblem(line=line, column=column, what=what, hint=hint))

    def visit(self, node: ast.AST) -> None:
        """Check the node and all below it."""
        kind = type(node).__name__
        if kind not in words.NODES:
            named = words.NODE_NAMES.get(kind, f"`{kind}`")
            self.object_to(node, f"{named} is not available here.", words.NODE_HINTS.get(kind))
            return
        match node:
            case ast.stmt() | ast.ExceptHandler():
                self._statement(node)
            case ast.Name():
                self._name(node)
            case ast.Attribute():
                self.attribute(node, called=False)
            case ast.Call():
                self._call(node)
            case ast.arg(arg=name, annotation=annotation):
                self._bound_name(node, name)
                self.visit_all([annotation] if annotation is not None else ())
            case ast.Constant(value=str(text)):
                self._text(node, text)
            case ast.comprehension(is_async=1):
                self.object_to(node.target, "`async for` is not available here.", None)
            case _:
                self.visit_all(ast.iter_child_nodes(node))

    def _statement(self, node: ast.stmt | ast.ExceptHandler) -> None:
        match node:
            case ast.Import() | ast.ImportFrom():
                if node in self.imports.refused:
                    self.object_to(node, "`import` is not available here.", self.imports.refused[node])
            case ast.FunctionDef():
                self._function(node)
            case ast.Return() if not self._depth:
                self.object_to(
                    node, "`return` stands outside of a function.", "Leave the final value in `result`."
                )
            case ast.Delete(targets=targets):
                self._deleted(targets)
            case ast.Raise(cause=cause) if cause is not None:
                self.object_to(node, "`raise … from` is not available here.", "Raise the error alone.")
            case _:
                if isinstance(node, ast.ExceptHandler) and node.name is not None:
                    self._bound_name(node, node.name)
                self.visit_all(ast.iter_child_nodes(node))

    def visit_all(self, nodes: Iterable[ast.AST]) -> None:
        """Check each of the nodes."""
        for node in nodes:
            if not isinstance(node, _CHECKED_PARTS):
                self.visit(node)
            elif type(node).__name__ not in words.NODES:
                self.object_to(node, f"`{type(node).__name__}` is not available here.")

    def path(self, node: ast.expr) -> str | None:
        """Return `module.name…` when the expression begins with a module, else None."""
        parts: list[str] = []
        while isinstance(node, ast.Attribute):
            parts.append(node.attr)
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.modules and parts:
            return ".".join([node.id, *reversed(parts)])
        return None

    def attribute(self, node: ast.Attribute, *, called: bool) -> None:
        """Check `value.attr`; `called` when it is what a call calls."""
        if isinstance(node.ctx, ast.Store):
            self._stored(node)
            return
        path = self.path(node)
        if not called and calls.is_checked(path, node.attr):
            calls.uncalled(self, node)
        if path is not None:
            self._path(node, path)
            return
        if not self._known_attribute(node.attr):
            hint = hints.for_attribute(node.attr, self.attributes, self.columns)
            self.object_to(node, f"The attribute `{node.attr}` is not available here.", hint)
        self.visit(node.value)

    def _known_attribute(self, name: str) -> bool:
        return name in self.attributes or self._known_column(name)

    def _path(self, node: ast.Attribute, path: str) -> None:
        module, _, rest = path.partition(".")
        names = rest.split(".")
        while names and f"{module}.{names[0]}" in self.paths:
            module = f"{module}.{names.pop(0)}"
        if not names:
            self.object_to(
                node, f"`{path}` is a module, not a value.", f"Name what you need of it: `{path}.…`."
            )
        elif names[0] not in self.paths[module]:
            hint = hints.for_member(names[0], self.paths[module])
            self.object_to(node, f"`{module}.{names[0]}` is not available here.", hint)
        if path in words.CONCATENATORS and not self.bindings.is_sliced_by_tuple(node):
            self.object_to(
                node,
                f"`{path}` takes several values in brackets here.",
                "Use `np.concatenate` or `np.append`.",
            )
        for name in names[1:]:
            if name not in self.attributes:
                self.object_to(node, f"The attribute `{name}` is not available here.")

    def _stored(self, node: ast.Attribute) -> None:
        path = self.path(node)
        if path is not None or not self._known_place(node.attr):
            self.object_to(
                node,
                f"The attribute `{node.attr}` cannot be assigned here.",
                f'To make a column, write `df["{node.attr}"] = …`.',
            )
        self.visit(node.value)

    def _known_place(self, name: str) -> bool:
        """Tell whether the attribute may be assigned; a method may not, lest its class lose it.

        Splines and fitted models keep arrays whose sizes nobody checks any more
        under names of one letter, and under such as `labels_`.
        """
        if self.with_stats and (len(name) == 1 or name.endswith("_")):
            return False
        return name in STORED or (self._known_column(name) and name not in self.attributes)

    def _known_column(self, name: str) -> bool:
        return name in self.columns and not name.startswith("_") and name not in RESERVED

    def _name(self, node: ast.Name) -> None:
        if isinstance(node.ctx, ast.Store):
            self._bound_name(node, node.id)
        elif node.id in self.modules:
            self.object_to(
                node, f"`{node.id}` is a module, not a value.", f"Name what you need of it: `{node.id}.…`."
            )
        elif node.id not in self.names or node.id.startswith("__"):
            known = self.names | self.modules
            hint = hints.for_name(node.id, known, self.columns, with_stats=self.with_stats)
            self.object_to(node, f"`{node.id}` is not available here.", hint)

    def _bound_name(self, node: ast.AST, name: str) -> None:
        if name.startswith("__"):
            self.object_to(
                node, f"The name `{name}` may not be used.", "Names do not begin with two underscores."
            )
        elif name in self.modules:
            self.object_to(node, f"`{name}` is a module and stays one.", "Choose another name for the value.")

    def _function(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            self.object_to(
                node, "Decorators are not available here.", "Call the function where it is needed."
            )
        self._bound_name(node, node.name)
        self._depth += 1
        self.visit_all(ast.iter_child_nodes(node))
        self._depth -= 1

    def _deleted(self, targets: list[ast.expr]) -> None:
        for target in targets:
            if isinstance(target, ast.Subscript):
                self.visit_all(ast.iter_child_nodes(target))
            else:
                self.object_to(target, "`del` is only for columns.", 'Write `df = df.drop(columns=["…"])`.')

    def _text(self, node: ast.AST, text: str) -> None:
        if "dateutil" in text.casefold():
            self.object_to(node, "A time zone of `dateutil` reads a file.", "Name it as in `Europe/Kyiv`.")
        if words.PROTOCOLS.search(unicodedata.normalize("NFKC", text)):
            self.object_to(node, f"{text!r} names a protocol of memory.", "Choose another text.")

    def _call(self, node: ast.Call) -> None:
        if isinstance(node.func, ast.Attribute):
            self.attribute(node.func, called=True)
        else:
            self.visit(node.func)
        calls.check(self, node)
        self.visit_all(node.args)
        self.visit_all(keyword.value for keyword in node.keywords)


def _made(tree: ast.AST) -> set[str]:
    """Return the columns that the code itself makes: by assignment, `assign`, `agg` and renaming."""
    found: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Subscript(slice=ast.Constant(value=str(name)), ctx=ast.Store()):
                found.add(name)
            case ast.keyword(arg=str(name), value=value):
                found.add(name)
                if name in {"columns", "index", "name", "names", "var_name", "value_name"}:
                    found |= {
                        part.value
                        for part in ast.walk(value)
                        if isinstance(part, ast.Constant) and isinstance(part.value, str)
                    }
            case _:
                pass
    return found
