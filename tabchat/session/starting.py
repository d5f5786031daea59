"""The engine of a session, which starts when it is first needed: what is kept is shown without one."""

from __future__ import annotations

import contextlib
import threading
from functools import partial
from typing import TYPE_CHECKING

from tabchat.errors import InterruptedByUserError, QueryFailedError
from tabchat.waiting import await_event

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from tabchat.engine.bounded.engine import BoundedDuckDBEngine as _Engine
    from tabchat.engine.table import Table
else:
    _Engine = object


class EngineOnDemand(_Engine):
    """A hold on an engine, as which it can be used everywhere; most of what is asked of it starts it.

    It starts on a thread of its own: most of that time is spent outside Python, and Ctrl-C must not leave half of it.
    """

    def __init__(self, start: Callable[[], _Engine], *, ends_process: bool = False) -> None:
        """Take over how to start one; `ends_process` says that the process ends when it is closed."""
        self._start = start
        self._ends_process = ends_process
        self._guard = threading.RLock()
        self._thread: threading.Thread | None = None
        self._has_started = threading.Event()
        self._engine: _Engine | None = None
        self._error: BaseException | None = None
        self._waiting: list[Table] = []
        self._is_watched = False
        self._awaiting: list[threading.Event] = []
        """Those who wait for the engine, each with whether it was stopped meanwhile."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.started(), name)

    def begin(self, *, runs_sql: bool = False) -> None:
        """Start the engine meanwhile, unless it was started; `runs_sql` says that SQL of somebody's follows."""
        with self._guard:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=partial(self._start_up, runs_sql=runs_sql), daemon=True
                )
                self._thread.start()

    def started(self) -> _Engine:
        """Wait until the engine runs, and return it; raises what starting it raised."""
        self.begin()
        is_stopped = threading.Event()
        self._awaiting.append(is_stopped)
        try:
            await_event(self._has_started)
        except KeyboardInterrupt:
            is_stopped.set()
        finally:
            self._awaiting.remove(is_stopped)
        if is_stopped.is_set():
            raise InterruptedByUserError("The query was stopped.")
        if self._engine is None:
            raise self._error or RuntimeError("the engine's thread ended without an engine")
        return self._engine

    def attach_table(self, table: Table) -> None:
        """Give a table its name: at once where the engine runs or its text is scanned, else when it starts."""
        with self._guard:
            if self._thread is None and table.stored:
                self._waiting = [other for other in self._waiting if other.name != table.name]
                self._waiting.append(table)
                return
        self.attach(table.name, table.scan, table.files)

    def for_sql(self, seconds: float | None = None) -> EngineOnDemand:
        """Return a hold on the same database for SQL that somebody wrote."""
        return EngineOnDemand(lambda: self.started().for_sql(seconds))

    def fork(self) -> EngineOnDemand:
        """Return a hold on the same database that is cancelled on its own."""
        return EngineOnDemand(lambda: self.started().fork())

    def watch(self) -> None:
        """From its start on, know how far a query is."""
        self._is_watched = True
        if self._engine is not None:
            self._engine.watch()

    def share_done(self) -> float | None:
        """Return the share of the running query that is done; None where that is not known."""
        return self._engine.share_done() if self._engine is not None else None

    def cancel(self) -> None:
        """Stop whatever is running, and who waits to."""
        for is_stopped in tuple(self._awaiting):
            is_stopped.set()
        if self._engine is not None:
            self._engine.cancel()

    def close(self, *, leaving: bool = False) -> None:
        """Release the engine, if one was started; none is started any more."""
        with self._guard:
            if self._thread is None:
                self._start = _closed
                return
        self._has_started.wait()
        if self._engine is not None:
            self._engine.close(leaving=leaving or self._ends_process)

    def _start_up(self, *, runs_sql: bool) -> None:
        try:
            with contextlib.ExitStack() as on_failure:
                engine = self._start()
                on_failure.callback(engine.close)
                for table in self._waiting:
                    engine.attach(table.name, table.scan, table.files)
                if self._is_watched:
                    engine.watch()
                if runs_sql:
                    engine.warm()
                on_failure.pop_all()
            self._engine = engine
        except BaseException as error:  # noqa: BLE001 - raised again where the engine is wanted
            self._error = error
        finally:
            self._has_started.set()


def load_answering() -> None:
    """Load what answers a question without a model: half of that time the engine writes its table.

    What cannot be loaded is told to whoever needs it and loads it again.
    """
    with contextlib.suppress(Exception):
        import tabchat.engine.query
        import tabchat.planner
        import tabchat.store.index  # noqa: F401


def _closed() -> _Engine:
    raise QueryFailedError("The engine is closed.", hint="Open the table again.")
