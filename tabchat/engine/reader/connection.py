"""The reader's own DuckDB connection: it may touch files, reports progress and can be interrupted."""

from __future__ import annotations

import errno
import re
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tabchat.engine.limits import UNLIMITED
from tabchat.engine.types import whole
from tabchat.errors import InputError, InterruptedByUserError, OutputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import ModuleType

    import duckdb
    import pyarrow as pa
    from duckdb.sqltypes import DuckDBPyType
    from sqlglot import exp

    from tabchat.engine.backends.duckdb_spare import SpareDatabase
    from tabchat.engine.limits import Limits
    from tabchat.engine.types import Row

PROGRESS_BYTES: Final = 50_000_000
"""Files from this size on report progress."""
_TICK: Final = 0.2
_WIDE: Final = 200
_SHORT: Final = 4_000_000
"""Bytes of a text up to which planning takes longer than what it finds is worth."""
_AS_WRITTEN: Final = "join_order,build_side_probe_side"
"""The engine cannot know how few records are flagged, and would hold the whole text instead of them."""
_OWN_SETTINGS: Final = (
    "enable_progress_bar",
    "enable_progress_bar_print",
    "parquet_metadata_cache",
    "temp_directory",
    "disabled_optimizers",
)
"""Settings that are for reading alone."""
_FAILURE: Final = re.compile(r"^[A-Z]\w*(?: \w+)* Error: ")
_FULL: Final = ("No space left on device", "File too large", "Disk quota exceeded")


class MalformedError(Exception):
    """The engine's fast reader does not follow the text; the careful reader may."""

    @property
    def told(self) -> str:
        """What the engine says in its first line, without the name that it gives to its failures."""
        return _FAILURE.sub("", str(self).partition("\n")[0])


class Connection:
    """One connection for one load; `shown` is the file's name for messages."""

    def __init__(
        self,
        workspace: Path,
        shown: str,
        limits: Limits = UNLIMITED,
        spare: SpareDatabase | None = None,
        meanwhile: Callable[[], None] | None = None,
    ) -> None:
        """Take over the database that is in `spare`, or starting there, if there is one.

        `meanwhile` is done on a thread of its own from the moment that the engine first writes a table: the interpreter
        has nothing to do then.
        """
        from tabchat.engine.duckdb_core import open_database

        self.workspace = workspace
        self.shown = shown
        self._meanwhile = meanwhile
        self._holds_rows = self._is_left = False
        self._views: list[str] = []
        started = spare.borrow() if spare is not None else None
        self._connection = started or open_database()
        self._connection.execute("SET enable_progress_bar = true")
        self._connection.execute("SET enable_progress_bar_print = false")
        self._connection.execute("SET TimeZone = 'UTC'")
        # The footers of one load are read once; the next load is another connection's.
        self._connection.execute("SET parquet_metadata_cache = true")
        self._connection.execute("SET temp_directory = $1", [str(workspace / "spill")])
        self._connection.execute(f"SET disabled_optimizers = '{_AS_WRITTEN}'")
        self._limit(limits)

    def _limit(self, limits: Limits) -> None:
        """Hold the engine to `limits`; raises `QueryFailedError` for what it cannot be held to, which is no fault of a file."""
        try:
            for statement in limits.statements():
                self._connection.execute(statement)
        except _engine().Error as error:
            from tabchat.engine.backends.duckdb_errors import query_error

            self.close()
            raise query_error(error) from error

    def rows(self, query: exp.Expr, progress: Callable[[float], None] | None = None) -> list[Row]:
        """Run a query; raise `MalformedError` for text that the fast reader cannot follow."""
        return self._run(query.sql("duckdb", identify=True), progress)

    def write(self, copy: exp.Copy, progress: Callable[[float], None] | None = None) -> int:
        """Write rows to a file, and return how many they are; raise `MalformedError` as `rows` does."""
        sql = copy.sql("duckdb", identify=True)
        if self._meanwhile is not None:
            threading.Thread(target=self._meanwhile, daemon=True).start()
            self._meanwhile = None
        ((count,),) = self._run(sql, progress)
        return whole(count)

    def _run(self, sql: str, progress: Callable[[float], None] | None) -> list[Row]:
        with _watch(self._connection, progress), translated():
            return list(self._connection.execute(sql).fetchall())

    def describe(self, query: exp.Select) -> tuple[list[str], list[DuckDBPyType]]:
        """Return the names and types of a query's columns."""
        with translated():
            columns = self._connection.execute(query.limit(0).sql("duckdb", identify=True)).description or ()
            return [name for name, *_ in columns], [sql_type for _, sql_type, *_ in columns]

    def attach(self, name: str, sql: str) -> None:
        """Give the rows of a query a name that queries can use."""
        self._views.append(name)
        with translated():
            self._connection.execute(f'CREATE OR REPLACE VIEW "{name}" AS {sql}')

    def register(self, name: str, table: pa.Table) -> None:
        """Give an Arrow table a name that queries can use."""
        from tabchat.engine.duckdb_core import load_relations

        load_relations()
        self._holds_rows = True
        with translated():
            self._connection.register(name, table)

    def expect(self, columns: int, size: int | None = None) -> None:
        """Prepare for tables of so many columns, in a text of `size` bytes where it is known."""
        if columns > _WIDE or (size is not None and size < _SHORT):
            # The search for common subexpressions takes quadratic time: minutes for 5,000 columns.
            self._connection.execute(f"SET disabled_optimizers = '{_AS_WRITTEN},common_subexpressions'")

    def leave_to(self, spare: SpareDatabase) -> None:
        """Leave the database to somebody else as it was before anything was read, unless it was given rows by name."""
        if self._holds_rows:
            return
        for name in self._views:
            self._connection.execute(f'DROP VIEW "{name}"')
        for setting in _OWN_SETTINGS:
            self._connection.execute(f"RESET {setting}")
        self._is_left = True
        spare.give(self._connection)

    def close(self) -> None:
        """Release the connection, unless it was left to somebody."""
        if not self._is_left:
            self._connection.close()


