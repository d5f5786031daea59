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


UNLIMITED: Final = Limits()
