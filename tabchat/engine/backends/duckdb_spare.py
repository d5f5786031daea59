"""A database on its way to whoever will ask it: one that has read a file, or one that starts while other things load.

Starting one takes 25 ms, nearly all of them outside Python.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from tabchat.waiting import await_event

if TYPE_CHECKING:
    import duckdb


class SpareDatabase:
    """Holds one database that nobody uses, with no more in it than a new one, and not locked yet; it goes with this."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._connection: duckdb.DuckDBPyConnection | None = None
        self._is_wanted = True
        self._starting: threading.Event | None = None

    def begin(self) -> None:
        """Start a database meanwhile, unless there is one, one is starting, or nobody will come."""
        with self._guard:
            if not self._is_wanted or self._connection is not None or self._starting is not None:
                return
            started = threading.Event()
            threading.Thread(target=self._start, args=(started,), daemon=True).start()
            self._starting = started

    def _start(self, started: threading.Event) -> None:
        try:
            from tabchat.engine.duckdb_core import open_database

            self.give(open_database())
        except Exception:  # noqa: BLE001, S110 - whoever comes then starts one, and is told why that fails
            pass
        finally:
            started.set()

    def give(self, connection: duckdb.DuckDBPyConnection) -> None:
        """Leave a database to whoever takes it; it is closed when there is one already, or nobody will come."""
        with self._guard:
            if self._is_wanted and self._connection is None:
                self._connection = connection
                return
        connection.close()

    def borrow(self) -> duckdb.DuckDBPyConnection | None:
        """Return the database that was begun here, if there is one that nothing was done with yet; it may be left here again."""
        if self._starting is None:
            return None
        await_event(self._starting)
        with self._guard:
            self._starting = None
            connection, self._connection = self._connection, None
        return connection

    def take(self) -> duckdb.DuckDBPyConnection | None:
        """Return the database that was left or begun, if there is one; from now on nobody wants another."""
        begun = self.borrow()
        with self._guard:
            self._is_wanted = False
            connection, self._connection = begun or self._connection, None
        return connection
