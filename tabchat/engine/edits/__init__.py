"""Edits of tables: declared as JSON, compiled to queries, written as new versions, and counted exactly."""

from __future__ import annotations

from tabchat.engine.edits.mutation import ChangedCell, MutationSummary
from tabchat.engine.edits.operations import OPERATIONS, Edit, edit_json, operation_of
from tabchat.engine.edits.replay import replay_edits
from tabchat.engine.edits.versions import EditedTable, edit_for, edit_version

__all__ = [
    "OPERATIONS",
    "ChangedCell",
    "Edit",
    "EditedTable",
    "MutationSummary",
    "edit_for",
    "edit_json",
    "edit_version",
    "operation_of",
    "replay_edits",
]
