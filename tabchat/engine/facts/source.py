"""A table version as the facts are asked of it: some of its columns at a time, in the order of its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.types import ROW
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.source_files import SourceFiles
    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Row, Schema, Value

    Run: TypeAlias = Callable[[exp.Query], list[Row]]

_AT_ONCE: Final = 200
"""Columns of one query: the engine's planning grows faster than their number."""
_SAMPLED_ROWS: Final = 10_000
_SAMPLED_CELLS: Final = 400_000
_RUNS: Final = 8
"""Runs of rows, evenly spread, that a part of a long table is made of."""
_RUNS_OF_FILE: Final = 4
"""The same of a sample of one file: whatever a run is of, the engine reads and unpacks a whole part of it."""


@record
class Source:
    """A table version, and what runs queries over it."""

    run: Run
    scan: exp.Query
    """Query that yields `__row__` and the columns of `schema`, in the order of the rows."""
    schema: Schema
    row_count: int
    files: SourceFiles | None = None
    """The person's own files, where `scan` reads them."""

    @classmethod
    def of(cls, engine: Engine, table: Table, scan: exp.Query) -> Source:
        """Return what `scan` yields of an open table."""
        return cls(
            run=engine.rows, scan=scan, schema=table.schema, row_count=table.row_count, files=table.files
        )

    def query(self, *selected: exp.Expr, names: Sequence[str]) -> exp.Select:
        """Return the query of some expressions over the columns called `names`."""
        # The engine plans far longer when it has to drop the other columns of a wide table itself.
        return exp.select(*selected).from_(self._narrow(names).subquery("narrow"))

    def aggregates(
        self,
        columns: Sequence[Column],
        wanted: Callable[[exp.Column, Column], Sequence[exp.Expr]],
        at_once: int = _AT_ONCE,
    ) -> dict[str, tuple[Value, ...]]:
        """Return column → the values of its `wanted` aggregates, many columns in one query."""
        found: dict[str, tuple[Value, ...]] = {}
        for start in range(0, len(columns), at_once):
            batch = columns[start : start + at_once]
            asked = [wanted(cell_of(column.name), column) for column in batch]
            names = [column.name for column in batch]
            (row,) = self.run(self.query(*(item for items in asked for item in items), names=names))
            values = iter(row)
            found |= {
                name: tuple(next(values) for _ in items) for name, items in zip(names, asked, strict=True)
            }
        return found

    def rows(self, names: Sequence[str], limit: int | None = None) -> list[Row]:
        """Return the cells of some columns: of all rows, or of the first `limit`."""
        if not names:
            return []
        query = self._narrow(names)
        return self.run(query if limit is None else query.limit(limit))

    def spread_sample(self) -> list[Row]:
        """Return as many rows as a sample of a large table has, fewer of a wide one."""
        names = [column.name for column in self.schema]
        runs = _RUNS_OF_FILE if self.files is not None and len(self.files.files) == 1 else _RUNS
        return self.spread_rows(names, min(_SAMPLED_ROWS, max(1, _SAMPLED_CELLS // len(names))), runs)

    def spread_rows(self, names: Sequence[str], most: int, runs: int = _RUNS) -> list[Row]:
        """Return the cells of about `most` rows at most, in `runs` that are spread over the table."""
        return self.run(self.spread(names, most, runs)) if names else []

    def spread(self, names: Sequence[str], most: int, runs: int) -> exp.Query:
        """Return the query of about `most` rows: whole runs of them are cheap to read, single rows are not."""
        if self.row_count <= most:
            return self._narrow(names)
        size = max(1, most // runs)
        stride = (self.row_count - size) / (runs - 1)
        starts = [round(run * stride) + 1 for run in range(runs)]
        if self.files is not None:
            return self.files.runs(names, starts, size)
        parts = [cell_of(ROW).between(start, start + size - 1) for start in starts]
        return self._narrow(names).where(exp.or_(*parts))

    def _narrow(self, names: Sequence[str]) -> exp.Select:
        return exp.select(*map(cell_of, names)).from_(self.scan.subquery("stored"))


def cell_of(name: str) -> exp.Column:
    """Refer to a column."""
    return exp.column(name, quoted=True)
