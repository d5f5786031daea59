"""Arrow IPC files: read where they lie, or copied into the cache where only that is safe.

Copied are a stream, which has no footer that says where its rows are and may replace a dictionary on its way, the first
version of Feather, and a file with a batch that is too large to be held in memory for each query: pyarrow reads whole ones.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyarrow as pa
from sqlglot import exp

from tabchat.engine.arrow_rows import PLACE_COLUMN, ROW_COLUMN, ArrowRows
from tabchat.engine.facts.sample import sample_facts
from tabchat.engine.reader import nodes
from tabchat.engine.reader.columnar import cells_of, load
from tabchat.engine.reader.lying import lying
from tabchat.engine.reader.text.headers import require_few
from tabchat.engine.source_files import FILE, PLACE, SourceFile, SourceFiles, arrow_name
from tabchat.engine.types import ROW
from tabchat.errors import CopyNeededError, InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.reader.source.places import Place

_SOURCE: Final = "columnar_source"
_HINT: Final = "Copy or write it again; if it is another format, say which: --input-format parquet."
_MOST_BYTES: Final = 128 << 20
"""Bytes of a batch that a query may hold in memory: half of what a query process has besides its limit."""
_SAMPLED_ROWS: Final = 10_000
_SAMPLED_CELLS: Final = 400_000


def lying_arrow(
    place: Place, version: str, connection: Connection, *, name: str
) -> tuple[Loaded, TableFacts]:
    """Return a table over an Arrow file where it lies, and what is known of it.

    Raises `InputError` for a file that cannot be read, and `CopyNeededError` for one that is to be copied.
    """
    (path,), (stamp,) = place.listing.paths, place.stamps
    try:
        rows = ArrowRows(path, stamp)
    except (OSError, ValueError) as error:
        raise InputError(str(error), hint=_HINT) from error
    _check(rows.labels, connection)
    if rows.largest > _MOST_BYTES:
        message = f"{path!r} has a batch of {rows.largest:,} bytes."
        raise CopyNeededError(message)
    connection.expect(len(rows.labels))
    table = exp.to_table(arrow_name(version), quoted=True)
    connection.register(table.name, rows)
    inner = exp.Select(expressions=[nodes.column(column) for column in rows.names]).from_(table)
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
        names = [column.name for column in source.schema]
        found = source.spread_rows(names, min(_SAMPLED_ROWS, max(1, _SAMPLED_CELLS // len(names))))
        return sample_facts(found, source.schema, name=name, path=str(place.source), row_count=rows.row_count)

    return lying(
        files, inner.subquery("cells"), cells, connection, rows.row_count, cells.notes, far, name=name
    )


def _check(labels: Sequence[str], connection: Connection) -> None:
    if not labels:
        raise InputError(f"{connection.shown!r} has no columns.", hint="Check how it was written.")
    require_few(len(labels), connection.shown)


def load_arrow(path: Path, connection: Connection, progress: Callable[[float], None] | None) -> Loaded:
    """Copy an Arrow IPC file or stream, or a Feather file, into the cache."""
    from pyarrow import feather, ipc

    try:
        with path.open("rb") as file:
            magic = file.read(6)
        if magic.startswith(b"FEA1"):
            table = feather.read_table(path)
        elif magic == b"ARROW1":
            table = ipc.open_file(pa.memory_map(str(path))).read_all()
        else:
            table = ipc.open_stream(pa.memory_map(str(path))).read_all()
        # Offsets that point elsewhere would be followed by the engine.
        table.validate(full=True)
    except (pa.ArrowException, OSError) as error:
        message = f"{path.name!r} cannot be read as Arrow data: {str(error).partition(chr(10))[0]}"
        raise InputError(message, hint=_HINT) from error
    names = list(table.column_names)
    _check(names, connection)
    table = table.rename_columns([f"c{i}" for i in range(len(names))])
    connection.register(_SOURCE, table)
    return load(exp.to_table(_SOURCE), connection, "arrow", progress, names)
