"""Parquet and Arrow files, written batch by batch with the columns' own types."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

    import pyarrow as pa

    from tabchat.export.job import ExportJob


def write_parquet(job: ExportJob, file: BinaryIO) -> int:
    """Write a frame as Parquet; returns the number of rows."""
    import pyarrow.parquet as pq

    batches = _named_batches(job)
    first = next(batches)
    with pq.ParquetWriter(file, first.schema, compression="zstd") as writer:
        return _write_all(writer, first, batches)


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
