"""The figures of an answer as a table: each with its expression, and the cells that it was computed from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.values import format_value

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.answers.receipts import CitedCell, Receipt
    from tabchat.chat.turn.answer import Answer
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Console, Consoles

PLACE_FLOOR: Final = 36
"""Cells that the place of a figure keeps: it says more than a key does."""
MOST_CELLS: Final = 12
"""Cells of one figure that are listed."""


@record
class _Entry:
    figure: str = ""
    verdict: str = ""
    expression: str = ""
    cell: str = ""
    place: str = ""
    key: str = ""


def render_receipts(
    consoles: Consoles, answer: Answer, console: Console, *, number: int | None = None
) -> int:
    """Print where the figures of an answer come from, one line for each cell; returns the number of lines.

    `number` asks for one figure, counted from 1 as they stand in the text.
    """
    receipts = sorted(answer.verification.receipts, key=lambda receipt: receipt.start or 0)
    wanted = receipts if number is None else receipts[number - 1 : number] if number > 0 else []
    entries = [entry for receipt in wanted for entry in _entries(receipt, consoles.glyphs)]
    if not entries:
        return 0
    columns = [
        GridColumn(header="figure", cells=[entry.figure for entry in entries], right=True),
        GridColumn(header="verdict", cells=[entry.verdict for entry in entries]),
        GridColumn(header="cell", cells=[entry.cell for entry in entries], right=True),
        GridColumn(
            header="found in", cells=[entry.place for entry in entries], elastic=True, floor=PLACE_FLOOR
        ),
        GridColumn(header="expression", cells=[entry.expression for entry in entries], elastic=True),
        GridColumn(header="key", cells=[entry.key for entry in entries]),
    ]
    columns = [column for column in columns if any(column.cells)]
    if hidden := draw_fitting(consoles, columns, console):
        consoles.say(f"+{len(hidden)} more: {', '.join(hidden)}")
    return len(entries)


def _entries(receipt: Receipt, glyphs: Glyphs) -> Iterator[_Entry]:
    figure = sanitise(receipt.text, glyphs)
    expression = sanitise(receipt.expression or "", glyphs)
    if not receipt.cells:
        evidence = sanitise(receipt.evidence or "", glyphs)
        yield _Entry(figure=figure, verdict=receipt.status, expression=expression, place=evidence)
    for index, cell in enumerate(receipt.cells[:MOST_CELLS]):
        said = (figure, receipt.status, expression) if not index else ("", "", "")
        yield _Entry(
            figure=said[0],
            verdict=said[1],
            expression=said[2],
            cell=format_value(cell.value, glyphs),
            place=" · ".join(_place(cell, glyphs)),
            key=sanitise(cell.data_key or "", glyphs),
        )
    if len(receipt.cells) > MOST_CELLS:
        yield _Entry(place=f"{glyphs.ellipsis} {len(receipt.cells) - MOST_CELLS:,} more cells")


def _place(cell: CitedCell, glyphs: Glyphs) -> Iterator[str]:
    """Yield the column and the row of a cell, each if it has one."""
    if cell.column:
        yield sanitise(cell.column, glyphs)
    if cell.row:
        yield ", ".join(
            f"{sanitise(column, glyphs)} = {format_value(value, glyphs)}"
            for column, value in cell.row.items()
        )
