"""The two streams of a run: stdout for data, stderr for narration, at one width and with or without colour."""

from __future__ import annotations

import io
import os
import sys
from typing import IO, TYPE_CHECKING, Final, TextIO

from tabchat.errors import UsageError
from tabchat.record import mutable, record
from tabchat.render.layout.styles import drawn
from tabchat.render.layout.text import ASCII, UNICODE, Glyphs, glyphs_for, plain_signs
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.render.layout.styles import Styled

DEFAULT_WIDTH: Final = 80
MIN_WIDTH: Final = 20


@mutable
class Console:
    """A stream that text is written to, in styles where it has colours; whoever owns the exit code handles a closed pipe.

    Its lines are laid out already: Rich's console would measure them again, and its import takes a sixteenth of a question.
    """

    file: TextIO
    width: int
    color: bool
    is_ascii: bool = False
    """What is printed is narration, to be written with ASCII signs."""

    def print(self, text: str = "", *, style: str = "", end: str = "\n") -> None:
        """Write inert text, and be done with it when this returns."""
        self.write([(plain_signs(text) if self.is_ascii else text, style), (end, "")])

    def write(self, pieces: Iterable[Styled]) -> None:
        """Write inert text in several styles."""
        self.file.write(drawn(pieces, color=self.color))
        self.file.flush()


@record
class Consoles:
    """Where a run writes."""

    out: Console
    err: Console
    glyphs: Glyphs = UNICODE
    foot: Callable[[int], str] | None = None
    """Returns, for so many cells, what stands in the last line of the screen while something goes on."""

    @property
    def width(self) -> int:
        """Cells of a line, the same on both streams."""
        return self.out.width

    def say(self, *lines: str) -> None:
        """Say lines of tabchat's own, inert already, on stderr."""
        for line in lines:
            self.err.print(line, style="dim")

    def prose(self, console: Console, text: str, *, style: str = "", hang: int = 0) -> None:
        """Print inert sentences; at a terminal, they are broken between words, and nowhere else at all."""
        at_terminal = console.file.isatty()
        for line in text.split("\n"):
            for row in wrap_text(line, self.width, hang=hang) if at_terminal else [line]:
                console.print(row, style=style)


def can_draw(consoles: Consoles) -> bool:
    """Return whether stderr is a terminal whose cursor can be moved."""
    return consoles.err.file.isatty() and moves_cursor()


def make_consoles(
    color: str = "auto",
    *,
    plain: bool = False,
    out: TextIO | None = None,
    err: TextIO | None = None,
    environ: Mapping[str, str] | None = None,
) -> Consoles:
    """Return the consoles of this process.

    `color` is auto, always or never; auto asks `NO_COLOR`, `FORCE_COLOR`,
    `CLICOLOR_FORCE`, `CLICOLOR` and `TERM`, in that order, and then whether the
    stream is a terminal. `plain` draws with ASCII signs alone, whatever the streams
    can write. Raises `UsageError` for another word.
    """
    environment = os.environ if environ is None else environ
    streams = (out or sys.stdout, err or sys.stderr)
    for stream in streams:
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            # A cell that the locale cannot write must not end the run.
            stream.reconfigure(errors="backslashreplace")
    width = terminal_width(environment, streams)
    glyphs = glyphs_for("ascii" if plain else streams[0].encoding or "utf-8")
    consoles = [Console(stream, width, _wants_color(color, stream, environment)) for stream in streams]
    consoles[1].is_ascii = glyphs == ASCII
    return Consoles(out=consoles[0], err=consoles[1], glyphs=glyphs)


def fit_to_terminal(consoles: Consoles) -> None:
    """Follow a terminal that was resized since the consoles were made."""
    width = terminal_width(os.environ, (consoles.out.file, consoles.err.file))
    consoles.out.width = consoles.err.width = width


def has_screen(consoles: Consoles) -> bool:
    """Return whether a person sits before a whole screen: keys come from a terminal, and its cursor can be moved."""
    return sys.stdin.isatty() and consoles.out.file.isatty() and moves_cursor()


def moves_cursor() -> bool:
    """Return whether the terminal, if there is one, obeys more than line ends."""
    return os.environ.get("TERM", "") not in {"", "dumb"}


def terminal_width(environ: Mapping[str, str], streams: Sequence[IO[str]]) -> int:
    """Return `COLUMNS`, else the width of the first stream that is a terminal, else 80; at least 20."""
    columns = environ.get("COLUMNS", "")
    if columns.isdecimal() and int(columns) > 0:
        return max(int(columns), MIN_WIDTH)
    for stream in streams:
        try:
            size = os.get_terminal_size(stream.fileno())
        except (OSError, ValueError):
            continue
        if size.columns > 0:
            return max(size.columns, MIN_WIDTH)
    return DEFAULT_WIDTH


def _wants_color(color: str, stream: TextIO, environ: Mapping[str, str]) -> bool:
    match color:
        case "always":
            return True
        case "never":
            return False
        case "auto":
            return _color_by_environment(stream, environ)
        case _:
            raise UsageError(f"--color cannot be {color!r}.", hint="Use auto, always or never.")


def _color_by_environment(stream: TextIO, environ: Mapping[str, str]) -> bool:
    if environ.get("NO_COLOR"):
        return False
    if any(environ.get(name, "0") not in {"", "0"} for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    if environ.get("CLICOLOR") == "0" or environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
