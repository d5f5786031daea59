"""The standard tools."""

from __future__ import annotations

from tabchat.tools.code import RUN_PYTHON
from tabchat.tools.describe import DESCRIBE_COLUMN, DESCRIBE_RESULT, DESCRIBE_TABLE
from tabchat.tools.edit import EDIT_TABLE, REDO, UNDO
from tabchat.tools.find_values import FIND_VALUES
from tabchat.tools.query import RUN_QUERY, RUN_SQL
from tabchat.tools.recipes import RECIPE_TOOLS
from tabchat.tools.registry import ToolRegistry


def standard_registry() -> ToolRegistry:
    """Return the registry of every tool that ships."""
    return ToolRegistry.of(
        (
            RUN_QUERY,
            RUN_SQL,
            DESCRIBE_TABLE,
            DESCRIBE_COLUMN,
            DESCRIBE_RESULT,
            FIND_VALUES,
            RUN_PYTHON,
            EDIT_TABLE,
            UNDO,
            REDO,
            *RECIPE_TOOLS,
        )
    )
