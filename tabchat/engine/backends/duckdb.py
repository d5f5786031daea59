"""DuckDB as a locked engine: it reads and writes only the folders it was given, and cannot be reconfigured."""

from __future__ import annotations

import contextlib
import copy
import itertools
import secrets
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from sqlglot import exp

from tabchat.engine.backends.duckdb_database import KEPT_PREFIX, Database, View
from tabchat.engine.backends.duckdb_lock import literal
from tabchat.engine.backends.duckdb_running import (
    BATCH_ROWS,
    Interruptible,
    Prepared,
    arrow_reader,
    attempt,
    executed_zoned,
    fetch,
    interruptible,
    plain,
    python_rows,
)
from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.duckdb_core import core as duckdb
from tabchat.engine.duckdb_core import load_relations
from tabchat.engine.limits import UNLIMITED
from tabchat.engine.types import Column
from tabchat.errors import QueryFailedError
from tabchat.inert import is_text
from tabchat.private_files import private_folder, sweep_work, work_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import BinaryIO

    import pyarrow as pa

    from tabchat.engine.backends.duckdb_spare import SpareDatabase
    from tabchat.engine.copying import Lines, Packed
    from tabchat.engine.limits import Limits
    from tabchat.engine.source_files import SourceFiles
    from tabchat.engine.types import Row, Schema

_COUNTING: Final = "SET enable_progress_bar_print = false; SET enable_progress_bar = true"
"""Each cursor counts its progress for itself; the engine is never to draw it."""


@contextlib.contextmanager
def _spill_folder(parent: Path) -> Iterator[Path]:
    """Give a folder of its own below `parent`, gone afterwards; those of processes that were killed go at once."""
    with contextlib.ExitStack() as stack:
        folder = parent
        # Where none can be made, who spills says so.
        with contextlib.suppress(OSError):
            private_folder(parent)
            sweep_work(parent)
            folder = stack.enter_context(work_folder(parent))
        yield folder
    # Another process may still spill there.
    with contextlib.suppress(OSError):
        parent.rmdir()


