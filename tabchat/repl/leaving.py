"""Leaving the REPL: edits that would be lost are said, and asked about once."""

from __future__ import annotations

import contextlib
import json
import shlex
from typing import TYPE_CHECKING

from tabchat.render.block import counted
from tabchat.render.layout.text import sanitise
from tabchat.render.mutation import asked, can_ask

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


def tell_the_end(shell: Shell, signal: str) -> None:
    """Say that a signal ended the conversation, which edits no file has, and how each is made again.

    A terminal that is gone hears nothing of it.
    """
    unsaved = shell.session.unsaved
    with contextlib.suppress(OSError):
        lost = f" Not saved: {describe_unsaved(unsaved)}." if unsaved else ""
        shell.say(f"Ended by {signal}.{lost}")
        for table in unsaved:
            for line in _made_again(table):
                shell.say(sanitise(line, shell.consoles.glyphs))


def _made_again(table: Table) -> list[str]:
    """Return the command that makes the edits of a table again; of edits by code, what they were."""
    from tabchat.engine.edits.versions import FRAME
    from tabchat.engine.edits.wording import describe_edit

    edits = [edit for record in table.edits if isinstance(edit := record.get("edit"), dict)]
    if any(edit.get("operation") == FRAME for edit in edits):
        told = [describe_edit(edit) for edit in edits]
        return [f"These were, and the history of the prompt has them: {'; '.join(told)}"]
    texts = [shlex.quote(json.dumps(edit, ensure_ascii=False)) for edit in edits]
    said = "With the options that the file was read with: " if table.options.to_json() else ""
    return [f"{said}tabchat edit {shlex.quote(str(table.source))} {' '.join(texts)} -o NEW_FILE"]


def describe_unsaved(tables: tuple[Table, ...]) -> str:
    """Return how many edits of which tables are not saved: `2 edits of sales`."""
    return ", ".join(f"{counted(len(table.edits), 'edit')} of {sanitise(table.name)}" for table in tables)
