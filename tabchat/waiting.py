"""Waits that see Ctrl-C: one without an end does not, where a library has made interrupted calls start again."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    import queue
    import threading
    from collections.abc import Callable

_T = TypeVar("_T")

LOOK_EVERY: Final = 0.05
"""Seconds between two looks; as long as Ctrl-C may go unnoticed."""


def await_event(event: threading.Event) -> None:
    """Wait until `event` is set."""
    while not event.wait(LOOK_EVERY):
        pass


def await_item(
    inbox: queue.Queue[_T] | queue.SimpleQueue[_T], remaining: Callable[[], float | None] | None = None
) -> _T:
    """Take the next item out of `inbox`; raises `TimeoutError` when no seconds are `remaining` before there is one."""
    from queue import Empty

    while True:
        left = remaining() if remaining is not None else None
        with contextlib.suppress(Empty):
            return inbox.get(timeout=LOOK_EVERY if left is None else min(left, LOOK_EVERY))
        if left is not None and left <= LOOK_EVERY:
            raise TimeoutError
