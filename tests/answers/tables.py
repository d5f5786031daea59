"""Results over rows that a test gives."""

from collections.abc import Mapping, Sequence
from typing import Any

import pyarrow as pa

from tabchat.answers.results import NumberedResult
from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.result import Frame, Result, ResultKind, ResultMetadata


def result_of(
    engine: DuckDBEngine,
    columns: Mapping[str, Sequence[Any]],
    *,
    keys: Sequence[str] = (),
    number: int = 1,
    source_rows: int | None = None,
) -> NumberedResult:
    """Return a result with these columns; grouped by `keys`, or a table of records without any."""
    query = engine.hold(pa.table(dict(columns)))
    count = len(next(iter(columns.values())))
    frame = Frame(engine=engine, query=query, schema=engine.schema(query), row_count=count)
    result = Result(
        kind=ResultKind.GROUPED if keys else ResultKind.TABLE,
        frame=frame,
        group_by=tuple(keys),
        source_row_count=source_rows,
        metadata=ResultMetadata(rows=count),
        sql="SELECT 1",
    )
    return NumberedResult(
        result=result, number=number, data_key=f"ds_{number}", shown_rows=count if keys else 0
    )
