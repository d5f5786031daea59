"""The time limit of a query stops that query, and never the next one."""

import threading
from typing import cast

from tabchat.engine.types import Engine
from tabchat.session.deadline import Deadline


class _SlowToCancel:
    """An engine that is in the middle of a cancel until somebody has moved on, or nobody does."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.moved_on = threading.Event()
        self.happened: list[str] = []

    def cancel(self) -> None:
        self.begun.set()
        self.moved_on.wait(0.2)
        self.happened.append("cancelled")


def test_who_leaves_waits_for_a_cancel_that_is_under_way() -> None:
    engine = _SlowToCancel()
    with Deadline(0, cast("Engine", engine)):
        assert engine.begun.wait(30)
    engine.happened.append("next query")
    engine.moved_on.set()
    assert engine.happened[-2:] == ["cancelled", "next query"]
