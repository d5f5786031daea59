"""Looks at an Arrow stream that nobody vouches for before a decoder does: one schema, then plain batches.

Arrow decompresses a batch as it reads it, and so would unpack whatever size a
few bytes ask for; whether a batch is compressed stands in its metadata. Source
of the layout: Arrow's `Message.fbs` and "IPC streaming format", and the
FlatBuffers internals ("tables" and "vtables").
"""

from __future__ import annotations

import struct
from typing import Final

from tabchat.sandbox.reply.exchange import BrokenReplyError

_SCHEMA, _RECORD_BATCH = 1, 3
_HEADER_TYPE, _HEADER, _BODY_LENGTH = 1, 2, 3
_COMPRESSION: Final = 3
_CONTINUATION: Final = 0xFFFFFFFF
_FRAME: Final = struct.Struct("<II")


def check_stream(body: memoryview) -> None:
    """Raise `BrokenReplyError` unless `body` is a schema, uncompressed record batches, and an end."""
    try:
        place = _message(body, 0, _SCHEMA)
        while (following := _message(body, place, _RECORD_BATCH)) != place:
            place = following
    except (struct.error, IndexError) as error:
        raise BrokenReplyError("its table is damaged") from error
    if place + _FRAME.size != len(body):
        raise BrokenReplyError("its table does not end where it says")


def _message(body: memoryview, place: int, wanted: int) -> int:
    """Return where the next message begins, `place` itself at the end mark."""
    mark, size = _FRAME.unpack_from(body, place)
    if mark != _CONTINUATION:
        raise BrokenReplyError("its table is damaged")
    if size == 0:
        return place
    start = place + _FRAME.size
    metadata = body[start : start + size]
    table = _unsigned(metadata, 0)
    kind = _field(metadata, table, _HEADER_TYPE)
    if kind is None or metadata[kind] != wanted:
        raise BrokenReplyError("its table holds a message of another type")
    if wanted == _RECORD_BATCH:
        _refuse_compression(metadata, table)
    length = _field(metadata, table, _BODY_LENGTH)
    length_of_body = struct.unpack_from("<q", metadata, length)[0] if length is not None else 0
    following = start + size + length_of_body
    if length_of_body < 0 or following > len(body):
        raise BrokenReplyError("its table is damaged")
    return int(following)


def _refuse_compression(metadata: memoryview, table: int) -> None:
    reference = _field(metadata, table, _HEADER)
    if reference is None:
        raise BrokenReplyError("its table is damaged")
    batch = reference + _unsigned(metadata, reference)
    if _field(metadata, batch, _COMPRESSION) is not None:
        raise BrokenReplyError("its table is compressed")


def _field(metadata: memoryview, table: int, number: int) -> int | None:
    """Return the place of a field of a FlatBuffers table, None when it is not set."""
    vtable = table - struct.unpack_from("<i", metadata, table)[0]
    if vtable < 0:
        raise BrokenReplyError("its table is damaged")
    (size,) = struct.unpack_from("<H", metadata, vtable)
    entry = 4 + 2 * number
    if entry + 2 > size:
        return None
    (offset,) = struct.unpack_from("<H", metadata, vtable + entry)
    return table + offset if offset else None


def _unsigned(metadata: memoryview, place: int) -> int:
    (value,) = struct.unpack_from("<I", metadata, place)
    return int(value)
