"""Parquet files that are read where they lie: one, or the many of a folder or a pattern as one table.

What is read of them here is their footers, and of a small table the rest.
"""

from __future__ import annotations

from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.columnar import cells_of, floats_of, require_few_leaves, schema_of
from tabchat.engine.reader.durations import durations
from tabchat.engine.reader.footers import footer_facts, read_footers
from tabchat.engine.reader.lying import is_surveyed, lying
from tabchat.engine.reader.schemas import compared
from tabchat.engine.source_files import FILE, PLACE, SourceFile, SourceFiles
from tabchat.engine.table import LoadNote, some
from tabchat.engine.types import FILE_ROW, ROW, whole
from tabchat.errors import CopyNeededError, InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.columnar import Cells
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.reader.source.places import Place

_FILE_NUMBER: Final = "file_index"


def lying_table(
    place: Place, reads: Sequence[str], version: str, connection: Connection, *, name: str
) -> tuple[Loaded, TableFacts]:
    """Return a table over Parquet files where they lie, and what is known of it.

    Raises `MalformedError` for a file that the engine cannot read, and `InputError`.
    """
    require_few_leaves(reads[0], connection)
    schemas = compared(reads, connection)
    partitions = _partition_names(place)
    options: dict[str, exp.Expression] = {
        "hive_partitioning": exp.true() if partitions else exp.false(),
        **({"union_by_name": exp.true()} if schemas.differ else {}),
    }
    table = nodes.table_function("read_parquet", reads, options)
    names, types = connection.describe(exp.Select(expressions=[exp.Star()]).from_(table))
    lost = sorted(set(partitions) - set(names))
    if lost:
        message = f"The engine does not make columns of folders called like {lost[0]!r}=…"
        raise InputError(f"{message} below {place.listing.root!r}.", hint="Rename the folders.")
    _refuse_own(names, place)
    connection.expect(len(names))
    cells = cells_of(table, connection, ticks=durations(reads, connection, types))
    row_counts = _said_rows(reads, connection)
    is_large = not is_surveyed(sum(row_counts), len(cells.names), sum(stamp[1] for stamp in place.stamps))
    query = exp.Select(expressions=cells.cells).from_(table)
    schema = schema_of(query, connection, cells.units) if is_large else ()
    footers = read_footers(connection, reads, schema, _origins(cells))
    _require_whole(place, row_counts, [footers.row_counts.get(read, 0) for read in reads])
    starts = (0, *accumulate(row_counts))
    files = SourceFiles(
        source=place.source,
        version=version,
        sql=_rows(table, cells, starts).sql("duckdb", identify=True),
        files=tuple(
            SourceFile(path=path, read=read, stamp=stamp, start=start)
            for path, read, stamp, start in zip(
                place.listing.paths, reads, place.stamps, starts[:-1], strict=True
            )
        ),
        is_set=place.is_set,
    )
    notes = [*_set_notes(place, partitions), *schemas.notes, *cells.notes]

    def far(source: Source) -> TableFacts:
        return footer_facts(source, footers, name=name, path=str(place.source))

    return lying(files, table, cells, connection, starts[-1], notes, far, name=name)


def _rows(table: exp.Table, cells: Cells, starts: Sequence[int]) -> exp.Select:
    """Return the query of the rows with their numbers: those of a file go on from the file before."""
    number: exp.Expression = exp.column(FILE_ROW)
    file: exp.Expression = exp.Literal.number(0)
    before = starts[:-1]
    if len(before) > 1:
        file = exp.column(_FILE_NUMBER)
        rows_before = exp.Array(expressions=[exp.Literal.number(start) for start in before])
        place = exp.Add(this=nodes.cast(file, "BIGINT"), expression=exp.Literal.number(1))
        held = exp.Cast(this=rows_before, to=exp.DataType.build("BIGINT[]", dialect="duckdb"))
        number = exp.Add(this=nodes.call("list_extract", held, place), expression=number)
    row = exp.Add(this=number, expression=exp.Literal.number(1))
    own = [nodes.named(row, ROW), nodes.named(number, PLACE), nodes.named(file, FILE)]
    return exp.Select(expressions=[*own, *cells.cells]).from_(table)


def _refuse_own(names: Sequence[str], place: Place) -> None:
    """Raise `CopyNeededError` for a column that is called as the engine calls what it knows of a row."""
    own = {FILE_ROW, _FILE_NUMBER} if len(place.listing.paths) > 1 else {FILE_ROW}
    for name in names:
        if name.casefold() in own:
            message = f"{str(place.source)!r} has a column called {name!r}, by which the engine numbers rows."
            raise CopyNeededError(message, hint="Give the column another name.")


def _said_rows(reads: Sequence[str], connection: Connection) -> list[int]:
    """Return the rows that each file says it has."""
    said = exp.select("file_name", "num_rows").from_(nodes.table_function("parquet_file_metadata", reads))
    counts = {str(read): whole(count) for read, count in connection.rows(said)}
    return [counts[read] for read in reads]


def _require_whole(place: Place, said: Sequence[int], held: Sequence[int]) -> None:
    """Raise `InputError` for a file whose parts have not as many rows as it says."""
    for path, rows, in_parts in zip(place.listing.paths, said, held, strict=True):
        if rows != in_parts:
            message = f"{path!r} says that it has {rows:,} rows, and its parts have {in_parts:,}."
            raise InputError(message, hint="The file is damaged: copy or write it again.")


def _partition_names(place: Place) -> tuple[str, ...]:
    """Return the columns that the names of folders hold; raises `InputError` where they differ between files."""
    found = {tuple(key for key, _ in place.listing.partitions(path)): path for path in place.listing.paths}
    if len(found) > 1:
        one, other = sorted(found.items())[:2]
        message = (
            f"The folders below {place.listing.root!r} do not name the same columns: "
            f"{one[1]!r} lies under {list(one[0])}, {other[1]!r} under {list(other[0])}."
        )
        raise InputError(message, hint="Say with a pattern which of them are one table.")
    (keys,) = found
    return keys


def _set_notes(place: Place, partitions: Sequence[str]) -> Iterator[LoadNote]:
    if not place.is_set:
        return
    count = len(place.listing.paths)
    message = f"{count:,} Parquet file{'' if count == 1 else 's'} {'is' if count == 1 else 'are'} one table"
    if partitions:
        message += f"; {', '.join(map(repr, partitions))} from the names of their folders"
    yield LoadNote(action="inferred", message=f"{message}.", count=count)
    others = [path.removeprefix(place.listing.root).lstrip("/") for path in place.listing.passed_over]
    if others:
        named = some([*map(repr, others)])
        yield LoadNote(
            action="warning",
            message=f"Other files beside them were passed over: {named}.",
            count=len(others),
            told="other files in the folder were passed over",
        )


def _origins(cells: Cells) -> Mapping[str, str]:
    """Return name → name in the file of the columns that are shown as they are, NaN and infinities aside."""
    floats = floats_of(cells)
    return {
        name: node.name
        for (node, _, _), name, cell in zip(cells.leaves, cells.names, cells.cells, strict=True)
        if isinstance(node, exp.Column) and (cell.unalias() == node or name in floats)
    }
