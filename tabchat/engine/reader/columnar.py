"""Parquet and Arrow: files that know their types; what a table cannot hold is brought to what it can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.reader import nodes
from tabchat.engine.reader.description import Loaded
from tabchat.engine.reader.durations import NO_TICKS, Span, durations, span_notes, unit_of_time
from tabchat.engine.reader.relation import copy_to_parquet
from tabchat.engine.reader.source.files import engine_path
from tabchat.engine.reader.text.headers import column_names, require_few
from tabchat.engine.reader.text.units import header_unit
from tabchat.engine.table import LoadNote, LoadReport, inferred_note, not_finite_notes, some
from tabchat.engine.types import Column, whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection

_AS_TEXT: Final = frozenset(
    {"enum", "uuid", "bit", "interval", "time with time zone", "sqlnull", '"null"', "null", "json"}
)
_UNTOLD: Final = frozenset({"enum", "uuid", "sqlnull", '"null"', "null", "json"})
"""Those of them that are texts, or nothing, anyway."""
_ZONED: Final = frozenset({"timestamp with time zone", "timestamptz_ns"})
_NESTED: Final = frozenset({"list", "array", "map", "union", "variant", "struct"})
_ELEMENTS: Final = 4
"""Elements of a schema that one column may take: a map takes four."""
_DEEPEST: Final = 20
"""Structures in structures that become columns; what lies deeper stays JSON text."""


def load_parquet(path: Path, connection: Connection, progress: Callable[[float], None] | None) -> Loaded:
    """Copy a Parquet file into the cache: one that was packed, came through a pipe, or cannot be read where it lies."""
    read = str(engine_path(path, connection.workspace))
    require_few_leaves(read, connection)
    source = nodes.table_function("read_parquet", read, {"hive_partitioning": exp.false()})
    return load(source, connection, "parquet", progress, ticks=durations([read], connection))


def require_few_leaves(read: str, connection: Connection) -> None:
    """Raise `InputError` for a file of far too many columns, before the engine works for minutes at binding them."""
    schema = nodes.table_function("parquet_schema", [read])
    ((elements,),) = connection.rows(exp.select(exp.Count(this=exp.Star())).from_(schema))
    require_few(whole(elements) // _ELEMENTS, connection.shown)


def load(
    source: exp.Table,
    connection: Connection,
    input_format: str,
    progress: Callable[[float], None] | None,
    labels: Sequence[str] | None = None,
    *,
    ticks: Mapping[str, str] = NO_TICKS,
) -> Loaded:
    """Copy the rows of `source` into the cache; `labels` are the names of its columns elsewhere, `ticks` as for `cells_of`."""
    found = cells_of(source, connection, labels, ticks=ticks)
    query = exp.Select(expressions=found.cells).from_(source)
    schema = schema_of(query, connection, found.units)
    target = connection.workspace / "table.parquet"
    row_count = copy_to_parquet(connection, query, target, progress)
    return Loaded(
        parquet=target,
        schema=schema,
        row_count=row_count,
        report=LoadReport(
            input_format=input_format, notes=(*found.notes, *not_finite(connection, source, found))
        ),
    )


@record
class Cells:
    """What a table shows of a file."""

    leaves: list[tuple[exp.Expression, str, Any]]
    names: list[str]
    cells: list[exp.Expression]
    notes: tuple[LoadNote, ...]
    units: Mapping[str, str]
    """Column that holds durations → what it counts now."""


def cells_of(
    source: exp.Query | exp.Table,
    connection: Connection,
    labels: Sequence[str] | None = None,
    *,
    ticks: Mapping[str, str] = NO_TICKS,
) -> Cells:
    """Return the columns of a table over `source`, of types that a table can hold.

    `labels` are the names of its columns elsewhere, `ticks` those that hold durations → what they count.
    """
    names, types = connection.describe(exp.Select(expressions=[exp.Star()]).from_(source))
    require_few(len(types), connection.shown)
    leaves = [
        leaf
        for name, label, kind in zip(names, labels or names, types, strict=True)
        for leaf in _leaves(nodes.column(name), label, kind)
    ]
    require_few(len(leaves), connection.shown)
    final, notes = column_names([label for _, label, _ in leaves])
    spans = {
        name: Span(counted=ticks[label], unit=unit_of_time(name))
        for (_, label, kind), name in zip(leaves, final, strict=True)
        if label in ticks and kind.id == "bigint"
    }
    cells = [
        nodes.named(spans[name].converted(node) if name in spans else _value(node, kind), name)
        for (node, _, kind), name in zip(leaves, final, strict=True)
    ]
    return Cells(
        leaves=leaves,
        names=list(final),
        cells=cells,
        notes=(*notes, *_notes(leaves, final), *span_notes(spans)),
        units={name: span.unit for name, span in spans.items() if span.counted},
    )


def schema_of(
    query: exp.Select, connection: Connection, units: Mapping[str, str] = NO_TICKS
) -> tuple[Column, ...]:
    """Return the columns of a query, with their units: those of `units`, or those that their headers name."""
    names, types = connection.describe(query)
    return tuple(
        Column(
            name=name,
            kind=kind,
            sql_type=str(sql_type),
            unit=units.get(name) or header_unit(name) if kind.is_numeric else None,
        )
        for name, sql_type in zip(names, types, strict=True)
        for kind in [column_kind(str(sql_type))]
    )


def _leaves(
    node: exp.Expression, label: str, kind: Any, depth: int = 0
) -> Iterator[tuple[exp.Expression, str, Any]]:
    """Yield the columns of a column: itself, or the fields of a structure under dotted names."""
    if kind.id == "struct" and depth < _DEEPEST:
        for name, inner in kind.children:
            yield from _leaves(nodes.call("struct_extract", node, name), f"{label}.{name}", inner, depth + 1)
    else:
        yield node, label, kind


def _value(node: exp.Expression, kind: Any) -> exp.Expression:
    name = kind.id
    if name in _NESTED:
        return nodes.cast(nodes.call("to_json", node), "VARCHAR")
    if name in {"float", "double"}:
        return nodes.case((nodes.call("isfinite", node), node), default=nodes.null())
    if name in _ZONED:
        return nodes.call("timezone", "UTC", node)
    if name in {"timestamp_s", "timestamp_ms"}:
        return nodes.cast(node, "TIMESTAMP")
    return nodes.cast(node, "VARCHAR") if name in _AS_TEXT else node


def _notes(leaves: Sequence[tuple[exp.Expression, str, Any]], names: Sequence[str]) -> Iterator[LoadNote]:
    dotted = [
        name for (node, _, _), name in zip(leaves, names, strict=True) if not isinstance(node, exp.Column)
    ]
    nested = [name for (_, _, kind), name in zip(leaves, names, strict=True) if kind.id in _NESTED]
    zoned = [name for (_, _, kind), name in zip(leaves, names, strict=True) if kind.id in _ZONED]
    other = [name for (_, _, kind), name in zip(leaves, names, strict=True) if kind.id in _AS_TEXT - _UNTOLD]
    for found, message in (
        (dotted, "Nested structures became columns with dotted names"),
        (nested, "Lists and maps are kept as JSON text"),
        (other, "Durations, bits and times of day with a zone are kept as text"),
        (zoned, "Times with a time zone were brought to UTC"),
    ):
        if found:
            yield inferred_note(message=f"{message}: {some(found)}.", count=len(found))


def not_finite(connection: Connection, source: exp.Query | exp.Table, found: Cells) -> Iterator[LoadNote]:
    """Count the cells that became missing because they are no numbers: reads every column of fractions.

    NaN is what is neither finite nor infinite nor missing: the statistics of a Parquet file leave NaN out, and DuckDB
    believes them where it is asked for `isnan(x)` or `x = 'nan'`.
    """
    floats = floats_of(found)
    if not floats:
        return
    counts = [
        count
        for node in floats.values()
        for count in (
            exp.Count(this=node.copy()),
            nodes.call("count_if", nodes.call("isfinite", node)),
            nodes.call("count_if", nodes.call("isinf", node)),
        )
    ]
    ((*numbers,),) = connection.rows(exp.Select(expressions=counts).from_(source))
    for name, *cells in zip(floats, numbers[::3], numbers[1::3], numbers[2::3], strict=True):
        # DuckDB counts nothing (NULL) where a file has no row group at all
        held, finite, infinite = (whole(count or 0) for count in cells)
        yield from not_finite_notes(name, infinite=infinite, no_number=held - finite - infinite)


def floats_of(found: Cells) -> dict[str, exp.Expression]:
    """Return name → cell, as the file has it, of the columns whose cells may be NaN or infinite."""
    return {
        name: node
        for (node, _, kind), name in zip(found.leaves, found.names, strict=True)
        if kind.id in {"float", "double"}
    }
