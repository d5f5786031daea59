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
    """Open a new database in memory."""
    # DuckDB 2.0 waits for ever when a `COPY` to Parquet fails or is stopped while a thread of its own writes: it holds the
    # lock that the thread needs to end. Without such threads, whoever makes a group of rows writes it, in the same time.
    return core.connect(":memory:", config={"async_threads": 0})


def load_relations() -> None:
    """Let connections register Arrow tables and make relations: `register`, `sql`."""
    import duckdb  # noqa: F401 - its import gives these to the connections
