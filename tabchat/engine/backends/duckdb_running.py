"""Running SQL on a cursor: so that Ctrl-C stops it, and its rows as Python values or as Arrow."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable  # noqa: TC003 - a field's type
from typing import TYPE_CHECKING, Final, Protocol, TypeVar

from tabchat.engine.duckdb_core import core as duckdb
from tabchat.engine.duckdb_core import load_relations
from tabchat.errors import InterruptedByUserError
from tabchat.record import record
from tabchat.waiting import LOOK_EVERY, await_event

if TYPE_CHECKING:
    import pyarrow as pa

    from tabchat.engine.source_files import SourceFiles
    from tabchat.engine.types import Row

_T = TypeVar("_T")

BATCH_ROWS: Final = 100_000

ZONED: Final = "TIMESTAMP WITH TIME ZONE"
"""In the name of every type that only Arrow makes Python values of."""


@record
class Prepared:
    """SQL that is about to run: where, and what stops it."""

    cursor: duckdb.DuckDBPyConnection
    sql: str
    """A SELECT that gives the rows on this cursor."""
    interrupt: Callable[[], object]
    is_zoned: bool | None = None
    """Whether the rows have times with a zone; None where that is known only once they run."""
    sources: tuple[SourceFiles, ...] = ()
    """The person's own files that it reads."""


class Interruptible(Protocol):
    """Something that runs and can be stopped from another thread."""

    def interrupt(self) -> object:
        """Stop it."""


def plain(
    cursor: duckdb.DuckDBPyConnection, sql: str = "", sources: tuple[SourceFiles, ...] = ()
) -> Prepared:
    """Return SQL for this process to run, on a cursor whose interrupt stops it."""
    return Prepared(cursor=cursor, sql=sql, interrupt=cursor.interrupt, sources=sources)


def fetch(prepared: Prepared) -> list[Row]:
    """Run the SQL and return its rows as Python values."""
    if not executed_zoned(prepared):
        return prepared.cursor.fetchall()
    return [row for batch in arrow_reader(prepared, BATCH_ROWS) for row in python_rows(batch)]


def executed_zoned(prepared: Prepared) -> bool:
    """Execute the SQL, unless its rows have times with a zone: only Arrow makes Python values of them unaided."""
    if prepared.is_zoned:
        return True
    prepared.cursor.execute(prepared.sql)
    return any(ZONED in str(column[1]) for column in prepared.cursor.description or ())


def arrow_reader(prepared: Prepared, size: int) -> pa.RecordBatchReader:
    """Run the SQL and return its rows as Arrow, at most `size` in a batch."""
    load_relations()
    prepared.cursor.abort()
    return prepared.cursor.sql(prepared.sql).to_arrow_reader(size)


def python_rows(batch: pa.RecordBatch) -> list[Row]:
    """Return the rows of a batch as Python values."""
    return list(zip(*(column.to_pylist() for column in batch.columns), strict=True))


def attempt(prepared: Prepared, call: Callable[[], _T]) -> _T:
    """Return what `call` returns, and raise its failures as errors of this program.

    What was read of files that are not what they were is not returned: `DataKeyError` (`source_changed`).
    """
    try:
        found = interruptible(prepared, call)
    except (duckdb.Error, OSError, UnicodeDecodeError) as error:
        from tabchat.engine.backends.duckdb_errors import query_error, source_error

        raise source_error(query_error(error), prepared.sources) from error
    for files in prepared.sources:
        files.require_unchanged()
    return found


def interruptible(prepared: Prepared, call: Callable[[], _T]) -> _T:
    """Run `call` so that Ctrl-C stops it: signals reach only the main thread, which must not be inside the engine."""
    if threading.current_thread() is not threading.main_thread():
        return call()
    results: list[_T] = []
    failures: list[BaseException] = []
    # Not `join`: before Python 3.13 a thread whose join was interrupted passes for dead while it still runs.
    done = threading.Event()

    def work() -> None:
        try:
            results.append(call())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            failures.append(error)
        finally:
            done.set()

    worker = threading.Thread(target=work, name="tabchat-query", daemon=True)
    try:
        worker.start()
        await_event(done)
    except KeyboardInterrupt:
        while worker.ident is not None and not done.is_set():
            # Whoever is impatient presses it again; the cursor cannot close before the worker has let go of it.
            with contextlib.suppress(KeyboardInterrupt):
                prepared.interrupt()
                done.wait(LOOK_EVERY)
        raise InterruptedByUserError("The query was stopped.") from None
    if failures:
        raise failures[0]
    return results[0]
