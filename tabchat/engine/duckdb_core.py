"""The compiled part of DuckDB, which is all that running a query takes.

Its Python package adds relations and sources of data frames, whose import costs more than
starting the engine and asking it. They are added to the same connections by `load_relations`,
for whoever hands rows over as Arrow or wants them so.
"""

from __future__ import annotations

try:
    import _duckdb as core
except ImportError:  # a release that calls its compiled part otherwise
    import duckdb as core  # type: ignore[no-redef]  # the package has every name of it

__all__ = ["core", "load_relations", "open_database"]


def open_database() -> core.DuckDBPyConnection:
    """Open a new database in memory, without the threads with which DuckDB waits for ever (see `output_threads`)."""
    from tabchat.engine.limits import output_threads

    database = core.connect(":memory:", config={"async_threads": 0})
    (threads,) = database.execute("SELECT current_setting('threads')").fetchall()[0]
    if output_threads(threads):
        database.execute(f"SET async_threads = {output_threads(threads)}")
    return database


def load_relations() -> None:
    """Let connections register Arrow tables and make relations: `register`, `sql`."""
    import duckdb  # noqa: F401 - its import gives these to the connections
