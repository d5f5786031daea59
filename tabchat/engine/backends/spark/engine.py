"""Spark behind a session's engine: tables are read there, and what comes back is kept here, in DuckDB's types.

A query is described by the embedded DuckDB, which knows the same tables: names, types and mistakes are the same on
both. It is then translated and run on Spark; its rows come back as Arrow, are cast to the types that DuckDB would have
given, and are kept. What only reads kept rows never leaves this process.
"""

from __future__ import annotations

import copy
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Self

from sqlglot import exp, parse_one

from tabchat.engine.backends.spark.connection import Connection
from tabchat.engine.backends.spark.errors import query_error
from tabchat.engine.backends.spark.leftovers import settled
from tabchat.engine.backends.spark.running import Bounds, Job, collect, share_of
from tabchat.engine.backends.spark.scans import Scans
from tabchat.engine.backends.spark.sql.translation import translated
from tabchat.engine.backends.spark.starting import start, stays_here
from tabchat.engine.bounded.engine import BoundedDuckDBEngine
from tabchat.engine.limits import UNLIMITED
from tabchat.engine.projection import cast_to
from tabchat.engine.types import ROW
from tabchat.errors import DataKeyError, NotOnSparkError, RefusedError, TabchatError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import BinaryIO

    import pyarrow as pa

    from tabchat.engine.backends.spark.connection import Link
    from tabchat.engine.backends.spark.scans import FarRows
    from tabchat.engine.backends.spark.sql.relations import View
    from tabchat.engine.copying import Lines, Packed
    from tabchat.engine.limits import Limits
    from tabchat.engine.source_files import SourceFiles
    from tabchat.engine.types import Column, Row


class Fetched:
    """The rows of a query that Spark answers, kept for as long as they are read; any other query as it is."""

    def __init__(self, engine: SparkEngine, query: exp.Query) -> None:
        self._engine, self._query = engine, query
        self._kept: exp.Select | None = None

    def __enter__(self) -> exp.Query:
        if not self._engine.is_far(self._query):
            return self._query
        try:
            self._kept = self._engine.fetched(self._query)
        except NotOnSparkError:
            whole = self._query.copy()
            below = _shown_below(whole)
            if below is None:
                raise
            # How rows are written is no matter of Spark: they come as they are, and are written here.
            self._kept = self._engine.fetched(below.this)
            below.set("this", self._kept.copy())
            return whole
        return self._kept

    def __exit__(self, *_: object) -> None:
        if self._kept is not None:
            self._engine.forget(self._kept)


def _shown_below(query: exp.Query) -> exp.Subquery | None:
    """Return the rows that a query only shows, cell by cell and in their order; nothing for one that does more."""
    from_ = query.args.get("from_")
    said = {name for name, value in query.args.items() if value}
    if not isinstance(query, exp.Select) or said != {"expressions", "from_"} or from_ is None:
        return None
    if any(item.find(exp.AggFunc, exp.Window, exp.Query, exp.Unnest) for item in query.expressions):
        return None
    return from_.this if isinstance(from_.this, exp.Subquery) else None


BATCH_ROWS: Final = 100_000
_NULL: Final = '"NULL"'


