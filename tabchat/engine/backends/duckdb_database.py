"""One locked in-memory DuckDB, its kept tables and its views; another takes its place where more may be read."""

from __future__ import annotations

import contextlib
import re
import threading
from dataclasses import field
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_lock import locking
from tabchat.engine.backends.duckdb_running import Prepared, attempt
from tabchat.engine.duckdb_core import core as duckdb
from tabchat.engine.duckdb_core import load_relations, open_database
from tabchat.record import mutable, record

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    import pyarrow as pa

    from tabchat.engine.arrow_rows import ArrowRows
    from tabchat.engine.limits import Limits
    from tabchat.engine.source_files import SourceFiles

KEPT_PREFIX: Final = "__kept_"
"""How the names of tables begin that hold the rows of a query."""
_MOVING: Final = "__moving"
_ROWS: Final = 100_000
_ALTERED: Final = r"\b(?:U?HUGEINT|UUID|BIT|BIGNUM|TIME WITH TIME ZONE|TIME_NS|ENUM|VARIANT|GEOMETRY|JSON)\b"
"""Types that Arrow does not keep without settings that people who export to it do not expect."""


@record
class View:
    """Rows that queries can name."""

    name: str
    sql: str
    reads: frozenset[str]
    """Names in its query: those of other views and kept tables among them."""
    sources: tuple[SourceFiles, ...]
    """The person's own files among what it reads."""

    @property
    def made(self) -> str:
        """The statement that makes it."""
        return f"CREATE OR REPLACE VIEW {quoted(self.name)} AS {self.sql}"


@mutable
class Database:
    """What all holds on one engine share."""

    spill: Path
    folders: Sequence[Path]
    files: frozenset[Path]
    """Files besides those in `folders` that queries may read."""
    limits: Limits
    views: dict[str, View] = field(default_factory=dict)
    """Name in lower case → what is attached under it, each after those that it reads."""
    attaching: threading.Lock = field(default_factory=threading.Lock)
    arrow: dict[str, ArrowRows] = field(default_factory=dict)
    """Name → the rows of an Arrow file that views read."""
    connection: duckdb.DuckDBPyConnection | None = None
    """Given at first: one that is not locked yet, to be used instead of another where its settings can be made."""

    def __post_init__(self) -> None:
        with contextlib.suppress(duckdb.Error):
            # One that has spilled already cannot be told to spill elsewhere.
            if self.connection is not None:
                self.connection = self._locked(self.connection, self.files)
                return
        self.connection = self._opened(self.files)

    def locking(self, spill: Path, files: frozenset[Path] | None = None) -> Iterable[str]:
        """Return the statements that lock a database like this one, which spills to `spill`."""
        return locking(
            spill,
            folders=self.folders,
            files=self.files if files is None else files,
            limits=self.limits,
        )

    def widen(self, files: Iterable[Path]) -> bool:
        """Let queries read more files; true when that took another database, as a lock is not opened again."""
        more = self.files.union(files)
        if more == self.files or self.connection is None:
            return False
        old, new = self.connection, self._opened(more)
        for (name,) in old.cursor().execute("SELECT table_name FROM duckdb_tables()").fetchall():
            if str(name).startswith(KEPT_PREFIX):
                _move(str(name), old, new)
        with new.cursor() as cursor:
            for view in self.views.values():
                self._lend(cursor, view.sources)
                cursor.execute(view.made)
        self.connection, self.files = new, more
        # Queries that run on it have cursors of their own, which keep it until they end.
        old.close()
        return True

    def lent(self, prepared: Prepared) -> Prepared:
        """Return SQL that is about to run, whose cursor has the rows of files that the engine does not open itself."""
        if any(files.is_arrow for files in prepared.sources):
            attempt(prepared, lambda: self._lend(prepared.cursor, prepared.sources))
        return prepared

    def _lend(self, cursor: duckdb.DuckDBPyConnection, sources: Iterable[SourceFiles]) -> None:
        """Give a cursor the rows of the Arrow files among `sources`, which go with it: no other can name them.

        Raises `OSError` for a file that is another one or cannot be read.
        """
        for files in sources:
            if not files.is_arrow:
                continue
            from tabchat.engine.arrow_rows import ArrowRows

            name, (file,) = files.arrow_name, files.files
            if name not in self.arrow:
                self.arrow[name] = ArrowRows(file.path, file.stamp)
            cursor.register(name, self.arrow[name])

    def _opened(self, files: frozenset[Path]) -> duckdb.DuckDBPyConnection:
        try:
            return self._locked(open_database(), files)
        except duckdb.Error as error:
            from tabchat.engine.backends.duckdb_errors import query_error

            raise query_error(error) from error

    def _locked(
        self, connection: duckdb.DuckDBPyConnection, files: frozenset[Path]
    ) -> duckdb.DuckDBPyConnection:
        """Lock a database, or close it and raise what keeps it from being locked."""
        try:
            for statement in self.locking(self.spill, files):
                connection.execute(statement)
        except duckdb.Error:
            connection.close()
            raise
        return connection


def arrow_rows(cursor: duckdb.DuckDBPyConnection, name: str) -> tuple[pa.RecordBatchReader, dict[str, str]]:
    """Return the rows of a kept table, and column → type; cells of types that Arrow alters are text, to be cast back."""
    load_relations()
    described = cursor.execute(f"DESCRIBE {quoted(name)}").fetchall()
    types = {str(column): str(sql_type) for column, sql_type, *_ in described}
    cells = ", ".join(
        f"CAST({quoted(column)} AS VARCHAR) AS {quoted(column)}"
        if re.search(_ALTERED, sql_type)
        else quoted(column)
        for column, sql_type in types.items()
    )
    return cursor.sql(f"SELECT {cells} FROM {quoted(name)}").to_arrow_reader(_ROWS), types  # noqa: S608 - quoted


def _move(name: str, old: duckdb.DuckDBPyConnection, new: duckdb.DuckDBPyConnection) -> None:
    with old.cursor() as cursor:
        rows, types = arrow_rows(cursor, name)
        cells = ", ".join(
            f"CAST({quoted(column)} AS {sql_type}) AS {quoted(column)}" for column, sql_type in types.items()
        )
        new.register(_MOVING, rows)
        try:
            new.execute(f"CREATE TABLE {quoted(name)} AS SELECT {cells} FROM {_MOVING}")  # noqa: S608 - quoted
        finally:
            new.unregister(_MOVING)


def quoted(name: str) -> str:
    """Write a name as an identifier."""
    return exp.to_identifier(name, quoted=True).sql("duckdb")
