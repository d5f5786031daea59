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

__all__ = ["core", "load_relations"]


def load_relations() -> None:
    """Let connections register Arrow tables and make relations: `register`, `sql`."""
    import duckdb  # noqa: F401 - its import gives these to the connections
