"""Engines that may touch the session's own folders and nothing else."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.config import EngineName
from tabchat.engine.backends.duckdb_spare import SpareDatabase
from tabchat.engine.limits import Limits
from tabchat.errors import RefusedError
from tabchat.inert import is_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.config import Settings
    from tabchat.engine.bounded.engine import BoundedDuckDBEngine

ENGINE_SHARE: Final = 0.8
"""Part of the memory of a process that is its engine's: sorts hold a tenth more than it counts, and the program itself 0.1 GB."""


def new_engine(
    settings: Settings, root: Path, files: Sequence[Path] = (), spare: SpareDatabase | None = None
) -> BoundedDuckDBEngine:
    """Return a locked and bounded engine, or Spark behind one, over the table versions and results below `root`, and `files`.

    It takes the place of the database that is in `spare`, if any; else one starts while what asks it loads.
    Raises `RefusedError` for Spark where `--offline` forbids it.
    """
    kind: Callable[..., BoundedDuckDBEngine]
    if settings.engine is EngineName.SPARK:
        if settings.offline:
            message = "--offline opens no socket, and Spark is reached through one, also on this machine."
            raise RefusedError(message, hint="Leave --offline out, or ask without --engine spark.")
        from tabchat.engine.backends.spark.engine import SparkEngine

        kind = partial(SparkEngine, address=settings.spark, most_rows=settings.spark_rows)
    else:
        database = spare or SpareDatabase()
        database.begin()
        from tabchat.engine.bounded.engine import BoundedDuckDBEngine

        kind = partial(BoundedDuckDBEngine, spare=database)
    return kind(
        spill=root / "spill",
        folders=(root / "tables", root / "results"),
        # The engine knows UTF-8 alone; a file of another name is read through a link in the folder of tables.
        files=[file for file in files if is_text(str(file))],
        limits=limits_of(settings),
    )


def limits_of(settings: Settings) -> Limits:
    """Return what a database may take of the machine: of the memory that a process may hold, its share."""
    allowed = settings.memory_limit
    memory = None if allowed is None else max(1, int(allowed * ENGINE_SHARE))
    return Limits(memory=memory, spill=settings.spill_size, threads=settings.threads)
