"""The Arrow types that may cross from the worker to its parent: no nesting, no dictionaries, no extensions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pyarrow as pa


def is_plain(kind: pa.DataType) -> bool:
    """Tell whether a type is one of those that may cross."""
    import pyarrow as pa

    types = pa.types
    return any(
        test(kind)
        for test in (
            types.is_boolean,
            types.is_integer,
            types.is_floating,
            types.is_decimal128,
            types.is_string,
            types.is_large_string,
            types.is_binary,
            types.is_large_binary,
            types.is_date,
            types.is_time,
            types.is_timestamp,
            types.is_duration,
        )
    )
