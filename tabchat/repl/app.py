"""The REPL: prompt-toolkit on a terminal, plain lines from a pipe."""

from __future__ import annotations

import io
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, TextIO

from tabchat.errors import ExitCode
from tabchat.render.layout.text import sanitise
from tabchat.render.terminal.console import moves_cursor
from tabchat.render.terminal.ending import Ending
from tabchat.repl.asking import describe_model
from tabchat.repl.entry import is_complete, joined
from tabchat.repl.leaving import may_leave, tell_the_end
from tabchat.repl.line.toolbar import toolbar
from tabchat.repl.shell import LeaveRepl, Shell
from tabchat.repl.tables import describe_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from tabchat.journal.journal import Journal
    from tabchat.render.terminal.console import Consoles
    from tabchat.session import Session


def run_repl(session: Session, consoles: Consoles, journal: Journal | None = None) -> int:
    """Talk until the person leaves, and return the exit code; each turn is written down in `journal`.

    On a terminal that is 0. Lines from a pipe are carried out one after the
    other whatever happens to each; the code is that of the last one that failed.
    """
    talks = sys.stdin.isatty() and (consoles.out.file.isatty() or consoles.err.file.isatty())
    if talks:
        consoles = replace(consoles, foot=lambda width: toolbar(shell, width))
    shell = Shell(
        session=session, consoles=consoles, rows=session.settings.rows, talks=talks, journal=journal
    )
    shell.last = session.last
    shell.asked = list(journal.asked) if journal is not None else []
    with Ending() as ending:
        code = _talk(shell, ending) if talks else _read_lines(shell, sys.stdin, ending)
    if ending.name is None:
        return code
    tell_the_end(shell, ending.name)
    return ending.exit_code


def _read_lines(shell: Shell, lines: TextIO, ending: Ending) -> int:
    if isinstance(lines, io.TextIOWrapper):
        # A line that is no text is not understood, and the next one is read all the same.
        lines.reconfigure(errors="backslashreplace")
    code = _read_each(shell, lines)
    if ending.name is None:
        may_leave(shell)
    return code


def _read_each(shell: Shell, lines: Iterable[str]) -> int:
    code = ExitCode.ANSWERED
    for entry in _entries(shell, lines):
        try:
            result = _echoed(shell, joined(entry))
        except LeaveRepl:
            return code
        if result is ExitCode.INTERRUPTED:
            return result
        code = result if result is not ExitCode.ANSWERED else code
    return code


def _entries(shell: Shell, lines: Iterable[str]) -> Iterator[str]:
    """Yield each entry, of one line or more; what is open to the end takes no line behind it along."""
    number = 1
    while True:
        held: list[str] = []
        for line in lines:
            held.append(line.removesuffix("\n"))
            if is_complete(entry := "\n".join(held)):
                yield entry
                number, held = number + len(held), []
        entry = "\n".join(held).rstrip().removesuffix("\\")
        if len(held) <= 1 or is_complete(entry):
            if held:
                yield entry
            return
        shell.explain(
            f"Line {number} opens a bracket or a quotation mark that no line closes: it is taken alone, and so are "
            "the lines behind it."
        )
        yield held[0]
        number, lines = number + 1, held[1:]


def _echoed(shell: Shell, entry: str) -> ExitCode:
    if entry:
        shell.consoles.say(f"> {sanitise(entry, shell.consoles.glyphs)}")
    return shell.run(entry)


def _talk(shell: Shell, ending: Ending) -> int:
    # The line that is typed loads only where one is.
    if not moves_cursor():
        from tabchat.repl.plain_prompt import plain_prompt

        return _talk_at(shell, plain_prompt(shell).prompt, ending)
    from tabchat.repl.line.hints import Hints
    from tabchat.repl.line.prompt import make_prompt, read_entry

    hints = Hints(shell.session)
    try:
        prompt = make_prompt(shell, hints)
        return _talk_at(shell, lambda: read_entry(prompt, hints), ending)
    finally:
        hints.stop()


def _talk_at(shell: Shell, read: Callable[[], str], ending: Ending) -> int:
    for table in shell.session.tables.values():
        shell.say(describe_table(table))
    shell.explain(f"Ask a question, or /help. {describe_model(shell)}")
    while ending.name is None:
        try:
            if _is_over(shell, read):
                break
        except KeyboardInterrupt:
            # At the prompt it drops the entry; pressed again while an entry stops, it has nothing left to stop.
            continue
    return ExitCode.ANSWERED


def _is_over(shell: Shell, read: Callable[[], str]) -> bool:
    """Carry out one entry; returns whether the person leaves."""
    try:
        shell.run(joined(read()))
    except (EOFError, LeaveRepl):
        return may_leave(shell)
    return False
