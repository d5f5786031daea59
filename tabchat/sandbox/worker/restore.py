"""Gives columns that kept their name the type that they had, where pandas could only show them as another.

A date is a timestamp to pandas, a whole number beside a missing cell a float,
a short decimal a float; nested values cross as text. A column gets its type
back when every cell fits; otherwise it stays as the code left it.
"""

from __future__ import annotations

import dataclasses
import json
from typing import TYPE_CHECKING, Final

from tabchat.sandbox.reply.plain_types import is_plain

if TYPE_CHECKING:
    import pyarrow as pa

    from tabchat.sandbox.reply.outcome import SandboxOutcome

_FEW: Final = 5


def with_types_restored(
    outcome: SandboxOutcome, schema: pa.Schema, with_missing: frozenset[str]
) -> SandboxOutcome:
    """Return the outcome with its table restored, and a remark on each column that stays text."""
    if outcome.table is None:
        return outcome
    table = restored(outcome.table, schema, with_missing)
    still = tuple(name for name in outcome.text_columns if _is_text(table.schema.field(name).type))
    remarks = tuple(
        f"Column {name} holds nested or mixed values and is shown as text." for name in still[:_FEW]
    )
    if len(still) > _FEW:
        remarks = (f"{len(still):,} columns hold nested or mixed values and are shown as text.",)
    return dataclasses.replace(outcome, table=table, text_columns=still, remarks=(*outcome.remarks, *remarks))


def restored(table: pa.Table, schema: pa.Schema, with_missing: frozenset[str]) -> pa.Table:
    """Return `table`; `with_missing` names columns of `schema` that had a missing cell."""
    for place, name in enumerate(table.column_names):
        wanted = schema.get_field_index(name)
        if wanted < 0:
            continue
        column, kind = table.column(place), schema.field(wanted).type
        if _is_nested(kind) and _is_text(column.type):
            column = _read_again(column, kind)
        else:
            column = _as_it_was(column, kind, floated=name in with_missing)
        table = table.set_column(place, name, column)
    return table


def _is_nested(kind: pa.DataType) -> bool:
    import pyarrow as pa

    types = pa.types
    return bool(
        types.is_list(kind) or types.is_large_list(kind) or types.is_struct(kind) or types.is_map(kind)
    )


def _read_again(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    """Return nested values that crossed as JSON, the text itself where it is none of this type."""
    import pyarrow as pa

    try:
        cells = [None if text is None else json.loads(text) for text in column.to_pylist()]
        if pa.types.is_map(kind):
            cells = [None if cell is None else [tuple(pair) for pair in cell] for cell in cells]
        return pa.chunked_array([pa.array(cells, kind)], type=kind)
    except (pa.ArrowException, ValueError, TypeError, OverflowError, RecursionError):
        return column


def _as_it_was(column: pa.ChunkedArray, kind: pa.DataType, *, floated: bool) -> pa.ChunkedArray:
    import pyarrow as pa

    now, types = column.type, pa.types
    if column.null_count == len(column) and (is_plain(kind) or types.is_null(kind)):
        return pa.chunked_array([pa.nulls(len(column), kind)], type=kind)
    shown = (
        (types.is_date(kind) and types.is_timestamp(now) and now.tz is None)
        or (types.is_integer(kind) and types.is_floating(now) and (floated or column.null_count))
        or (types.is_decimal(kind) and (types.is_floating(now) or types.is_decimal(now)))
        or (_is_text(kind) and _is_text(now))
        or (types.is_integer(kind) and types.is_integer(now) and floated)
        or (types.is_time(kind) and types.is_time(now))
    )
    if now == kind or not shown:
        return column
    try:
        cast = column.cast(kind, safe=not types.is_floating(now) or types.is_integer(kind))
        return cast if _same(cast, column) else column
    except pa.ArrowException:  # a cell that does not fit, there or back
        return column


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _same(cast: pa.ChunkedArray, column: pa.ChunkedArray) -> bool:
    """Tell whether the cast lost nothing: what pandas would show of it is what there was."""
    import pyarrow as pa

    if pa.types.is_decimal(cast.type) and pa.types.is_floating(column.type):
        from tabchat.sandbox.worker.frame_in import decimals_as_floats

        return bool(decimals_as_floats(cast).equals(column))
    return bool(cast.cast(column.type).equals(column))
