"""Columns that are durations by the Arrow schema that a Parquet file keeps: Parquet itself, and DuckDB, know them as numbers.

The schema is a message (Message.fbs) with tables `Schema`, `Field` and `Duration` (Schema.fbs) of the Arrow columnar format.
"""

from __future__ import annotations

import struct
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from tabchat.engine.flatbuffers import number, place_of, pointed, within

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_CONTINUES: Final = 0xFFFFFFFF
_HEADER: Final = 2
"""Place of the schema in its message."""
_FIELDS: Final = 1
_NAME, _KIND, _TYPE, _CHILDREN = 0, 2, 3, 5
_UNITS: Final = ("s", "ms", "us", "ns")
_MILLI: Final = 1
"""The unit of a duration that names none."""
_DEEPEST: Final = 20


def duration_units(message: bytes) -> Mapping[str, str | None]:
    """Return the columns of a schema, the fields of structures under dotted names → what durations count, None for others.

    What contradicts itself has no columns: no more than names depends on it.
    """
    try:
        return dict(_Schema(message).columns())
    except (ValueError, struct.error):
        return {}


class Kind(IntEnum):
    """Kinds of type."""

    STRUCTURE = 13
    DURATION = 18


class _Schema:
    def __init__(self, message: bytes) -> None:
        self._buffer = message
        self._left = len(message)
        """What fields and their names may still take: parts that refer to the same bytes could multiply without end."""

    def columns(self) -> Iterator[tuple[str, str | None]]:
        start = 8 if number("I", self._buffer, 0) == _CONTINUES else 4
        schema = self._table(start + number("I", self._buffer, start), _HEADER)
        return self._fields(schema, _FIELDS, "", 0)

    def _fields(self, table: int, place: int, prefix: str, depth: int) -> Iterator[tuple[str, str | None]]:
        at = place_of(self._buffer, table, place)
        if not at or depth > _DEEPEST:
            return
        first = pointed(self._buffer, at)
        count = number("I", self._buffer, first)
        self._left = within(self._left - count, len(self._buffer))
        for spot in range(first + 4, first + 4 + 4 * count, 4):
            column = pointed(self._buffer, spot)
            name = prefix + self._text(column)
            match self._small(column, _KIND, 0):
                case Kind.DURATION:
                    yield (
                        name,
                        _UNITS[within(self._small(self._table(column, _TYPE), 0, _MILLI), len(_UNITS) - 1)],
                    )
                case Kind.STRUCTURE:
                    yield from self._fields(column, _CHILDREN, f"{name}.", depth + 1)
                case _:
                    yield name, None

    def _table(self, table: int, place: int) -> int:
        return pointed(self._buffer, within(place_of(self._buffer, table, place) - 1, len(self._buffer)) + 1)

    def _text(self, column: int) -> str:
        start = self._table(column, _NAME)
        length = number("I", self._buffer, start)
        self._left = within(self._left - length, len(self._buffer))
        return self._buffer[start + 4 : start + 4 + length].decode(errors="replace")

    def _small(self, table: int, place: int, default: int) -> int:
        at = place_of(self._buffer, table, place)
        return number("B", self._buffer, at) if at else default
