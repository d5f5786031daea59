"""The query processes of a session: what they are started with, and which of them is free."""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING

from tabchat.errors import QueryFailedError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from tabchat.engine.bounded.process import QueryProcess


@record
class Setup:
    """What a query process is started with."""

    settings: Callable[[Path], Iterable[str]]
    """The statements that lock its database, for the folder that it may spill to."""
    spill: Path
    """Where each process has a folder of its own to spill to."""
    memory_limit: int | None = None
    """Bytes that one query may take; the engine's own rule when absent."""


class QueryProcesses:
    """The query processes of one session: started when there is a query, kept while they are good for another."""

    def __init__(self, setup: Setup) -> None:
        self._setup = setup
        self._idle: list[QueryProcess] = []
        self._lent: set[QueryProcess] = set()
        self._outdated: set[QueryProcess] = set()
        self._guard = threading.Lock()

    @property
    def pids(self) -> tuple[int, ...]:
        """The numbers of the processes that there are, those that are free first."""
        with self._guard:
            return tuple(process.pid for process in (*self._idle, *self._lent))

    def warm(self) -> None:
        """Start a process while something else goes on."""
        with self._guard, contextlib.suppress(QueryFailedError):
            # Whoever asks is told why there is none.
            if not self._idle and not self._lent:
                self._idle.append(self._started())

    def lend(self) -> QueryProcess:
        """Return a process for one query; raises `QueryFailedError` when none can be started."""
        with self._guard:
            while self._idle:
                process = self._idle.pop()
                if process.is_free:
                    break
                process.close()
            else:
                process = self._started()
            self._lent.add(process)
            return process

    def take_back(self, process: QueryProcess) -> None:
        """Keep a process for the next query when it is free and there is no other; else end it."""
        with self._guard:
            self._lent.discard(process)
            if process.is_free and not self._idle and process not in self._outdated:
                self._idle.append(process)
                return
            self._outdated.discard(process)
        process.close()

    def renew(self) -> None:
        """Start others from now on, because what they are started with has changed."""
        with self._guard:
            ending, self._idle = self._idle, []
            self._outdated |= self._lent
        for process in ending:
            process.close()

    def close(self) -> None:
        """End every process."""
        with self._guard:
            ending, self._idle = [*self._idle, *self._lent], []
        for process in ending:
            process.close()

    def _started(self) -> QueryProcess:
        from tabchat.engine.bounded.process import QueryProcess

        return QueryProcess.start(self._setup)
