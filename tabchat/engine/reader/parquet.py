"""Parquet files that are read where they lie: one, or the many of a folder or a pattern as one table.

What is read of them here is their footers, and of a small table the rest.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from itertools import accumulate
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.facts.sample import Ends, sample_facts
from tabchat.engine.reader import nodes
from tabchat.engine.reader.columnar import cells_of, floats_of, require_few_leaves, schema_of
from tabchat.engine.reader.durations import durations
from tabchat.engine.reader.lying import is_surveyed, lying
from tabchat.engine.source_files import FILE, PLACE, SourceFile, SourceFiles
from tabchat.engine.table import LoadNote, inferred_note, some, warning_note
from tabchat.engine.types import FILE_ROW, ROW, whole
from tabchat.errors import CopyNeededError, InputError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.facts.records import TableFacts
    from tabchat.engine.facts.source import Source
    from tabchat.engine.reader.columnar import Cells
    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.description import Loaded
    from tabchat.engine.reader.source.places import Place
    from tabchat.engine.types import Column, Value

_DESCRIBED: Final = 50
"""Schemas that are looked at; a person is told of no more."""
_SHOWN: Final = 3
_SIGNS: Final = ("name", "type", "converted_type", "logical_type", "num_children", "scale", "precision")
"""What the columns of two files have in common where they are the same."""


@record
class Schemas:
    """What the schemas of the files of one table have in common."""

    differ: bool
    notes: tuple[LoadNote, ...] = ()


def compared(reads: Sequence[str], connection: Connection) -> Schemas:
    """Compare the schemas of the files at `reads`, of which only the footers are read."""
    if len(reads) == 1:
        return Schemas(differ=False)
    file, order, sign = exp.column("file_name"), exp.column("column_id"), exp.column("sign")
    signs = [nodes.cast(exp.column(name), "VARCHAR") for name in _SIGNS]
    in_order = exp.ArrayAgg(this=exp.Order(this=sign, expressions=[exp.Ordered(this=order)]))
    each = (
        exp.select(file, exp.alias_(nodes.call("hash", in_order), "sign"))
        .from_(
            exp.select(file, order, exp.alias_(exp.Array(expressions=signs), "sign"))
            .from_(nodes.table_function("parquet_schema", reads))
            .subquery("columns")
        )
        .group_by(file)
    )
    alike = (
        exp.select(exp.Min(this=file), exp.Count(this=exp.Star()))
        .from_(each.subquery("files"))
        .group_by(sign)
        .order_by(exp.Ordered(this=exp.Count(this=exp.Star()), desc=True), exp.Min(this=file))
    )
    found = [(str(path), whole(count)) for path, count in connection.rows(alike)]
    if len(found) == 1:
        return Schemas(differ=False)
    described = [(_columns(path, connection), count) for path, count in found[:_DESCRIBED]]
    return Schemas(differ=True, notes=tuple(_notes(described, len(reads))))


def _columns(path: str, connection: Connection) -> dict[str, str]:
    source = nodes.table_function("read_parquet", [path], {"hive_partitioning": exp.false()})
    names, types = connection.describe(exp.select("*").from_(source))
    return {name: str(kind) for name, kind in zip(names, types, strict=True)}


def _notes(described: Sequence[tuple[Mapping[str, str], int]], files: int) -> Iterator[LoadNote]:
    having: Counter[str] = Counter()
    types: dict[str, Counter[str]] = defaultdict(Counter)
    seen = sum(count for _, count in described)
    for columns, count in described:
        for name, kind in columns.items():
            having[name] += count
            types[name][kind] += count
    lacking = {name: seen - count for name, count in having.items() if count < seen}
    if lacking:
        parts = [f"{name!r} (in {seen - count:,} of {files:,} files)" for name, count in lacking.items()]
        message = f"Not every file has every column; where one is lacking, its cells are missing: {some(parts, _SHOWN)}."
        yield warning_note(message=message, count=len(lacking), told="some files lack some columns")
    mixed = {name: found for name, found in types.items() if len(found) > 1}
    if mixed:
        parts = [f"{name!r} ({', '.join(sorted(found))})" for name, found in mixed.items()]
        # Numbers of two widths lose nothing; text beside numbers does.
        kinds = [{column_kind(kind) for kind in found} for found in mixed.values()]
        action = "warning" if any(len(found) > 1 for found in kinds) else "inferred"
        message = (
            f"Columns whose type differs between files are read as the wider one: {some(parts, _SHOWN)}."
        )
        yield LoadNote(
            action=action, message=message, count=len(mixed), told="some columns differ in type between files"
        )


_MOST_COLUMNS: Final = 200
"""Columns whose bounds are looked up."""
_CELLS: Final = 5
"""Values that are asked for of each."""
_PART_ROWS: Final = "row_group_num_rows"


@record
class Footers:
    """What the footers of the files of one table say; `row_counts` are those of the files' parts, added up."""

    row_counts: Mapping[str, int]
    ends: Mapping[str, Ends]
    """Column → what is said of it; nothing of one that some part of a file says nothing of."""


