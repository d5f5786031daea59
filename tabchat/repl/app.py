"""The REPL: prompt-toolkit on a terminal, plain lines from a pipe."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, TextIO

from tabchat.errors import ExitCode
from tabchat.render.text import cut, sanitise
from tabchat.render.verdict import dollars
from tabchat.repl.actions import describe_table
from tabchat.repl.asking import asks_a_model, describe_model
from tabchat.repl.entry import is_complete, joined
from tabchat.repl.leaving import describe_unsaved, may_leave
from tabchat.repl.shell import LeaveRepl, Shell

if TYPE_CHECKING:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    from tabchat.journal.journal import Journal
    from tabchat.render.console import Consoles
    from tabchat.session import Session


def run_repl(session: Session, consoles: Consoles, journal: Journal | None = None) -> int:
    """Talk until the person leaves, and return the exit code; each turn is written down in `journal`.

    On a terminal that is 0. Lines from a pipe are carried out one after the
    other whatever happens to each; the code is that of the last one that failed.
    """
    shell = Shell(session=session, consoles=consoles, rows=session.settings.rows, journal=journal)
    shell.last = session.last
    shell.asked = list(journal.asked) if journal is not None else []
    if sys.stdin.isatty() and (consoles.out.file.isatty() or consoles.err.file.isatty()):
        shell.talks = True
        return _talk(shell)
    return _read_lines(shell, sys.stdin)


def _read_lines(shell: Shell, lines: TextIO) -> int:
    if isinstance(lines, io.TextIOWrapper):
        # A line that is no text is not understood, and the next one is read all the same.
        lines.reconfigure(errors="backslashreplace")
    code = _read_each(shell, lines)
    may_leave(shell)
    return code


def _read_each(shell: Shell, lines: TextIO) -> int:
    code = ExitCode.ANSWERED
    entry = ""
    for line in lines:
        entry += line.removesuffix("\n")
        if not is_complete(entry):
            entry += "\n"
            continue
        try:
            result = _echoed(shell, joined(entry))
        except LeaveRepl:
            return code
        entry = ""
        if result is ExitCode.INTERRUPTED:
            return result
        code = result if result is not ExitCode.ANSWERED else code
    if entry.strip():
        result = _echoed(shell, joined(entry.rstrip().removesuffix("\\")))
        code = result if result is not ExitCode.ANSWERED else code
    return code


def _echoed(shell: Shell, entry: str) -> ExitCode:
    if entry:
        shell.consoles.say(f"> {sanitise(entry, shell.consoles.glyphs)}")
    return shell.run(entry)


def _talk(shell: Shell) -> int:
    prompt = _prompt(shell)
    for table in shell.session.tables.values():
        shell.say(describe_table(table))
    shell.explain(f"Ask a question, or /help. {describe_model(shell)}")
    while True:
        try:
            if _is_over(shell, prompt):
                return ExitCode.ANSWERED
        except KeyboardInterrupt:
            # At the prompt it drops the entry; pressed again while an entry stops, it has nothing left to stop.
            continue


def _is_over(shell: Shell, prompt: PromptSession[str]) -> bool:
    """Carry out one entry; returns whether the person leaves."""
    try:
        shell.run(joined(prompt.prompt()))
    except (EOFError, LeaveRepl):
        return may_leave(shell)
    return False


def _prompt(shell: Shell) -> PromptSession[str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.output import create_output

    from tabchat.render.input_line import InertLine
    from tabchat.repl.completer import ShellCompleter
    from tabchat.repl.history import kept_history

    def types_a_command() -> bool:
        text = get_app().current_buffer.text
        return text.startswith("/") and not any(character.isspace() for character in text)

    return PromptSession(
        message=lambda: [("bold", f"{_place(shell)}> ")],
        prompt_continuation=lambda width, _line, wrapped: " " * (width - 2) + ("  " if wrapped else "· "),
        history=kept_history(
            shell.session.settings.data_dir, lambda told: shell.say(sanitise(told, shell.consoles.glyphs))
        ),
        completer=ShellCompleter(shell),
        input_processors=[InertLine()],
        # A menu over a half-typed question is in the way; Tab opens it.
        complete_while_typing=Condition(types_a_command),
        multiline=True,
        key_bindings=_keys(),
        bottom_toolbar=lambda: [("", toolbar(shell))],
        output=create_output(always_prefer_tty=True),
        enable_open_in_editor=True,
        vi_mode=shell.session.settings.vi,
    )


def _place(shell: Shell) -> str:
    return cut(sanitise(shell.session.current.name), 30) if shell.session.tables else "tabchat"


def toolbar(shell: Shell) -> str:
    """Return the line at the bottom: the table that questions are about, what leaves the machine, what it cost, what is not saved."""
    if not shell.session.tables:
        return " no table · /load FILE"
    table = shell.session.current
    parts = [
        f" {cut(sanitise(table.name), 30)}",
        f"{table.row_count:,} row{'' if table.row_count == 1 else 's'} × {len(table.schema):,} columns",
        *_leaving(shell),
        *([f"not saved: {describe_unsaved(unsaved)}"] if (unsaved := shell.session.unsaved) else []),
        "/help",
    ]
    return " · ".join(parts)


def _leaving(shell: Shell) -> list[str]:
    """Return the model that may be asked, what it may see and what it has cost, or that nothing leaves."""
    settings, spent = shell.session.settings, shell.session.spent
    if not asks_a_model(shell):
        return ["offline"]
    cost = [dollars(spent.cost_usd)] if spent.requests else []
    return [cut(sanitise(settings.model or ""), 30), settings.privacy.value, *cost]


def _keys() -> KeyBindings:
    from prompt_toolkit.filters import completion_is_selected, is_searching
    from prompt_toolkit.key_binding import KeyBindings
    from prompt_toolkit.search import accept_search

    keys = KeyBindings()

    @keys.add("enter", filter=is_searching)
    def take_found(event: KeyPressEvent) -> None:
        accept_search()
        enter(event)

    @keys.add("enter", filter=~completion_is_selected & ~is_searching)
    def enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if is_complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.insert_text("\n")

    @keys.add("enter", filter=completion_is_selected)
    def take_completion(event: KeyPressEvent) -> None:
        event.current_buffer.complete_state = None

    @keys.add("escape", "enter")
    def next_line(event: KeyPressEvent) -> None:
        event.current_buffer.insert_text("\n")

    return keys
