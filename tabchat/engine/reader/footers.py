"""What the footers of Parquet files say of their columns: bounds and missing cells, without reading a row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.sample import Ends, sample_facts
from tabchat.engine.reader import nodes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.types import Column, Value

_MOST_COLUMNS: Final = 200
"""Columns whose bounds are looked up."""


def footer_facts(
    source: Source,
    connection: Connection,
    reads: Sequence[str],
    origins: Mapping[str, str],
    *,
    name: str,
    path: str,
) -> TableFacts:
    """Return the facts of the files at `reads` by their footers and by some rows, spread over all of them.

    `origins` are the columns that are shown as the files have them: name → its name in the files.
    """
    rows = source.spread_sample()
    columns = [column for column in source.schema if column.name in origins][:_MOST_COLUMNS]
    ends = _ends(connection, reads, columns, origins, source.row_count)
    return sample_facts(rows, source.schema, name=name, path=path, row_count=source.row_count, ends=ends)


def _ends(
    connection: Connection,
    reads: Sequence[str],
    columns: Sequence[Column],
    origins: Mapping[str, str],
    row_count: int,
) -> dict[str, Ends]:
    """Return column → what the footers say of it; nothing for one that some part of a file says nothing of."""
    if not columns:
        return {}
    cells: list[exp.Expression] = []
    for column in columns:
        cells += _cells(column, origins[column.name])
    (row,) = connection.rows(
        exp.Select(expressions=cells).from_(nodes.table_function("parquet_metadata", reads))
    )
    found = {}
    width = len(cells) // len(columns)
    for place, column in enumerate(columns):
        held, missing, unknown, low, high = row[place * width : (place + 1) * width]
        if isinstance(held, int) and not unknown:
            filled = held - int(str(missing or 0))
            bounds = (low, high) if _is_finite(low) and _is_finite(high) else (None, None)
            found[column.name] = Ends(filled=min(filled, row_count), low=bounds[0], high=bounds[1])
    return found


def _cells(column: Column, origin: str) -> list[exp.Expression]:
    """Return the rows that parts of files hold of a column, its missing cells, the parts that do not tell, its ends."""
    here = exp.EQ(this=exp.column("path_in_schema"), expression=nodes.text(origin))
    bounds = []
    for kind, bound in ((exp.Min, "stats_min_value"), (exp.Max, "stats_max_value")):
        value = exp.TryCast(this=exp.column(bound), to=exp.DataType.build(column.sql_type, dialect="duckdb"))
        bounds.append(_where(kind(this=value), here) if column.kind.is_ordered else nodes.null())
    missing, rows = exp.column("stats_null_count"), exp.column("row_group_num_rows")
    unknown = nodes.is_null(missing)
    if column.kind.is_ordered:
        # A part of missing cells alone has no bounds.
        bare = nodes.both(nodes.is_null(exp.column("stats_min_value")), exp.LT(this=missing, expression=rows))
        unknown = nodes.either([unknown, bare])
    return [
        _where(exp.Sum(this=rows), here),
        _where(exp.Sum(this=missing), here),
        _where(exp.CountIf(this=unknown), here),
        *bounds,
    ]


def _where(aggregate: exp.Expression, condition: exp.Expression) -> exp.Expression:
    return exp.Filter(this=aggregate, expression=exp.Where(this=condition.copy()))


def _is_finite(value: Value) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))
