"""Arrow IPC files: read where they lie, or copied into the cache where only that is safe.

Copied are a stream, which has no footer that says where its rows are and may replace a dictionary on its way, the first
version of Feather, and a file with a batch that is too large for each query to hold in memory: pyarrow reads whole ones.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa
from pyarrow import ipc
from sqlglot import exp

from tabchat.engine.arrow_rows import PLACE_COLUMN, ROW_COLUMN, ArrowRows, unreadable_as
from tabchat.engine.facts.sample import sample_facts
from tabchat.engine.reader import nodes
from tabchat.engine.reader.columnar import cells_of, load
from tabchat.engine.reader.connection import MalformedError
from tabchat.engine.reader.lying import lying
from tabchat.engine.reader.source.files import engine_path
from tabchat.engine.reader.text.headers import require_few
from tabchat.engine.source_files import FILE, PLACE, SourceFile, SourceFiles, arrow_name
from tabchat.engine.table import some
from tabchat.engine.types import ROW
from tabchat.errors import CopyNeededError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.reader.source.places import Place

_SOURCE: Final = "columnar_source"
_HINT: Final = "Copy or write it again; if it is another format, say which: --input-format parquet."
MOST_BYTES: Final = 96 << 20
"""Bytes of a batch that a query may hold in memory: two of them fit into what a query process has besides its limit."""


def lying_arrow(
    place: Place, version: str, connection: Connection, *, name: str
) -> tuple[Loaded, TableFacts]:
    """Return a table over an Arrow file where it lies, and what is known of it.

    Raises `InputError` for a file that cannot be read, and `CopyNeededError` for one that is to be copied.
    """
    (path,), (stamp,) = place.listing.paths, place.stamps
    try:
        rows = ArrowRows(path, stamp)
    except OSError as error:
        raise InputError(str(error), hint=_HINT) from error
    _check(rows.labels, connection)
    if rows.largest > MOST_BYTES:
        raise CopyNeededError(f"{path!r} has a batch of {rows.largest:,} bytes.")
    connection.expect(len(rows.labels))
    table = exp.to_table(arrow_name(version), quoted=True)
    inner = exp.Select(expressions=[nodes.column(column) for column in rows.names]).from_(table)
    with _naming(rows.schema, connection.shown):
        connection.register(table.name, rows)
        cells = cells_of(inner.subquery("cells"), connection, rows.labels)
    own = {ROW: exp.column(ROW_COLUMN), PLACE: exp.column(PLACE_COLUMN), FILE: exp.Literal.number(0)}
    numbers = [nodes.named(node, column) for column, node in own.items()]
    files = SourceFiles(
        source=place.source,
        version=version,
        sql=exp.Select(expressions=[*numbers, *cells.cells]).from_(table).sql("duckdb", identify=True),
        files=(SourceFile(path=path, read=path, stamp=stamp, start=0),),
        is_set=False,
        is_arrow=True,
    )

    def far(source: Source) -> TableFacts:
        found = source.spread_sample()
        return sample_facts(found, source.schema, name=name, path=str(place.source), row_count=rows.row_count)

    return lying(
        files, inner.subquery("cells"), cells, connection, rows.row_count, cells.notes, far, name=name
    )


def _check(labels: Sequence[str], connection: Connection) -> None:
    if not labels:
        raise InputError(f"{connection.shown!r} has no columns.", hint="Check how it was written.")
    require_few(len(labels), connection.shown)


@contextlib.contextmanager
def _naming(schema: pa.Schema, shown: str) -> Iterator[None]:
    """Say of which columns the types are when the engine refuses one."""
    try:
        yield
    except MalformedError as error:
        unknown = [f"{field.name!r} ({field.type})" for field in schema if _is_unknown(field.type)]
        if not unknown:
            raise
        message = f"{shown!r} cannot be read as arrow: the engine has no such type as of {some(unknown)}: {error.told}"
        raise InputError(message, hint="Write them as another type, such as float64 or string.") from error


def _is_unknown(kind: pa.DataType) -> bool:
    if pa.types.is_dictionary(kind):
        return _is_unknown(kind.value_type)
    parts = (kind.field(place).type for place in range(kind.num_fields))
    return pa.types.is_decimal256(kind) or pa.types.is_float16(kind) or any(map(_is_unknown, parts))


def load_arrow(path: Path, connection: Connection, progress: Callable[[float], None] | None) -> Loaded:
    """Copy an Arrow IPC file or stream, or a Feather file, into the cache."""
    with path.open("rb") as file:
        magic = file.read(6)
    try:
        with unreadable_as(connection.shown):
            is_stream = not magic.startswith((b"FEA1", b"ARROW1"))
            rows = _Stream(path, connection.shown) if is_stream else _whole(path, magic, connection)
    except OSError as error:
        raise InputError(str(error), hint=_HINT) from error
    labels = rows.schema.names
    _check(labels, connection)
    named = rows if isinstance(rows, _Stream) else rows.rename_columns(_places(labels))
    with _naming(rows.schema, connection.shown):
        connection.register(_SOURCE, named)
        return load(exp.to_table(_SOURCE), connection, "arrow", progress, labels)


def _whole(path: Path, magic: bytes, connection: Connection) -> pa.Table:
    """Return the rows of a file, as a map where it can be one: a batch may fit into no memory."""
    read = str(engine_path(path, connection.workspace))
    if magic.startswith(b"FEA1"):
        from pyarrow import feather

        table = feather.read_table(read)
    else:
        table = ipc.open_file(pa.memory_map(read)).read_all()
    # Offsets that point elsewhere would be followed by the engine.
    table.validate(full=True)
    return table


class _Stream:
    """The rows of an Arrow stream as `c0`, `c1` and so on: read anew by each query, a batch in memory at a time."""

    def __init__(self, path: Path, shown: str) -> None:
        self._path, self._shown = path, shown
        with path.open("rb", buffering=0) as file:
            self.schema = ipc.open_stream(file).schema
        fields = zip(self.schema, _places(self.schema.names), strict=True)
        self._named = pa.schema([field.with_name(name) for field, name in fields])

    def __arrow_c_schema__(self) -> Any:
        """Return the columns."""
        return self._named.__arrow_c_schema__()

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """Return the rows."""
        return pa.RecordBatchReader.from_batches(self._named, self._batches()).__arrow_c_stream__()

    def _batches(self) -> Iterator[pa.RecordBatch]:
        with unreadable_as(self._shown), self._path.open("rb", buffering=0) as file:
            for batch in ipc.open_stream(file):
                batch.validate(full=True)
                yield pa.RecordBatch.from_arrays(batch.columns, schema=self._named)


def _places(labels: Sequence[str]) -> list[str]:
    return [f"c{place}" for place in range(len(labels))]