def read_footers(
    connection: Connection, reads: Sequence[str], columns: Sequence[Column], origins: Mapping[str, str]
) -> Footers:
    """Read the footers of the files at `reads`, once: the engine takes apart all that they say of every part.

    Looked up are those of `columns`, up to a bound, that are shown as the files have them: `origins` is
    name → its name in the files.
    """
    wanted = [column for column in columns if column.name in origins][:_MOST_COLUMNS]
    first = exp.EQ(this=exp.column("column_id"), expression=exp.Literal.number(0))
    cells = [_where(exp.ArrayAgg(this=exp.column(name)), first) for name in ("file_name", _PART_ROWS)]
    for column in wanted:
        cells += _cells(column, origins[column.name])
    ((files, rows, *found),) = connection.rows(
        exp.Select(expressions=cells).from_(nodes.table_function("parquet_metadata", reads))
    )
    row_counts: Counter[str] = Counter()
    # A file without a part has no rows.
    for file, count in zip(_listed(files), _listed(rows), strict=True):
        row_counts[str(file)] += whole(count)
    return Footers(row_counts=row_counts, ends=_ends(wanted, found, row_counts.total()))


def footer_facts(source: Source, footers: Footers, *, name: str, path: str) -> TableFacts:
    """Return the facts of files by their footers and by some rows, spread over all of them."""
    return sample_facts(
        source.spread_sample(),
        source.schema,
        name=name,
        path=path,
        row_count=source.row_count,
        ends=footers.ends,
    )


def _ends(columns: Sequence[Column], found: Sequence[Value], row_count: int) -> dict[str, Ends]:
    ends = {}
    for place, column in enumerate(columns):
        held, missing, unknown, low, high = found[place * _CELLS : (place + 1) * _CELLS]
        if isinstance(held, int) and not unknown:
            filled = held - int(str(missing or 0))
            bounds = (low, high) if _is_finite(low) and _is_finite(high) else (None, None)
            ends[column.name] = Ends(filled=min(filled, row_count), low=bounds[0], high=bounds[1])
    return ends


def _listed(values: Value) -> Sequence[Value]:
    return values if isinstance(values, list) else ()


def _cells(column: Column, origin: str) -> list[exp.Expression]:
    """Return the rows that parts of files hold of a column, its missing cells, the parts that do not tell, its ends."""
    here = exp.EQ(this=exp.column("path_in_schema"), expression=nodes.text(origin))
    bounds = []
    for kind, bound in ((exp.Min, "stats_min_value"), (exp.Max, "stats_max_value")):
        value = exp.TryCast(this=exp.column(bound), to=exp.DataType.build(column.sql_type, dialect="duckdb"))
        bounds.append(_where(kind(this=value), here) if column.kind.is_ordered else nodes.null())
    missing, rows = exp.column("stats_null_count"), exp.column(_PART_ROWS)
    unknown = nodes.is_null(missing)
    if column.kind.is_ordered:
        # A part of missing cells alone has no bounds.
        bare = nodes.both(nodes.is_null(exp.column("stats_min_value")), exp.LT(this=missing, expression=rows))
        unknown = nodes.either([unknown, bare])
    return [
        _where(exp.Sum(this=rows), here),
        _where(exp.Sum(this=missing), here),
        _where(exp.CountIf(this=unknown), here),
        *bounds,
    ]


def _where(aggregate: exp.Expression, condition: exp.Expression) -> exp.Expression:
    return exp.Filter(this=aggregate, expression=exp.Where(this=condition.copy()))


def _is_finite(value: Value) -> bool:
    return value is not None and not (isinstance(value, float) and not math.isfinite(value))


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
    yield inferred_note(message=f"{message}.", count=count)
    others = [path.removeprefix(place.listing.root).lstrip("/") for path in place.listing.passed_over]
    if others:
        named = some([*map(repr, others)])
        yield warning_note(
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
