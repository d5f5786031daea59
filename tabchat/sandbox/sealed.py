"""Files in memory that nobody can change any more: how a table and a request reach the worker."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from tabchat.errors import CodeFailedError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    import pyarrow as pa

_MIB: Final = 1024 * 1024


@contextmanager
def sealed_bytes(name: str, content: bytes) -> Iterator[int]:
    """Yield a descriptor of an unnamed, sealed file with `content`."""
    descriptor = _new(name)
    try:
        with os.fdopen(descriptor, "wb", closefd=False) as file:
            file.write(content)
        _seal(descriptor)
        yield descriptor
    finally:
        os.close(descriptor)


@record
class SealedTable:
    """A table in a sealed file."""

    descriptor: int
    rows: int
    size: int
    """Bytes of its cells."""
    with_missing: frozenset[str]
    """Columns in which a cell is missing."""


@contextmanager
def sealed_table(
    batches: Iterable[pa.RecordBatch], schema: pa.Schema, *, limit_mb: int
) -> Iterator[SealedTable]:
    """Yield a sealed Arrow stream with the table.

    Raises `CodeFailedError` when the table takes more than `limit_mb`.
    """
    import pyarrow as pa

    descriptor = _new("table")
    rows = size = 0
    missing: set[str] = set()
    try:
        with (
            pa.OSFile(f"/proc/self/fd/{descriptor}", "wb") as file,
            pa.ipc.new_stream(file, schema.remove_metadata()) as stream,
        ):
            for batch in batches:
                rows += batch.num_rows
                size += batch.nbytes
                missing.update(name for name in batch.schema.names if batch.column(name).null_count)
                if size > limit_mb * _MIB:
                    raise _too_large(limit_mb)
                stream.write_batch(batch)
        _seal(descriptor)
        yield SealedTable(descriptor=descriptor, rows=rows, size=size, with_missing=frozenset(missing))
    finally:
        os.close(descriptor)


def _new(name: str) -> int:
    return os.memfd_create(f"tabchat-{name}", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)


def _seal(descriptor: int) -> None:
    import fcntl

    seals = fcntl.F_SEAL_SEAL | fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW | fcntl.F_SEAL_WRITE
    fcntl.fcntl(descriptor, fcntl.F_ADD_SEALS, seals)


def _too_large(limit_mb: int) -> CodeFailedError:
    message = f"The table takes more than the {limit_mb:,} MB that code is given at once."
    return CodeFailedError(
        message, hint="Select the columns and rows that are needed with a query first.", plain=message
    )
