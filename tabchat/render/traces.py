"""The figures of an answer as a table: each with its verdict, the cell it was found in, and what stands there."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.errors import TabchatError
from tabchat.record import record
from tabchat.render.evidence import find_figures, shorten_keys, trace_parts
from tabchat.render.grid import GridColumn, draw, fit
from tabchat.render.text import sanitise
from tabchat.render.values import format_value

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.answers.receipts import CitedCell, Receipt
    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.result import Result
    from tabchat.engine.types import Value
    from tabchat.render.console import Consoles
    from tabchat.render.text import Glyphs


PLACE_FLOOR: Final = 36
"""Cells that the place of a figure keeps: it says more than a key does."""


@record
class _Entry:
    number: str
    figure: str
    verdict: str
    cell: str
    place: str
    key: str


def render_traces(
    consoles: Consoles, answer: Answer, result_of: Callable[[str], Result], *, number: int | None = None
) -> int:
    """Print where the figures of an answer come from, one line for each cell; returns the number of lines.

    `number` asks for one piece of evidence. `result_of` gives the result behind a
    key; a result that is gone leaves its cells empty.
    """
    entries: list[_Entry] = []
    seen: set[int] = set()
    for figure in find_figures(answer):
        if figure.number in seen or (number is not None and figure.number != number):
            continue
        if figure.number is not None:
            seen.add(figure.number)
        entries += _entries(figure.number, figure.claim, result_of, consoles.glyphs)
    if not entries:
        return 0
    columns = [
        GridColumn(header="", cells=[entry.number for entry in entries], right=True),
        GridColumn(header="figure", cells=[entry.figure for entry in entries], right=True),
        GridColumn(header="verdict", cells=[entry.verdict for entry in entries]),
        GridColumn(header="cell", cells=[entry.cell for entry in entries], right=True),
        GridColumn(
            header="found in", cells=[entry.place for entry in entries], elastic=True, floor=PLACE_FLOOR
        ),
        GridColumn(header="key", cells=[entry.key for entry in entries]),
    ]
    fitted = fit(columns, consoles.width)
    draw(consoles.out, columns, fitted.widths, consoles.glyphs)
    if fitted.hidden:
        hidden = ", ".join(column.header for column in columns[len(fitted.widths) :])
        consoles.say(f"+{fitted.hidden} more: {hidden}")
    return len(entries)


def _entries(
    number: int | None, claim: Receipt, result_of: Callable[[str], Result], glyphs: Glyphs
) -> Iterator[_Entry]:
    label = f"[{number}]" if number is not None else ""
    evidence = claim.evidence or ""
    name = evidence.rpartition(".")[2] if claim.status == "verified" else ""
    said = [label, sanitise(claim.text, glyphs), claim.status]
    if claim.status == "derived" or not claim.cells:
        yield _entry(said, "", shorten_keys(sanitise(evidence, glyphs), glyphs), "")
        said = ["", "", ""]
    for trace in claim.cells:
        key = sanitise(trace.data_key or "", glyphs)
        place = trace_parts(replace(trace, data_key=None), glyphs, value_name=name)
        cell = _cell(trace, name, result_of)
        yield _entry(said, "" if cell is None else format_value(cell, glyphs), " · ".join(place), key)


def _entry(said: Sequence[str], cell: str, place: str, key: str) -> _Entry:
    number, figure, verdict = said
    return _Entry(number=number, figure=figure, verdict=verdict, cell=cell, place=place, key=key)


def _cell(trace: CitedCell, name: str, result_of: Callable[[str], Result]) -> Value:
    """Return what stands in the cell now; nothing when the result is gone, or has no such cell."""
    if trace.data_key is None:
        return None
    try:
        return look_up(result_of(trace.data_key), trace, name)
    except TabchatError:
        return None


def look_up(result: Result, trace: CitedCell, name: str) -> Value:
    """Return the value that a trace points at; `name` says which, of a result without rows to name."""
    frame = result.frame
    column = trace.column or name
    if column not in frame.columns:
        values = {
            "value": result.value,
            "rows": frame.row_count,
            "row_count": frame.row_count,
            "source_row_count": result.source_row_count,
        }
        return (values | dict(result.values)).get(column)
    if not trace.row and frame.row_count != 1:
        return None
    matches = [
        exp.column(key, quoted=True).is_(exp.null())
        if value is None
        else exp.column(key, quoted=True).eq(exp.convert(value))
        for key, value in trace.row.items()
    ]
    query = exp.select(exp.column(column, quoted=True)).from_(frame.query.subquery("frame")).limit(1)
    rows = frame.engine.rows(query.where(*matches) if matches else query)
    return rows[0][0] if rows else None
