"""A signal ends what runs wherever it comes, and gives back what was there before."""

import signal
import sys
import time
import weakref
from collections.abc import Callable

import pytest

from tabchat.render.terminal.ending import Ending


class Thing:
    """Something that a weak reference can watch."""


def in_a_finalizer() -> None:
    class Dying:
        def __del__(self) -> None:
            signal.raise_signal(signal.SIGHUP)

    Dying()


def in_the_callback_of_a_weak_reference() -> None:
    thing = Thing()
    watch = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGHUP))
    del thing
    assert watch() is None


def in_code() -> None:
    signal.raise_signal(signal.SIGHUP)


@pytest.mark.parametrize("arrive", [in_a_finalizer, in_the_callback_of_a_weak_reference, in_code])
def test_an_end_is_raised_though_a_finalizer_swallows_it(arrive: Callable[[], None]) -> None:
    before = signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGALRM), sys.unraisablehook
    reached = False
    with Ending() as ending:
        arrive()
        time.sleep(30)
        reached = True
    assert not reached
    assert (ending.name, ending.exit_code) == ("SIGHUP", 129)
    assert (signal.getsignal(signal.SIGHUP), signal.getsignal(signal.SIGALRM), sys.unraisablehook) == before


def test_what_else_a_finalizer_raises_is_reported_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    class Dying:
        def __del__(self) -> None:
            raise ValueError("lost")

    seen: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", lambda ignored: seen.append(ignored.exc_type))
    with Ending() as ending:
        Dying()
    assert seen == [ValueError]
    assert ending.name is None
