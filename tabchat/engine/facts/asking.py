"""The facts of an open table: as they were kept with its version, else gathered, else from a sample of its file.

Kept facts are a line with a checksum, then compact JSON. They are read at each start, so the texts of a column are one
string. Bytes that are not what was written, or of another table, give nothing; the facts are then gathered anew.
"""

from __future__ import annotations

import contextlib
import datetime as dt
import json
import zlib
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.facts.records import MOST_BYTES, ColumnFacts, Figures, TableFacts
from tabchat.engine.types import FROM_ISO, ColumnKind
from tabchat.errors import InputError

if TYPE_CHECKING:
    from tabchat.engine.facts.records import Bound
    from tabchat.engine.reader.cache import TableCache
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine

_FORMAT: Final = 3
_BETWEEN: Final = "\x7f"
"""Parts the texts of a column: JSON need not escape it, and hardly a cell holds it."""
_FLAGS: Final = (
    *("exact", "ascending", "unique", "numbers_rows"),
    *("complete", "years", "integral"),
)
_SHAPE: Final = ("decimal", "scaled", "whole", "unit", "low", "high", "distinct", "doubled")


def facts_bytes(facts: TableFacts) -> bytes | None:
    """Return `facts` to be kept; None when they are more than `MOST_BYTES`."""
    written = json.dumps(
        {
            "rows": facts.row_count,
            "nouns": facts.row_nouns,
            "exact": facts.exact,
            "determined": facts.determined,
            "columns": list(map(_listed, facts.columns)),
        },
        ensure_ascii=False,
        separators=(",", ":"),
    ).encode()
    kept = _head(written) + written
    return kept if len(kept) <= MOST_BYTES else None


def read_facts(kept: bytes, table: Table) -> TableFacts | None:
    """Return the facts of `table`, all columns of it, that `kept` holds; None when it does not hold them."""
    head, _, written = kept.partition(b"\n")
    if len(kept) > MOST_BYTES or head + b"\n" != _head(written):
        return None
    try:
        found = json.loads(written)
        facts = TableFacts(
            name=table.name,
            row_count=found["rows"],
            columns=tuple(map(_column, found["columns"])),
            row_nouns=tuple(found["nouns"]),
            exact=found["exact"],
            determined=_pairs(found["determined"]),
        )
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    schema = table.whole_schema or table.schema
    same = [(column.name, column.kind) for column in schema] == [(c.name, c.kind) for c in facts.columns]
    return facts if same else None


def _head(written: bytes) -> bytes:
    return b"tabchat facts %d %08x\n" % (_FORMAT, zlib.crc32(written))


def _listed(column: ColumnFacts) -> list[Any]:
    flags = sum(1 << place for place, name in enumerate(_FLAGS) if getattr(column, name))
    joined = _BETWEEN.join(column.texts)
    is_plain = bool(column.texts) and joined.count(_BETWEEN) == len(column.texts) - 1
    noted = [getattr(column.noted, name) for name in _SHAPE] if column.noted is not None else None
    return [
        *(column.name, column.kind.value, column.unit, column.filled, column.distinct, flags),
        *(_plain(column.low), _plain(column.high), noted, column.average_length),
        *(joined if is_plain else column.texts, column.counts, column.span),
    ]


def _column(listed: list[Any]) -> ColumnFacts:
    name, kind, unit, filled, distinct, flags, low, high, noted, length, texts, counts, span = listed
    figures = Figures(**dict(zip(_SHAPE, noted, strict=True))) if noted is not None else None
    kind = ColumnKind(kind)
    marks: dict[str, Any] = {flag: bool(flags >> place & 1) for place, flag in enumerate(_FLAGS)}
    return ColumnFacts(
        name=name,
        kind=kind,
        unit=unit,
        filled=filled,
        distinct=distinct,
        low=_bound(low, kind),
        high=_bound(high, kind),
        figures=figures.decimal if figures is not None else None,
        noted=figures,
        average_length=length,
        texts=tuple(texts.split(_BETWEEN) if isinstance(texts, str) else texts),
        counts=tuple(counts),
        span=span,
        **marks,
    )


def _pairs(found: dict[str, list[str]] | None) -> dict[str, tuple[str, ...]] | None:
    return None if found is None else {name: tuple(others) for name, others in found.items()}


def _plain(value: Bound) -> int | float | str | None:
    return value.isoformat() if isinstance(value, dt.date | dt.time) else value


def _bound(plain: Any, kind: ColumnKind) -> Bound:
    if plain is None or kind not in FROM_ISO:
        return plain  # type: ignore[no-any-return]  # as JSON keeps it
    return FROM_ISO[kind](plain)


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
