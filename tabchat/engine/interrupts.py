"""Ctrl-C while an engine computes: Python hears of a signal only once native code returns; this hears at once."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_AGAIN_SECONDS: Final = 0.05
"""An interrupt that comes before a query has begun is lost, so it is repeated until the work has stopped."""


@contextlib.contextmanager
def cancelling(cancel: Callable[[], None]) -> Iterator[None]:
    """Call `cancel` from another thread whenever Ctrl-C is pressed inside the block.

    `KeyboardInterrupt` is raised as always, as soon as the engine has given
    way. Does nothing outside the main thread, where no signals arrive.
    """
    if os.name != "posix" or threading.current_thread() is not threading.main_thread():
        yield
        return
    heard, told = os.pipe()
    os.set_blocking(told, False)
    done = threading.Event()
    watch = threading.Thread(target=_watch, args=(heard, cancel, done), name="ctrl-c", daemon=True)
    previous = signal.set_wakeup_fd(told, warn_on_full_buffer=False)
    try:
        watch.start()
        yield
    finally:
        signal.set_wakeup_fd(previous)
        done.set()
        os.close(told)
        watch.join()
        os.close(heard)


def _watch(heard: int, cancel: Callable[[], None], done: threading.Event) -> None:
    while numbers := os.read(heard, 64):
        if signal.SIGINT in numbers:
            cancel()
            while not done.wait(_AGAIN_SECONDS):
                cancel()
