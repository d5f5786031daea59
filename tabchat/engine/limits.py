"""What a DuckDB database may take of the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator


@record
class Limits:
    """Bounds of one database; the engine's own defaults where nothing is said."""

    memory: int | None = None
    """Bytes that it holds before it spills."""
    spill: int | None = None
    """Bytes that it spills before it gives up."""
    threads: int | None = None

    def statements(self) -> Iterator[str]:
        """Yield the SQL statements that hold a database to these bounds."""
        if self.memory is not None:
            yield f"SET memory_limit = '{self.memory}B'"
        if self.spill is not None:
            yield f"SET max_temp_directory_size = '{self.spill}B'"
        if self.threads is not None:
            yield f"SET threads = {self.threads}"
            yield f"SET async_threads = {output_threads(self.threads)}"


def output_threads(threads: int) -> int:
    """Return how many threads of its own DuckDB 2.0 reads and writes files with, where `threads` compute.

    None: with any, it waits for ever when a `COPY` to Parquet fails or is stopped while one of them writes, since it holds the
    lock that the thread needs to end. Where one thread computes, a recursive query over Parquet waits for ever without one.
    """
    return 1 if threads == 1 else 0


UNLIMITED: Final = Limits()
