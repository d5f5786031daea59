"""The facts of an open table: as they were kept with its version, else gathered, else from a sample of its file."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from tabchat.engine.facts.kept import facts_bytes, read_facts
from tabchat.errors import InputError

if TYPE_CHECKING:
    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.reader.cache import TableCache
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine


def facts_of(engine: Engine, table: Table, cache: TableCache | None = None) -> TableFacts:
    """Return what is known of the columns of `table`; no later question of it needs the engine.

    A stored version was looked at when it was written, or is now, and what was found is kept in `cache`. Of a text
    that is scanned where it lies only what its reader sampled is known, and of large Parquet files only that and
    their footers until `survey` was asked for; `exact` is then false.
    """
    kept = cache.facts(table.version) if cache is not None and table.stored else None
    facts = read_facts(kept, table) if kept is not None else None
    if facts is None:
        facts = _looked_at(engine, table, cache)
    return facts.without(frozenset(table.hidden))


def survey(engine: Engine, table: Table, cache: TableCache) -> None:
    """Look at every row of a table of which only some were, and keep what is found for whoever asks next."""
    if table.stored and not facts_of(engine, table, cache).exact:
        _looked_at(engine, table, cache)


def keep_facts(cache: TableCache, version: str, facts: TableFacts) -> None:
    """Keep the facts of a version beside it; a disk that refuses costs only time."""
    written = facts_bytes(facts)
    if written is not None:
        with contextlib.suppress(OSError, InputError):
            cache.keep_facts(version, written)


def _looked_at(engine: Engine, table: Table, cache: TableCache | None) -> TableFacts:
    # What measures tables is loaded only when there is one to measure.
    from tabchat.engine.facts.gather import gather_facts
    from tabchat.engine.facts.source import Source

    if not table.stored or table.sampled is not None:
        from tabchat.engine.facts.sample import sampled_head

        return table.sampled or sampled_head(engine, table)
    schema = table.whole_schema or table.schema
    source = Source(
        run=engine.rows, scan=table.scan, schema=schema, row_count=table.row_count, files=table.files
    )
    facts = gather_facts(source, name=table.name, path=str(table.source))
    if cache is not None:
        keep_facts(cache, table.version, facts)
    return facts
