"""DuckDB as a locked engine: it reads and writes only the folders it was given, and cannot be reconfigured."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Final

import duckdb
from sqlglot import exp

from tabchat.engine.types import Column, ColumnKind
from tabchat.errors import InterruptedByUserError, QueryFailedError

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    import pyarrow as pa

    from tabchat.engine.types import Row, Schema

BATCH_ROWS: Final = 100_000

_KINDS: Final = {
    "BOOLEAN": ColumnKind.BOOLEAN,
    "TINYINT": ColumnKind.INTEGER,
    "SMALLINT": ColumnKind.INTEGER,
    "INTEGER": ColumnKind.INTEGER,
    "BIGINT": ColumnKind.INTEGER,
    "HUGEINT": ColumnKind.INTEGER,
    "UTINYINT": ColumnKind.INTEGER,
    "USMALLINT": ColumnKind.INTEGER,
    "UINTEGER": ColumnKind.INTEGER,
    "UBIGINT": ColumnKind.INTEGER,
    "UHUGEINT": ColumnKind.INTEGER,
    "FLOAT": ColumnKind.NUMBER,
    "DOUBLE": ColumnKind.NUMBER,
    "DECIMAL": ColumnKind.NUMBER,
    "VARCHAR": ColumnKind.TEXT,
    "ENUM": ColumnKind.TEXT,
    "UUID": ColumnKind.TEXT,
    "DATE": ColumnKind.DATE,
    "TIMESTAMP": ColumnKind.DATETIME,
    "TIMESTAMP WITH TIME ZONE": ColumnKind.DATETIME,
    "TIMESTAMP_S": ColumnKind.DATETIME,
    "TIMESTAMP_MS": ColumnKind.DATETIME,
    "TIMESTAMP_NS": ColumnKind.DATETIME,
    "TIME": ColumnKind.TIME,
}


def column_kind(sql_type: str) -> ColumnKind:
    """Map a DuckDB type name to what it means to a person."""
    return _KINDS.get(sql_type.partition("(")[0].strip(), ColumnKind.OTHER)


class DuckDBEngine:
    """One in-memory DuckDB connection.

    Settings are made in the order that matters: the spill folder first, then no
    outside access except `folders` and `files`, then the configuration is locked.
    """

    dialect = "duckdb"

    def __init__(
        self,
        *,
        spill: Path,
        folders: Sequence[Path] = (),
        files: Sequence[Path] = (),
        memory_limit: int | None = None,
        threads: int | None = None,
    ) -> None:
        self._connection = duckdb.connect(":memory:")
        self._kept = 0
        self._runs = 0
        statements = [
            f"SET temp_directory = {_literal(spill)}",
            "SET python_enable_replacements = false",
            "SET autoinstall_known_extensions = false",
            "SET autoload_known_extensions = false",
        ]
        if memory_limit is not None:
            statements.append(f"SET memory_limit = '{memory_limit}B'")
        if threads is not None:
            statements.append(f"SET threads = {threads}")
        statements += [
            f"SET allowed_directories = [{', '.join(_literal(folder) for folder in folders)}]",
            f"SET allowed_paths = [{', '.join(_literal(file) for file in files)}]",
            "SET enable_external_access = false",
            "SET lock_configuration = true",
        ]
        for statement in statements:
            self._connection.execute(statement)

    def schema(self, query: exp.Query) -> Schema:
        """Return the columns of `query` without running it."""
        described = self._run(f"DESCRIBE {self.sql(query)}").fetchall()
        return tuple(
            Column(name=str(name), kind=column_kind(str(sql_type)), sql_type=str(sql_type))
            for name, sql_type, *_ in described
        )

    def rows(self, query: exp.Query) -> list[Row]:
        """Run `query` and return its rows as Python values."""
        return list(self._run(self.sql(query)).fetchall())

    def stream(self, query: exp.Query, size: int = BATCH_ROWS) -> Iterator[list[Row]]:
        """Run `query` and yield its rows as Python values, `size` at a time, holding no more of them.

        DuckDB would end the rows early, without a word, if another query ran on the
        connection meanwhile; here the next step raises `QueryFailedError` instead.
        """
        cursor = self._run(self.sql(query))
        turn = self._runs
        while True:
            if turn != self._runs:
                message = "Another query ran before all rows of this one were read."
                raise QueryFailedError(message)
            with _translated():
                rows = cursor.fetchmany(size)
            if not rows:
                return
            yield rows

    def execute(self, query: exp.Query) -> Iterator[pa.RecordBatch]:
        """Run `query` and stream Arrow record batches, at least one; no other query can run meanwhile."""
        import pyarrow as pa

        self._runs += 1
        streaming = (OSError, pa.ArrowException)
        with _translated(streaming):
            reader = self._connection.sql(self.sql(query)).to_arrow_reader(BATCH_ROWS)
            empty = [pa.nulls(0, field.type) for field in reader.schema]
            batch = next(reader, None)
        if batch is None:
            yield pa.RecordBatch.from_arrays(empty, schema=reader.schema)
        while batch is not None:
            yield batch
            with _translated(streaming):
                batch = next(reader, None)

    def materialise(self, query: exp.Query) -> exp.Select:
        """Run `query` once, keep its rows in order, and return a query over them."""
        self._kept += 1
        name = f"__kept_{self._kept}"
        self._run(f"CREATE TEMP TABLE {name} AS {self.sql(query)}")
        return exp.select("*").from_(exp.to_table(name))

    def write_parquet(self, query: exp.Query, path: Path) -> None:
        """Run `query` into a Parquet file, replacing it."""
        self._run(f"COPY ({self.sql(query)}) TO {_literal(path)} (FORMAT parquet, COMPRESSION lz4)")

    def attach(self, name: str, scan: exp.Query) -> None:
        """Give the rows of `scan` a name that later queries can use."""
        view = exp.to_identifier(name, quoted=True).sql(self.dialect)
        self._run(f"CREATE OR REPLACE VIEW {view} AS {self.sql(scan)}")

    def cancel(self) -> None:
        """Stop the running query; safe to call from another thread."""
        self._connection.interrupt()

    def close(self) -> None:
        """Release the connection and its spill files."""
        self._connection.close()

    def sql(self, query: exp.Query) -> str:
        """Render a query in this engine's dialect, identifiers quoted."""
        return query.sql(self.dialect, identify=True)

    def _run(self, sql: str) -> duckdb.DuckDBPyConnection:
        self._runs += 1
        with _translated():
            return self._connection.execute(sql)


@contextlib.contextmanager
def _translated(streaming: tuple[type[Exception], ...] = ()) -> Iterator[None]:
    """Raise DuckDB's errors as ours; `streaming` are the ones that Arrow wraps them in."""
    failures: tuple[type[Exception], ...] = (duckdb.Error, *streaming)
    try:
        yield
    except RuntimeError as error:
        if str(error) != "Query interrupted":
            raise
        # What Ctrl-C becomes when DuckDB runs on the main thread.
        raise InterruptedByUserError("The query was stopped.") from error
    except failures as error:
        if isinstance(error, duckdb.InterruptException) or str(error).startswith("INTERRUPT"):
            raise InterruptedByUserError("The query was stopped.") from error
        message = str(error).partition("\n")[0]
        raise QueryFailedError(message) from error


def _literal(value: object) -> str:
    return exp.Literal.string(str(value)).sql("duckdb")