class DuckDBEngine:
    """One in-memory DuckDB database, usable from several threads at once.

    Settings are made in the order that matters: the spill folder first, then no
    outside access except `folders` and `files`, then the configuration is locked but for whether progress is counted.
    Each call has a cursor of its own, so one stream does not end another; what is
    attached or kept is visible to all of them.
    """

    dialect = "duckdb"

    def __init__(
        self,
        *,
        spill: Path,
        folders: Sequence[Path] = (),
        files: Sequence[Path] = (),
        limits: Limits = UNLIMITED,
        spare: SpareDatabase | None = None,
    ) -> None:
        self._own = contextlib.ExitStack()
        self._spill = self._own.enter_context(_spill_folder(Path(spill).absolute()))
        self._kept = itertools.count(1)
        self._lock = threading.Lock()
        self._running: set[Interruptible] = set()
        self._counts_progress = False
        self._left: duckdb.DuckDBPyConnection | None = None
        taken = spare.take() if spare is not None else None
        readable = frozenset(Path(file).absolute() for file in files)
        self._database = Database(
            spill=self._spill, folders=folders, files=readable, limits=limits, connection=taken
        )

    def begin(self) -> None:
        """Do nothing: it runs."""

    def schema(self, query: exp.Query) -> Schema:
        """Return the columns of `query` without running it."""
        with self._prepared(f"DESCRIBE {self.sql(query)}", query) as prepared:
            described = attempt(prepared, lambda: prepared.cursor.execute(prepared.sql).fetchall())
        return tuple(
            Column(name=str(name), kind=column_kind(str(sql_type)), sql_type=str(sql_type))
            for name, sql_type, *_ in described
        )

    def rows(self, query: exp.Query) -> list[Row]:
        """Run `query` and return its rows as Python values."""
        with self._prepared(self.sql(query), query) as prepared:
            return attempt(prepared, lambda: fetch(prepared))

    def stream(self, query: exp.Query, size: int = BATCH_ROWS) -> Iterator[list[Row]]:
        """Run `query` and yield its rows as Python values, at most `size` at a time and no more in memory."""
        with self._prepared(self.sql(query), query) as prepared:
            if not attempt(prepared, lambda: executed_zoned(prepared)):
                while rows := attempt(prepared, lambda: prepared.cursor.fetchmany(size)):
                    yield rows
                return
            reader = attempt(prepared, lambda: arrow_reader(prepared, size))
            while (batch := attempt(prepared, lambda: next(reader, None))) is not None:
                yield python_rows(batch)

    def execute(self, query: exp.Query) -> Iterator[pa.RecordBatch]:
        """Run `query` and stream Arrow record batches; a result without rows is one empty batch."""
        with self._prepared(self.sql(query), query) as prepared:
            reader = attempt(prepared, lambda: arrow_reader(prepared, BATCH_ROWS))
            seen = False
            while (batch := attempt(prepared, lambda: next(reader, None))) is not None:
                seen = True
                yield batch
            if not seen:
                import pyarrow as pa

                yield pa.RecordBatch.from_pylist([], schema=reader.schema)

    def materialise(self, query: exp.Query) -> exp.Select:
        """Run `query` once, keep its rows in order, and return a query over them."""
        name = f"{KEPT_PREFIX}{next(self._kept)}"
        with self._prepared(self.sql(query), query) as prepared:
            made = f"CREATE TABLE {name} AS {prepared.sql}"
            attempt(prepared, lambda: prepared.cursor.execute(made))
        return exp.select("*").from_(exp.to_table(name))

    def forget(self, query: exp.Query) -> None:
        """Let go of the rows that `query` reads, when they are kept ones; nobody may read them any more."""
        for table in query.find_all(exp.Table):
            if table.name.startswith(KEPT_PREFIX):
                self._run(f"DROP TABLE IF EXISTS {table.name}")

    def hold(self, table: pa.Table) -> exp.Select:
        """Keep the rows of an Arrow table, in order, and return a query over them."""
        name = f"{KEPT_PREFIX}{next(self._kept)}"
        load_relations()
        with self._cursor() as cursor:
            cursor.register(f"{name}_arrow", table)
            try:
                attempt(plain(cursor), lambda: cursor.execute(f"CREATE TABLE {name} AS FROM {name}_arrow"))
            finally:
                cursor.unregister(f"{name}_arrow")
        return exp.select("*").from_(exp.to_table(name))

    def write_parquet(self, query: exp.Query, path: Path) -> None:
        """Run `query` into a Parquet file in one of the engine's folders, replacing it whole or not at all."""
        path = Path(path).absolute()
        partial = path.with_name(f".{secrets.token_hex(8)}.parquet")
        target = f"TO {literal(partial)} (FORMAT parquet, COMPRESSION lz4)"
        try:
            with self._prepared(self.sql(query), query) as prepared:
                copy_rows = f"COPY ({prepared.sql}) {target}"
                interruptible(prepared, lambda: prepared.cursor.execute(copy_rows))
                for files in prepared.sources:
                    files.require_unchanged()
            partial.replace(path)
        except (duckdb.Error, OSError, UnicodeDecodeError) as error:
            from tabchat.engine.backends.duckdb_errors import output_error

            raise output_error(error, path) from error
        finally:
            partial.unlink(missing_ok=True)

    def write_lines(self, query: exp.Query, write: Callable[[bytes], object], lines: Lines) -> int | None:
        """Run `query` and hand its rows to `write` in blocks of lines; returns how many rows.

        `write` gets UTF-8, and what it raises stops the query.
        Returns None, with nothing written, where the engine has no place for its pipe.
        """
        from tabchat.engine.backends.duckdb_piping import write_lines

        with self._prepared(self.sql(query), query) as prepared:
            return write_lines(prepared, self._spill, lines, write)

    def write_into(self, query: exp.Query, file: BinaryIO, form: Lines | Packed) -> int | None:
        """Run `query` into an open file, from its beginning; returns how many rows.

        Raises `OSError` where the file takes no more. Returns None, with nothing written, where the system gives an
        open file no name.
        """
        from tabchat.engine.backends.duckdb_copying import write_into

        with self._prepared(self.sql(query), query) as prepared:
            return write_into(prepared, self._spill, file, form)

    def attach(self, name: str, scan: exp.Query, files: SourceFiles | None = None) -> None:
        """Give the rows of `scan` a name that later queries can use; `files` are the person's own that it reads."""
        if files is not None:
            self.admit(files)
        reads = frozenset(found.name for found in scan.find_all(exp.Identifier))
        self._make(View(name=name, sql=self.sql(scan), reads=reads, sources=self._sources(scan)))

    def admit(self, files: SourceFiles) -> None:
        """Let queries read a person's files by the name of their view, and nothing else that they could not before."""
        with self._database.attaching, self._lock:
            self._widen(Path(file.path) for file in files.files if not files.is_arrow)
        if files.name not in self._database.views:
            self._make(View(name=files.name, sql=files.sql, reads=frozenset(), sources=(files,)))

    def _widen(self, files: Iterable[Path]) -> bool:
        return self._database.widen(files)

    def _make(self, view: View) -> None:
        # Two replacements of the catalogue at once would be a conflict of transactions.
        with self._database.attaching, self._cursor() as cursor:
            prepared = self._database.lent(plain(cursor, view.made, view.sources))
            attempt(prepared, lambda: cursor.execute(view.made))
            self._database.views.pop(view.name.lower(), None)
            self._database.views[view.name.lower()] = view

    def _sources(self, query: exp.Query) -> tuple[SourceFiles, ...]:
        """Return the person's own files that a query reads."""
        views = self._database.views
        if not any(view.sources for view in views.values()):
            return ()
        named = {table.name.lower() for table in query.find_all(exp.Table)} & views.keys()
        found = {files.name: files for name in named for files in views[name].sources}
        return tuple(found.values())

    def fork(self) -> Self:
        """Return another hold on the same database: `cancel` stops the queries of one hold and not of the other.

        The database ends with the hold that it was made through.
        """
        other = copy.copy(self)
        other._running = set()  # noqa: SLF001 - a copy of our own
        return other

    def cancel(self) -> None:
        """Stop whatever is running; safe to call from another thread."""
        with self._lock:
            for cursor in self._running:
                cursor.interrupt()

    def watch(self) -> None:
        """From now on, know how far a query is."""
        self._counts_progress = True

    def share_done(self) -> float | None:
        """Return the share, 0 to 1, of the running query that is done; None where that is not known.

        Below a hundredth it is not: of what it cannot count, such as rows that arrive from elsewhere, the engine says 0.
        Safe to call from another thread; nothing is known before `watch`.
        """
        with self._lock:
            cursors = [item for item in self._running if isinstance(item, duckdb.DuckDBPyConnection)]
            known = [percent for cursor in cursors if 1 <= (percent := cursor.query_progress()) < 100]  # noqa: PLR2004 - per cent
        return min(known) / 100 if known else None

    def close(self, *, leaving: bool = False) -> None:
        """Release the database and its spill files; closing again does nothing.

        `leaving` says that the process ends: what the database has in memory goes with it, rather than piece by piece.
        """
        self.cancel()
        with self._lock:
            connection, self._database.connection = self._database.connection, None
        if connection is None:
            return
        if leaving:
            self._left = connection
        else:
            connection.close()
        self._own.close()

    def sql(self, query: exp.Query) -> str:
        """Render a query in this engine's dialect, identifiers quoted."""
        sql = query.sql(self.dialect, identify=True, comments=False)
        if not is_text(sql):
            message = "The query holds bytes or halves of characters that are no text."
            raise QueryFailedError(message, hint="Write it in UTF-8.")
        return sql

    def _run(self, sql: str) -> None:
        with self._cursor() as cursor:
            attempt(plain(cursor, sql), lambda: cursor.execute(sql))

    @contextlib.contextmanager
    def _prepared(self, sql: str, query: exp.Query) -> Iterator[Prepared]:
        """Yield where and how to get the rows of `sql`, which is `query` or a description of it."""
        with self._cursor() as cursor:
            yield self._database.lent(plain(cursor, sql, self._sources(query)))

    @contextlib.contextmanager
    def _cursor(self) -> Iterator[duckdb.DuckDBPyConnection]:
        with self._lock:
            if self._database.connection is None:
                raise QueryFailedError("The engine is closed.", hint="Open the table again.")
            cursor = self._database.connection.cursor()
            self._running.add(cursor)
        try:
            if self._counts_progress:
                cursor.execute(_COUNTING)
            yield cursor
        finally:
            with self._lock:
                self._running.discard(cursor)
            cursor.close()
