"""What the footers of Parquet files say of their columns: bounds and missing cells, without reading a row."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.facts.sample import Ends, sample_facts
from tabchat.engine.reader import nodes
from tabchat.engine.types import whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.types import Column, Value

_MOST_COLUMNS: Final = 200
"""Columns whose bounds are looked up."""
_CELLS: Final = 5
"""Values that are asked for of each."""
_PART_ROWS: Final = "row_group_num_rows"


@record
class Footers:
    """What the footers of the files of one table say; `row_counts` are those of the files' parts, added up."""

    row_counts: Mapping[str, int]
    ends: Mapping[str, Ends]
    """Column → what is said of it; nothing of one that some part of a file says nothing of."""


def read_footers(
    connection: Connection, reads: Sequence[str], columns: Sequence[Column], origins: Mapping[str, str]
) -> Footers:
    """Read the footers of the files at `reads`, once: the engine takes apart all that they say of every part.

    Looked up are those of `columns`, up to a bound, that are shown as the files have them: `origins` is
    name → its name in the files.
    """
    wanted = [column for column in columns if column.name in origins][:_MOST_COLUMNS]
    first = exp.EQ(this=exp.column("column_id"), expression=exp.Literal.number(0))
    cells = [_where(exp.ArrayAgg(this=exp.column(name)), first) for name in ("file_name", _PART_ROWS)]
    for column in wanted:
        cells += _cells(column, origins[column.name])
    ((files, rows, *found),) = connection.rows(
        exp.Select(expressions=cells).from_(nodes.table_function("parquet_metadata", reads))
    )
    row_counts: Counter[str] = Counter()
    # A file without a part has no rows.
    for file, count in zip(_listed(files), _listed(rows), strict=True):
        row_counts[str(file)] += whole(count)
    return Footers(row_counts=row_counts, ends=_ends(wanted, found, row_counts.total()))


def footer_facts(source: Source, footers: Footers, *, name: str, path: str) -> TableFacts:
    """Return the facts of files by their footers and by some rows, spread over all of them."""
    return sample_facts(
        source.spread_sample(),
        source.schema,
        name=name,
        path=path,
        row_count=source.row_count,
        ends=footers.ends,
    )


def _ends(columns: Sequence[Column], found: Sequence[Value], row_count: int) -> dict[str, Ends]:
    ends = {}
    for place, column in enumerate(columns):
        held, missing, unknown, low, high = found[place * _CELLS : (place + 1) * _CELLS]
        if isinstance(held, int) and not unknown:
            filled = held - int(str(missing or 0))
            bounds = (low, high) if _is_finite(low) and _is_finite(high) else (None, None)
            ends[column.name] = Ends(filled=min(filled, row_count), low=bounds[0], high=bounds[1])
    return ends


def _listed(values: Value) -> Sequence[Value]:
    return values if isinstance(values, list) else ()


def _cells(column: Column, origin: str) -> list[exp.Expression]:
    """Return the rows that parts of files hold of a column, its missing cells, the parts that do not tell, its ends."""
    here = exp.EQ(this=exp.column("path_in_schema"), expression=nodes.text(origin))
    bounds = []
    for kind, bound in ((exp.Min, "stats_min_value"), (exp.Max, "stats_max_value")):
        value = exp.TryCast(this=exp.column(bound), to=exp.DataType.build(column.sql_type, dialect="duckdb"))
        bounds.append(_where(kind(this=value), here) if column.kind.is_ordered else nodes.null())
    missing, rows = exp.column("stats_null_count"), exp.column(_PART_ROWS)
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
