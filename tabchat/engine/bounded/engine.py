"""DuckDB with bounds that hold: what somebody wrote runs in a process with a memory limit that can be killed.

An interrupt of the engine is seen between the calls of functions and not inside one, and its memory limit
counts what its buffer manager holds and not what functions allocate. So such a query is run by another
process, and its rows come back as an Arrow stream that this database reads like any other source: what is
made of them, values, files or kept tables, is made here, as for every query.
"""

from __future__ import annotations

import contextlib
import copy
import re
from typing import TYPE_CHECKING, Final, Self

from tabchat.engine.ast_core import exp
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.backends.duckdb_database import KEPT_PREFIX, arrow_rows
from tabchat.engine.backends.duckdb_running import ZONED, Prepared, attempt
from tabchat.engine.bounded.growth import outgrows
from tabchat.engine.bounded.pool import QueryProcesses, Setup
from tabchat.engine.duckdb_core import load_relations
from tabchat.engine.limits import UNLIMITED
from tabchat.errors import DataKeyError, TabchatError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    import duckdb
    import pyarrow as pa

    from tabchat.engine.backends.duckdb_spare import SpareDatabase
    from tabchat.engine.bounded.process import QueryProcess
    from tabchat.engine.limits import Limits

_ARRIVING: Final = "__arriving"
_LOSSLESS: Final = ("SET arrow_lossless_conversion = true", "SET arrow_large_buffer_size = true")
"""Settings with which Arrow keeps every type of the engine but ENUM."""
_LOST: Final = re.compile(r"\bENUM\(")


class _Asking:
    """One query on its way to a process: it can be stopped at every moment of that, also before there is one."""

    def __init__(self, cursor: duckdb.DuckDBPyConnection) -> None:
        self._cursor = cursor
        self._is_stopped = False
        self.process: QueryProcess | None = None

    def given(self, process: QueryProcess) -> QueryProcess:
        """Go on with this process."""
        self.process = process
        if self._is_stopped:
            process.interrupt()
        return process

    def interrupt(self) -> None:
        """Stop the query."""
        self._is_stopped = True
        if self.process is not None:
            self.process.interrupt()
        self._cursor.interrupt()


