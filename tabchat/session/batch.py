"""Several questions at once, each a conversation of its own; what happens is told in the order of the questions."""

from __future__ import annotations

import queue
import threading
from collections import defaultdict, deque
from collections.abc import Generator
from typing import TYPE_CHECKING, Final, Self, TypeAlias

from tabchat.chat.turn.events import Done, Failed
from tabchat.config import Planner
from tabchat.session.deadline import CANCEL_EVERY
from tabchat.waiting import await_item

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from tabchat.chat.turn.answer import Answer
    from tabchat.chat.turn.events import Event
    from tabchat.session.session import Session

STOP_SECONDS: Final = 2.0
"""How long to wait for running queries to stop; a model that does not answer is not waited for."""

_News: TypeAlias = "Event | BaseException | None"
"""What a worker reports of a question: what happened, that it cannot go on, or that the question is over."""


class Batch:
    """Asks questions on threads of its own; inside `with`, no thread outlives a failure.

    Every thread has a fork of the session, so that conversations, time limits and
    tables of results never mix. Rules take milliseconds of the interpreter's own
    time, so several threads are used only where a model may be asked; and only one
    under a limit of cost, which holds because each request is paid before the next.
    """

    def __init__(
        self,
        session: Session,
        questions: Mapping[int, str],
        *,
        jobs: int,
        finished: Callable[[int, Answer], None] | None = None,
    ) -> None:
        """Prepare to ask `questions`, by their number.

        `finished` is told each answer as soon as it is there, in any order, on the
        thread that asked; what it raises ends the batch.
        """
        self._session = session
        self._finished = finished
        self._waiting: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        for item in questions.items():
            self._waiting.put(item)
        self._inbox: queue.SimpleQueue[tuple[int, _News]] = queue.SimpleQueue()
        self._told: defaultdict[int, deque[Event]] = defaultdict(deque)
        self._over: set[int] = set()
        self._stopping = threading.Event()
        self._forks: list[Session] = []
        self._threads: list[threading.Thread] = []
        self._count = min(jobs if _may_overlap(session) else 1, len(questions))

    def __enter__(self) -> Self:
        # Made here, since a fork reads what the session's own thread may change.
        self._forks = [self._session.fork() for _ in range(self._count)]
        for fork in self._forks:
            thread = threading.Thread(target=self._work, args=(fork,), name="tabchat-batch", daemon=True)
            thread.start()
            self._threads.append(thread)
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        for fork in self._forks:
            fork.kept.close()

    def events(self, number: int, *, meanwhile: Callable[[], None] | None = None) -> Iterator[Event]:
        """Yield what happens to one question, as it happens; the last event is `Done` or `Failed`.

        `meanwhile` is called whenever another question is over while this one is
        waited for. Raises what `finished` raised, and nothing else.
        """
        while True:
            while self._told[number]:
                yield self._told[number].popleft()
            if number in self._over:
                del self._told[number]
                return
            other = self._hear()
            if meanwhile is not None and other in self._over:
                meanwhile()

    def is_over(self, number: int) -> bool:
        """Return whether everything that happens to a question is known, without waiting."""
        while not self._inbox.empty():
            self._hear()
        return number in self._over

    def stop(self) -> None:
        """Stop what is running and ask nothing more; questions that are over stay told."""
        self._stopping.set()
        for _ in range(int(STOP_SECONDS / CANCEL_EVERY)):
            running = [thread for thread in self._threads if thread.is_alive()]
            if not running:
                return
            for fork in self._forks:
                # Between two queries there is nothing to cancel: ask until the thread is done.
                fork.cancel()
            running[0].join(CANCEL_EVERY)

    def _hear(self) -> int:
        number, news = await_item(self._inbox)
        if isinstance(news, BaseException):
            raise news
        if news is None:
            self._over.add(number)
        else:
            self._told[number].append(news)
        return number

    def _work(self, fork: Session) -> None:
        try:
            while not self._stopping.is_set():
                try:
                    number, question = self._waiting.get_nowait()
                except queue.Empty:
                    return
                try:
                    self._ask(fork, number, question)
                except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
                    self._inbox.put((number, error))
                    return
        finally:
            fork.store.release()

    def _ask(self, fork: Session, number: int, question: str) -> None:
        fork.start_over()
        coming = fork.ask(question)
        try:
            for event in coming:
                if self._stopping.is_set():
                    return
                if self._finished is not None and isinstance(event, (Done, Failed)):
                    self._finished(number, event.answer)
                self._inbox.put((number, event))
        finally:
            if isinstance(coming, Generator):
                # A turn that was stopped must not go on reading from a model.
                coming.close()
        self._inbox.put((number, None))


def may_ask_model(session: Session) -> bool:
    """Return whether a question may reach a language model."""
    if session.models is not None:
        return any(model.planner == "llm" for model in session.models)
    return session.settings.planner is not Planner.RULES and session.language.is_set


def _may_overlap(session: Session) -> bool:
    return may_ask_model(session) and session.settings.max_cost is None
