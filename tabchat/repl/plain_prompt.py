"""The prompt of a terminal whose cursor cannot be moved, such as a shell in Emacs: the terminal itself edits the line."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tabchat.repl.entry import is_complete
from tabchat.repl.line.toolbar import place

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO

    from tabchat.repl.shell import Shell


def plain_prompt(shell: Shell) -> PlainPrompt:
    """Return the prompt of a conversation, on whichever stream is a terminal."""
    consoles = shell.consoles
    screen = consoles.err.file if consoles.err.file.isatty() else consoles.out.file
    return PlainPrompt(lambda: place(shell), screen)


class PlainPrompt:
    """Reads one entry after the other; has neither completion nor history."""

    def __init__(self, place: Callable[[], str], screen: IO[str]) -> None:
        self._place = place
        self._screen = screen

    def prompt(self) -> str:
        """Return the next entry, of one line or more; raises `EOFError` at the end."""
        entry, asked = "", f"{self._place()}> "
        while True:
            entry += self._line(asked)
            if is_complete(entry):
                return entry
            entry, asked = f"{entry}\n", "... "

    def _line(self, asked: str) -> str:
        self._write(asked)
        try:
            line = sys.stdin.readline()
        except KeyboardInterrupt:
            self._write("\n")
            raise
        if not line:
            self._write("\n")
            raise EOFError
        return line.removesuffix("\n")

    def _write(self, text: str) -> None:
        self._screen.write(text)
        self._screen.flush()
