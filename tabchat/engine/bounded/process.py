"""The session's side of its query processes: started, asked, read from, and killed when they do not end."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Self

from tabchat.engine.bounded import frames
from tabchat.engine.bounded.frames import BrokenFrameError, Channel, RowReader, RowWriter
from tabchat.engine.bounded.starting import start_child
from tabchat.errors import InterruptedByUserError, QueryFailedError, QueryTimeoutError, TabchatError

if TYPE_CHECKING:
    import socket
    import subprocess
    from collections.abc import Iterator, Mapping, Sequence

    import pyarrow as pa

    from tabchat.engine.bounded.pool import Setup
    from tabchat.engine.source_files import Stamp

_BOOT: Final = (
    "import sys; sys.path += sys.argv[3:]; from tabchat.engine.bounded.worker import main; "
    "main(int(sys.argv[1]), int(sys.argv[2]))"
)
_ENVIRONMENT: Final = {
    # Arenas are address space, which is what is limited.
    "MALLOC_ARENA_MAX": "2",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "ARROW_NUM_THREADS": "1",
    "ARROW_IO_THREADS": "1",
    "ARROW_DEFAULT_MEMORY_POOL": "system",
}
_MORE_MEMORY: Final = "Allow more with TABCHAT_MEMORY_LIMIT, or ask for fewer rows, columns or joins."
_MORE_TIME: Final = "Give it longer with --timeout (TABCHAT_TIMEOUT), or ask for less."
_START_SECONDS: Final = 60.0
"""How long a process may take to start."""
BATCH_LIMIT: Final = 1 << 40
"""Bytes of one buffer of rows that are accepted where queries have no limit of their own."""


class QueryProcess:
    """One process, which runs one query at a time; killing it is safe from any thread and at any moment."""

    def __init__(
        self, process: subprocess.Popen[bytes], connection: socket.socket, lifeline: int, setup: Setup
    ) -> None:
        self._process = process
        self._connection = connection
        self._channel = Channel(connection)
        self._lifeline = lifeline
        self._limit = max(setup.memory_limit or BATCH_LIMIT, frames.CHUNK)
        self._spill = setup.spill / f"query-{secrets.token_hex(8)}"
        self._is_ready = False
        self._seconds: float | None = None
        self._is_cancelled = False
        self._is_free = True
        """Whether nothing is on its way to or from it."""
        self._rows: RowReader | None = None
        self.held: set[str] = set()
        """Tables that were sent to it."""
        opening = {"settings": list(setup.settings(self._spill)), "spill": str(self._spill)}
        with contextlib.suppress(OSError):
            # One that died at once is met by whoever asks it.
            self._channel.say(frames.OPEN, opening)

    @classmethod
    def start(cls, setup: Setup) -> Self:
        """Start a process and return at once; its libraries load in the background."""
        libraries = ("tabchat", "duckdb", "pyarrow", "numpy")
        try:
            started = start_child(_BOOT, libraries=libraries, environment=_ENVIRONMENT)
        except OSError as error:
            message = f"The process that runs queries cannot be started: {error.strerror}."
            raise QueryFailedError(message, hint="Close other programs, and try again.") from error
        return cls(*started, setup)

    @property
    def pid(self) -> int:
        """Its process number."""
        return self._process.pid

    @property
    def is_free(self) -> bool:
        """Tell whether it can be asked: it runs, and has answered what it was asked before."""
        return self._is_free and not self._is_cancelled and self._process.poll() is None

    def allow(self, seconds: float | None) -> None:
        """Let the waits for it take so long from now on, altogether; its own start does not count."""
        self._is_free = False
        self._rows = None
        if not self._is_ready:
            # It is needed soon, and loads here while the process loads its own.
            import_module("pyarrow.ipc")
            self._channel.allow(_START_SECONDS)
            self._expect(frames.READY)
            self._is_ready = True
        self._seconds = seconds
        self._channel.allow(seconds)

    def hold(self, name: str, rows: pa.RecordBatchReader, types: Sequence[str]) -> None:
        """Send the rows of a table that is in no file."""
        import pyarrow as pa

        columns = list(zip(rows.schema.names, types, strict=True))
        self._channel.say(frames.HOLD, {"name": name, "columns": columns, "limit": self._limit})
        sink = RowWriter(self._channel)
        with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), rows.schema) as writer:
            for batch in rows:
                writer.write_batch(batch)
        sink.finish()
        self._expect(frames.END)
        self.held.add(name)

    def ask(
        self, sql: str, views: Mapping[str, str], arrow: Mapping[str, tuple[str, Stamp]]
    ) -> tuple[pa.RecordBatchReader, list[str]]:
        """Start a query; returns its rows as they come, and the types of its columns.

        `arrow` are the Arrow files that its views read: name → path and what it was when it was opened.
        """
        import pyarrow as pa

        self._channel.say(frames.QUERY, {"sql": sql, "views": views, "arrow": arrow})
        types = self._expect(frames.TYPES)["types"]
        rows = self._rows = RowReader(self._channel, limit=self._limit)
        arriving = pa.ipc.open_stream(pa.PythonFile(rows, mode="r"))
        return pa.RecordBatchReader.from_batches(arriving.schema, self._batches(arriving, rows)), types

    def _batches(self, arriving: pa.RecordBatchReader, rows: RowReader) -> Iterator[pa.RecordBatch]:
        yield from arriving
        rows.finish()
        self._is_free = True

    def _expect(self, wanted: bytes) -> dict[str, Any]:
        kind, payload = self._channel.receive()
        if kind == frames.FAILED:
            # Nothing of an answer is on its way, so it can be asked something else; not so where memory ran out: a thread
            # of the engine may still fall over what it did not get, and take the next query with it.
            self._is_free = json.loads(payload)["kind"] != "OutOfMemoryException"
            raise failure_of(bytes(payload))
        if kind != wanted:
            message = "another answer than the one that was asked for"
            raise self._channel.failed(BrokenFrameError(message))
        content: dict[str, Any] = json.loads(payload) if payload else {}
        return content

    def failure(self) -> TabchatError | None:
        """Return why a query has no rows, nothing when that is not for its process to say."""
        if self._is_cancelled:
            return InterruptedByUserError("The query was stopped.")
        if self._rows is not None and self._rows.failure is not None:
            return failure_of(self._rows.failure)
        return None if self._channel.trouble is None else self._lost(self._channel.trouble)

    def _lost(self, trouble: OSError | EOFError) -> TabchatError:
        if not self._is_ready:
            message = "The process that runs queries did not start."
            return QueryFailedError(message, hint="Run `tabchat doctor`, or try again.", plain=message)
        match trouble:
            case TimeoutError():
                message = f"The query ran longer than {self._seconds:g} s and was stopped."
                return QueryTimeoutError(message, hint=_MORE_TIME)
            case BrokenFrameError():
                message = f"The answer of the process that ran the query is not used: {trouble}."
                return QueryFailedError(message, hint="Ask again.", plain="The query failed.")
            case _:
                return _ended(self._process.wait())

    def interrupt(self) -> None:
        """Kill it, because nobody wants its answer any more."""
        self._is_cancelled = True
        self._process.kill()

    def leave(self) -> None:
        """Kill it unless it has answered to the end."""
        if not self._is_free:
            self.interrupt()

    def close(self) -> None:
        """End it, and remove what it spilled."""
        self._process.kill()
        self._process.wait()
        self._connection.close()
        if self._lifeline >= 0:
            os.close(self._lifeline)
            self._lifeline = -1
        shutil.rmtree(self._spill, ignore_errors=True)


def failure_of(payload: bytes) -> TabchatError:
    """Return what to tell of a failure inside the process: as if the session's own engine had met it."""
    from tabchat.engine.backends.duckdb_errors import query_error
    from tabchat.engine.duckdb_core import core as duckdb

    told = json.loads(payload)
    kind = getattr(duckdb, str(told["kind"]), duckdb.Error)
    is_error = isinstance(kind, type) and issubclass(kind, duckdb.Error)
    return query_error((kind if is_error else duckdb.Error)(str(told["text"])))


def _ended(code: int) -> TabchatError:
    plain = "The query needs more memory than it may use."
    if code in {frames.OUT_OF_MEMORY, -signal.SIGKILL}:
        return QueryFailedError(plain, hint=_MORE_MEMORY, plain=plain)
    how = f"signal {-code}" if code < 0 else f"exit code {code}"
    with contextlib.suppress(ValueError):
        how = signal.Signals(-code).name if code < 0 else how
    message = (
        f"The process that ran the query ended ({how}), perhaps because the query needs too much memory."
    )
    return QueryFailedError(message, hint=_MORE_MEMORY, plain=plain)
