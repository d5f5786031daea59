"""What an edit does, as a person sees it before it is made: the counts, and the first cells that change."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.layout.values import format_value

if TYPE_CHECKING:
    from tabchat.engine.edits.mutation import MutationSummary
    from tabchat.render.terminal.console import Consoles


def render_mutation(consoles: Consoles, text: str, summary: MutationSummary) -> None:
    """Print an edit in a line, what it changes, and a sample of the changed cells, to stdout."""
    glyphs = consoles.glyphs
    consoles.out.print(sanitise(text, glyphs), style="bold")
    for line in summary.to_lines():
        consoles.out.print(f"  {sanitise(line, glyphs)}")
    if not summary.changed_cells:
        return
    cells = summary.changed_cells
    columns = [
        GridColumn(header="row", cells=[f"{cell.row:,}" for cell in cells], right=True),
        GridColumn(header="column", cells=[sanitise(cell.column, glyphs) for cell in cells], elastic=True),
        GridColumn(
            header="before", cells=[format_value(cell.before, glyphs) for cell in cells], elastic=True
        ),
        GridColumn(header="after", cells=[format_value(cell.after, glyphs) for cell in cells], elastic=True),
    ]
    draw_fitting(consoles, columns)
    more = summary.changed_cells_count - len(cells)
    if more:
        consoles.out.print(f"+{more:,} more changed cells", style="dim")


def can_ask() -> bool:
    """Return whether a person sits at a terminal and can answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def agrees(consoles: Consoles, question: str) -> bool:
    """Ask a person at a terminal; anything but yes is no."""
    return asked(consoles, question) is True


def asked(consoles: Consoles, question: str) -> bool | None:
    """Ask a person at a terminal, and return whether the answer is yes; nothing when there is none (Ctrl-D)."""
    try:
        consoles.err.print(f"{sanitise(question, consoles.glyphs)} [y/N] ", end="", style="bold")
        line = sys.stdin.readline()
    except KeyboardInterrupt:  # which may come before the question is written to its end
        consoles.err.print()
        raise
    if not line:
        consoles.err.print()
        return None
    return line.strip().casefold() in {"y", "yes", "т", "так", "д", "да"}
