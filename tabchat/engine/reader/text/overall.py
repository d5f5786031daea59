"""What only a look at all records tells, and whether an answer over a text that was never read would lack it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.reader import nodes
from tabchat.engine.reader.text.dialect import UnclosedQuoteError, parse
from tabchat.engine.reader.text.totals import LABELS, LAST, label_of, total_notes
from tabchat.engine.reader.text.vocabulary import BLANKS, LOOK_ALIKES, NULL_WORDS
from tabchat.engine.table import LoadNote, warning_note
from tabchat.engine.types import FILE_ROW, ColumnKind, whole

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.text.delimited import Judged, Text
    from tabchat.engine.reader.text.dialect import Record
    from tabchat.engine.reader.text.infer import Guess
    from tabchat.engine.reader.text.settle import Settled
    from tabchat.engine.types import Schema

_MOST: Final = 5
"""Remarks that may stand under a table."""
_LARGEST: Final = 100_000
"""Records up to which a table may be one that people wrote remarks under."""
_WIDEST: Final = 100
_SHOWN_LETTERS: Final = 40


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
        yield warning_note(
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
            yield warning_note(
                message=f"{whole(count):,} cell{' of' if count == 1 else 's of'} {name!r} "
                f"{'mixes' if count == 1 else 'mix'} Latin and Cyrillic letters that look alike in one word, such as "
                f"{str(example)[:_SHOWN_LETTERS]!r}, and {'equals' if count == 1 else 'equal'} no cell without.",
                column=name,
                rows=(whole(row) + 1,),
                count=whole(count),
                told="some words mix Latin and Cyrillic letters that look alike",
                skews=True,
            )


_AHEAD: Final = 10
"""Years from now up to which a date is taken for one to come: what is planned, what expires."""
_SHOWN: Final = 5


def has_short_years(guess: Guess) -> bool:
    """Tell whether some dates of a column have a year of two digits."""
    return any("%y" in shape.date_format for shape in guess.plan.shapes)


def century_notes(
    connection: Connection, parquet: Path, guesses: Sequence[Guess], names: Sequence[str]
) -> Iterator[LoadNote]:
    """Point out dates with a year of two digits that come to lie far ahead: 19.07.68 may be a day of 1968."""
    last = dt.datetime.now(tz=dt.UTC).year + _AHEAD
    number = nodes.column(FILE_ROW)
    for guess, name in zip(guesses, names, strict=True):
        if not has_short_years(guess):
            continue
        year = nodes.call("year", nodes.column(name))
        row = exp.Add(this=number, expression=exp.Literal.number(1))
        query = (
            exp.Select(
                expressions=[
                    exp.Count(this=exp.Star()),
                    nodes.call("min", row, _SHOWN),
                    nodes.call("max", year),
                ]
            )
            .from_(nodes.table_function("read_parquet", str(parquet), {FILE_ROW: exp.true()}))
            .where(exp.GT(this=year.copy(), expression=exp.Literal.number(last)))
        )
        ((count, rows, latest),) = connection.rows(query)
        if count:
            yield warning_note(
                message=f"Years of two digits of {name!r} were taken for 1969 to 2068, so that "
                f"{whole(count):,} date{' lies' if count == 1 else 's lie'} after {last}, up to {whole(latest)}.",
                column=name,
                rows=tuple(rows),  # type: ignore[arg-type] # a list of numbers
                count=whole(count),
                hint=f"If they belong to the century before, keep them as written: --type '{name}=text'.",
                told=f"years of two digits taken for 1969 to 2068, {whole(count):,} of them far ahead",
                skews=True,
            )


_TAIL: Final = 64 * 1024
"""Bytes at the end of a text in which its last records are looked for."""


def overall_notes(
    connection: Connection, parquet: Path, settled: Settled, names: Sequence[str], schema: Schema
) -> Iterator[LoadNote]:
    """Say what the records of a stored table show together, of which figures would mislead."""
    rows = settled.row_count
    labelled = {names[finding.column]: finding for finding in settled.labelled}
    yield from century_notes(connection, parquet, settled.guesses, names)
    yield from total_notes(connection, parquet, schema, rows, labelled)
    yield from remark_notes(connection, parquet, schema, rows)
    yield from letter_notes(connection, parquet, schema, rows)


def is_open(text: Text, judged: Judged) -> bool:
    """Tell whether all records have to be read before any is added up.

    A record at either end may sum up the others, by its label or since it has figures alone; years of two digits may
    be of another century. Remarks, subtotals and letters are looked for in tables that are too small to matter here.
    """
    last = _last_records(text, judged)
    if last is None or any(has_short_years(guess) for guess in judged.guesses):
        return True
    kinds = [guess.plan.kind for guess in judged.guesses]
    words = [i for i, kind in enumerate(kinds) if kind is ColumnKind.TEXT][:LABELS]
    others = [i for i, kind in enumerate(kinds) if not kind.is_numeric]
    first, *ends = [[_content(cell) for cell in record] for record in (*judged.rows[:1], *last)]
    return any(label_of([record[i] for i in words]) for record in (first, *ends)) or (
        bool(others) and not any(ends[-1][i] for i in others)
    )


def _content(cell: str) -> str:
    content = cell.strip(BLANKS)
    return "" if content.lower() in NULL_WORDS else content


def _last_records(text: Text, judged: Judged) -> list[Record] | None:
    """Return the last few records as they lie in the file, or None where they cannot be told."""
    with text.path.open("rb") as file:
        file.seek(max(0, text.size - _TAIL))
        tail = file.read().decode("utf-8", errors="replace").partition("\n")[2]
    try:
        found = parse(tail, judged.dialect, complete=True)[-LAST:]
    except UnclosedQuoteError:
        return None
    return found if found and all(len(record) == len(judged.names) for record in found) else None
