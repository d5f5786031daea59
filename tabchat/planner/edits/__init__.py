"""Requests to change a table, read by rules: words become the arguments of `edit_table`, or are refused."""

from __future__ import annotations

from tabchat.planner.edits.heads import is_edit
from tabchat.planner.edits.reading import EditReader, EditReading, read_edit

__all__ = ["EditReader", "EditReading", "is_edit", "read_edit"]
