"""What code in the sandbox gave, as a result with rows in the engine."""

from __future__ import annotations

import math
import struct
from dataclasses import replace
from typing import TYPE_CHECKING, Final, assert_never

import pyarrow as pa

from tabchat.engine.plan.relation import visible_rows
from tabchat.engine.result.result import Frame, Result, ResultKind, ResultMetadata
from tabchat.errors import CodeFailedError
from tabchat.sandbox.reply.outcome import ResultForm

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Value
    from tabchat.sandbox.reply.outcome import SandboxOutcome

WIDEST: Final = 50
"""Named values that are shown side by side; more of them are rows."""
_WORD: Final = 64


def remarks_on(outcome: SandboxOutcome, *, is_person: bool) -> tuple[str, ...]:
    """Return what is to be said beside an answer; what could quote cells is for the person alone."""
    if not is_person:
        nested = len(outcome.text_columns)
        as_text = [f"{nested:,} column{'s' if nested > 1 else ''} shown as text: nested or mixed values."]
        warned_of = dict.fromkeys(f"{warned.place}." for warned in outcome.warned)
        return (*outcome.notes, *(as_text if nested else ()), *warned_of)
    warned = (f"{warned.place}: {warned.message}" for warned in outcome.warned)
    return (*outcome.notes, *outcome.remarks, *warned)


def infinite(outcome: SandboxOutcome) -> tuple[str, ...]:
    """Return what is to be said of values beyond all numbers, which no screen tells from missing ones."""
    values = [outcome.value, *outcome.values.values()]
    count = sum(isinstance(value, float) and math.isinf(value) for value in values)
    if outcome.table is not None:
        count += _infinite_cells(outcome.table)
    if not count:
        return ()
    return (f"{count:,} value{' is' if count == 1 else 's are'} infinite and shown as missing.",)


def _infinite_cells(table: pa.Table) -> int:
    import pyarrow.compute as pc

    floating = (column for column in table.columns if pa.types.is_floating(column.type))
    return sum(pc.sum(pc.is_inf(column)).as_py() or 0 for column in floating)


def as_result(engine: Engine, table: Table, outcome: SandboxOutcome, *, is_person: bool) -> Result:
    """Return the result of an answered execution over `table`; the rows behind a value are those of the table."""
    outcome = replace(outcome, notes=(*infinite(outcome), *remarks_on(outcome, is_person=is_person)))
    match outcome.form:
        case ResultForm.FRAME if outcome.table is not None:
            return _table(engine, table, outcome, outcome.table)
        case ResultForm.SCALAR:
            return _scalar(engine, table, outcome, outcome.value)
        case ResultForm.TEXT:
            return _scalar(engine, table, outcome, outcome.text)
        case ResultForm.DICT:
            return _named(engine, table, outcome)
        case ResultForm.FRAME | None:
            message = "The code ended without a result."
            raise CodeFailedError(message, hint="Put the final value in `result`.", plain=message)
        case _:
            assert_never(outcome.form)


def _table(engine: Engine, table: Table, outcome: SandboxOutcome, rows: pa.Table) -> Result:
    frame = _frame(engine, rows)
    known = table.by_name
    return Result(
        kind=ResultKind.TABLE,
        frame=frame,
        focus=tuple(name for name in frame.columns if name not in known),
        metadata=_metadata(outcome, frame.row_count),
        sql="",
    )


def _scalar(engine: Engine, table: Table, outcome: SandboxOutcome, value: Value) -> Result:
    return Result(
        kind=ResultKind.SCALAR,
        frame=_frame(engine, _one_row({"result": value})),
        value=value,
        source=_source(engine, table),
        source_row_count=table.row_count,
        metadata=_metadata(outcome, 1),
        sql="",
    )


def _named(engine: Engine, table: Table, outcome: SandboxOutcome) -> Result:
    values = dict(outcome.values)
    if len(values) > WIDEST or not values:
        return _table(engine, table, outcome, _pairs(values))
    return Result(
        kind=ResultKind.DICT,
        frame=_frame(engine, _one_row(values)),
        values=values,
        source=_source(engine, table),
        source_row_count=table.row_count,
        metadata=_metadata(outcome, 1),
        sql="",
    )


def _one_row(values: Mapping[str, Value]) -> pa.Table:
    return pa.table({name: _one_cell(value) for name, value in values.items()})


def _one_cell(value: Value) -> pa.Array:
    """Return an array of one value; Arrow's own way would first import pandas, for a plain number, too."""
    if isinstance(value, float):
        return pa.Array.from_buffers(pa.float64(), 1, [None, pa.py_buffer(struct.pack("=d", value))])
    if isinstance(value, int) and not isinstance(value, bool) and value.bit_length() < _WORD:
        return pa.Array.from_buffers(pa.int64(), 1, [None, pa.py_buffer(struct.pack("=q", value))])
    return pa.array([value])


def _pairs(values: Mapping[str, Value]) -> pa.Table:
    try:
        held = pa.array(list(values.values()))
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        held = pa.array([None if value is None else str(value) for value in values.values()])
    return pa.table({"key": pa.array(list(values), pa.string()), "value": held})


def _frame(engine: Engine, rows: pa.Table) -> Frame:
    query = engine.hold(rows)
    return Frame(engine=engine, query=query, schema=engine.schema(query), row_count=rows.num_rows)


def _source(engine: Engine, table: Table) -> Frame:
    return Frame(engine=engine, query=visible_rows(table), schema=table.schema, row_count=table.row_count)


def _metadata(outcome: SandboxOutcome, rows: int) -> ResultMetadata:
    return ResultMetadata(rows=rows, warnings=outcome.notes, notes=outcome.repairs)
