"""Cells as text: a table from the type of a cell to its text, one for each format."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from typing import TYPE_CHECKING, Any, TypeAlias

from tabchat.engine.types import json_value

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from tabchat.engine.types import Row, Value

Encoder: TypeAlias = Callable[[Any], str]


class CellEncoder(dict[type, Encoder]):
    """Turns cells into text, each by its type."""

    def __init__(self, encoders: Mapping[type, Encoder], *, default: Encoder) -> None:
        super().__init__(encoders)
        self._default = default

    def __missing__(self, kind: type) -> Encoder:
        self[kind] = self._default
        return self._default

    def column(self, cells: Iterable[Value]) -> list[str]:
        """Return the text of every cell of a column."""
        return [self[type(cell)](cell) for cell in cells]


def encode_columns(encoders: Sequence[CellEncoder], rows: Sequence[Row]) -> list[list[str]]:
    """Return `rows`, of which there is at least one, as columns of text."""
    columns = zip(*rows, strict=True)
    return [encoder.column(column) for encoder, column in zip(encoders, columns, strict=True)]


def quoting(quote: Encoder, *, missing: str) -> CellEncoder:
    """Return an encoder that passes every text through `quote`, and writes `missing` for null and NaN."""
    return CellEncoder(
        {
            type(None): lambda _: missing,
            bool: lambda cell: "true" if cell else "false",
            int: str,
            float: lambda cell: repr(cell) if cell == cell else missing,  # noqa: PLR0124 - false for NaN alone
            Decimal: lambda cell: format(cell, "f"),
            str: quote,
        },
        default=lambda cell: quote(other_text(cell)),
    )


def other_text(cell: Value) -> str:
    """Return the text of a cell of a rare type: lists and structs as JSON, bytes in hex."""
    match cell:
        case list() | dict():
            return json.dumps(json_value(cell), ensure_ascii=False, separators=(",", ":"))
        case bytes():
            return cell.hex()
        case _:
            return str(cell)
