"""The columns of many Parquet files, compared by name: which of them all have, and which differ."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.duckdb_types import column_kind
from tabchat.engine.reader import nodes
from tabchat.engine.table import LoadNote, some
from tabchat.engine.types import whole
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.engine.reader.connection import Connection

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
        yield LoadNote(
            action="warning", message=message, count=len(lacking), told="some files lack some columns"
        )
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
