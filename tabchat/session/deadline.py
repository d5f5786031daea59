"""The time limit of a query."""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Final, Self

from tabchat.errors import InterruptedByUserError, QueryTimeoutError, TabchatError

if TYPE_CHECKING:
    from tabchat.engine.types import Engine

CANCEL_EVERY: Final = 0.05
"""Seconds between two attempts to stop a query that is past its time."""


class Deadline:
    """Cancels the engine when the time is up, and tells that apart from the person's own Ctrl-C."""

    def __init__(self, seconds: float | None, engine: Engine) -> None:
        self._seconds = seconds
        self._ends = None if seconds is None else time.monotonic() + seconds
        self._engine = engine
        self._expired = threading.Event()
        self._stopped = threading.Event()
        self._cancelling = threading.Lock()

    def __enter__(self) -> Self:
        if self._seconds is not None:
            threading.Thread(target=self._watch, args=(self._seconds,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        # Whoever leaves waits for a cancel that is under way: it would stop the query that comes next.
        with self._cancelling:
            self._stopped.set()

    def remaining(self) -> float | None:
        """Return the seconds that are left, nothing when there is no limit."""
        return None if self._ends is None else max(self._ends - time.monotonic(), 0.0)

    def explain(self, error: Exception) -> TabchatError:
        """Return `error`, or a time-out when this limit is what interrupted the query."""
        if self._expired.is_set() and isinstance(error, InterruptedByUserError):
            message = f"The query ran longer than {self._seconds:g} s and was stopped."
            told = QueryTimeoutError(message, hint="Give it longer with --timeout, or ask for less.")
            return told.remarked(error.remark)
        return error if isinstance(error, TabchatError) else TabchatError(str(error))

    def _watch(self, seconds: float) -> None:
        wait = seconds
        while not self._stopped.wait(wait):
            # Between two queries there is nothing to cancel: ask until one was stopped.
            with self._cancelling:
                if self._stopped.is_set():
                    return
                self._expired.set()
                self._engine.cancel()
            wait = CANCEL_EVERY
