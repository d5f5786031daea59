"""The rows of an Arrow IPC file where it lies, as DuckDB reads them: batch by batch, with the number of each row.

The file is read, not mapped: whoever cuts off a mapped file ends the process that looks at it (SIGBUS), and what was
validated could be another thing a moment later. A batch in memory of our own is validated in full each time before the
engine follows its offsets, which costs less than grouping by it. Reading copies some gigabytes a second, which is
little beside any query. Neither are datasets of pyarrow used: their threads, under the engine's, ended one process in three.

The engine is given only the columns that it asks for. It filters by itself, so that what a condition means is the same
as for every table; of conditions only those of row numbers are taken on here, which leave out whole batches.

The footer and the headers are Flatbuffers (https://flatbuffers.dev/internals/) of the tables `Footer`, `Block`, `Message`
and `RecordBatch` of the Arrow columnar format (File.fbs, Message.fbs); pyarrow tells the rows of a batch only with its cells.
"""

from __future__ import annotations

import contextlib
import os
import struct
from bisect import bisect_right
from io import FileIO
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyarrow import ipc

from tabchat.engine.flatbuffers import number, place_of, pointed, within
from tabchat.engine.source_files import UNREADABLE, stamp_of
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
        raise ValueError("its footer or the header of a batch is damaged") from error


def _footer(file: BinaryIO, size: int) -> bytes:
    ending = 4 + len(MAGIC)
    file.seek(max(0, size - ending))
    end = file.read(ending)
    if end[4:] != MAGIC:
        raise ValueError("its end is missing")
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


try:
    from duckdb._sources import ArrowScanSource
    from duckdb._sources.nodes import Binary, Col, Lit
except ImportError:  # a release that arranges its package otherwise: it reads the stream of all columns
    ArrowScanSource = object  # type: ignore[misc, assignment]

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from duckdb._sources.nodes import Node

    from tabchat.engine.source_files import Stamp

PLACE_COLUMN: Final = "place"
"""The number of a row, from 0."""
ROW_COLUMN: Final = "row"
"""The number of a row, from 1."""
_NUMBERS: Final = (PLACE_COLUMN, ROW_COLUMN)
_CELL_BYTES: Final = 8
_BEYOND: Final = 1 << 63
"""A place beyond every row."""
_MOST_AT_ONCE: Final = 65_536
"""Rows that the engine is given at once: each of its threads takes such a part."""


