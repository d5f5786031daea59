"""The standard tools, each loaded when it is asked for: rules call one of them, a model is told of all."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Final

from tabchat.tools.registry import RECIPES, ToolRegistry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.tools.registry import Tool

_HOMES: Final[Mapping[str, str]] = {
    "run_query": "query",
    "run_sql": "query",
    "describe_table": "describe",
    "describe_column": "describe",
    "describe_result": "describe",
    "find_values": "find_values",
    "run_python": "code.run",
    "edit_table": "edit",
    "undo": "edit",
    "redo": "edit",
}
"""Tool → the module that holds it, under its name in capitals; the recipes are behind them in the reference."""


class _Standard(Mapping[str, "Tool"]):
    """Every tool that ships, by name."""

    def __getitem__(self, name: str) -> Tool:
        if name in _HOMES:
            tool: Tool = getattr(import_module(f"tabchat.tools.{_HOMES[name]}"), name.upper())
            return tool
        if name not in RECIPES:
            raise KeyError(name)
        from tabchat.tools.recipes import recipe_tool

        return recipe_tool(name)

    def __iter__(self) -> Iterator[str]:
        return iter((*_HOMES, *RECIPES))

    def __len__(self) -> int:
        return len(_HOMES) + len(RECIPES)


def standard_registry() -> ToolRegistry:
    """Return the registry of every tool that ships."""
    return ToolRegistry(tools=_Standard())
