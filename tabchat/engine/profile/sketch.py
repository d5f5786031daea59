"""A light look at a table, to tell what it is about: ranges, missing values, values of columns that have few.

It never costs more than seconds, whatever the table: ranges and counts of a stored version are read from its
parts' own statistics, and values from a sample of at most two million cells. `profile_table` is the full account.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.types import ROW, ColumnKind, finite, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from tabchat.engine.table import Table
    from tabchat.engine.types import Column, Engine, Value

Cell: TypeAlias = "bool | int | float | str | None"

SAMPLE_CELLS: Final = 2_000_000
SAMPLE_BLOCKS: Final = 16
"""A sample is so many runs of rows, evenly spread: whole runs are cheap to read, single rows are not."""
FEW: Final = 20
"""Texts of a column are kept when there are at most so many different ones."""
KEPT_VALUES: Final = 10
PREVIEW_ROWS: Final = 10
"""As many rows as a preview can ever have."""

_COUNTED: Final = 2 * FEW
"""Columns with about so many values are counted exactly."""
_COLUMNS_AT_ONCE: Final = 1000
_HISTOGRAMS_AT_ONCE: Final = 40
_WIDE: Final = 200
_FEW_CELLS: Final = 1_000_000
"""Tables of more than `_WIDE` columns and so few cells are copied first: reading their file over and over takes the time."""


@record
class ColumnSketch:
    """What is known of one column."""

    missing: int
    """Rows without a value; exact."""
    min: Value = None
    """Smallest number, date or time; none for other kinds. Exact, as is `max`."""
    max: Value = None
    distinct: int | None = None
    """Different texts in the rows that were looked at, an estimate above `FEW`, never more than there are texts; none
    for other kinds."""
    values: tuple[str, ...] = ()
    """Most frequent texts first, at most ten; none unless they are few and repeat."""


@record
class TableSketch:
    """What is known of a table."""

    rows: int
    columns: Mapping[str, ColumnSketch]
    """Column → what is known of it, in file order."""
    preview: tuple[tuple[Cell, ...], ...] = ()
    """The first rows; nested values as JSON text."""


def sketch_table(engine: Engine, table: Table) -> TableSketch:
    """Look at `table`, which is attached to `engine` under its name and whose rows are counted."""
    relation = exp.to_table(exp.to_identifier(table.name, quoted=True).sql("duckdb"), dialect="duckdb")
    whole = exp.select("*").from_(relation)
    if len(table.schema) > _WIDE and len(table.schema) * table.row_count <= _FEW_CELLS:
        whole = engine.materialise(whole.copy())
    looked_at = _looked_at(engine, table, whole)
    ordered = [column for column in table.schema if column.kind.is_ordered]
    lows = _measured(engine, whole, ordered, lambda column: exp.Min(this=column))
    highs = _measured(engine, whole, ordered, lambda column: exp.Max(this=column))
    filled = _measured(engine, whole, table.schema, lambda column: exp.Count(this=column))
    distinct, values = _texts(engine, looked_at, table.schema)
    names = [exp.column(column.name, quoted=True) for column in table.schema]
    rows = engine.rows(exp.select(*names).from_(relation.copy()).limit(PREVIEW_ROWS)) if names else []
    return TableSketch(
        rows=table.row_count,
        columns={
            column.name: ColumnSketch(
                missing=table.row_count - _whole(filled.get(column.name)),
                min=finite(lows.get(column.name)),
                max=finite(highs.get(column.name)),
                distinct=_at_most(distinct.get(column.name), _whole(filled.get(column.name))),
                values=values.get(column.name, ()),
            )
            for column in table.schema
        },
        preview=tuple(tuple(map(_flat, row)) for row in rows),
    )


def _looked_at(engine: Engine, table: Table, whole: exp.Select) -> exp.Select:
    """Return the rows whose texts are counted: all of them, or runs spread evenly over a large table."""
    texts = [column for column in table.schema if column.kind is ColumnKind.TEXT]
    wanted = SAMPLE_CELLS // max(1, len(texts))
    if table.row_count <= wanted or not texts:
        return whole
    size = max(1, wanted // SAMPLE_BLOCKS)
    stride = (table.row_count - size) / (SAMPLE_BLOCKS - 1)
    starts = [round(index * stride) + 1 for index in range(SAMPLE_BLOCKS)]
    if table.files is not None:
        return engine.materialise(table.files.runs([column.name for column in texts], starts, size))
    runs = [exp.column(ROW, quoted=True).between(start, start + size - 1) for start in starts]
    names = [exp.column(column.name, quoted=True) for column in texts]
    return engine.materialise(whole.select(*names, append=False).where(exp.or_(*runs)))


def _texts(
    engine: Engine, looked_at: exp.Select, schema: Sequence[Column]
) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """Return how many different texts each text column has, and the frequent ones where they are few."""
    texts = [column for column in schema if column.kind is ColumnKind.TEXT]
    sketched = _measured(engine, looked_at, texts, lambda column: exp.ApproxDistinct(this=column))
    distinct = {name: _whole(value) for name, value in sketched.items()}
    few = [column for column in texts if distinct[column.name] <= _COUNTED]
    counted = _measured(
        engine,
        looked_at,
        few,
        lambda column: exp.Anonymous(this="histogram", expressions=[column]),
        at_once=_HISTOGRAMS_AT_ONCE,
    )
    values = {}
    for name, histogram in counted.items():
        counts = {str(text): _whole(count) for text, count in _items(histogram)}
        distinct[name] = len(counts)
        if len(counts) <= FEW and sum(counts.values()) > len(counts):
            values[name] = tuple(sorted(counts, key=lambda text: (-counts[text], text))[:KEPT_VALUES])
    return distinct, values


def _measured(
    engine: Engine,
    relation: exp.Select,
    columns: Sequence[Column],
    aggregate: Callable[[exp.Column], exp.Expr],
    *,
    at_once: int = _COLUMNS_AT_ONCE,
) -> dict[str, Value]:
    """Return one aggregate of each column, many columns in one query."""
    found: dict[str, Value] = {}
    for batch in _batches(columns, at_once):
        cells = [exp.column(column.name, quoted=True) for column in batch]
        # The engine plans far longer when it has to drop the other columns of a wide table itself.
        narrow = exp.select(*cells).from_(relation.subquery("looked_at")).subquery("batch")
        (row,) = engine.rows(exp.select(*(aggregate(cell.copy()) for cell in cells)).from_(narrow))
        found |= zip((column.name for column in batch), row, strict=True)
    return found


def _batches(columns: Sequence[Column], at_once: int) -> Iterator[Sequence[Column]]:
    for start in range(0, len(columns), at_once):
        yield columns[start : start + at_once]


def _items(histogram: Value) -> Iterator[tuple[object, Value]]:
    if isinstance(histogram, dict):
        yield from histogram.items()


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0


def _flat(value: Value) -> Cell:
    plain = json_value(value)
    if plain is None or isinstance(plain, (bool, int, float, str)):
        return plain
    return json.dumps(plain, ensure_ascii=False)


def _at_most(estimate: int | None, filled: int) -> int | None:
    return None if estimate is None else min(estimate, filled)
