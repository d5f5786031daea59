"""The rows of a JSON answer as objects, so that a program can name their columns: `.table.rows[].revenue`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.engine.cells import unique_names

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue


def with_row_objects(value: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return `value` with the rows of its `table`, also of one in `result` or `data`, as objects by column.

    Of two columns of one name, the second is told apart by a number.
    """
    return {name: _converted(name, item) for name, item in value.items()}


def _converted(name: str, item: JsonValue) -> JsonValue:
    if not isinstance(item, dict):
        return item
    if name in {"result", "data"}:
        return with_row_objects(item)
    columns, rows = item.get("columns"), item.get("rows")
    if name != "table" or not isinstance(columns, list) or not isinstance(rows, list):
        return item
    names = unique_names([str(column) for column in columns])
    cells = [dict(zip(names, row, strict=True)) for row in rows if isinstance(row, (list, tuple))]
    return {**item, "columns": [*names], "rows": [*cells]}
