"""Gives columns that kept their name the type that they had, where pandas could only show them as another.

A date is a timestamp to pandas, a whole number beside a missing cell a float,
a short decimal a float. A column gets its type back when every cell fits;
otherwise it stays as the code left it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.sandbox.plain_types import is_plain

if TYPE_CHECKING:
    import pyarrow as pa


def restored(table: pa.Table, schema: pa.Schema, with_missing: frozenset[str]) -> pa.Table:
    """Return `table`; `with_missing` names columns of `schema` that had a missing cell."""
    for place, name in enumerate(table.column_names):
        wanted = schema.get_field_index(name)
        if wanted < 0:
            continue
        column = _as_it_was(table.column(place), schema.field(wanted).type, floated=name in with_missing)
        table = table.set_column(place, name, column)
    return table


def _as_it_was(column: pa.ChunkedArray, kind: pa.DataType, *, floated: bool) -> pa.ChunkedArray:
    import pyarrow as pa

    now, types = column.type, pa.types
    if column.null_count == len(column) and is_plain(kind):
        return pa.chunked_array([pa.nulls(len(column), kind)], type=kind)
    shown = (
        (types.is_date(kind) and types.is_timestamp(now) and now.tz is None)
        or (types.is_integer(kind) and types.is_floating(now) and (floated or column.null_count))
        or (types.is_decimal(kind) and types.is_floating(now))
        or (_is_text(kind) and _is_text(now))
        or (types.is_integer(kind) and types.is_integer(now) and floated)
        or (types.is_time(kind) and types.is_time(now))
    )
    if now == kind or not shown:
        return column
    try:
        cast = column.cast(kind, safe=not types.is_decimal(kind) and not types.is_date(kind))
    except pa.ArrowException:  # a cell that does not fit
        return column
    return cast if _same(cast, column) else column


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _same(cast: pa.ChunkedArray, column: pa.ChunkedArray) -> bool:
    """Tell whether the cast lost nothing: what pandas would show of it is what there was."""
    import pyarrow as pa

    if pa.types.is_decimal(cast.type):
        from tabchat.sandbox.frame_in import decimals_as_floats

        return bool(decimals_as_floats(cast).equals(column))
    return bool(cast.cast(column.type).equals(column))
