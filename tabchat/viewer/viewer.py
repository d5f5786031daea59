"""What the keys do: a stack of sheets, a panel over them, and what is said in the last line; knows no terminal."""

from __future__ import annotations

from collections.abc import Sequence  # noqa: TC003 - a field's type
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from tabchat.errors import UsageError
from tabchat.export import export_frame
from tabchat.render.layout.text import UNICODE, Glyphs
from tabchat.render.layout.values import format_value
from tabchat.viewer import state as moves
from tabchat.viewer.arranged import Sort
from tabchat.viewer.distribution import frequencies, histogram_lines
from tabchat.viewer.drawing import Panel, Size, draw_panel, draw_sheet, gutter_width
from tabchat.viewer.filters import parse_filter, same_as
from tabchat.viewer.keys import help_lines
from tabchat.viewer.layout import scrolled
from tabchat.viewer.sheet import OpenSheet, Sheet

if TYPE_CHECKING:
    from tabchat.viewer.drawing import Line
    from tabchat.viewer.filters import Filter
    from tabchat.viewer.state import State


@dataclass
class Viewer:
    """The state of one run of the viewer; methods that ask the engine may take a while."""

    sheets: list[OpenSheet]
    glyphs: Glyphs = UNICODE
    protected: Sequence[Path] = ()
    """Files that an export must not replace: those that are looked at."""
    panel: Panel | None = None
    message: str = ""
    """Shown in the last line until the next key."""
    size: Size = field(default_factory=lambda: Size(width=80, height=24))
    sought: str = ""
    """What was searched for last."""

    @classmethod
    def of(cls, sheet: Sheet, *, glyphs: Glyphs = UNICODE, protected: Sequence[Path] = ()) -> Viewer:
        """Return a viewer of one sheet."""
        return cls(sheets=[OpenSheet(sheet)], glyphs=glyphs, protected=protected)

    @property
    def sheet(self) -> OpenSheet:
        """The sheet on the screen."""
        return self.sheets[-1]

    def draw(self, size: Size) -> list[Line]:
        """Return the screen as lines; the window follows the cursor and the size."""
        self.size = size
        if self.panel is not None:
            return draw_panel(self.panel, size, self.glyphs)
        sheet = self.sheet
        state = moves.at_row(sheet.state, sheet.state.row, size.rows)
        sheet.state = scrolled(state, sheet.widths, size.width - gutter_width(sheet))
        return draw_sheet(sheet, size, self.glyphs, self.message)

    # Moving

    def by_rows(self, rows: int) -> None:
        """Move the cursor, or the text of a panel, up or down."""
        if self.panel is not None:
            last = len(self.panel.lines(self.size.width, self.glyphs)) - self.size.height + 2
            self.panel = replace(self.panel, top=max(min(self.panel.top + rows, last), 0))
            return
        self._move(moves.at_row(self.sheet.state, self.sheet.state.row + rows, self.size.rows))

    def by_pages(self, pages: int) -> None:
        """Move by whole screens."""
        if self.panel is not None:
            self.by_rows(pages * self.size.rows)
            return
        self._move(moves.by_page(self.sheet.state, pages, self.size.rows))

    def to_row(self, row: int) -> None:
        """Put the cursor on a row, from 0; on the last one when there are fewer."""
        self._move(moves.at_row(self.sheet.state, row, self.size.rows))

    def by_columns(self, columns: int) -> None:
        """Move the cursor left or right."""
        self._move(moves.at_column(self.sheet.state, self.sheet.state.column + columns))

    def go_to(self, typed: str) -> None:
        """Put the cursor on the row whose number was typed; on the first one for an empty text."""
        digits = typed.strip().replace(",", "").replace("_", "")
        if digits and not (digits.isdecimal() and len(digits) <= 18):  # noqa: PLR2004 - as many as rows can have
            raise UsageError(f"{typed.strip()!r} is no number of a row.", hint="g 1000")
        self.to_row(int(digits or "1") - 1)

    def hide(self) -> None:
        """Hide the column of the cursor."""
        if len(self.sheet.state.shown) == 1:
            raise UsageError("This is the last column.", hint="+ shows all columns again.")
        self._move(moves.with_hidden(self.sheet.state))

    def show_all(self) -> None:
        """Show every column again."""
        self._move(moves.with_all_columns(self.sheet.state))

    def freeze(self) -> None:
        """Freeze the columns up to the cursor's, or free them."""
        self._move(moves.with_frozen(self.sheet.state))

    def select(self) -> None:
        """Begin a selection of rows, or drop it."""
        self._move(moves.with_anchor(self.sheet.state))

    def _move(self, state: State) -> None:
        self.sheet.state = state

    # Rows

    def load(self) -> None:
        """Fetch the rows that the screen needs."""
        self.sheet.load(self.size.rows)

    def sort(self) -> None:
        """Sort by the column of the cursor: ascending, then descending, then as the rows lie."""
        sheet = self.sheet
        before = sheet.arranged.sort
        sort: Sort | None = Sort(column=sheet.state.name)
        if before is not None and before.column == sheet.state.name:
            sort = None if before.descending else replace(before, descending=True)
        sheet.rearrange(sheet.arranged.filters, sort)

    def filter(self, typed: str) -> None:
        """Add the condition that was typed for the column of the cursor."""
        if typed.strip():
            self._filter(parse_filter(self.sheet.column, typed))

    def filter_same(self) -> None:
        """Keep the rows whose cell is like the one under the cursor."""
        if self.sheet.cells() is not None:
            self._filter(same_as(self.sheet.column, self.sheet.value()))

    def _filter(self, added: Filter) -> None:
        sheet = self.sheet
        sheet.rearrange((*sheet.arranged.filters, added), sheet.arranged.sort)

    def drop_filters(self) -> None:
        """Show the rows of every filter again."""
        sheet = self.sheet
        if sheet.arranged.filters:
            sheet.rearrange((), sheet.arranged.sort)

    def search(self, typed: str = "", *, backwards: bool = False) -> None:
        """Go to the next row that holds a text, from the other end when there is none before this one."""
        self.sought = typed or self.sought
        if not self.sought:
            raise UsageError("Nothing was searched for yet.", hint="/ TEXT")
        sheet = self.sheet
        found = sheet.arranged.find(
            self.sought, sheet.state.shown, after=sheet.state.row, backwards=backwards
        )
        if found is None:
            start = sheet.arranged.row_count if backwards else -1
            found = sheet.arranged.find(self.sought, sheet.state.shown, after=start, backwards=backwards)
            self.message = "" if found is None else "searched on from the other end"
        if found is None:
            self.message = f"No row holds {self.sought!r}."
            return
        self.to_row(found)

    # Other sheets and panels

    def behind(self) -> None:
        """Open the rows behind the row of the cursor."""
        behind, cells = self.sheet.sheet.behind, self.sheet.cells()
        if behind is None:
            message = f"{self.sheet.sheet.title} has no rows behind its rows: they are rows of a table."
            raise UsageError(message, hint="t shows the whole cell.")
        if cells is not None:
            self.open(behind(cells))

    def enter(self) -> None:
        """Open the rows behind the row of the cursor, or the whole cell where there are none."""
        if self.sheet.sheet.behind is None:
            self.show_cell()
        else:
            self.behind()

    def open(self, sheet: Sheet) -> None:
        """Put another sheet on top."""
        opened = OpenSheet(sheet)
        opened.load(self.size.rows)
        self.sheets.append(opened)

    def back(self) -> bool:
        """Close the panel, drop the selection, or go back to the sheet before; false when there is nothing of it."""
        if self.panel is not None:
            self.panel = None
        elif self.sheet.state.anchor is not None:
            self.select()
        elif len(self.sheets) > 1:
            self.sheets.pop().close()
        else:
            return False
        return True

    def show_cell(self) -> None:
        """Show the whole text of the cell under the cursor."""
        if self.sheet.cells() is None:
            return
        value = self.sheet.value()
        text = value if isinstance(value, str) else format_value(value, self.glyphs)
        row = self.sheet.state.row + 1
        self.panel = Panel(title=f"{self.sheet.state.name}{self.glyphs.separator}row {row:,}", text=text)

    def show_help(self) -> None:
        """Show the keys."""
        self.panel = Panel(title="Keys", text="\n".join(help_lines()))

    def count_values(self) -> None:
        """Open the values of the column by frequency."""
        sheet = self.sheet
        self.open(frequencies(sheet.sheet, sheet.arranged, sheet.column))

    def show_histogram(self) -> None:
        """Show the histogram of the column."""
        sheet = self.sheet
        lines = histogram_lines(sheet.arranged, sheet.column, self.size.width, self.glyphs)
        self.panel = Panel(title=f"histogram of {sheet.state.name}", text="\n".join(lines))

    def export(self, typed: str) -> None:
        """Write the selection, or all rows, with the columns that are shown, to a file."""
        if not typed.strip():
            return
        target = Path(typed.strip()).expanduser()
        columns, first, count = self.sheet.chosen()
        frame = self.sheet.arranged.frame(columns, first, count)
        done = export_frame(frame, target, protected=self.protected)
        part_of = self.sheet.sheet.part_of
        said = f"{done.rows:,} rows written to {target}{f' ({part_of})' if part_of else ''}."
        self.message = " ".join((said, *done.warnings))
