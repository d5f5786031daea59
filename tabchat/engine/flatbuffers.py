"""Reading what lies where in a Flatbuffer (https://flatbuffers.dev/internals/), which may come from anywhere."""

from __future__ import annotations

import struct


def place_of(buffer: bytes, table: int, field: int) -> int:
    """Return where a field of a table is; 0 for one that has its default."""
    places = table - number("i", buffer, table)
    at = 4 + 2 * field
    if at >= number("H", buffer, places):
        return 0
    offset = number("H", buffer, places + at)
    return table + offset if offset else 0


def pointed(buffer: bytes, at: int) -> int:
    """Return where the place at `at` points."""
    return at + number("I", buffer, at)


def number(kind: str, buffer: bytes, at: int) -> int:
    """Return the number at `at`, of a kind as `struct` names it; raises `ValueError` and `struct.error`."""
    # Before the first byte, `struct` would count from the end.
    found: int = struct.unpack_from(f"<{kind}", buffer, within(at, len(buffer)))[0]
    return found


def within(value: int, most: int) -> int:
    """Return a number that is from 0 to `most`; raises `ValueError` for another."""
    if not 0 <= value <= most:
        raise ValueError("its footer or the header of a batch points beyond the file")
    return value
