"""tabchat: ask a local table a question.

The public names load when they are first used, so that importing the package
costs nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.api import OpenTable, TableAnswer, open_table
    from tabchat.chat.turn.answer import Answer
    from tabchat.chat.turn.model import ScriptedModel
    from tabchat.config import Settings, load_settings
    from tabchat.engine.plan.query_plan import QueryPlan
    from tabchat.engine.profile.profile import TableProfile
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.table import ReadOptions, Table
    from tabchat.errors import (
        CodeFailedError,
        CodeRefusedError,
        DataKeyError,
        DeclinedError,
        InputError,
        InterruptedByUserError,
        ModelError,
        NotUnderstoodError,
        OfferedReading,
        OutputError,
        OutputExistsError,
        PlanError,
        PlanIssue,
        PlanValidationError,
        QueryFailedError,
        QueryTimeoutError,
        RefusedError,
        SandboxUnavailableError,
        SqlRefusedError,
        TabchatError,
        UsageError,
    )
    from tabchat.planner import OfflinePlanner
    from tabchat.session import Session
    from tabchat.store import DataStore, DiskStore, InMemoryDataStore
    from tabchat.tools.envelope import ToolResultEnvelope
    from tabchat.tools.executor import ToolExecutor
    from tabchat.tools.registry import ToolProfile, ToolRegistry

__all__ = [
    "Answer",
    "CodeFailedError",
    "CodeRefusedError",
    "DataKeyError",
    "DataStore",
    "DeclinedError",
    "DiskStore",
    "Frame",
    "InMemoryDataStore",
    "InputError",
    "InterruptedByUserError",
    "ModelError",
    "NotUnderstoodError",
    "OfferedReading",
    "OfflinePlanner",
    "OpenTable",
    "OutputError",
    "OutputExistsError",
    "PlanError",
    "PlanIssue",
    "PlanValidationError",
    "QueryFailedError",
    "QueryPlan",
    "QueryTimeoutError",
    "ReadOptions",
    "RefusedError",
    "Result",
    "SandboxUnavailableError",
    "ScriptedModel",
    "Session",
    "Settings",
    "SqlRefusedError",
    "TabchatError",
    "Table",
    "TableAnswer",
    "TableProfile",
    "ToolExecutor",
    "ToolProfile",
    "ToolRegistry",
    "ToolResultEnvelope",
    "UsageError",
    "load_settings",
    "open_table",
]

_HOMES = {
    "tabchat.api": ("OpenTable", "TableAnswer", "open_table"),
    "tabchat.chat.turn.answer": ("Answer",),
    "tabchat.chat.turn.model": ("ScriptedModel",),
    "tabchat.config": ("Settings", "load_settings"),
    "tabchat.engine.plan.query_plan": ("QueryPlan",),
    "tabchat.engine.profile.profile": ("TableProfile",),
    "tabchat.engine.result.result": ("Frame", "Result"),
    "tabchat.engine.table": ("ReadOptions", "Table"),
    "tabchat.planner": ("OfflinePlanner",),
    "tabchat.session": ("Session",),
    "tabchat.store": ("DataStore", "DiskStore", "InMemoryDataStore"),
    "tabchat.tools.envelope": ("ToolResultEnvelope",),
    "tabchat.tools.executor": ("ToolExecutor",),
    "tabchat.tools.registry": ("ToolProfile", "ToolRegistry"),
}
"""Module → what it holds of the names; those that are not here are in `tabchat.errors`."""


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    home = next((module for module, names in _HOMES.items() if name in names), "tabchat.errors")
    return getattr(import_module(home), name)
