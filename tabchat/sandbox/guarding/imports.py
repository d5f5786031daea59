"""Imports of what code may use anyway: every name that one binds stands for a path that the guard knows."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.hints import nearest
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_BASE: Final[Mapping[str, str]] = {
    "pandas": "pd",
    "numpy": "np",
    "re": "re",
    "math": "math",
    "statistics": "statistics",
    "datetime": "datetime",
}
_STATS: Final[Mapping[str, str]] = {
    "scipy": "scipy",
    "scipy.stats": "stats",
    "statsmodels.api": "sm",
    "statsmodels.formula.api": "smf",
    "statsmodels.stats.diagnostic": "sm.stats",
    "statsmodels.stats.multitest": "sm.stats",
    "statsmodels.stats.proportion": "sm.stats",
    "statsmodels.stats.weightstats": "sm.stats",
    "statsmodels.tsa.api": "sm.tsa",
    "statsmodels.tsa.holtwinters": "sm.tsa",
    "statsmodels.tsa.seasonal": "sm.tsa",
    "statsmodels.tsa.stattools": "sm.tsa",
}
"""Module, and the path under which the guard lists what of it is available."""
_KEPT: Final = frozenset(("df", "result", "COMMIT_DF"))
_LEAVE_OUT: Final = "Leave imports out: what is available is there already."


class Imports:
    """The imports of one tree: what their names stand for, and what to write for those that are refused."""

    def __init__(self, tree: ast.AST, paths: Mapping[str, frozenset[str]], *, with_stats: bool) -> None:
        self._paths = paths
        self._roots = {**_BASE, **_STATS} if with_stats else _BASE
        self._with_stats = with_stats
        self.names: dict[str, str] = {}
        """Name → path, such as `skew` → `scipy.stats.skew`."""
        self.refused: dict[ast.AST, str] = {}
        bound = frozenset(_bound(tree))
        for node in ast.walk(tree):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self._take(node, bound)

    def _take(self, node: ast.Import | ast.ImportFrom, bound: frozenset[str]) -> None:
        for alias in node.names:
            name = alias.asname or alias.name.partition(".")[0]
            path = (
                self._imported_from(node, alias) if isinstance(node, ast.ImportFrom) else self._module(alias)
            )
            if path is None:
                self.refused[node] = self._instead(node)
            elif name in bound or name in _KEPT or self.names.get(name, path) != path:
                self.refused[node] = f"`{name}` stands for something else, too: give it another name."
            else:
                self.names[name] = path

    def _imported_from(self, node: ast.ImportFrom, alias: ast.alias) -> str | None:
        """Return the path of one name of `from module import …`."""
        if node.level or node.module is None:
            return None
        if self._with_stats and ESTIMATORS.get(alias.name) == node.module:
            return alias.name
        module = self._path_of(node.module)
        whole = f"{module}.{alias.name}"
        return whole if module and (whole in self._paths or alias.name in self._paths[module]) else None

    def _module(self, alias: ast.alias) -> str | None:
        """Return the path of what `import module` binds: of the module itself under another name, else of its root."""
        whole = self._path_of(alias.name)
        return whole if alias.asname or whole is None else self._path_of(alias.name.partition(".")[0])

    def _path_of(self, module: str) -> str | None:
        """Return the path of a module whose contents are listed, None for any other."""
        root, rest = module, ""
        while root not in self._roots:
            root, dot, last = root.rpartition(".")
            if not dot:
                return None
            rest = f".{last}{rest}"
        path = f"{self._roots[root]}{rest}"
        return path if path in self._paths else None

    def _instead(self, node: ast.Import | ast.ImportFrom) -> str:
        if isinstance(node, ast.Import):
            return _LEAVE_OUT
        root = (node.module or "").partition(".")[0]
        if not self._with_stats and root in {"scipy", "statsmodels", "sklearn"}:
            return "It comes with the extra: `pip install 'tabchat[stats]'`."
        module = self._path_of(node.module or "")
        return (nearest(node.names[0].name, self._paths[module]) if module else None) or _LEAVE_OUT


class Expansion(ast.NodeTransformer):
    """Writes out what imported names stand for, so that `skew(x)` is looked at as `scipy.stats.skew(x)`."""

    def __init__(self, names: Mapping[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        """Return the path of an imported name, any other name as it is."""
        if node.id not in self._names:
            return node
        first, *rest = self._names[node.id].split(".")
        path: ast.expr = ast.copy_location(ast.Name(id=first, ctx=ast.Load()), node)
        for part in rest:
            path = ast.copy_location(ast.Attribute(value=path, attr=part, ctx=ast.Load()), node)
        return path


def _bound(tree: ast.AST) -> Iterator[str]:
    """Yield the names that the code itself gives a value."""
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.ExceptHandler(name=str(name)):
                yield name
            case _:
                pass
