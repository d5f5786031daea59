"""What `/rerun`, `/copy`, `/editor` and `/stats` do: the conversation itself, once more or somewhere else."""

from __future__ import annotations

import base64
import io
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import ExitCode, UsageError
from tabchat.render.block import counted
from tabchat.render.layout.text import sanitise
from tabchat.render.terminal.console import can_draw
from tabchat.render.verdict import describe_usage
from tabchat.repl.entry import joined, whole_number
from tabchat.repl.registry import Command

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell

COPY_LIMIT: Final = 74_000
"""Bytes of a copy: some terminals drop what becomes longer than 100,000 characters on its way."""


def rerun(shell: Shell, argument: str) -> ExitCode:
    """Ask a question of this conversation again, the last one by default."""
    wanted = argument.strip()
    if not shell.asked:
        message = "Nothing was asked in this conversation yet."
        raise UsageError(message, hint="Ask a question first: total revenue by region.")
    number = whole_number(wanted) if wanted else len(shell.asked)
    if number is None or not 1 <= number <= len(shell.asked):
        message = f"There is no question {wanted!r} in this conversation."
        raise UsageError(message, hint="/history numbers them.")
    question = shell.asked[number - 1]
    shell.say(f"> {sanitise(question, shell.consoles.glyphs)}")
    return shell.ask(question)


def copy(shell: Shell, _argument: str) -> ExitCode:
    """Copy the last result to the clipboard as tab-separated text, by way of the terminal."""
    from tabchat.export import ExportFormat, export_frame

    if not can_draw(shell.consoles):
        message = "Nothing was copied: there is no terminal whose clipboard could take it."
        raise UsageError(message, hint="/export FILE writes the result.")
    frame = shell.require_block().result.frame
    # A cell takes a byte at least, and what cannot fit need not be written to be measured.
    if (cells := frame.row_count * len(frame.columns)) > COPY_LIMIT:
        raise _too_large(cells)
    written = io.BytesIO()
    with shell.activity.working("copying"):
        done = export_frame(frame, written, ExportFormat.TSV)
    if written.tell() > COPY_LIMIT:
        raise _too_large(written.tell())
    # Base64 alone is between the two signs, so no cell can end the sequence and begin another.
    shell.consoles.err.file.write(f"\x1b]52;c;{base64.b64encode(written.getvalue()).decode()}\a")
    shell.say(f"{counted(done.rows, 'row')} copied, where the terminal lets programs copy.")
    return ExitCode.ANSWERED


def _too_large(size: int) -> UsageError:
    message = f"The result is too large for the clipboard: {size:,} bytes or more of {COPY_LIMIT:,}."
    return UsageError(message, hint="/export FILE writes all of it.")


def edit_entry(shell: Shell, argument: str) -> ExitCode:
    """Write an entry in the person's own editor, and carry it out."""
    if not shell.talks:
        raise UsageError("/editor needs a person at a terminal.", hint="Type the entry itself.")
    editor = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    with tempfile.TemporaryDirectory(prefix="tabchat-") as folder:
        path = Path(folder) / "entry.sql"
        path.write_text(argument or (shell.asked[-1] if shell.asked else ""), encoding="utf-8")
        try:
            subprocess.run([*editor, str(path)], check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            message = f"The editor {editor[0]!r} did not end well: {error}."
            raise UsageError(message, hint="Set EDITOR to another one.") from error
        entry = joined(path.read_text(encoding="utf-8", errors="backslashreplace"))
    if not entry:
        shell.say("Nothing was written.")
        return ExitCode.ANSWERED
    shell.say(f"> {sanitise(entry, shell.consoles.glyphs)}")
    return shell.run(entry)


def show_stats(shell: Shell, _argument: str) -> ExitCode:
    """Say what this conversation has come to so far."""
    session = shell.session
    keys = {block.data_key for answer in session.conversation.answers for block in answer.blocks}
    edits = sum(len(table.edits) for table in session.tables.values())
    lines = [
        f"{counted(len(shell.asked), 'question')}, {counted(len(keys - {None}), 'result')}, {counted(edits, 'edit')}",
        f"{counted(shell.turns, 'turn')} in {shell.seconds:,.1f} s, the last in {shell.last_seconds:,.1f} s",
    ]
    if session.spent.model is not None:
        lines.append(", ".join(describe_usage(session.spent)))
    for line in lines:
        shell.consoles.out.print(line)
    return ExitCode.ANSWERED


AGAIN_COMMANDS: Final = (
    Command(
        name="rerun",
        arguments="[N]",
        summary="ask the last question again, or number N of /history",
        run=rerun,
        takes=("question",),
    ),
    Command(name="copy", summary="copy the last result to the clipboard", run=copy),
    Command(name="editor", summary="write the entry in $EDITOR; also Ctrl-X Ctrl-E", run=edit_entry),
    Command(
        name="stats",
        summary="questions, results and seconds of this conversation",
        run=show_stats,
        talks=True,
    ),
)
