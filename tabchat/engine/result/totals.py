"""Records that sum up others among those that a result counts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.table import LoadNote, Table
    from tabchat.engine.types import Value

_NUMBERS = ("row", "file_row")
"""What the column of record numbers of the rows behind a result may be called."""


def counted_totals(table: Table, result: Result, source: Callable[[], Frame | None]) -> tuple[str, ...]:
    """Return the labels of the records that `result` counts, or shows, although they sum up others.

    Of a filtered result this is asked of `source`, the rows behind it, by their numbers; of rows that are shown, by their
    labels. A table that was not read yet is not read for it.
    """
    labels = table.report.totals
    if not labels or result.source_row_count == table.row_count:
        return labels
    if not table.stored:
        return ()
    notes = [note for note in table.report.notes if note.totals]
    if result.source_row_count is None:
        return _shown(result.frame, notes)
    rows = source()
    if rows is None or not table.is_numbered or rows.columns[0] not in _NUMBERS:
        return ()
    return _found(rows, rows.columns[0], [(row, note) for note in notes for row in note.rows])


def _shown(frame: Frame, notes: Sequence[LoadNote]) -> tuple[str, ...]:
    found = [
        label
        for note in notes
        if note.column in frame.columns
        for label in _found(frame, note.column, [(label, note) for label in note.totals])
    ]
    return tuple(dict.fromkeys(found))


def _found(frame: Frame, name: str, wanted: Sequence[tuple[Value, LoadNote]]) -> tuple[str, ...]:
    """Return the labels of the notes whose values column `name` holds."""
    from sqlglot import exp

    column = exp.column(name, quoted=True)
    cells = [exp.convert(value) for value, _ in wanted]
    query = exp.select(column).distinct().from_(frame.query.subquery("counted"))
    held = (
        {value for (value,) in frame.engine.rows(query.where(column.copy().isin(*cells)))} if cells else set()
    )
    return tuple(dict.fromkeys(label for value, note in wanted if value in held for label in note.totals))
