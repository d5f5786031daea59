"""A table version that was open before, opened again: from the cache, or from its file with its edits made again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.config import EngineName
from tabchat.engine.reader import open_table
from tabchat.engine.table import ReadOptions
from tabchat.errors import DataKeyError, TabchatError
from tabchat.session.starting import EngineOnDemand

if TYPE_CHECKING:
    from tabchat.config import Settings
    from tabchat.engine.backends.duckdb import DuckDBEngine
    from tabchat.engine.reader import TableCache
    from tabchat.engine.table import Table
    from tabchat.session.session import Session
    from tabchat.store import TableRef


def reopen(
    engine: DuckDBEngine,
    cache: TableCache,
    reference: TableRef,
    *,
    wanted_by: str,
    hint: str,
    settings: Settings,
) -> Table:
    """Return the very version that `reference` names.

    Raises `DataKeyError`, in words of `wanted_by`: `key_expired` when it is not kept and cannot be made again,
    `source_changed` when its file is another one now.
    """
    cached = cache.load(reference.version, name=reference.name)
    if cached is not None:
        return cached
    try:
        table = _on_spark(engine, reference, settings) or open_table(
            reference.source,
            options=ReadOptions.from_json(reference.options),
            cache=cache,
            name=reference.name,
        )
        if reference.edits:
            from tabchat.engine.edits.replay import replay_edits

            if table.files is not None:
                engine.admit(table.files)
            table = replay_edits(engine, cache, table, reference.edits, reference.version)
    except TabchatError as error:
        message = (
            f"The rows of {wanted_by} have expired, and its source cannot be read again: {error.message}"
        )
        if not Path(reference.source).exists():
            hint = f"Put the file back first. {hint}"
        raise DataKeyError(message, hint=hint, code="key_expired") from error
    if table.version != reference.version:
        message = f"The source of {wanted_by}, {reference.source}, has changed since the result was computed."
        raise DataKeyError(message, hint=hint, code="source_changed")
    return table


def reopen_in(session: Session, reference: TableRef, *, hint: str) -> Table:
    """Return the very version that `reference` names, for `session`; what cannot be had is told by its name."""
    return reopen(
        session.engine,
        session.cache,
        reference,
        wanted_by=reference.name,
        hint=hint,
        settings=session.settings,
    )


def _on_spark(engine: DuckDBEngine, reference: TableRef, settings: Settings) -> Table | None:
    """Return a table that only Spark reads; nothing for any other, and where another engine computes."""
    if settings.engine is not EngineName.SPARK:
        return None
    from tabchat.engine.backends.spark.engine import SparkEngine
    from tabchat.engine.backends.spark.tables import is_far, open_far

    started = engine.started() if isinstance(engine, EngineOnDemand) else engine
    if not isinstance(started, SparkEngine) or not is_far(reference.source):
        return None
    chosen = ReadOptions.from_json(reference.options).input_format
    return open_far(
        started, reference.source, order_by=settings.order_by, name=reference.name, input_format=chosen
    )
