"""Units of figures, in words: cells hold the bare numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tabchat.engine.types import Schema


def units_told(schema: Schema) -> tuple[str, ...]:
    """Return `price in $` of every column with a unit that its name does not say."""
    return tuple(
        f"{column.name} in {column.unit}"
        for column in schema
        if column.unit is not None and column.unit.casefold() not in column.name.casefold()
    )
