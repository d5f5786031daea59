"""Starting an engine while the interpreter does something else."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.engine.bounded.engine import BoundedDuckDBEngine


class StartingEngine:
    """An engine that starts on a thread of its own: most of that time is spent outside Python."""

    def __init__(self, start: Callable[[], BoundedDuckDBEngine], *, runs_sql: bool = False) -> None:
        self._start = start
        self._runs_sql = runs_sql
        self._engine: BoundedDuckDBEngine | None = None
        self._error: BaseException | None = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def ready(self) -> BoundedDuckDBEngine:
        """Wait until the engine runs, and return it; raises what starting it raised."""
        self._thread.join()
        if self._error is not None:
            raise self._error
        if self._engine is None:
            message = "the engine's thread ended without an engine"
            raise RuntimeError(message)
        return self._engine

    def discard(self) -> None:
        """Close the engine that nobody came to want."""
        self._thread.join()
        if self._engine is not None:
            self._engine.close()

    def _run(self) -> None:
        try:
            self._engine = self._start()
            if self._runs_sql:
                self._engine.warm()
        except BaseException as error:  # noqa: BLE001 - raised again where the engine is wanted
            self._error = error
