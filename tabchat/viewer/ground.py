"""What a sheet stands on: the rows of a frame, each under a number by which the engine finds it at once.

A frame over a file of ours has such numbers already, those of the rows in the file; what has to be computed,
such as an aggregate, is computed once and kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_database import KEPT_PREFIX
from tabchat.engine.source_files import ARROW_FILES_PREFIX, FILES_PREFIX, PLACE
from tabchat.engine.types import FILE_ROW, HELPER_PREFIX
from tabchat.errors import QueryFailedError
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Engine, Schema

_KEEPS_ROWS: Final = frozenset({"expressions", "from_", "where", "kind", "hint"})
"""Parts of a SELECT after which its rows are still those of what it reads."""


@record
class Ground:
    """Rows under numbers; nothing is fetched until someone looks."""

    engine: Engine
    numbered: exp.Select
    """Yields `PLACE` and then the visible columns."""
    schema: Schema
    row_count: int
    is_dense: bool
    """The numbers are 0, 1, 2 … without gaps."""
    is_sought: bool
    """The engine finds a row by its number sooner than by an offset: what lies before is not read."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the visible columns, in order."""
        return tuple(column.name for column in self.schema)


def ground_of(frame: Frame) -> Ground:
    """Return the rows of `frame` under numbers; computes it once when it is more than rows of a file."""
    schema = tuple(column for column in frame.schema if not column.name.startswith(HELPER_PREFIX))
    found = _numbered(frame.query)
    if found is None or not _can_run(frame.engine, found[0]):
        found = _numbered(frame.engine.materialise(frame.query))
    if found is None:
        raise RuntimeError("the rows of a kept query have no numbers")
    rows, is_dense = found
    cells = [exp.column(name, quoted=True) for name in (PLACE, *(column.name for column in schema))]
    return Ground(
        engine=frame.engine,
        numbered=exp.select(*cells).from_(rows.subquery("numbered")),
        schema=schema,
        row_count=frame.row_count,
        is_dense=is_dense,
        is_sought=is_dense
        and any(table.name.startswith(ARROW_FILES_PREFIX) for table in rows.find_all(exp.Table)),
    )


def _can_run(engine: Engine, query: exp.Query) -> bool:
    """Return whether the engine takes the query: a function that sums up rows may not be known as one here."""
    try:
        engine.schema(query)
    except QueryFailedError:
        return False
    return True


def _numbered(query: exp.Query) -> tuple[exp.Select, bool] | None:
    """Return `query` with `PLACE` as a column more, and whether the numbers have no gaps; None where it computes rows."""
    if not isinstance(query, exp.Select) or any(
        value for name, value in query.args.items() if name not in _KEEPS_ROWS
    ):
        return None
    if any(cell.find(exp.AggFunc, exp.Explode, exp.Unnest) for cell in query.expressions):
        return None
    source = query.args["from_"].this if query.args.get("from_") else None
    numbered = query.copy()
    is_dense = not query.args.get("where")
    if isinstance(source, exp.Subquery) and isinstance(source.this, exp.Query):
        inner = _numbered(source.this)
        if inner is None:
            return None
        below, below_dense = inner
        numbered.args["from_"].this.set("this", below)
        # A star brings the number along.
        if not any(isinstance(cell, exp.Star) for cell in query.expressions):
            numbered = numbered.select(exp.column(PLACE, quoted=True))
        return numbered, is_dense and below_dense
    if not isinstance(source, exp.Table):
        return None
    number = _row_number(numbered.args["from_"].this)
    return None if number is None else (numbered.select(exp.alias_(number, PLACE, quoted=True)), is_dense)


def _row_number(source: exp.Table) -> exp.Column | None:
    """Return the column that numbers the rows of a Parquet file, or of a kept table; asks the file for it."""
    if source.name.startswith(KEPT_PREFIX):
        return exp.column("rowid")
    if source.name.startswith(FILES_PREFIX):
        return exp.column(PLACE, quoted=True)
    call = source.this
    if (
        not isinstance(call, (exp.Anonymous, exp.ReadParquet))
        or "read_parquet" not in call.sql("duckdb").lower()
    ):
        return None
    given = [option.this.name for option in call.expressions if isinstance(option, (exp.EQ, exp.PropertyEQ))]
    if FILE_ROW not in given:
        call.append("expressions", exp.EQ(this=exp.column(FILE_ROW), expression=exp.true()))
    return exp.column(FILE_ROW)
