"""Output that a terminal has no room for, through the person's pager; what fits is printed as ever.

Data goes to the pager as it is written, so that however many rows there are, few are held. What is said beside it on
stderr follows when the pager ends, where it stays on the screen.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, TextIO, cast

from tabchat.render.layout.text import width_of
from tabchat.render.terminal.console import has_screen

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Iterator, Mapping

    from tabchat.render.terminal.console import Consoles

_LESS: Final = "-FRX -PsSpace goes on, q goes back$"
"""What less is told when nobody says otherwise: colours as they are, the last screen stays, and which keys to press."""
_STYLES: Final = re.compile(r"\x1b\[[0-9;]*m")


def pager_command(environ: Mapping[str, str]) -> list[str] | None:
    """Return the words of `PAGER`, else `less`; None where there is no such program, or PAGER is empty or `cat`."""
    import shlex

    try:
        words = shlex.split(environ.get("PAGER", "less"))
    except ValueError:
        return None
    return words if words and words != ["cat"] and shutil.which(words[0]) else None


@contextmanager
def paged(consoles: Consoles, *, wanted: bool) -> Iterator[None]:
    """Inside, what is printed goes through the pager from the moment that it is longer than the screen."""
    command = pager_command(os.environ) if wanted and has_screen(consoles) else None
    if command is None:
        yield
        return
    pages = _Pages(command, consoles)
    streams = consoles.out.file, consoles.err.file
    consoles.out.file = cast("TextIO", _Stream(pages, streams[0], is_data=True))
    # What is said to a file or another terminal stays there.
    if streams[1].isatty():
        consoles.err.file = cast("TextIO", _Stream(pages, streams[1], is_data=False))
    try:
        yield
    finally:
        consoles.out.file, consoles.err.file = streams
        pages.finish()


@contextmanager
def left_on_screen(consoles: Consoles) -> Iterator[None]:
    """Inside, what is printed stands on the screen when the pager ends, behind the pages."""
    stream = consoles.out.file
    if not isinstance(stream, _Stream):
        yield
        return
    stream.is_data = False
    try:
        yield
    finally:
        stream.is_data = True


def write_behind(consoles: Consoles, text: str) -> None:
    """Write what no pager can show to stdout: at once, or once the person has left the pager."""
    stream = consoles.out.file
    if isinstance(stream, _Stream):
        stream.write_behind(text)
        return
    stream.write(text)
    stream.flush()


class _Pages:
    """What was written inside, in order, until it is known whether it fits."""

    def __init__(self, command: list[str], consoles: Consoles) -> None:
        self._command = command
        self._width = consoles.width
        # The prompt that follows takes a line, too.
        self._room = shutil.get_terminal_size().lines - 1
        self._held: list[tuple[TextIO, str, bool]] = []
        self.behind: list[tuple[TextIO, str]] = []
        """What is written when the pages are over."""
        self._lines = 0
        self._pager: subprocess.Popen[str] | None = None
        self._is_plain = False

    def write(self, stream: TextIO, text: str, *, is_data: bool) -> None:
        """Take what is written to `stream`."""
        if self._is_plain:
            stream.write(text)
            return
        if self._pager is not None and is_data:
            self._send(text)
            return
        self._held.append((stream, text, is_data))
        self._lines += text.count("\n") + sum(self._more_lines(line) for line in text.split("\n"))
        if self._lines > self._room and self._pager is None:
            self._begin()

    def _more_lines(self, line: str) -> int:
        """Return how many lines a line takes beside its own."""
        return max(width_of(_STYLES.sub("", line)) - 1, 0) // self._width

    def _begin(self) -> None:
        try:
            import subprocess

            self._pager = subprocess.Popen(
                self._command, stdin=subprocess.PIPE, text=True, env={"LESS": _LESS, **os.environ}
            )
        except OSError:
            self._is_plain = True
            self._print_held()
            return
        data = [text for _, text, is_data in self._held if is_data]
        self._held = [item for item in self._held if not item[2]]
        self._send("".join(data))

    def _send(self, text: str) -> None:
        if self._pager is not None and self._pager.stdin is not None:
            # Whoever left the pager does not want the rest.
            with contextlib.suppress(BrokenPipeError):
                self._pager.stdin.write(text)

    def _print_held(self) -> None:
        held, self._held = self._held, []
        for stream, text, _ in held:
            stream.write(text)
            stream.flush()

    def finish(self) -> None:
        """Wait until the person leaves the pager, then say what was to be said."""
        if self._pager is not None:
            if self._pager.stdin is not None:
                with contextlib.suppress(BrokenPipeError):
                    self._pager.stdin.close()
            while self._pager.poll() is None:
                # Ctrl-C is the pager's, as long as it runs.
                with contextlib.suppress(KeyboardInterrupt):
                    self._pager.wait()
        self._print_held()
        for stream, text in self.behind:
            stream.write(text)
            stream.flush()


class _Stream(io.TextIOBase):
    """A stream whose text is taken by the pages."""

    def __init__(self, pages: _Pages, stream: TextIO, *, is_data: bool) -> None:
        self._pages = pages
        self._stream = stream
        self.is_data = is_data
        """Whether it is what the pages are for; the rest is printed behind them."""

    @property
    def encoding(self) -> str:  # type: ignore[override] # a property there, too
        return self._stream.encoding

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()

    def write_behind(self, text: str) -> None:
        """Take what is written when the pages are over."""
        self._pages.behind.append((self._stream, text))

    def write(self, text: str) -> int:
        self._pages.write(self._stream, text, is_data=self.is_data)
        return len(text)
