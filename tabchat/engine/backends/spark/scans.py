"""Which rows of a session are Spark's to read: those of tables; results that are kept are read here."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.source_files import FILES_PREFIX
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.engine.backends.spark.fingerprint import State

FAR_PREFIX: Final = "__spark_"
"""How the names of relations begin that only Spark has."""


@record
class FarRows:
    """Rows that Spark alone has: each Spark that is started reads them for itself."""

    read: Callable[[Any], Any]
    """Session of Spark → their DataFrame."""
    columns: Sequence[tuple[str, str]]
    """Names, and types of DuckDB."""
    order: Sequence[str]
    """Columns that order them; none where nothing does."""
    state: State | None
    """What they were when they were opened, where they may become other ones."""


@dataclass
class Scans:
    """What the names in a session's queries stand for."""

    results: Sequence[Path]
    """Folders of results that are kept."""
    named: dict[str, exp.Query] = field(default_factory=dict)
    """Name → the query of its rows, where Spark reads them."""
    rows: dict[str, FarRows] = field(default_factory=dict)
    """Name of a relation that only Spark has → its rows."""

    def are_far(self, query: exp.Query) -> bool:
        """Return whether a query reads rows of a table, which Spark is to read."""
        if any(map(self.is_version, query.find_all(exp.ReadParquet, exp.Anonymous))):
            return True
        return any(map(self._reads_far, query.find_all(exp.Table)))

    def is_version(self, call: exp.Expr) -> bool:
        """Return whether a call reads rows of a table, not of a result that is kept."""
        # A tree that is built by hand calls the function by its name.
        if isinstance(call, exp.Anonymous) and call.name.lower() != "read_parquet":
            return False
        path = call.expressions[0].name
        return not any(path.startswith(f"{folder}/") for folder in self.results)

    def rows_of(self, query: exp.Query) -> list[FarRows]:
        """Return the rows that a query reads and only Spark has."""
        read = [query, *(scan for name, scan in self.named.items() if _names(query, name))]
        names = {table.name for part in read for table in part.find_all(exp.Table)}
        return [rows for name, rows in self.rows.items() if name in names]

    def _reads_far(self, table: exp.Table) -> bool:
        if table.name.startswith((FILES_PREFIX, FAR_PREFIX)):
            return True
        scan = next((scan for name, scan in self.named.items() if name.lower() == table.name.lower()), None)
        return scan is not None and self.are_far(scan)


def _names(query: exp.Query, name: str) -> bool:
    return any(table.name.casefold() == name.casefold() for table in query.find_all(exp.Table))
