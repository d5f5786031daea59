"""A time limit that holds for all that a provider's library does, whatever it waits for.

The library works on a thread of its own; the caller waits no longer than the
limit. The thread is told to stop when the caller leaves, for whatever reason.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Generic, TypeVar

from tabchat.errors import QueryTimeoutError
from tabchat.waiting import LOOK_EVERY, await_item

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

_T = TypeVar("_T")

LONGEST_SILENCE: Final = 600.0
"""Seconds without a byte after which a server counts as lost, where the reply has no time limit."""

_SLACK: Final = 2.0
_AHEAD: Final = 1_000
"""Items that the thread may be ahead of the caller, which bounds the memory."""


class ReplyDeadline:
    """The end of the time that a reply may take."""

    def __init__(self, seconds: float | None) -> None:
        self._ends = None if seconds is None else time.monotonic() + seconds

    def remaining(self) -> float | None:
        """Return the seconds that are left, nothing when there is no limit."""
        return None if self._ends is None else max(self._ends - time.monotonic(), 0.0)

    def patience(self) -> float:
        """Return the seconds that the library may wait for the server: a little longer than the caller does."""
        left = self.remaining()
        return LONGEST_SILENCE if left is None else left + _SLACK

    def error(self, model: str, *, asked: bool) -> QueryTimeoutError:
        """Return what the person is told when the time is up; `asked` says whether anything was sent by then."""
        if not asked:
            hint = "Give the question longer with --timeout: the first one also loads what talks to models."
            return QueryTimeoutError(f"The time was up before anything was sent to {model}.", hint=hint)
        # The limit is of the whole question: what was left of it for this reply says nothing to a person.
        hint = "Give the question longer with --timeout, or take a faster model with --model."
        return QueryTimeoutError(f"{model} did not finish its reply in time.", hint=hint)


class _Failure:
    def __init__(self, error: BaseException) -> None:
        self.error = error


class _End:
    pass


def within(
    deadline: ReplyDeadline, make: Callable[[], Iterator[_T]], *, stop: Callable[[], None]
) -> Generator[_T, None, None]:
    """Yield what `make()` yields, made on another thread; raises `TimeoutError` when `deadline` is over.

    `stop` is called when the caller leaves, to wake the thread up.
    """
    if deadline.remaining() == 0:
        # Nothing is sent, or paid for, that nobody would wait for.
        raise TimeoutError
    pump = _Pump(make)
    threading.Thread(target=pump.work, name="tabchat-model", daemon=True).start()
    try:
        while True:
            item = pump.next(deadline)
            if isinstance(item, _End):
                return
            if isinstance(item, _Failure):
                raise item.error
            yield item
    finally:
        pump.left.set()
        stop()


@dataclass
class _Pump(Generic[_T]):
    """What passes between the two threads."""

    make: Callable[[], Iterator[_T]]
    left: threading.Event = field(default_factory=threading.Event)
    """Set when the caller waits no more."""
    _made: queue.Queue[_T | _Failure | _End] = field(default_factory=lambda: queue.Queue(_AHEAD))

    def next(self, deadline: ReplyDeadline) -> _T | _Failure | _End:
        return await_item(self._made, deadline.remaining)

    def work(self) -> None:
        try:
            for item in self.make():
                self._hand_over(item)
                if self.left.is_set():
                    return
        except BaseException as error:  # noqa: BLE001 - it is raised again where the caller waits
            self._hand_over(_Failure(error))
        else:
            self._hand_over(_End())

    def _hand_over(self, item: _T | _Failure | _End) -> None:
        while not self.left.is_set():
            with contextlib.suppress(queue.Full):
                self._made.put(item, timeout=LOOK_EVERY)
                return
