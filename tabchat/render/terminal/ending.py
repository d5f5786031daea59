"""The end by a signal: as Ctrl-C would stop what runs, so that the terminal gets back what it was."""

from __future__ import annotations

import contextlib
import signal
import sys
import termios
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Self

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType, TracebackType

_SIGNALS: Final = (signal.SIGTERM, signal.SIGHUP)
_AGAIN: Final = 0.01
"""Seconds until an end that a finalizer swallowed is tried again."""


@dataclass
class Ending:
    """Whether somebody ended the program, or closed the window that it runs in, inside `with`.

    The first such signal raises `KeyboardInterrupt` wherever the main thread is: whatever can be stopped gives back
    what it took. It does not leave the `with`; who is behind it asks for `name`.

    Python passes no exception out of a finalizer or the callback of a weak reference. Where the signal came in one,
    it is raised again a moment later, so that the end is never lost.
    """

    number: int | None = None
    _before: dict[int, Any] = field(default_factory=dict)
    _unraisable: Callable[[sys.UnraisableHookArgs], object] = sys.__unraisablehook__
    _terminal: list[Any] | None = None

    def __enter__(self) -> Self:
        # What draws on the terminal gives it back, unless the signal comes while it takes it.
        with contextlib.suppress(OSError, termios.error):
            self._terminal = termios.tcgetattr(sys.stdin.fileno())
        self._before = {number: signal.signal(number, self._end) for number in _SIGNALS}
        self._before[signal.SIGALRM] = signal.signal(signal.SIGALRM, self._end_again)
        self._unraisable, sys.unraisablehook = sys.unraisablehook, self._swallowed
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> bool:
        signal.setitimer(signal.ITIMER_REAL, 0)
        sys.unraisablehook = self._unraisable
        for number, handler in self._before.items():
            signal.signal(number, handler)
        if self.number is not None and self._terminal is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(sys.stdin.fileno(), termios.TCSANOW, self._terminal)
        return self.number is not None and isinstance(error, KeyboardInterrupt)

    def _end(self, number: int, _frame: FrameType | None) -> None:
        if self.number is None:
            self.number = number
            raise KeyboardInterrupt

    def _end_again(self, _number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    def _swallowed(self, ignored: sys.UnraisableHookArgs) -> None:
        if self.number is not None and ignored.exc_type is KeyboardInterrupt:
            signal.setitimer(signal.ITIMER_REAL, _AGAIN)
        else:
            self._unraisable(ignored)

    @property
    def name(self) -> str | None:
        """Name of the signal that came; None while there was none."""
        return signal.Signals(self.number).name if self.number is not None else None

    @property
    def exit_code(self) -> int:
        """What a shell reports of a program that the signal ended; 0 where none did."""
        return 128 + self.number if self.number is not None else 0
