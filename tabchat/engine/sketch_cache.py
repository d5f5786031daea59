"""Sketches of tables on disk: one small JSON file for each version and choice of columns, oldest first out."""

from __future__ import annotations

import contextlib
import datetime as dt
import hashlib
import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tabchat.engine.sketch import ColumnSketch, TableSketch, sketch_table
from tabchat.engine.types import ColumnKind, json_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.table import Table
    from tabchat.engine.types import Engine, Value

KEPT: Final = 500
"""Files that the folder may hold."""

_FORMAT: Final = 1


def cached_sketch(engine: Engine, table: Table, folder: Path | None) -> TableSketch:
    """Return the sketch of `table` kept in `folder`, or look at the table and keep what was found.

    A folder that cannot be read or written costs time only.
    """
    path = folder / f"{_name(table)}.json" if folder is not None else None
    kept = _load(path, table) if path is not None else None
    if kept is not None:
        return kept
    sketch = sketch_table(engine, table)
    if path is not None:
        with contextlib.suppress(OSError):
            _store(path, sketch)
    return sketch


def _name(table: Table) -> str:
    columns = [[column.name, column.kind.value] for column in table.schema]
    text = json.dumps([_FORMAT, table.version, table.row_count, columns])
    return hashlib.sha256(text.encode()).hexdigest()[:40]


def _load(path: Path, table: Table) -> TableSketch | None:
    """Return what `path` holds, nothing when it is absent or damaged."""
    kinds = {column.name: column.kind for column in table.schema}
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        sketch = TableSketch(
            rows=int(facts["rows"]),
            columns={name: _column(found, kinds[name]) for name, found in facts["columns"].items()},
            preview=tuple(tuple(row) for row in facts["preview"]),
        )
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    if list(sketch.columns) != list(kinds):
        return None
    with contextlib.suppress(OSError):
        os.utime(path)
    return sketch


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
    match kind:
        case ColumnKind.DATE:
            return dt.date.fromisoformat(plain)
        case ColumnKind.DATETIME:
            return dt.datetime.fromisoformat(plain)
        case ColumnKind.TIME:
            return dt.time.fromisoformat(plain)
        case ColumnKind.INTEGER:
            return int(plain)
        case _:
            return float(plain)


def _store(path: Path, sketch: TableSketch) -> None:
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
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    # The file of mkstemp is its owner's alone.
    handle, draft = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(facts, stream, ensure_ascii=False)
    Path(draft).replace(path)
    _make_room(path.parent)


def _make_room(folder: Path) -> None:
    kept = sorted(folder.glob("*.json"), key=lambda path: path.stat().st_mtime)
    for path in kept[:-KEPT]:
        path.unlink(missing_ok=True)
