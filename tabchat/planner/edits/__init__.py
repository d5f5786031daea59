"""Requests to change a table, read by rules: words become the arguments of `edit_table`, or are refused.

The names load when they are first used: to tell a request from a question takes less than to read it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.planner.edits.heads import is_edit
    from tabchat.planner.edits.reading import EditReader, EditReading

__all__ = ["EditReader", "EditReading", "is_edit"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        message = f"module {__name__!r} has no attribute {name!r}"
        raise AttributeError(message)
    from importlib import import_module

    home = "heads" if name == "is_edit" else "reading"
    return getattr(import_module(f"{__name__}.{home}"), name)
