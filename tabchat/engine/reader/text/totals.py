"""A last record that sums up the others: it stays in the table, but whoever adds the column up should know."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.vocabulary import BLANKS, TOTAL_WORDS
from tabchat.engine.table import LoadNote
from tabchat.engine.types import FILE_ROW, ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.types import Schema

_LAST: Final = 3
"""Records at the end among which a total is looked for: a remark may follow it."""
_LABELS: Final = 4
"""Columns of words, from the left, that may hold its label."""


def total_notes(connection: Connection, parquet: Path, schema: Schema, row_count: int) -> Iterator[LoadNote]:
    """Point out a record near the end whose label says that it is a total."""
    words = [column.name for column in schema if column.kind is ColumnKind.TEXT][:_LABELS]
    countable = any(column.kind.is_numeric for column in schema)
    if not words or not countable or row_count < _LAST:
        return
    source = nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()})
    late = exp.GTE(this=nodes.column(FILE_ROW), expression=exp.Literal.number(row_count - _LAST))
    query = (
        exp.Select(expressions=[nodes.column(FILE_ROW), *map(nodes.column, words)])
        .from_(source)
        .where(late)
        .order_by(nodes.column(FILE_ROW))
    )
    for number, *cells in connection.rows(query):
        label = _label(cells)
        if label is not None:
            row = int(str(number)) + 1
            yield LoadNote(
                action="warning",
                message=f"The record labelled {label[1]!r} looks like a total of the others, and counts as one of them.",
                column=words[label[0]],
                rows=(row,),
                count=1,
                told=f"row {row} looks like a total of the others",
                hint=f'To leave it out: "where": "{_quoted(words[label[0]])} != \'{label[1]}\'" in a plan.',
            )


def _label(cells: Sequence[object]) -> tuple[int, str] | None:
    """Return the first cell that is there, and its place, when it is a word for a total."""
    first = next(((i, cell) for i, cell in enumerate(cells) if isinstance(cell, str) and cell), None)
    if first is None or first[1].strip(BLANKS).rstrip(":").lower() not in TOTAL_WORDS:
        return None
    return first


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f'\\"{name}\\"'
