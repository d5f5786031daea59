"""What a terminal does by itself with keys, held while lines stand on it that are erased again."""

from __future__ import annotations

import contextlib
import os
import termios
from typing import Any, Final

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
