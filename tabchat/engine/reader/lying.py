"""A table over files where they lie: its schema, and what is known of it, from all of its rows or from some."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.facts.gather import gather_facts
from tabchat.engine.facts.source import Source
from tabchat.engine.reader.columnar import floats_of, not_finite, schema_of
from tabchat.engine.reader.description import Loaded
from tabchat.engine.table import LoadNote, LoadReport, inferred_note, some

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from sqlglot import exp

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.reader.columnar import Cells
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.source_files import SourceFiles

SURVEYED_CELLS: Final = 10_000_000
"""Cells of a table that is looked at in full when it is opened; of a larger one, only some rows are."""
_SURVEYED_BYTES: Final = 200_000_000


def is_surveyed(row_count: int, columns: int, size: int) -> bool:
    """Tell whether a table in so many bytes is looked at in full when it is opened."""
    return row_count * columns <= SURVEYED_CELLS and size <= _SURVEYED_BYTES


def lying(
    files: SourceFiles,
    table: exp.Query | exp.Table,
    cells: Cells,
    connection: Connection,
    row_count: int,
    notes: Sequence[LoadNote],
    far: Callable[[Source], TableFacts],
    *,
    name: str,
) -> tuple[Loaded, TableFacts]:
    """Return the table of `cells` over `table`, and its facts; `far` gives those of a large one, of some rows alone."""
    connection.attach(files.name, files.sql)
    scan = files.scan(cells.names)
    _, *schema = schema_of(scan, connection, cells.units)
    source = Source(run=connection.rows, scan=scan, schema=tuple(schema), row_count=row_count, files=files)
    if is_surveyed(row_count, len(schema), sum(file.size for file in files.files)):
        facts = gather_facts(source, name=name, path=str(files.source))
        notes = [*notes, *not_finite(connection, table, cells)]
    else:
        facts = far(source)
        notes = [*notes, *_uncounted(cells)]
    report = LoadReport(input_format="arrow" if files.is_arrow else "parquet", notes=tuple(notes))
    return Loaded(files=files, schema=tuple(schema), row_count=row_count, report=report), facts


def _uncounted(cells: Cells) -> Iterator[LoadNote]:
    floats = list(floats_of(cells))
    if floats:
        named = some([*map(repr, floats)])
        message = f"NaN and infinite cells count as missing, and were not looked for: {named}."
        yield inferred_note(message=message, count=len(floats))