class SparkEngine(BoundedDuckDBEngine):
    """A session's database whose tables Spark reads."""

    def __init__(
        self,
        *,
        address: str,
        most_rows: int,
        spill: Path,
        folders: Sequence[Path] = (),
        files: Sequence[Path] = (),
        limits: Limits = UNLIMITED,
    ) -> None:
        super().__init__(spill=spill, folders=folders, files=files, limits=limits)
        self.address = address
        self._most_rows = most_rows
        self._connection = Connection(partial(start, address, scratch=spill / "spark"), super().schema)
        self._scans = Scans(
            results=tuple(folder.absolute() for folder in folders if folder.name == "results")
        )
        self._jobs: set[Job] = set()
        self._is_embedded = False

    @property
    def embedded(self) -> Self:
        """A hold on the same database that asks nothing of Spark: for what is read of a bounded part of a table."""
        other = copy.copy(self)
        other._is_embedded = True  # noqa: SLF001 - a copy of our own
        return other

    def attach(self, name: str, scan: exp.Query, files: SourceFiles | None = None) -> None:
        """Give the rows of `scan` a name that later queries can use, here and on Spark."""
        super().attach(name, scan, files)
        self._scans.named.pop(name, None)
        # Rows that are kept here are sent as they are when a query reads them beside a table.
        if self.is_far(scan):
            self._scans.named[name] = scan

    def admit(self, files: SourceFiles) -> None:
        """Let queries read a person's files."""
        super().admit(files)
        rows = parse_one(files.sql, dialect=self.dialect)
        if isinstance(rows, exp.Query):
            self._scans.named[files.name] = rows

    @property
    def session(self) -> Any:
        """Spark's own session; that of another Spark once one had to be ended."""
        return self._connection.link().spark.session

    def adopt(self, name: str, rows: FarRows) -> exp.Select:
        """Make rows of Spark a relation called `name`, and return the query of them.

        Here it has its columns, for queries to be described by, and no rows: none is ever read here.
        """
        named = [(ROW, "BIGINT"), *rows.columns]
        cells = [exp.alias_(cast_to(kind)(exp.Null()), column, quoted=True) for column, kind in named]
        empty = super().materialise(exp.select(*cells).where(exp.false()))
        super().attach(name, empty)
        self._scans.rows[name] = rows
        return exp.select("*").from_(exp.to_table(name, quoted=True))

    def rows(self, query: exp.Query) -> list[Row]:
        """Run `query` and return its rows as Python values."""
        with Fetched(self, query) as kept:
            return super().rows(kept)

    def stream(self, query: exp.Query, size: int = BATCH_ROWS) -> Iterator[list[Row]]:
        """Run `query` and yield its rows as Python values, at most `size` at a time."""
        with Fetched(self, query) as kept:
            yield from super().stream(kept, size)

    def execute(self, query: exp.Query) -> Iterator[pa.RecordBatch]:
        """Run `query` and stream Arrow record batches."""
        with Fetched(self, query) as kept:
            yield from super().execute(kept)

    def materialise(self, query: exp.Query) -> exp.Select:
        """Run `query` once, keep its rows in order, and return a query over them."""
        return self.fetched(query, is_answer=True) if self.is_far(query) else super().materialise(query)

    def write_parquet(self, query: exp.Query, path: Path) -> None:
        """Run `query` into a Parquet file, replacing it."""
        with Fetched(self, query) as kept:
            super().write_parquet(kept, path)

    def write_lines(self, query: exp.Query, write: Callable[[bytes], object], lines: Lines) -> int | None:
        """Run `query` and hand its rows to `write` in blocks of lines that DuckDB makes; returns how many rows."""
        with Fetched(self, query) as kept:
            return super().write_lines(kept, write, lines)

    def write_into(self, query: exp.Query, file: BinaryIO, form: Lines | Packed) -> int | None:
        """Run `query` into an open file, which DuckDB writes; returns how many rows."""
        with Fetched(self, query) as kept:
            return super().write_into(kept, file, form)

    def fork(self) -> Self:
        """Return another hold on the same database and the same Spark, which is cancelled on its own."""
        other = super().fork()
        other._jobs = set()  # noqa: SLF001 - a copy of our own
        return other

    def cancel(self) -> None:
        """Stop whatever is running; safe to call from another thread."""
        super().cancel()
        for job in tuple(self._jobs):
            job.cancel()

    def share_done(self) -> float | None:
        """Return the share of the running query that is done; None where that is not known."""
        shares = [share for job in tuple(self._jobs) if (share := share_of(job)) is not None]
        return min(shares) if shares else super().share_done()

    def close(self, *, leaving: bool = False) -> None:
        """Release the database, and Spark where it was started for it."""
        super().close(leaving=leaving)
        self._connection.close()

    def is_far(self, query: exp.Query) -> bool:
        """Return whether a query reads rows of a table, which Spark is to read."""
        return not self._is_embedded and self._scans.are_far(query)

    def fetched(self, query: exp.Query, *, is_answer: bool = False) -> exp.Select:
        """Run `query` on Spark, and return a query over its rows, kept here in the types that DuckDB gives it."""
        schema = self.schema(query)
        arrived = self.hold(self._collected(query, len(schema), is_answer=is_answer))
        cells = [
            exp.alias_(cast_to(_kept_type(column))(exp.column(f"c{place}")), column.name, quoted=True)
            for place, column in enumerate(schema)
        ]
        try:
            return super().materialise(exp.select(*cells).from_(arrived.subquery("arrived")))
        finally:
            self.forget(arrived)

    def _collected(self, query: exp.Query, width: int, *, is_answer: bool) -> pa.Table:
        """Return the rows of `query`, from another Spark where a query beside it had the first one ended."""
        bounds = Bounds(rows=self._most_rows, seconds=self._seconds)
        while True:
            link = self._connection.link()
            job = Job(link.spark)
            try:
                view_of = partial(self._view, link)
                sql = translated(query, scans=self._scans.named, view_of=view_of, is_answer=is_answer)
                rows = collect(job, sql, width, jobs=self._jobs, bounds=bounds)
                for files in self._sources(query):
                    files.require_unchanged()
                self._require_unchanged(query)
            except Exception as error:
                if link.spark.was_stopped and not job.is_stopped:
                    continue
                if isinstance(error, TabchatError):
                    raise settled(error, job, self._connection) from error.__cause__
                raise
            return rows

    def _require_unchanged(self, query: exp.Query) -> None:
        """Raise `DataKeyError` (`source_changed`) where a table of Spark's own is not what was opened."""
        for rows in self._scans.rows_of(query):
            if rows.state is not None and rows.state.has_changed():
                message = "The table has changed on Spark since it was opened."
                raise DataKeyError(message, hint="Open it again, and ask again.", code="source_changed")

    def _view(self, link: Link, node: exp.Expr) -> View | None:
        try:
            if isinstance(node, exp.ReadParquet) and self._scans.is_version(node):
                return link.views.of_parquet(node)
            if node.name in link.views.made:
                return link.views.made[node.name]
            if (far := self._scans.rows.get(node.name)) is not None:
                return link.views.of_frame(node.name, far.read(link.spark.session), far.columns, far.order)
            return self._sent(link, node)
        except TabchatError:
            raise
        except Exception as error:  # Spark's own, of several libraries
            raise query_error(error, stopped=False) from error

    def _sent(self, link: Link, node: exp.Expr) -> View | None:
        """Return rows that are kept here as a view of Spark, for a query that reads them beside a table.

        They are sent to a Spark on this machine alone; raises `RefusedError` for any other.
        """
        if not stays_here(self.address):
            message = f"{self.address!r} is not on this machine, and rows that are kept here do not leave it."
            raise RefusedError(message, hint="Ask of the table alone, or without --engine spark.")
        table = node if isinstance(node, exp.Table) else exp.Table(this=node)
        query = exp.select("*").from_(table.copy())
        columns = [(column.name, column.sql_type) for column in super().schema(query)]
        import pyarrow as pa

        rows = pa.Table.from_batches(list(super().execute(query)))
        plain = rows.rename_columns([f"x{i}" for i in range(len(columns))])
        frame = link.spark.session.createDataFrame(plain)
        frame = frame.toDF(*(name for name, _ in columns))
        return link.views.of_frame(query.sql(self.dialect), frame, columns)


def _kept_type(column: Column) -> str:
    # What a column of nulls is called cannot be cast to; the engine keeps one as this type.
    return "INTEGER" if column.sql_type == _NULL else column.sql_type
