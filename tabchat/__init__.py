"""tabchat: ask a local table a question.

The public names load when they are first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.chat.turn.answer import Answer
    from tabchat.chat.turn.model import ScriptedModel
    from tabchat.config import Settings, load_settings
    from tabchat.engine.plan import QueryPlan
    from tabchat.engine.profile import TableProfile
    from tabchat.engine.reader import open_table
    from tabchat.engine.result import Result
    from tabchat.engine.table import ReadOptions, Table
    from tabchat.errors import TabchatError
    from tabchat.planner import OfflinePlanner
    from tabchat.session import Session
    from tabchat.store import DataStore, DiskStore, InMemoryDataStore
    from tabchat.tools.envelope import ToolResultEnvelope
    from tabchat.tools.executor import ToolExecutor
    from tabchat.tools.registry import ToolProfile, ToolRegistry

__all__ = [
    "Answer",
    "DataStore",
    "DiskStore",
    "InMemoryDataStore",
    "OfflinePlanner",
    "QueryPlan",
    "ReadOptions",
    "Result",
    "ScriptedModel",
    "Session",
    "Settings",
    "TabchatError",
    "Table",
    "TableProfile",
    "ToolExecutor",
    "ToolProfile",
    "ToolRegistry",
    "ToolResultEnvelope",
    "load_settings",
    "open_table",
]

_HOMES = {
    "tabchat.chat.turn.answer": ("Answer",),
    "tabchat.chat.turn.model": ("ScriptedModel",),
    "tabchat.config": ("Settings", "load_settings"),
    "tabchat.engine.plan": ("QueryPlan",),
    "tabchat.engine.profile": ("TableProfile",),
    "tabchat.engine.reader": ("open_table",),
    "tabchat.engine.result": ("Result",),
    "tabchat.engine.table": ("ReadOptions", "Table"),
    "tabchat.errors": ("TabchatError",),
    "tabchat.planner": ("OfflinePlanner",),
    "tabchat.session": ("Session",),
    "tabchat.store": ("DataStore", "DiskStore", "InMemoryDataStore"),
    "tabchat.tools.envelope": ("ToolResultEnvelope",),
    "tabchat.tools.executor": ("ToolExecutor",),
    "tabchat.tools.registry": ("ToolProfile", "ToolRegistry"),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            from importlib import import_module

            return getattr(import_module(module), name)
    message = f"module {__name__!r} has no attribute {name!r}"
    raise AttributeError(message)
