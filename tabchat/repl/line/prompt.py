"""The prompt at which entries are typed."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app
from prompt_toolkit.filters import Condition
from prompt_toolkit.output import create_output

from tabchat.render.terminal.input_line import InertLine
from tabchat.repl.line.completer import ShellCompleter
from tabchat.repl.line.ghost import Ghost
from tabchat.repl.line.history import TableHistory
from tabchat.repl.line.keys import line_keys
from tabchat.repl.line.toolbar import place, toolbar

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.repl.line.hints import Hints
    from tabchat.repl.shell import Shell

_PAUSE_SECONDS: Final = 0.2


def make_prompt(shell: Shell, hints: Hints) -> PromptSession[str]:
    """Return the prompt of a conversation; `hints` is what is known of its tables."""

    def table() -> str:
        return str(shell.session.current.source) if shell.session.tables else ""

    def likely() -> Iterator[str]:
        yield from shell.past.over(table())
        yield from hints.current().questions
        yield from shell.past.elsewhere(table())

    completer = ShellCompleter(shell, hints)
    return PromptSession(
        message=lambda: [("bold", f"{place(shell)}> ")],
        prompt_continuation=lambda width, _line, wrapped: " " * (width - 2) + ("  " if wrapped else "· "),
        history=TableHistory(shell.past, table),
        auto_suggest=Ghost(likely),
        completer=completer,
        input_processors=[InertLine()],
        # A menu over a half-typed question is in the way; Tab opens it.
        complete_while_typing=Condition(lambda: completer.is_closed(get_app().current_buffer.text)),
        search_ignore_case=True,
        multiline=True,
        key_bindings=line_keys(),
        bottom_toolbar=lambda: [("", toolbar(shell, get_app().output.get_size().columns))],
        output=create_output(always_prefer_tty=True),
        enable_open_in_editor=True,
        vi_mode=shell.session.settings.vi,
    )


def read_entry(prompt: PromptSession[str], hints: Hints) -> str:
    """Return what is typed next; raises `EOFError` for Ctrl-D on an empty line, `KeyboardInterrupt` for Ctrl-C."""

    def find_out_soon() -> None:
        # What is known of the table is found out behind the prompt, not before it.
        asyncio.get_running_loop().call_later(_PAUSE_SECONDS, hints.current)

    try:
        return prompt.prompt(pre_run=find_out_soon)
    finally:
        hints.stop()
