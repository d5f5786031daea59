"""Parquet and Arrow files, written batch by batch with the columns' own types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.copying import Packed
from tabchat.engine.projection import base_type, project
from tabchat.engine.result.result import CHUNK_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    import pyarrow as pa
    from sqlglot import exp

    from tabchat.export.job import ExportJob

_DICTIONARY_BYTES: Final = 64 * 1024
"""What the different cells of a column may take before they are written one by one; with more, listing them costs time and room."""

_PLAIN: Final = frozenset(
    {"BOOLEAN", "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT"}
    | {"FLOAT", "DOUBLE", "DECIMAL", "VARCHAR", "DATE", "TIMESTAMP"}
)
"""Types that the engine and Arrow write alike."""


def write_parquet(job: ExportJob, file: BinaryIO) -> int:
    """Write a frame as Parquet; returns the number of rows.

    The engine writes a long one by itself, on all processors, where its types are the ones that Arrow would write.
    """
    count = _copied(job, file) if job.frame.row_count > CHUNK_ROWS and _is_plain(job) else None
    return _packed(job, file) if count is None else count


def _is_plain(job: ExportJob) -> bool:
    distinct = {name.casefold() for name in job.names}
    return (
        job.frame.held is None
        and all(base_type(column.sql_type) in _PLAIN for column in job.frame.schema)
        and len(distinct) == len(job.names)
        and "" not in distinct
    )


def _copied(job: ExportJob, file: BinaryIO) -> int | None:
    frame = job.frame
    query = project(
        frame.query,
        frame.schema,
        lambda columns: [_named(column, name) for column, name in zip(columns, job.names, strict=True)],
    )
    return frame.engine.write_into(query, file, Packed(columns=len(job.names)))


def _named(column: exp.Expr, name: str) -> exp.Expr:
    from sqlglot import exp

    return exp.alias_(column, name, quoted=True)


def _packed(job: ExportJob, file: BinaryIO) -> int:
    import pyarrow.parquet as pq

    batches = _named_batches(job)
    first = next(batches)
    # Numbers and dates are shorter packed than listed, and listing them takes a tenth of the time.
    listed = [field.name for field in first.schema if _is_text(field.type)]
    options = {
        "compression": "zstd",
        "use_dictionary": listed or False,
        "dictionary_pagesize_limit": _DICTIONARY_BYTES,
    }
    with pq.ParquetWriter(file, first.schema, **options) as writer:
        return _write_all(writer, first, batches)


def _is_text(kind: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def write_arrow(job: ExportJob, file: BinaryIO) -> int:
    """Write a frame as an Arrow file (Feather 2); returns the number of rows."""
    import pyarrow as pa

    batches = _named_batches(job)
    first = next(batches)
    with pa.ipc.new_file(file, first.schema) as writer:
        return _write_all(writer, first, batches)


def _named_batches(job: ExportJob) -> Iterator[pa.RecordBatch]:
    names = list(job.names)
    for batch in job.arrow().batches():
        yield batch.rename_columns(names)


def _write_all(
    writer: pa.ipc.RecordBatchFileWriter, first: pa.RecordBatch, rest: Iterator[pa.RecordBatch]
) -> int:
    writer.write_batch(first)
    count = int(first.num_rows)
    for batch in rest:
        writer.write_batch(batch)
        count += batch.num_rows
    return count
