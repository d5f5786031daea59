"""Leaving the REPL: edits that would be lost are said, and asked about once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.render.block import counted
from tabchat.render.mutation import asked, can_ask
from tabchat.render.text import sanitise

if TYPE_CHECKING:
    from tabchat.engine.table import Table
    from tabchat.repl.shell import Shell


def may_leave(shell: Shell) -> bool:
    """Return whether nothing is lost, or the person wants to leave all the same; Ctrl-D at the question means it."""
    unsaved = shell.session.unsaved
    if not unsaved:
        return True
    again = " tabchat repl --continue goes on with it." if shell.journal is not None else ""
    shell.explain(f"Not saved: {describe_unsaved(unsaved)}. /save FILE writes the edited table.{again}")
    if not shell.talks or not can_ask():
        return True
    return asked(shell.consoles, "Leave without saving?") is not False


def describe_unsaved(tables: tuple[Table, ...]) -> str:
    """Return how many edits of which tables are not saved: `2 edits of sales`."""
    return ", ".join(f"{counted(len(table.edits), 'edit')} of {sanitise(table.name)}" for table in tables)
