"""What only a look at all records tells, and whether an answer over a text that was never read would lack it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.reader.text.centuries import century_notes, has_short_years
from tabchat.engine.reader.text.dialect import UnclosedQuoteError, parse
from tabchat.engine.reader.text.remarks import letter_notes, remark_notes
from tabchat.engine.reader.text.totals import LABELS, LAST, label_of, total_notes
from tabchat.engine.reader.text.vocabulary import BLANKS, NULL_WORDS
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from tabchat.engine.reader.connection import Connection
    from tabchat.engine.reader.text.delimited import Judged, Text
    from tabchat.engine.reader.text.dialect import Record
    from tabchat.engine.reader.text.settle import Settled
    from tabchat.engine.table import LoadNote
    from tabchat.engine.types import Schema

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
