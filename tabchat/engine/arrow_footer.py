"""How many rows each batch of an Arrow IPC file has, by its footer and the headers of its batches: no cell is read.

The footer and the headers are Flatbuffers (https://flatbuffers.dev/internals/) of the tables `Footer`, `Block`, `Message`
and `RecordBatch` of the Arrow columnar format (File.fbs, Message.fbs); pyarrow tells the rows of a batch only with its cells.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from tabchat.engine.flatbuffers import number, place_of, pointed, within
from tabchat.record import record

if TYPE_CHECKING:
    from typing import BinaryIO

MAGIC: Final = b"ARROW1"
_MOST_BYTES: Final = 1 << 28
"""Bytes of a footer or a header: a million columns or batches have fewer."""
_CONTINUES: Final = 0xFFFFFFFF
"""What a header begins with since format version 0.15, before its length."""
_DICTIONARIES, _BATCHES, _BLOCK = 2, 3, 24
"""Places of dictionaries and of batches in a footer; bytes of each: where it begins, the length of its header (padded), of its body."""
_KIND, _HEADER, _LENGTH, _COLUMNS = 1, 2, 0, 1
"""Places of what a message is and of its header, and in that of a batch, of its rows and of its columns' cells."""
_IS_DICTIONARY, _IS_BATCH = 2, 3
_DATA: Final = 1
"""Place of the batch that holds the values of a dictionary."""


@record
class Batch:
    """What is said of one batch."""

    rows: int
    size: int
    """Bytes of its cells in the file."""


def batches_of(file: BinaryIO, size: int) -> tuple[tuple[Batch, ...], tuple[Batch, ...]]:
    """Return the batches of a file of `size` bytes, and its dictionaries.

    Raises `ValueError` for a file that contradicts itself.
    """
    try:
        footer = _footer(file, size)
        return _listed(file, size, footer, _BATCHES), _listed(file, size, footer, _DICTIONARIES)
    except struct.error as error:
        message = "its footer or the header of a batch is damaged"
        raise ValueError(message) from error


def _footer(file: BinaryIO, size: int) -> bytes:
    ending = 4 + len(MAGIC)
    file.seek(max(0, size - ending))
    end = file.read(ending)
    if end[4:] != MAGIC:
        message = "its end is missing"
        raise ValueError(message)
    length = within(number("i", end, 0), min(size - ending, _MOST_BYTES))
    file.seek(size - ending - length)
    return file.read(length)


def _listed(file: BinaryIO, size: int, footer: bytes, field: int) -> tuple[Batch, ...]:
    at = place_of(footer, pointed(footer, 0), field)
    if not at:
        return ()
    blocks = pointed(footer, at)
    count = within(number("I", footer, blocks), len(footer) // _BLOCK)
    kind = _IS_BATCH if field == _BATCHES else _IS_DICTIONARY
    return tuple(_batch(file, size, footer, blocks + 4 + place * _BLOCK, kind) for place in range(count))


def _batch(file: BinaryIO, size: int, footer: bytes, block: int, kind: int) -> Batch:
    start, head, body = (number(sort, footer, block + at) for sort, at in (("q", 0), ("i", 8), ("q", 16)))
    within(within(start, size) + within(head, _MOST_BYTES) + within(body, size), size)
    file.seek(start)
    header = file.read(head)
    message = 8 if number("I", header, 0) == _CONTINUES else 4
    table = message + number("I", header, message)
    if number("B", header, _required(header, table, _KIND)) != kind:
        raise ValueError("what its footer calls a batch or a dictionary is none")
    batch = pointed(header, _required(header, table, _HEADER))
    if kind == _IS_DICTIONARY:
        batch = pointed(header, _required(header, batch, _DATA))
    length = place_of(header, batch, _LENGTH)
    rows = within(number("q", header, length), 1 << 62) if length else 0
    columns = pointed(header, _required(header, batch, _COLUMNS))
    # A column has as many cells as its batch has rows, which a count of the rows that reads no cell relies on.
    if number("I", header, columns) and number("q", header, columns + 4) != rows:
        raise ValueError("the header of a batch contradicts itself")
    return Batch(rows=rows, size=body)


def _required(buffer: bytes, table: int, field: int) -> int:
    found = place_of(buffer, table, field)
    if not found:
        raise ValueError("its footer or the header of a batch lacks a field")
    return found