@contextmanager
def translated() -> Iterator[None]:
    """Turn the engine's and the system's failures into ours."""
    try:
        yield
    except (_engine().InterruptException, KeyboardInterrupt) as error:
        raise InterruptedByUserError("Reading the file was stopped; nothing was kept.") from error
    except _engine().OutOfMemoryException as error:
        from tabchat.engine.backends.duckdb_errors import memory_told

        lacks, hint = memory_told(str(error), "Reading the file")
        raise InputError(lacks, hint=f"{hint}, or read a smaller file.") from error
    except _engine().Error as error:
        if any(text in str(error) for text in _FULL):
            raise _disk_full(error) from error
        raise MalformedError(str(error)) from error
    except RuntimeError as error:
        if "conversion error" in str(error):
            # The engine hands on a name or a cell of a damaged file whose bytes are no text.
            raise MalformedError("a text in it is not UTF-8") from error
        if "interrupted" not in str(error).lower():
            raise
        raise InterruptedByUserError("Reading the file was stopped; nothing was kept.") from error
    except OSError as error:
        if error.errno in {errno.ENOSPC, errno.EFBIG, errno.EDQUOT}:
            raise _disk_full(error) from error
        raise


def _engine() -> ModuleType:
    """Return the engine's library, loaded when something is read or goes wrong: tables that are kept need none."""
    from tabchat.engine.duckdb_core import core

    return core


def _disk_full(error: Exception) -> OutputError:
    message = (
        f"The cache folder's disk is full: {_first_line(error)}. Nothing was kept of the half-read file."
    )
    return OutputError(message, hint="Free some space: tabchat cache clear, or set TABCHAT_CACHE_DIR.")


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].rstrip(".")


@contextmanager
def _watch(connection: duckdb.DuckDBPyConnection, progress: Callable[[float], None] | None) -> Iterator[None]:
    """Report the share of the running query that is done, from a thread of its own."""
    if progress is None:
        yield
        return
    done = threading.Event()

    def report() -> None:
        while not done.wait(_TICK):
            if (percent := connection.query_progress()) >= 0:
                progress(min(1.0, percent / 100))

    watcher = threading.Thread(target=report, daemon=True)
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()
