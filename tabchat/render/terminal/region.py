r"""A few lines at the end of a terminal that are drawn again and again, and then erased.

What is shown here is not said yet: what a model is writing before its figures
are checked, what is being waited for. Lines are drawn by a thread of their own,
so that seconds go on counting while the main one waits for a server; a turn that
is over sooner than the first drawing draws nothing. Only stderr is written, and
only when it is a terminal that moves its cursor.
"""

from __future__ import annotations

import contextlib
import itertools
import os
import sys
import termios
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, Self

from tabchat.errors import InterruptedByUserError
from tabchat.render.layout.text import cut, sanitise, width_of
from tabchat.render.layout.wrapping import wrap_text
from tabchat.render.terminal.console import MIN_WIDTH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.render.terminal.console import Consoles

_LOCAL: Final = 3
"""Place of the local modes in what `tcgetattr` returns."""


class TypingModes:
    """The modes of one terminal; nothing is held where it is none, or not ours to change.

    A terminal writes what is typed wherever the cursor is, inside of lines that count on where that is. And it drops
    what is written but not drawn yet when Ctrl-C is typed: with it a step of the cursor, so that erasing the lines
    would leave some of them.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._before: list[Any] | None = None

    def hold(self) -> None:
        """Neither show what is typed nor drop what is written, until `release`."""
        with contextlib.suppress(OSError, termios.error):
            # Whoever sets modes from the background is stopped.
            if self._before is not None or os.tcgetpgrp(self._descriptor) != os.getpgrp():
                return
            before = termios.tcgetattr(self._descriptor)
            held = [*before]
            held[_LOCAL] = (before[_LOCAL] & ~termios.ECHO) | termios.NOFLSH
            termios.tcsetattr(self._descriptor, termios.TCSANOW, held)
            self._before = before

    def release(self) -> None:
        """Give the terminal back as it was."""
        before, self._before = self._before, None
        if before is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSANOW, before)

    def forget_typed(self) -> None:
        """Drop what was typed and not read yet, as a terminal does by itself at Ctrl-C."""
        with contextlib.suppress(OSError, termios.error):
            if os.tcgetpgrp(self._descriptor) == os.getpgrp():
                termios.tcflush(self._descriptor, termios.TCIFLUSH)


TICK_SECONDS: Final = 0.1
"""Time between two drawings."""
GRACE_SECONDS: Final = 0.3
"""Time before the first one."""
DRAFT_LINES: Final = 6
KEPT_CHARACTERS: Final = 4_000
"""Characters at the end of a draft of which its lines are made."""
_SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
_ASCII_SPINNER: Final = "|/-\\"


class Region:
    """The lines, inside `with`; what is printed otherwise must be printed inside `paused`."""

    def __init__(self, consoles: Consoles, *, grace: float = GRACE_SECONDS) -> None:
        self._consoles = consoles
        self._grace = grace
        self._lock = threading.RLock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._keep_drawing, daemon=True)
        self._drawn: list[int] = []
        """Cells of each line on the screen."""
        self._modes = TypingModes(self._descriptor())
        self._draft = ""
        self._status = ""
        self._share: Callable[[], float | None] | None = None
        self._since = time.monotonic()
        # What it says changes with what is done, on the thread that does it.
        self._foot = "" if consoles.foot is None else consoles.foot(self._size()[0] - 1)
        self._frames = itertools.cycle(_SPINNER if consoles.glyphs.bar_parts else _ASCII_SPINNER)

    def __enter__(self) -> Self:
        self.open()
        return self

    def open(self) -> None:
        """Begin to draw, once a moment has passed."""
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Erase the lines for good."""
        self._over.set()
        with self._lock:
            stood = bool(self._drawn)
            self._erase()
        if stood and isinstance(sys.exception(), KeyboardInterrupt | InterruptedByUserError):
            self._modes.forget_typed()
        self._thread.join()

    def wait_for(self, what: str, share: Callable[[], float | None] | None = None) -> None:
        """Begin to count the seconds of something, which is told in one line; the draft is dropped.

        `share` is asked how much of it is done, 0 to 1, as long as nothing else tells how far it is.
        """
        with self._lock:
            self._status, self._since, self._draft, self._share = what, time.monotonic(), "", share

    def tell(self, what: str) -> None:
        """Say how far that is; the seconds go on."""
        with self._lock:
            self._status, self._share = what, None

    def show(self) -> None:
        """Draw now."""
        with self._lock:
            self._draw()

    def write(self, text: str, status: str) -> None:
        """Add to the draft; `status` says what it is."""
        with self._lock:
            self._draft = (self._draft + text)[-KEPT_CHARACTERS:]
            self._status = status

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Erase the lines while something is printed for good."""
        with self._lock:
            self._erase()
            yield

    def _keep_drawing(self) -> None:
        pause = self._grace
        while not self._over.wait(pause):
            with self._lock:
                if not self._over.is_set() and not self._draw():
                    return
            pause = TICK_SECONDS

    def _draw(self) -> bool:
        """Draw the lines again; returns whether there is still something to draw on."""
        columns, rows = self._size()
        lines = self._lines(columns - 1, rows)
        dim, plain = ("\x1b[2m", "\x1b[0m") if self._consoles.err.color else ("", "")
        text = (
            self._erasure()
            + "\n".join(f"{dim}{line}{plain}" for line in lines)
            + self._foot_below(columns - 1, rows, lines)
        )
        if not self._drawn:
            self._modes.hold()
        self._drawn = [width_of(line) for line in lines]
        try:
            self._write(text)
        except (OSError, ValueError):
            # A terminal that is gone is the main thread's to report, with an exit code.
            return False
        return True

    def _lines(self, width: int, rows: int) -> Sequence[str]:
        glyphs = self._consoles.glyphs
        seconds = int(time.monotonic() - self._since)
        elapsed = f"{glyphs.separator}{seconds} s" if seconds else ""
        done = self._share() if self._share is not None else None
        said = self._status if done is None else f"{int(done * 100)}% {self._status}"
        status = cut(f"{next(self._frames)} {sanitise(said, glyphs)}", width - width_of(elapsed), glyphs)
        room = min(DRAFT_LINES, rows - 3)
        return [*(self._draft_lines(width)[-room:] if room > 0 else []), status + elapsed]

    def _draft_lines(self, width: int) -> list[str]:
        glyphs = self._consoles.glyphs
        lines = self._draft.strip().splitlines()
        rows = (row for line in lines for row in wrap_text(sanitise(line, glyphs), width))
        # A word longer than the line would take rows that nobody counts; its end is where the writing goes on.
        return [cut(row if width_of(row) <= width else row[-width:], width, glyphs) for row in rows]

    def _foot_below(self, width: int, rows: int, lines: Sequence[str]) -> str:
        """Return what draws the foot in the last line of the screen, and the cursor back to the end of the lines."""
        if not self._foot or rows <= len(lines) + 1:
            return ""
        foot = cut(self._foot, width, self._consoles.glyphs)
        padding = " " * (width - width_of(foot))
        # The line end makes room at the bottom of a screen. Erasing all below the lines takes the foot, too.
        drawn = f"\x1b7\x1b[{rows};1H\x1b[7m{foot}{padding}\x1b[0m\x1b8"
        return f"\n\x1b[A{drawn}\x1b[{width_of(lines[-1])}C"

    def _size(self) -> tuple[int, int]:
        try:
            size = os.get_terminal_size(self._descriptor())
        except (OSError, ValueError):
            return self._consoles.width, DRAFT_LINES + 3
        # What does not fit into the person's own width would not fit either when it is printed for good.
        return max(min(size.columns or self._consoles.width, self._consoles.width), MIN_WIDTH), size.lines

    def _erase(self) -> None:
        if self._drawn:
            try:
                self._write(self._erasure())
            finally:
                self._drawn = []
                self._modes.release()

    def _erasure(self) -> str:
        """Return what takes the cursor back to where the lines began, and clears all below.

        A terminal that was made narrower has broken the lines in the meantime.
        """
        if not self._drawn:
            return ""
        columns, _ = self._size()
        rows = sum(max(-(-cells // columns), 1) for cells in self._drawn)
        up = f"\x1b[{rows - 1}A" if rows > 1 else ""
        return f"\r{up}\x1b[J"

    def _descriptor(self) -> int:
        try:
            return self._consoles.err.file.fileno()
        except (OSError, ValueError):
            return -1

    def _write(self, text: str) -> None:
        stream = self._consoles.err.file
        stream.write(text)
        stream.flush()
