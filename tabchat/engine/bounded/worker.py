"""The query process: it runs one query after the other under a memory limit, and ends with its session.

Its DuckDB has the same lock as the session's own. Whatever does not fit the limit fails here: inside the
engine where it notices, else with the process. Only the standard library loads before the limit is known.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import socket
import sys
import threading
from typing import TYPE_CHECKING, Any, Final, NoReturn

from tabchat.engine.bounded import frames
from tabchat.engine.bounded.frames import Channel, RowReader, RowWriter
from tabchat.engine.bounded.limits import limit_memory, peak_memory

if TYPE_CHECKING:
    import duckdb

ROWS: Final = 16_384
"""Rows of one batch: eight vectors of the engine, so that wide rows stay far below the limit."""
HEADROOM: Final = 256 << 20
"""Bytes of address space beyond what the process has when it is ready and what queries may take: for the
interpreter, the rows on their way out, and what the allocators keep."""

_LOOK_EVERY: Final = 0.05
_UNITS: Final = {"bytes": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30, "TiB": 1 << 40}
_NAMED: Final = re.compile(r"^(?P<kind>[A-Za-z ]+) Error: ")


def main(control: int, lifeline: int) -> NoReturn:
    """Serve queries until the session is gone."""
    channel = Channel(socket.socket(fileno=control))
    kind, payload = channel.receive()
    setup = json.loads(payload)
    watch = threading.Thread(target=_watch, args=(lifeline, setup["spill"], None), daemon=True)
    watch.start()
    if kind == frames.OPEN:
        database = _opened(setup["settings"])
        _limit(database, lifeline, setup["spill"])
        channel.say(frames.READY)
        served = _Served(database, channel)
        with contextlib.suppress(EOFError, BrokenPipeError, ConnectionResetError):
            while True:
                served.serve()
    _end(setup["spill"])


def _opened(settings: list[str]) -> duckdb.DuckDBPyConnection:
    # Arrow works without it, and it would be a third of the time that the process takes to start.
    sys.modules["numpy"] = None  # type: ignore[assignment]
    import pyarrow.ipc  # noqa: F401 - loaded before the limit is set

    from tabchat.engine.duckdb_core import load_relations, open_database

    load_relations()
    database = open_database()
    for statement in settings:
        database.execute(statement)
    # Threads and pools start with the first query, and belong to what the process is without any.
    database.sql("SELECT sum(range) FROM range(100000)").to_arrow_reader(ROWS).read_all()
    return database


def _limit(database: duckdb.DuckDBPyConnection, lifeline: int, spill: str) -> None:
    """Bound what queries may take beyond what the process holds when it is ready."""
    most = limit_memory(_memory_limit(database) + HEADROOM)
    if most is not None:
        threading.Thread(target=_watch, args=(lifeline, spill, most), daemon=True).start()


def _memory_limit(database: duckdb.DuckDBPyConnection) -> int:
    """Return the bytes that the engine allows itself; it knows of containers, too."""
    ((text,),) = database.sql("SELECT current_setting('memory_limit')").fetchall()
    number, _, unit = str(text).partition(" ")
    return int(float(number) * _UNITS[unit])


def _watch(lifeline: int, spill: str, most: int | None) -> None:
    """End the process when the session is gone, or when it ever held more memory than `most`."""
    import select

    watched = select.poll()
    watched.register(lifeline, select.POLLIN)
    while not watched.poll(None if most is None else _LOOK_EVERY * 1000):
        if most is not None and peak_memory() > most:
            _end(spill, frames.OUT_OF_MEMORY)
    _end(spill)


def _end(spill: str, code: int = 0) -> NoReturn:
    shutil.rmtree(spill, ignore_errors=True)
    os._exit(code)


class _Served:
    """The database with what the session has attached to it so far."""

    def __init__(self, database: duckdb.DuckDBPyConnection, channel: Channel) -> None:
        self._database = database
        self._channel = channel
        self._views: dict[str, str] = {}
        self._arrow: set[str] = set()

    def serve(self) -> None:
        """Wait for one request, and answer it."""
        kind, payload = self._channel.receive()
        request = json.loads(payload)
        try:
            if kind == frames.HOLD:
                self._hold(request)
            else:
                self._answer(request)
        except (EOFError, BrokenPipeError, ConnectionResetError):
            raise
        except Exception as error:  # noqa: BLE001 - every failure of a query is told to the session
            self._channel.say(frames.FAILED, _told(error))

    def _hold(self, request: dict[str, Any]) -> None:
        """Keep the rows that arrive as a table; those that it cannot keep are taken all the same."""
        source = RowReader(self._channel, limit=request["limit"])
        try:
            self._keep(source, request["name"], request["columns"])
        finally:
            while source.read(frames.CHUNK):
                pass
        self._channel.say(frames.END)

    def _keep(self, source: RowReader, name: str, columns: list[tuple[str, str]]) -> None:
        import pyarrow as pa

        cells = ", ".join(
            f"CAST({_quoted(column)} AS {kind}) AS {_quoted(column)}" for column, kind in columns
        )
        rows = pa.ipc.open_stream(pa.PythonFile(source, mode="r"))
        self._database.register("__arriving", rows)
        try:
            self._database.execute(f"CREATE TABLE {_quoted(name)} AS SELECT {cells} FROM __arriving")  # noqa: S608 - quoted
        finally:
            self._database.unregister("__arriving")

    def _answer(self, request: dict[str, Any]) -> None:
        import pyarrow as pa

        self._lend(request["arrow"])
        for name, scan in request["views"].items():
            if self._views.get(name) != scan:
                self._database.execute(f"CREATE OR REPLACE VIEW {_quoted(name)} AS {scan}")
                self._views[name] = scan
        relation = self._database.sql(request["sql"])
        types = [str(sql_type) for sql_type in relation.types]
        reader = relation.to_arrow_reader(ROWS)
        self._channel.say(frames.TYPES, {"types": types})
        sink = RowWriter(self._channel)
        with pa.ipc.new_stream(pa.PythonFile(sink, mode="w"), reader.schema) as writer:
            for batch in reader:
                writer.write_batch(batch)
        sink.finish()

    def _lend(self, arrow: dict[str, tuple[str, tuple[int, int, int, int]]]) -> None:
        """Give the database the rows of the person's Arrow files that a query reads; it opens none itself."""
        for name, (path, stamp) in arrow.items():
            if name not in self._arrow:
                from tabchat.engine.arrow_rows import ArrowRows

                inode, size, written, changed = stamp
                self._database.register(name, ArrowRows(path, (inode, size, written, changed)))
                self._arrow.add(name)


def _told(error: Exception) -> dict[str, str]:
    """Return the kind and the text of a failure; rows that fail on their way to Arrow name the kind in the text."""
    import duckdb

    # The engine cuts its messages between bytes, so that some are not text.
    text = error.object.decode(errors="replace") if isinstance(error, UnicodeDecodeError) else str(error)
    kind = type(error).__name__
    if isinstance(error, MemoryError):
        kind = "OutOfMemoryException"
    elif not isinstance(error, duckdb.Error) and (named := _NAMED.match(text)):
        wanted = named["kind"].replace(" ", "").casefold() + "exception"
        kind = next((name for name in dir(duckdb) if name.casefold() == wanted), kind)
    return {"kind": kind, "text": text[:100_000]}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
