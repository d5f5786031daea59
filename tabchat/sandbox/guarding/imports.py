"""Imports of what is there already, and requests for threads: taken out, since nothing else changes."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.guarding.rewriting import Change
from tabchat.sandbox.guarding.stats_paths import ESTIMATORS, STATS

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
}
"""Module, and the name under which code finds it."""


def needless(tree: ast.Module, *, with_stats: bool) -> Iterator[tuple[Change, str]]:
    """Yield the changes that take out what is needless, each with a description."""
    bound = {
        node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    known = {**_BASE, **_STATS} if with_stats else _BASE
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = _names(node, known, with_stats=with_stats)
            if names and not names & bound:
                yield Change(node, "pass"), f"left out `{ast.unparse(node)}`, which is there already"
        elif isinstance(node, ast.keyword) and node.arg == "n_jobs" and not _is_one(node.value):
            yield Change(node.value, "1"), "wrote `n_jobs=1`: there is one thread"


def _names(node: ast.Import | ast.ImportFrom, known: Mapping[str, str], *, with_stats: bool) -> set[str]:
    """Return the names that the import binds, none when one of them is not there already."""
    found: set[str] = set()
    for alias in node.names:
        name = alias.asname or alias.name.partition(".")[0]
        if isinstance(node, ast.ImportFrom):
            whole = f"{node.module}.{alias.name}"
            there = not node.level and (
                (with_stats and (ESTIMATORS.get(name), alias.name) == (node.module, name))
                or known.get(whole) == name
            )
        else:
            module = alias.name if alias.asname else name
            part = with_stats and (not alias.asname and alias.name in STATS)
            there = known.get(module) == name and ("." not in alias.name or bool(alias.asname) or part)
        if not there:
            return set()
        found.add(name)
    return found


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or node.value == 1)


def instead(node: ast.AST) -> str:
    """Return what to write in the place of an import that is refused."""
    known = {**_BASE, **_STATS}
    if isinstance(node, ast.ImportFrom) and (name := known.get(node.module or "")):
        return f"Write `{name}.{node.names[0].name}`: the module is there already."
    if isinstance(node, ast.Import) and (name := _BASE.get(node.names[0].name)):
        return f"Write `{name}`: the module is there already."
    return "Leave imports out: what is available is there already."
