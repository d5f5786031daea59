"""What `/edit`, `/undo` and `/redo` do."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Final

from tabchat.config import Planner, ToolChoice
from tabchat.errors import DeclinedError, ExitCode, NotUnderstoodError, UsageError
from tabchat.render.block import counted
from tabchat.render.layout.text import sanitise
from tabchat.render.mutation import agrees, can_ask, render_mutation
from tabchat.repl.asking import asks_a_model
from tabchat.repl.registry import Command
from tabchat.repl.writing import FORCE, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.errors import OfferedReading
    from tabchat.planner.edits import EditReading
    from tabchat.repl.shell import Shell
    from tabchat.session.edits.versions import PendingEdit


YES: Final = "--yes"


def edit_table(shell: Shell, argument: str) -> ExitCode:
    """Show what an edit does, and make it once the person agrees."""
    from tabchat.session.edits.requests import preview_request, read_request

    words = argument.strip()
    yes = words.startswith(f"{YES} ")
    text = words.removeprefix(f"{YES} ").strip()
    if not text:
        message = "/edit needs what to change."
        raise UsageError(message, hint='/edit {"operation": "delete_rows", "where": "price > 100"}')
    try:
        request = read_request(shell.session, text)
    except NotUnderstoodError as error:
        return shell.not_understood(error, text, edits=True)
    _say_reading(shell, request.interpretation)
    return _propose(shell, lambda: preview_request(shell.session, request), yes=yes)


def asked_for(shell: Shell, question: str) -> EditReading | None:
    """Return the edit that a question asks for; None for a question, and where only a model reads what is typed.

    Raises `NotUnderstoodError` for words that ask for an edit and are not understood.
    """
    session = shell.session
    if not session.tables or session.models is not None or session.settings.planner is Planner.LLM:
        return None
    try:
        return session.versions.read(question)
    except NotUnderstoodError:
        if session.settings.tools is ToolChoice.FULL and asks_a_model(shell):
            return None
        raise


def carry_out(shell: Shell, reading: EditReading) -> ExitCode:
    """Make the edit that words asked for, once the person agrees; undo and redo at once."""
    _say_reading(shell, reading.interpretation)
    match reading.call.name:
        case "undo":
            return undo(shell, "")
        case "redo":
            return redo(shell, "")
        case _:
            return _propose(shell, lambda: shell.session.preview_edit(reading.call.arguments))


def make(shell: Shell, reading: OfferedReading) -> ExitCode:
    """Make the edit that was offered as a reading, once the person agrees."""
    _say_reading(shell, reading.interpretation)
    return _propose(shell, lambda: shell.session.preview_edit(reading.plan))


def _say_reading(shell: Shell, interpretation: str | None) -> None:
    if interpretation is not None:
        shell.explain(sanitise(f"read as: {interpretation}", shell.consoles.glyphs))


def _propose(shell: Shell, preview: Callable[[], PendingEdit], *, yes: bool = False) -> ExitCode:
    """Show an edit, ask, and commit it; raises `DeclinedError` where nobody can be asked."""
    with shell.activity.working("editing"):
        pending = preview()
    render_mutation(shell.consoles, pending.text, pending.summary)
    for note in pending.notes:
        shell.say(sanitise(f"note: {note}", shell.consoles.glyphs))
    if not yes and not can_ask():
        shell.session.versions.discard(pending)
        message = "Nothing was changed: nobody can be asked to confirm the edit."
        raise DeclinedError(message, hint=f"/edit {YES} … makes an edit without asking.")
    # The counts stand above the sample, which may have taken them off the screen.
    counts = "; ".join(pending.summary.to_lines())
    if not yes and not agrees(shell.consoles, f"Change {pending.table}? {counts}"):
        shell.session.versions.discard(pending)
        shell.say("Nothing was changed.")
        return ExitCode.ANSWERED
    shell.session.commit(pending)
    _say_state(shell, pending)
    return ExitCode.ANSWERED


def confirm(shell: Shell, pending: PendingEdit) -> bool:
    """Show a model's edit while its turn is shown, and ask whether it is made."""
    if not can_ask():
        return False
    with shell.region.paused() if shell.region is not None else nullcontext():
        render_mutation(shell.consoles, pending.text, pending.summary)
        return agrees(shell.consoles, f"The model asks to change {pending.table}. Change it?")


def run_code(shell: Shell, argument: str) -> ExitCode:
    """Run pandas code for an answer, or for a change when it sets `COMMIT_DF`."""
    from tabchat.session.edits.requests import COMMIT

    if not argument.strip():
        message = "/run needs pandas code."
        raise UsageError(message, hint="/run df['price'].skew(); with COMMIT_DF = True it changes the table.")
    if COMMIT in argument:
        return _propose(shell, lambda: shell.session.preview_code(argument))
    return shell.computed(lambda: shell.session.run(argument))


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


def _say_state(shell: Shell, done: PendingEdit) -> None:
    table = done.after
    size = f"{counted(table.row_count, 'row')} × {counted(len(table.schema), 'column')}"
    versions = shell.session.versions
    ways = ["/undo"] if versions.undoable else []
    ways += ["/redo"] if versions.redoable else []
    ways += ["/save FILE"] if table.edits else []
    said = [" · ".join((f"{table.name}: {size} now", *ways))]
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
        takes=("edit",),
        flags={YES: "without asking"},
    ),
    Command(
        name="run",
        arguments="CODE",
        summary="run pandas code over df in a locked process",
        run=run_code,
        takes=("code",),
    ),
    Command(name="undo", summary="take the last edit back", run=undo),
    Command(name="redo", summary="make the edit again that was undone last", run=redo),
    Command(
        name="save",
        arguments="FILE",
        summary="write the edited table to another file; --force",
        run=save,
        takes=("path",),
        flags=FORCE,
    ),
)
