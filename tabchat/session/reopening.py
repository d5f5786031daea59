"""A table version that was open before, opened again: from the cache, or from its file with its edits made again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.engine.reader import open_table
from tabchat.engine.table import ReadOptions
from tabchat.errors import DataKeyError, TabchatError

if TYPE_CHECKING:
    from tabchat.engine.backends.duckdb import DuckDBEngine
    from tabchat.engine.reader import TableCache
    from tabchat.engine.table import Table
    from tabchat.store import TableRef


def reopen(
    engine: DuckDBEngine, cache: TableCache, reference: TableRef, *, wanted_by: str, hint: str
) -> Table:
    """Return the very version that `reference` names.

    Raises `DataKeyError`, in words of `wanted_by`: `key_expired` when it is not kept and cannot be made again,
    `source_changed` when its file is another one now.
    """
    cached = cache.load(reference.version, name=reference.name)
    if cached is not None:
        return cached
    try:
        table = open_table(
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
        raise DataKeyError(message, hint=hint, code="key_expired") from error
    if table.version != reference.version:
        message = f"The source of {wanted_by}, {reference.source}, has changed since the result was computed."
        raise DataKeyError(message, hint=hint, code="source_changed")
    return table
