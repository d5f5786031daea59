"""The words of an edit: operations with their fields, types, methods."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

OPERATIONS: Final[Mapping[str, tuple[tuple[str, ...], tuple[str, ...]]]] = MappingProxyType(
    {
        "delete_rows": (("where",), ()),
        "update": (("set",), ("where",)),
        "add_column": (("name", "expression"), ()),
        "drop_columns": (("columns",), ()),
        "rename_columns": (("names",), ()),
        "cast": (("column", "type"), ()),
        "fill_missing": (("columns",), ("value", "method", "where")),
        "replace_values": (("column", "values"), ()),
        "deduplicate": ((), ("columns", "keep")),
    }
)
"""Operation → the fields that it needs, and those that it may have."""

TYPES: Final = ("int", "float", "text", "date", "datetime", "bool")
"""What a column can be cast to."""

METHODS: Final = ("mean", "median", "mode", "min", "max", "zero", "previous", "next")
"""What a missing cell can be filled with, beside a value.

`mean`, `median`, `mode` (of several the smallest), `min` and `max` are those of the whole column; `previous` and
`next` take the nearest cell that is not missing, in the order of the rows.
"""

KEEP: Final = ("first", "last")
"""Which of several equal rows stays."""