class ArrowRows(ArrowScanSource):
    """The rows of a file as it was at `stamp`, for `register`: `PLACE_COLUMN`, `ROW_COLUMN`, `c0`, `c1` and so on.

    Raises `OSError` for a file that is another one or cannot be read. It is read anew for each query, and more than one may
    read it at a time.
    """

    schema_is_stable = True

    def __init__(self, path: str, stamp: Stamp) -> None:
        self._path = path
        self._stamp = stamp
        with self._opened() as file:
            self._batches, dictionaries = batches_of(file, stamp[1])
            file.seek(0)
            self.schema: pa.Schema = ipc.open_file(file).schema
            """The columns in the file."""
            # A name that is no text is found out here.
            self.labels: tuple[str, ...] = tuple(self.schema.names)
            """The names of the columns in the file."""
        self._starts = (0, *accumulate(batch.rows for batch in self._batches))
        numbers = [pa.field(name, pa.int64()) for name in _NUMBERS]
        cells = [field.with_name(name) for field, name in zip(self.schema, self.names, strict=True)]
        # The engine goes through a whole dictionary for each part that it is given.
        if max((found.rows for found in dictionaries), default=0) > _MOST_AT_ONCE:
            cells = [field.with_type(_decoded(field.type)) for field in cells]
        self._schema = pa.schema([*numbers, *cells])

    @property
    def names(self) -> tuple[str, ...]:
        """What the columns are called here."""
        return tuple(f"c{place}" for place in range(len(self.labels)))

    @property
    def row_count(self) -> int:
        """How many rows the file has."""
        return self._starts[-1]

    @property
    def largest(self) -> int:
        """About the bytes that its largest batch takes in memory; texts that are compressed may take more."""
        cells = max((batch.rows for batch in self._batches), default=0) * len(self.labels)
        return max(cells * _CELL_BYTES, *(batch.size for batch in self._batches), 0)

    def rows(self) -> int:
        """How many rows a scan gives, for the engine to plan with."""
        return self.row_count

    def accepts(self, predicate: Node) -> bool:
        """Whether `stream` gives only rows for which a condition holds."""
        return _span(predicate) is not None

    def __arrow_c_schema__(self) -> Any:
        """Return the columns."""
        return self._schema.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the rows with all columns."""
        return self.stream(None, ())[0]

    def stream(self, columns: Sequence[int] | None, filters: Sequence[Node]) -> tuple[Any, bool]:
        """Return the rows with some columns, by their places, and whether it is these alone; `filters` were accepted."""
        chosen = range(len(self._schema)) if columns is None else columns
        spans = [span for predicate in filters if (span := _span(predicate)) is not None]
        low = max([0, *(low for low, _ in spans)])
        high = min([self.row_count, *(high for _, high in spans)])
        schema = pa.schema([self._schema.field(place) for place in chosen])
        parts = self._parts(chosen, schema, low, high)
        return pa.RecordBatchReader.from_batches(schema, parts).__arrow_c_stream__(), columns is not None

    def _parts(
        self, chosen: Sequence[int], schema: pa.Schema, low: int, high: int
    ) -> Iterator[pa.RecordBatch]:
        """Yield the rows from `low` on and before `high`, in order."""
        fields = sorted({place - len(_NUMBERS) for place in chosen if place >= len(_NUMBERS)})
        with self._opened() as file, unreadable_as(self._path):
            options = ipc.IpcReadOptions(included_fields=fields)
            # Without a column, no batch is looked at.
            reader = ipc.open_file(file, options=options) if fields else None
            checked: dict[int, pa.Array] = {}
            for number in range(max(0, bisect_right(self._starts, low) - 1), len(self._batches)):
                start = self._starts[number]
                if start >= high:
                    return
                cells = self._batch(reader, number, checked).columns if reader is not None else []
                end = min(high, self._starts[number + 1])
                for first in range(max(low, start), end, _MOST_AT_ONCE):
                    count = min(_MOST_AT_ONCE, end - first)
                    arrays = [
                        pa.arange(first + place, first + place + count)
                        if place < len(_NUMBERS)
                        else cells[fields.index(place - len(_NUMBERS))].slice(first - start, count)
                        for place in chosen
                    ]
                    wanted = map(_as_declared, arrays, schema.types)
                    yield pa.RecordBatch.from_arrays(list(wanted), schema=schema)

    def _batch(self, reader: Any, number: int, checked: dict[int, pa.Array]) -> pa.RecordBatch:
        batch = reader.get_batch(number)
        # Offsets that point elsewhere would be followed by the engine.
        batch.validate()
        for place, column in enumerate(batch.columns):
            _check(column, place, checked)
        if batch.num_rows != (said := self._batches[number].rows):
            raise ValueError(f"batch {number} has {batch.num_rows:,} rows, and its header says {said:,}")
        return batch

    @contextlib.contextmanager
    def _opened(self) -> Iterator[_File]:
        with unreadable_as(self._path), _File(self._path) as file:
            if stamp_of(os.fstat(file.fileno())) != self._stamp:
                raise OSError("it has changed")
            try:
                yield file
            except OSError as error:
                if not file.lacks_memory:
                    raise
                raise MemoryError(f"a batch of {self._path!r}") from error


class _File(FileIO):
    """A file of which is known whether there was no memory for what was read of it: pyarrow says no more than that it failed."""

    lacks_memory = False

    def read(self, size: int | None = -1, /) -> bytes:
        """Return at most `size` bytes; raises `MemoryError`."""
        try:
            return super().read(size)
        except MemoryError:
            self.lacks_memory = True
            raise


@contextlib.contextmanager
def unreadable_as(shown: str) -> Iterator[None]:
    """Raise what is wrong with an Arrow file, which is told as `shown`, as `OSError`; a failure of memory is none of these."""
    try:
        yield
    except (ValueError, OSError, NotImplementedError) as error:
        cause = str(error).partition("\n")[0]
        if UNREADABLE in cause:
            raise
        raise OSError(f"{shown!r} {UNREADABLE}: {cause}") from error


def _check(column: pa.Array, place: int, checked: dict[int, pa.Array]) -> None:
    """Validate a column in full, but a dictionary that is already among the `checked`, by the place of its column."""
    if not pa.types.is_dictionary(column.type):
        column.validate(full=True)
        return
    values, known = column.dictionary, checked.get(place)
    if known is None or _addresses(known) != _addresses(values):
        values.validate(full=True)
        checked[place] = values
    stand_in = pa.nulls(len(values))
    pa.DictionaryArray.from_arrays(column.indices, stand_in, safe=False).validate(full=True)


def _addresses(array: pa.Array) -> list[int | None]:
    """Return where an array lies, which is no other's place while it is held."""
    places = [buffer and buffer.address for buffer in array.buffers()]
    return [len(array), array.offset, *places]


def _decoded(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _as_declared(array: pa.Array, kind: pa.DataType) -> pa.Array:
    return array if array.type == kind else array.dictionary_decode()


def _span(predicate: Node) -> tuple[int, int] | None:
    """Return the places of rows, from the first on and before the second, that a condition leaves; None if it is none of them alone."""
    match predicate:
        case Binary(op="AND", left=left, right=right):
            one, other = _span(left), _span(right)
            if one is None or other is None:
                return None
            return max(one[0], other[0]), min(one[1], other[1])
        case Binary(op=op, left=Col(parts=(name,)), right=Lit(value=int(value))) if name in _NUMBERS:
            place = value - _NUMBERS.index(name)
            return {
                "=": (place, place + 1),
                "<": (0, place),
                "<=": (0, place + 1),
                ">": (place + 1, _BEYOND),
                ">=": (place, _BEYOND),
            }.get(op)
    return None
