"""Text over a sheet, to be read and scrolled: a whole cell, a histogram, the keys."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import chop_cells

from tabchat.record import record
from tabchat.render.layout.text import cut, sanitise, sanitise_lines, width_of
from tabchat.render.layout.wrapping import wrap_text

if TYPE_CHECKING:
    from tabchat.render.layout.text import Glyphs
    from tabchat.viewer.drawing import Line, Size


@record
class Panel:
    """A title and lines of text that need not be inert."""

    title: str
    text: str
    top: int = 0

    def lines(self, width: int, glyphs: Glyphs) -> list[str]:
        """Return the text as inert lines of at most `width` cells."""
        lines: list[str] = []
        for line in sanitise_lines(self.text, glyphs).split("\n"):
            for row in wrap_text(line, width):
                # A word longer than the line is broken where the line ends.
                lines += chop_cells(row, width) or [""]
        return lines


def draw_panel(panel: Panel, size: Size, glyphs: Glyphs) -> list[Line]:
    """Return exactly `size.height` lines."""
    lines = panel.lines(size.width, glyphs)
    room = size.height - 2
    top = max(min(panel.top, len(lines) - room), 0)
    shown: list[Line] = [[("", line)] for line in lines[top : top + room]]
    title = cut(f" {sanitise(panel.title, glyphs)}", size.width, glyphs)
    foot = f"lines {top + 1:,} to {top + len(shown):,} of {len(lines):,}{glyphs.separator}Esc back"
    return [
        [("reverse", title + " " * (size.width - width_of(title)))],
        *shown,
        *([] for _ in range(room - len(shown))),
        [("", cut(foot, size.width, glyphs))],
    ]
