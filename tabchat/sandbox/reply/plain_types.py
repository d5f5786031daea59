"""The Arrow types that may cross from the worker to its parent: no nesting, no dictionaries, no extensions.

A closed list, parameters included: Arrow's functions trust the scale of a decimal
and the width of a number, and an invented one has them read or write beside their memory.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pyarrow as pa

MOST_DIGITS: Final = 38
"""Digits of a 128-bit decimal."""


def is_plain(kind: pa.DataType) -> bool:
    """Tell whether a type is one of those that may cross; the name of a time zone is not judged here."""
    import pyarrow as pa

    if pa.types.is_decimal128(kind):
        return bool(0 <= kind.scale <= kind.precision <= MOST_DIGITS)
    if pa.types.is_timestamp(kind):
        kind = pa.timestamp(kind.unit)
    return kind in _listed()


@cache
def _listed() -> frozenset[pa.DataType]:
    import pyarrow as pa

    units = ("s", "ms", "us", "ns")
    return frozenset(
        (
            pa.bool_(),
            *(pa.int8(), pa.int16(), pa.int32(), pa.int64()),
            *(pa.uint8(), pa.uint16(), pa.uint32(), pa.uint64()),
            *(pa.float32(), pa.float64()),
            *(pa.string(), pa.large_string(), pa.binary(), pa.large_binary()),
            *(pa.date32(), pa.date64()),
            *(pa.time32("s"), pa.time32("ms"), pa.time64("us"), pa.time64("ns")),
            *map(pa.timestamp, units),
            *map(pa.duration, units),
        )
    )
