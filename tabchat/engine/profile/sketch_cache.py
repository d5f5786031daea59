"""Sketches of tables on disk: one small JSON text for each version and choice of columns."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.profile.sketch import ColumnSketch, TableSketch, sketch_table
from tabchat.engine.types import FROM_ISO, ColumnKind, json_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Value
    from tabchat.sealed import SealedFolder

KEPT: Final = 500
"""Sketches that are worth keeping."""

_FORMAT: Final = 1


def cached_sketch(engine: Engine, table: Table, folder: SealedFolder | None) -> TableSketch:
    """Return the sketch of `table` kept in `folder`, or look at the table and keep what was found.

    A folder that cannot be read or written costs time only.
    """
    if folder is None:
        return sketch_table(engine, table)
    name = _name(table)
    kept = _loaded(folder.read(name), table)
    if kept is None:
        kept = sketch_table(engine, table)
        folder.write(name, _text(kept))
    return kept


def _name(table: Table) -> str:
    columns = [[column.name, column.kind.value] for column in table.schema]
    text = json.dumps([_FORMAT, table.version, table.row_count, columns])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _loaded(text: str | None, table: Table) -> TableSketch | None:
    """Return the sketch that a text holds, nothing when it is absent or of another form."""
    kinds = {column.name: column.kind for column in table.schema}
    try:
        facts = json.loads(text or "")
        sketch = TableSketch(
            rows=int(facts["rows"]),
            columns={name: _column(found, kinds[name]) for name, found in facts["columns"].items()},
            preview=tuple(tuple(row) for row in facts["preview"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    return sketch if list(sketch.columns) == list(kinds) else None


def _column(found: Mapping[str, Any], kind: ColumnKind) -> ColumnSketch:
    return ColumnSketch(
        missing=int(found["missing"]),
        min=_value(found["min"], kind),
        max=_value(found["max"], kind),
        distinct=found["distinct"],
        values=tuple(map(str, found["values"])),
    )


def _value(plain: Any, kind: ColumnKind) -> Value:
    if plain is None:
        return None
    if kind in FROM_ISO:
        return FROM_ISO[kind](plain)
    return int(plain) if kind is ColumnKind.INTEGER else float(plain)


def _text(sketch: TableSketch) -> str:
    facts = {
        "rows": sketch.rows,
        "columns": {
            name: {
                "missing": found.missing,
                "min": json_value(found.min),
                "max": json_value(found.max),
                "distinct": found.distinct,
                "values": list(found.values),
            }
            for name, found in sketch.columns.items()
        },
        "preview": [list(row) for row in sketch.preview],
    }
    return json.dumps(facts, ensure_ascii=False)
