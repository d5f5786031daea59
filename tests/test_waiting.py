"""Waits end with what was waited for, or with the time that there was."""

import queue
import threading

import pytest

from tabchat.waiting import LOOK_EVERY, await_event, await_item


def test_an_item_that_is_there_is_taken_at_once() -> None:
    inbox: queue.SimpleQueue[str] = queue.SimpleQueue()
    inbox.put("first")
    inbox.put("second")
    assert [await_item(inbox), await_item(inbox, lambda: 0.0)] == ["first", "second"]


def test_a_wait_is_over_with_its_time() -> None:
    left = iter([3 * LOOK_EVERY, LOOK_EVERY])
    with pytest.raises(TimeoutError):
        await_item(queue.SimpleQueue[str](), lambda: next(left))


def test_what_comes_from_another_thread_is_waited_for() -> None:
    inbox: queue.SimpleQueue[str] = queue.SimpleQueue()
    done = threading.Event()
    for late in (lambda: inbox.put("late"), done.set):
        threading.Timer(2 * LOOK_EVERY, late).start()
    await_event(done)
    assert await_item(inbox) == "late"
