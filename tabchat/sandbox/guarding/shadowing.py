"""Modules whose name the code takes for a value of its own."""

from __future__ import annotations

import ast


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
