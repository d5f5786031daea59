"""The table of a reply that nobody vouches for: checked in its bytes, its types, its cells and its names, in this order.

The bytes must be one schema, then plain batches. Arrow decompresses a batch as it reads it, and so would unpack whatever size a
few bytes ask for; whether a batch is compressed stands in its metadata. Source
of the layout: Arrow's `Message.fbs` and "IPC streaming format", and the
FlatBuffers internals ("tables" and "vtables").
"""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING, Final

from tabchat.engine.cells import inert
from tabchat.sandbox.reply.exchange import BrokenReplyError
from tabchat.sandbox.reply.plain_types import is_plain
from tabchat.sandbox.reply.wire import COLUMN_LIMIT

if TYPE_CHECKING:
    import pyarrow as pa

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


NAME_LIMIT: Final = 500
"""Characters that a name keeps."""
_KIND_LIMIT: Final = 60
_OFFSET: Final = re.compile(r"[+-](?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)
_DAY: Final = 86_400
_FIRST_DAY, _LAST_DAY = -719_162, 2_932_896
"""The years 1 to 9999, which Python's dates can have, in days from 1970."""
_LONGEST: Final = 999_999_999
"""Days of Python's longest duration."""
_A_SECOND: Final = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}


def read_table(body: memoryview, max_rows: int | None, known: frozenset[str]) -> pa.Table:
    """Return the table of `body`, its names unique and, but for those that are `known`, inert.

    Raises `BrokenReplyError`, for more than `max_rows` rows as well.
    """
    import pyarrow as pa

    check_stream(body)
    options = pa.ipc.IpcReadOptions(use_threads=False)
    try:
        with pa.ipc.open_stream(pa.py_buffer(body), options=options) as stream:
            _check_schema(stream.schema)
            table = stream.read_all()
        table.validate(full=True)
        names = _names(table.schema, known)
    except (pa.ArrowException, ValueError, OSError, OverflowError) as error:
        raise BrokenReplyError("its table is damaged") from error
    if (max_rows is not None and table.num_rows > max_rows) or (table.num_rows and not table.num_columns):
        raise BrokenReplyError("its table has too many rows")
    if not all(map(_can_be_shown, table.columns)):
        raise BrokenReplyError("its table holds a date or a duration beyond all that can be shown")
    fields = [pa.field(name, kind) for name, kind in zip(names, table.schema.types, strict=True)]
    return pa.table(table.columns, schema=pa.schema(fields))


def _check_schema(schema: pa.Schema) -> None:
    if len(schema) > COLUMN_LIMIT:
        raise BrokenReplyError(f"its table has more than {COLUMN_LIMIT:,} columns")
    for kind in schema.types:
        if not is_plain(kind):
            named = inert(str(kind))[:_KIND_LIMIT]
            raise BrokenReplyError(f"its table has a column of the type {named}, which may not cross")
        if (zone := getattr(kind, "tz", None)) is not None and not _is_zone(zone):
            raise BrokenReplyError("its table names a time zone that does not exist")


def _is_zone(name: str) -> bool:
    """Tell whether Arrow and DuckDB may be handed the name of a time zone: an offset, or one of the system's."""
    from zoneinfo import ZoneInfo

    if _OFFSET.fullmatch(name):
        return True
    try:
        ZoneInfo(name)
    except (ValueError, KeyError, OSError):
        return False
    return True


def _can_be_shown(column: pa.ChunkedArray) -> bool:
    """Tell whether Python has a value for every date and duration of the column."""
    import pyarrow as pa
    import pyarrow.compute as pc

    bounds = _bounds(column.type)
    if bounds is None:
        return True
    whole = column.cast(pa.int32() if pa.types.is_date32(column.type) else pa.int64())
    ends = pc.min_max(whole).as_py()
    return ends["min"] is None or bool(bounds[0] <= ends["min"] and ends["max"] <= bounds[1])


def _bounds(kind: pa.DataType) -> tuple[int, int] | None:
    """Return the least and the greatest number that a date or duration may be stored as, None for other types."""
    import pyarrow as pa

    if pa.types.is_date32(kind):
        return _FIRST_DAY, _LAST_DAY
    if pa.types.is_duration(kind):
        longest = _LONGEST * _DAY * _A_SECOND[kind.unit]
        return -longest, longest
    if pa.types.is_timestamp(kind) or pa.types.is_date64(kind):
        a_day = _DAY * _A_SECOND["ms" if pa.types.is_date64(kind) else kind.unit]
        zoned = 1 if getattr(kind, "tz", None) else 0  # local time may be another day
        return (_FIRST_DAY + zoned) * a_day, (_LAST_DAY + 1 - zoned) * a_day - 1
    return None


def _names(schema: pa.Schema, known: frozenset[str]) -> list[str]:
    names = [name if name in known else inert(name)[:NAME_LIMIT] or "column" for name in schema.names]
    taken: dict[str, int] = {}
    unique = []
    for name in names:
        taken[name] = taken.get(name, 0) + 1
        unique.append(name if taken[name] == 1 else f"{name}_{taken[name]}")
    if len(set(unique)) != len(unique):
        raise BrokenReplyError("its table repeats the name of a column")
    return unique
