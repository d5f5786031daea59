"""Records that sum up others: they stay in the table, but whoever adds the column up should know."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.vocabulary import AVERAGE_WORDS, BLANKS, TOTAL_WORDS
from tabchat.engine.table import LoadNote, some
from tabchat.engine.types import FILE_ROW, ColumnKind, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.types import Schema

_LAST: Final = 3
"""Records at the end among which a total is looked for: a remark may follow it."""
_LABELS: Final = 4
"""Columns of words, from the left, that may hold its label."""
_SHOWN: Final = 5
_REPORT: Final = 100_000
"""Records up to which a table may be a report with subtotals."""
_GROUP_TOTAL: Final = r"(.+\S)\s+(?:total|итог|всего|підсумок|разом|ergebnis)"
_SUBTOTAL: Final = (
    rf"(?:sub[ -]?totals?|zwischensumme|sous-total|промежуточный итог|проміжний підсумок)\b.*|{_GROUP_TOTAL}"
)


def total_notes(connection: Connection, parquet: Path, schema: Schema, row_count: int) -> Iterator[LoadNote]:
    """Point out a record near the end whose label says that it is a total or an average.

    One at the head only where its figures are the sums of the others: there, `Total` may be a name like any other.
    """
    words = [column.name for column in schema if column.kind is ColumnKind.TEXT][:_LABELS]
    figures = [column.name for column in schema if column.kind.is_numeric]
    if not words or not figures or row_count < _LAST:
        return
    source = nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()})
    late = exp.GTE(this=nodes.column(FILE_ROW), expression=exp.Literal.number(row_count - _LAST))
    first = exp.EQ(this=nodes.column(FILE_ROW), expression=exp.Literal.number(0))
    query = (
        exp.Select(expressions=[nodes.column(FILE_ROW), *map(nodes.column, words)])
        .from_(source)
        .where(nodes.either([late, first]))
        .order_by(nodes.column(FILE_ROW))
    )
    for number, *cells in connection.rows(query):
        label = _label(cells)
        row = whole(number) + 1
        if label is not None and (row > row_count - _LAST or _sums_up(connection, source, figures)):
            what = "a total" if _word(label[1]) in TOTAL_WORDS else "an average"
            yield LoadNote(
                action="warning",
                message=f"The record labelled {label[1]!r} looks like {what} of the others, and counts as one of them.",
                column=words[label[0]],
                rows=(row,),
                count=1,
                told=f"row {row} looks like {what} of the others",
                hint=f'To leave it out: "where": "{_quoted(words[label[0]])} != \'{label[1]}\'" in a plan.',
                skews=True,
            )


def subtotal_notes(
    connection: Connection, parquet: Path, schema: Schema, row_count: int
) -> Iterator[LoadNote]:
    """Point out records, wherever they are, whose label says that they sum up some of the others.

    A label is one such as `Subtotal`, or another cell of its column with a word for a total after it, as spreadsheet
    programs write it: `North Total` among records of `North`.
    """
    words = [column.name for column in schema if column.kind is ColumnKind.TEXT][:_LABELS]
    if row_count > _REPORT or not any(column.kind.is_numeric for column in schema):
        return
    source = nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()})
    for name, found in _subtotals(connection, source, words):
        if found:
            labels = list(dict.fromkeys(label for _, label in found))
            count = len(found)
            yield LoadNote(
                action="warning",
                message=f"{count:,} record{'' if count == 1 else 's'} labelled {some([*map(repr, labels)])} "
                f"{'looks like a subtotal' if count == 1 else 'look like subtotals'} of others, and "
                f"{'counts as one' if count == 1 else 'count as some'} of them.",
                column=name,
                rows=tuple(row for row, _ in found[:_SHOWN]),
                count=count,
                told=f"{count:,} records look like subtotals of others",
                hint=_without(name, labels),
                skews=True,
            )


def _subtotals(
    connection: Connection, source: exp.Table, words: Sequence[str]
) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield each column with number and label of the records that it calls subtotals."""
    if not words:
        return
    cells = [nodes.column(name) for name in words]
    looks = [nodes.call("regexp_full_match", nodes.call("lower", cell), _SUBTOTAL) for cell in cells]
    query = exp.Select(expressions=[nodes.column(FILE_ROW), *cells]).from_(source).where(nodes.either(looks))
    rows = connection.rows(query.order_by(nodes.column(FILE_ROW)))
    for place, name in enumerate(words, start=1):
        labelled = [(whole(row[0]) + 1, str(row[place])) for row in rows if row[place]]
        named = [(row, label) for row, label in labelled if re.fullmatch(_SUBTOTAL, label.lower())]
        stems = {stem for _, label in named if (stem := _stem(label))}
        groups = _known(connection, source, name, stems) if stems else set()
        yield name, [(row, label) for row, label in named if not (stem := _stem(label)) or stem in groups]


def _known(connection: Connection, source: exp.Table, name: str, stems: set[str]) -> set[str]:
    """Return those of `stems` that are cells of a column themselves."""
    cell = nodes.column(name)
    query = (
        exp.Select(expressions=[cell])
        .distinct()
        .from_(source.copy())
        .where(nodes.one_of(cell, sorted(stems)))
    )
    return {str(value) for (value,) in connection.rows(query)}


def _without(name: str, labels: Sequence[str]) -> str:
    listed = ", ".join("'" + label.replace("'", "''") + "'" for label in labels)
    return f'To leave them out: "where": "{_quoted(name)} not in ({listed})" in a plan.'


def _stem(label: str) -> str:
    """Return the group that a label names before a word for a total; nothing where it is such a word alone."""
    found = re.fullmatch(_GROUP_TOTAL, label, re.IGNORECASE)
    return found[1] if found else ""


def _label(cells: Sequence[object]) -> tuple[int, str] | None:
    """Return the first cell that is there, and its place, when it is a word for a total."""
    first = next(((i, cell) for i, cell in enumerate(cells) if isinstance(cell, str) and cell), None)
    return first if first is not None and _word(first[1]) in TOTAL_WORDS | AVERAGE_WORDS else None


def _word(label: str) -> str:
    return label.strip(BLANKS).rstrip(":").lower()


def _sums_up(connection: Connection, source: exp.Table, figures: Sequence[str]) -> bool:
    """Tell whether the first record holds the sums of the others, in every column where it holds anything."""
    head = exp.EQ(this=nodes.column(FILE_ROW), expression=exp.Literal.number(0))
    sums = [
        exp.Filter(this=exp.Sum(this=nodes.column(name)), expression=exp.Where(this=condition.copy()))
        for name in figures
        for condition in (head, nodes.negate(head))
    ]
    (row,) = connection.rows(exp.Select(expressions=sums).from_(source.copy()))
    pairs = [
        (float(str(total)), float(str(others)))
        for total, others in zip(row[::2], row[1::2], strict=True)
        if total is not None and others is not None
    ]
    return bool(pairs) and all(math.isclose(total, others, rel_tol=1e-6) for total, others in pairs)


def _quoted(name: str) -> str:
    return name if name.isidentifier() else f'\\"{name}\\"'
