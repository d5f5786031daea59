"""What `/edit`, `/undo`, `/redo` and `/save` do."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import DeclinedError, ExitCode, UsageError
from tabchat.render.mutation import agrees, can_ask, render_mutation
from tabchat.render.text import sanitise
from tabchat.repl.registry import Command

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell
    from tabchat.session.versions import PendingEdit


def edit_table(shell: Shell, argument: str) -> ExitCode:
    """Show what an edit does, and make it once the person agrees."""
    from tabchat.session.requests import edit_arguments

    words = argument.strip()
    yes = words.startswith("--yes ")
    request = words.removeprefix("--yes ").strip()
    if not request:
        message = "/edit needs what to change."
        raise UsageError(message, hint='/edit {"operation": "delete_rows", "where": "price > 100"}')
    return propose(shell, shell.session.preview_edit(edit_arguments(shell.session, request)), yes=yes)


def propose(shell: Shell, pending: PendingEdit, *, yes: bool = False) -> ExitCode:
    """Show an edit, ask, and commit it; raises `DeclinedError` where nobody can be asked."""
    render_mutation(shell.consoles, pending.text, pending.summary)
    if not yes and not consents(shell, pending):
        shell.session.versions.discard(pending)
        shell.say("Nothing was changed.")
        return ExitCode.ANSWERED
    shell.session.commit(pending)
    _say_state(shell, pending)
    return ExitCode.ANSWERED


def consents(shell: Shell, pending: PendingEdit) -> bool:
    """Return whether the person agrees; raises `DeclinedError` where nobody can be asked."""
    if not can_ask():
        shell.session.versions.discard(pending)
        message = "Nothing was changed: nobody can be asked to confirm the edit."
        raise DeclinedError(message, hint="/edit --yes … makes an edit without asking.")
    return agrees(shell.consoles, f"Change {pending.table}?")


def undo(shell: Shell, _argument: str) -> ExitCode:
    """Take the last edit back."""
    done = shell.session.undo()
    shell.say(sanitise(f"Undone: {done.text}."))
    _say_state(shell, done)
    return ExitCode.ANSWERED


def redo(shell: Shell, _argument: str) -> ExitCode:
    """Make the edit again that was undone last."""
    done = shell.session.redo()
    shell.say(sanitise(f"Done again: {done.text}."))
    _say_state(shell, done)
    return ExitCode.ANSWERED


def save(shell: Shell, argument: str) -> ExitCode:
    """Write the current table, edits included, to another file."""
    usage = "/save FILE [--force]"
    try:
        words = shlex.split(argument)
    except ValueError as error:
        message = f"A quotation mark in {argument!r} is never closed."
        raise UsageError(message, hint=usage) from error
    names = [word for word in words if word != "--force"]
    if len(names) != 1 or names[0].startswith("--"):
        message = "/save needs one file to write."
        raise UsageError(message, hint=usage)
    target = Path(names[0]).expanduser()
    written = shell.session.save(target, force="--force" in words)
    for warning in written.warnings:
        shell.consoles.err.print(f"warning: {sanitise(warning, shell.consoles.glyphs)}", style="yellow")
    shell.say(sanitise(f"{written.rows:,} rows written to {target}."))
    return ExitCode.ANSWERED


def _say_state(shell: Shell, done: PendingEdit) -> None:
    table = done.after
    rows = f"{table.row_count:,} row{'' if table.row_count == 1 else 's'}"
    columns = f"{len(table.schema):,} column{'' if len(table.schema) == 1 else 's'}"
    said = [f"{table.name}: {rows} × {columns} now · /undo · /save FILE"]
    if done.hides:
        said.append(f"Now hidden from models, too: {', '.join(done.hides)}.")
    for line in said:
        shell.say(sanitise(line, shell.consoles.glyphs))


EDIT_COMMANDS: Final = (
    Command(
        name="edit",
        arguments="REQUEST",
        summary="see what an edit changes, and make it; words or JSON",
        run=edit_table,
    ),
    Command(name="undo", summary="take the last edit back", run=undo),
    Command(name="redo", summary="make the edit again that was undone last", run=redo),
    Command(
        name="save",
        arguments="FILE",
        summary="write the edited table to another file; --force",
        run=save,
        takes=("path",),
    ),
)
