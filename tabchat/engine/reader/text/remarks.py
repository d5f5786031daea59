"""What whoever counts records should know: remarks under a table, such as its source, and letters of another alphabet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.vocabulary import LOOK_ALIKES
from tabchat.engine.table import LoadNote
from tabchat.engine.types import FILE_ROW, ColumnKind, whole

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.types import Schema

_MOST: Final = 5
"""Remarks that may stand under a table."""
_LARGEST: Final = 100_000
"""Records up to which a table may be one that people wrote remarks under."""
_WIDEST: Final = 100
_SHOWN: Final = 40


def remark_notes(connection: Connection, parquet: Path, schema: Schema, row_count: int) -> Iterator[LoadNote]:
    """Point out records at the end that hold nothing but a text in the first column, where no other record does."""
    first, *others = schema
    if not others or first.kind is not ColumnKind.TEXT or len(schema) > _WIDEST or row_count > _LARGEST:
        return
    bare = [nodes.is_null(nodes.column(column.name)) for column in others]
    number = nodes.column(FILE_ROW)
    # Of two cells one may be missing; a remark is a sentence.
    said = [nodes.call("contains", nodes.column(first.name), " ")] if len(others) == 1 else []
    query = (
        exp.Select(expressions=[number])
        .from_(nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()}))
        .where(nodes.both(nodes.negate(nodes.is_null(nodes.column(first.name))), *bare, *said))
        .order_by(number)
        .limit(_MOST + 1)
    )
    rows = tuple(whole(row) + 1 for (row,) in connection.rows(query))
    count = len(rows)
    if 0 < count <= _MOST and count * 2 < row_count and rows[0] == row_count - count + 1:
        yield LoadNote(
            action="warning",
            message=f"{'The last record holds' if count == 1 else f'The last {count} records hold'} nothing but a text in "
            f"{first.name!r}, like {'a remark' if count == 1 else 'remarks'} under a table, and "
            f"{'counts as a record' if count == 1 else 'count as records'}.",
            column=first.name,
            rows=rows,
            count=count,
            told=f"{count:,} records at the end look like remarks",
            hint="To leave remarks out, delete them in a copy of the file.",
            skews=True,
        )


def letter_notes(connection: Connection, parquet: Path, schema: Schema, row_count: int) -> Iterator[LoadNote]:
    """Point out words of Cyrillic and Latin letters that look alike: they equal no other cell, whatever it looks like."""
    words = [column.name for column in schema if column.kind is ColumnKind.TEXT][:_WIDEST]
    if not words or row_count > _LARGEST:
        return
    facts = []
    for name in words:
        cell = nodes.column(name)
        foreign = exp.NEQ(this=nodes.call("strlen", cell), expression=nodes.call("length", cell))
        where = exp.Where(this=nodes.both(foreign, nodes.call("regexp_matches", cell, LOOK_ALIKES)))
        told = (exp.Count(this=exp.Star()), exp.Min(this=nodes.column(FILE_ROW)), exp.Min(this=cell))
        facts += [exp.Filter(this=fact, expression=where.copy()) for fact in told]
    source = nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()})
    (found,) = connection.rows(exp.Select(expressions=facts).from_(source))
    for i, name in enumerate(words):
        count, row, example = found[3 * i : 3 * i + 3]
        if count:
            yield LoadNote(
                action="warning",
                message=f"{whole(count):,} cell{' of' if count == 1 else 's of'} {name!r} "
                f"{'mixes' if count == 1 else 'mix'} Latin and Cyrillic letters that look alike in one word, such as "
                f"{str(example)[:_SHOWN]!r}, and {'equals' if count == 1 else 'equal'} no cell without.",
                column=name,
                rows=(whole(row) + 1,),
                count=whole(count),
                told="some words mix Latin and Cyrillic letters that look alike",
                skews=True,
            )