class BoundedDuckDBEngine(DuckDBEngine):
    """The database of a session, some of whose queries are run by another process.

    These are the ones whose texts may outgrow this one, and on the hold that `for_sql` returns, all of them.
    """

    def __init__(
        self,
        *,
        spill: Path,
        folders: Sequence[Path] = (),
        files: Sequence[Path] = (),
        limits: Limits = UNLIMITED,
        spare: SpareDatabase | None = None,
    ) -> None:
        super().__init__(spill=spill, folders=folders, files=files, limits=limits, spare=spare)
        setup = Setup(
            settings=lambda folder: (*_LOSSLESS, *self._database.locking(folder)),
            spill=self._spill,
            memory_limit=limits.memory,
        )
        self.processes = QueryProcesses(setup)
        self._runs_none_itself = False
        self._seconds: float | None = None

    def for_sql(self, seconds: float | None = None) -> Self:
        """Return a hold on the same database that has every query run by a process, for at most so many seconds.

        What stops the queries of one hold stops those of the other.
        """
        other = copy.copy(self)
        other._runs_none_itself = True  # noqa: SLF001 - a copy of our own
        other._seconds = seconds  # noqa: SLF001 - a copy of our own
        return other

    @property
    def embedded(self) -> Self:
        """The hold that asks no other engine for rows: itself."""
        return self

    def warm(self) -> None:
        """Start a process while something else goes on."""
        self.processes.warm()

    def _widen(self, files: Iterable[Path]) -> bool:
        widened = super()._widen(files)
        if widened:
            self.processes.renew()
        return widened

    def close(self, *, leaving: bool = False) -> None:
        """Release the database, its processes and their spill files; closing again does nothing."""
        self.cancel()
        self.processes.close()
        super().close(leaving=leaving)

    @contextlib.contextmanager
    def _prepared(self, sql: str, query: exp.Query) -> Iterator[Prepared]:
        if not self._runs_none_itself and not outgrows(query, sql):
            with super()._prepared(sql, query) as prepared:
                yield prepared
            return
        with self._cursor() as cursor, self._asking(cursor) as asking:
            sources = self._sources(query)
            prepared = Prepared(cursor=cursor, sql=sql, interrupt=asking.interrupt, sources=sources)
            try:
                stream, types = attempt(prepared, lambda: self._asked(asking, sql, query))
                load_relations()
                cursor.register(_ARRIVING, stream)
                yield Prepared(
                    cursor=cursor,
                    sql=_select(stream.schema.names, types),
                    interrupt=asking.interrupt,
                    is_zoned=any(ZONED in name for name in types),
                    sources=sources,
                )
            except DataKeyError:
                raise
            except Exception as error:
                told = asking.process.failure() if asking.process is not None else None
                if told is None and isinstance(error, TabchatError):
                    told = error
                if told is None:
                    raise
                from tabchat.engine.backends.duckdb_errors import source_error

                raise source_error(told, sources) from error

    @contextlib.contextmanager
    def _asking(self, cursor: duckdb.DuckDBPyConnection) -> Iterator[_Asking]:
        asking = _Asking(cursor)
        with self._lock:
            self._running.add(asking)
        try:
            yield asking
        finally:
            with self._lock:
                self._running.discard(asking)
            if asking.process is not None:
                # Before the cursor closes, which would wait for a scan that waits for rows.
                asking.process.leave()
                self.processes.take_back(asking.process)

    def _asked(self, asking: _Asking, sql: str, query: exp.Query) -> tuple[pa.RecordBatchReader, list[str]]:
        process = asking.given(self.processes.lend())
        process.allow(self._seconds)
        views, kept = self._named(query)
        for name in sorted(kept - process.held):
            self._send(process, name)
        arrow = {
            files.arrow_name: (file.path, file.stamp)
            for files in self._sources(query)
            if files.is_arrow
            for file in files.files
        }
        return process.ask(sql, views, arrow)

    def _named(self, query: exp.Query) -> tuple[dict[str, str], set[str]]:
        """Return the views that a query reads, each after those that it reads itself, and the tables in no file."""
        views: dict[str, str] = {}
        kept: set[str] = set()
        seen: set[str] = set()

        def visit(names: Iterable[str]) -> None:
            # Also names of columns: a view too many does no harm.
            for name in set(names) - seen:
                seen.add(name)
                if name.startswith(KEPT_PREFIX):
                    kept.add(name)
                elif (view := self._database.views.get(name.lower())) is not None:
                    visit(view.reads)
                    views[view.name] = view.sql

        visit(found.name for found in query.find_all(exp.Identifier))
        return views, kept

    def _send(self, process: QueryProcess, name: str) -> None:
        """Send a table that is in no file; types that Arrow alters go as text, and are cast back there."""
        with self._cursor() as cursor:
            rows, types = arrow_rows(cursor, name)
            process.hold(name, rows, list(types.values()))


def _select(names: Sequence[str], types: Sequence[str]) -> str:
    """Return the SELECT of what arrives, each column in the type that it has in its process."""
    if not any(map(_LOST.search, types)):
        return f"SELECT * FROM {_ARRIVING}"  # noqa: S608 - a constant
    places = [f"c{number}" for number in range(len(names))]
    cells = ", ".join(
        f"CAST({place} AS {sql_type}) AS {exp.to_identifier(name, quoted=True).sql('duckdb')}"
        for place, name, sql_type in zip(places, names, types, strict=True)
    )
    return f"SELECT {cells} FROM {_ARRIVING} AS arriving({', '.join(places)})"  # noqa: S608 - quoted, or the engine's own
