"""Profiles and sketches of table versions on disk, so that a table is looked at for one once: small sealed JSON texts."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.encoded import decode_value, encode_value
from tabchat.engine.profile.profile import ColumnProfile, TableProfile, profile_table
from tabchat.engine.profile.sketch import ColumnSketch, TableSketch, sketch_table
from tabchat.engine.profile.spread import Spread
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, JsonValue
    from tabchat.sealed import SealedFolder

KEPT_PROFILES: Final = 200
"""Profiles that are worth keeping."""
KEPT_SKETCHES: Final = 500

_FORMAT: Final = 2


def cached_profile(
    engine: Engine, table: Table, folder: SealedFolder | None, *, spreads: bool = False
) -> TableProfile:
    """Return the profile of `table` kept in `folder`, with `spreads` or without, or make it and keep it.

    A folder that cannot be read or written costs time only, and so do cells that no text stands for. Raises
    `DataKeyError` (`source_changed`) for files that have changed.
    """
    if folder is None:
        return profile_table(engine, table, spreads=spreads)
    name = _name(table, spreads=spreads)
    kept = _profile(folder.read(name), table)
    if kept is None:
        kept = profile_table(engine, table, spreads=spreads)
        if (text := _profile_text(kept, table)) is not None:
            folder.write(name, text)
    elif table.files is not None:
        table.files.require_unchanged()
    return kept


def cached_sketch(engine: Engine, table: Table, folder: SealedFolder | None) -> TableSketch:
    """Return the sketch of `table` kept in `folder`, or look at the table and keep what was found.

    A folder that cannot be read or written costs time only.
    """
    if folder is None:
        return sketch_table(engine, table)
    name = _name(table)
    kept = _sketch(folder.read(name), table)
    if kept is None:
        kept = sketch_table(engine, table)
        folder.write(name, _sketch_text(kept))
    return kept


def _name(table: Table, **options: bool) -> str:
    columns = [[column.name, column.kind.value, column.sql_type, column.unit] for column in table.schema]
    text = json.dumps([_FORMAT, table.version, table.row_count, columns, options])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _profile(text: str | None, table: Table) -> TableProfile | None:
    """Return the profile that a text holds, nothing when it is absent or of another form."""
    try:
        facts = json.loads(text or "")
        columns = tuple(map(_column, facts["columns"]))
        preview = tuple(tuple(map(decode_value, row)) for row in facts["preview"])
    except (ValueError, KeyError, TypeError, ArithmeticError):
        return None
    if [column.name for column in columns] != [column.name for column in table.schema]:
        return None
    exact = not any(column.approximate for column in columns)
    return TableProfile(
        rows=table.row_count, cols=len(columns), columns=columns, preview=preview, exact=exact
    )


def _column(found: dict[str, Any]) -> ColumnProfile:
    spread = found["spread"]
    return ColumnProfile(
        **{
            **found,
            "kind": ColumnKind(found["kind"]),
            "min": decode_value(found["min"]),
            "max": decode_value(found["max"]),
            "approximate": tuple(found["approximate"]),
            "spread": _spread(*spread) if spread is not None else None,
            "top_values": tuple((decode_value(value), int(count)) for value, count in found["top_values"]),
        }
    )


def _spread(start: Any, width: float, counts: list[int]) -> Spread:
    return Spread(start=decode_value(start), width=float(width), counts=tuple(counts))


def _profile_text(profile: TableProfile, table: Table) -> str | None:
    """Return a profile as text; None when one of its cells is of a type that is not kept."""
    fields = (
        *("name", "kind", "sql_type", "unit", "nulls", "distinct"),
        *("min", "max", "mean", "median", "std"),
    )
    columns = [
        {
            **{name: encode_value(getattr(column, name)) for name in fields},
            "approximate": column.approximate,
            "spread": _listed(column.spread),
            "top_values": [[encode_value(value), count] for value, count in column.top_values],
        }
        for column in profile.columns
    ]
    preview = [[encode_value(value) for value in row] for row in profile.preview]
    text = json.dumps({"columns": columns, "preview": preview}, ensure_ascii=False)
    return text if _profile(text, table) == profile else None


def _listed(spread: Spread | None) -> JsonValue:
    return None if spread is None else [encode_value(spread.start), spread.width, list(spread.counts)]


def _sketch(text: str | None, table: Table) -> TableSketch | None:
    """Return the sketch that a text holds, nothing when it is absent or of another form."""
    try:
        facts = json.loads(text or "")
        sketch = TableSketch(
            rows=table.row_count,
            columns={
                name: ColumnSketch(
                    missing=int(missing),
                    min=decode_value(low),
                    max=decode_value(high),
                    distinct=distinct,
                    values=tuple(map(str, values)),
                )
                for name, (missing, low, high, distinct, values) in facts["columns"].items()
            },
            preview=tuple(map(tuple, facts["preview"])),
        )
    except (ValueError, KeyError, TypeError, AttributeError, ArithmeticError):
        return None
    return sketch if list(sketch.columns) == [column.name for column in table.schema] else None


def _sketch_text(sketch: TableSketch) -> str:
    columns = {
        name: [found.missing, encode_value(found.min), encode_value(found.max), found.distinct, found.values]
        for name, found in sketch.columns.items()
    }
    return json.dumps({"columns": columns, "preview": sketch.preview}, ensure_ascii=False)
