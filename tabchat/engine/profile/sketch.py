"""A light look at a table, to tell what it is about: ranges, missing values, values of columns that have few.

It never costs more than seconds, whatever the table: ranges and counts of a stored version are read from its
parts' own statistics, and values from a sample of at most two million cells. `profile_table` is the full account.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.facts.source import Source
from tabchat.engine.profile.queries import Scan, count_of, distinct_of, ordered, sketched_of
from tabchat.engine.types import ColumnKind, json_value
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.profile.queries import Measure
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Value

Cell: TypeAlias = "bool | int | float | str | None"

SAMPLE_CELLS: Final = 2_000_000
SAMPLE_BLOCKS: Final = 16
"""A sample is so many runs of rows, evenly spread."""
FEW: Final = 20
"""Texts of a column are kept when there are at most so many different ones."""
PREVIEW_ROWS: Final = 10
"""As many rows as a preview can ever have."""

_COUNTED: Final = 2 * FEW
"""Columns with about so many values are counted exactly."""
_COLUMNS_AT_ONCE: Final = 1000
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
    # Statistics tell the ends, the counts or both only where nothing else is asked with them.
    bounds: Sequence[Mapping[str, Measure]] = ({"min": ordered(exp.Min)}, {"max": ordered(exp.Max)})
    figures = Scan(engine, whole, table.schema).measure(
        *bounds, {"filled": count_of}, at_once=_COLUMNS_AT_ONCE
    )
    distinct, values = _texts(engine, table, whole)
    names = [exp.column(column.name, quoted=True) for column in table.schema]
    rows = engine.rows(exp.select(*names).from_(relation.copy()).limit(PREVIEW_ROWS)) if names else []
    return TableSketch(
        rows=table.row_count,
        columns={
            name: ColumnSketch(
                missing=table.row_count - found.filled,
                min=found.min,
                max=found.max,
                distinct=min(distinct[name], found.filled) if name in distinct else None,
                values=values.get(name, ()),
            )
            for name, found in figures.items()
        },
        preview=tuple(tuple(map(_flat, row)) for row in rows),
    )


def _texts(
    engine: Engine, table: Table, whole: exp.Select
) -> tuple[dict[str, int], dict[str, tuple[str, ...]]]:
    """Return how many different texts each text column has, and the frequent ones where they are few.

    Looked at are all rows, or runs spread evenly over a large table.
    """
    texts = [column for column in table.schema if column.kind is ColumnKind.TEXT]
    wanted = SAMPLE_CELLS // max(1, len(texts))
    if texts and table.row_count > wanted:
        source = Source.of(engine, table, whole)
        whole = engine.materialise(source.spread([column.name for column in texts], wanted, SAMPLE_BLOCKS))
    scan = Scan(engine, whole, texts)
    distinct = {
        name: found.distinct
        for name, found in scan.measure({"distinct": sketched_of}, at_once=_COLUMNS_AT_ONCE).items()
    }
    few = scan.only([column for column in texts if distinct[column.name] <= _COUNTED])
    counted = few.measure({"filled": count_of, "distinct": distinct_of})
    distinct |= {name: found.distinct for name, found in counted.items()}
    repeating = [
        column
        for column in few.columns
        if (found := counted[column.name]).distinct <= FEW and found.filled > found.distinct
    ]
    listed = few.histograms(repeating)
    return distinct, {name: tuple(str(text) for text, _ in top) for name, top in listed.items()}


def _flat(value: Value) -> Cell:
    plain = json_value(value)
    if plain is None or isinstance(plain, (bool, int, float, str)):
        return plain
    return json.dumps(plain, ensure_ascii=False)
