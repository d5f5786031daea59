"""A sheet, and text over it, as lines of styled text at a given size; knows no terminal.

What matters is told by signs as well as by style: `>` stands before the cursor's row, `*` before selected ones, and
the last line names the column and the cell under the cursor.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

from rich.cells import chop_cells

from tabchat.engine.types import ColumnKind
from tabchat.record import record
from tabchat.render.layout.text import cut, sanitise, sanitise_lines, width_of
from tabchat.render.layout.values import format_column, format_value
from tabchat.render.layout.wrapping import wrap_text
from tabchat.viewer.layout import GAP, placed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.render.layout.text import Glyphs
    from tabchat.viewer.layout import Placed
    from tabchat.viewer.sheet import OpenSheet

Line: TypeAlias = "list[tuple[str, str]]"
"""Pieces of a line: a style of prompt-toolkit, and text."""

HEAD_LINES: Final = 3
FOOT_LINES: Final = 1
_RIGHT: Final = frozenset({ColumnKind.INTEGER, ColumnKind.NUMBER})
_PLAIN_ARROWS: Final = (" ^", " v")
_ARROWS: Final = ("↑", "↓")


@record
class Size:
    """Cells of a screen."""

    width: int
    height: int

    @property
    def rows(self) -> int:
        """Rows of a table that have room."""
        return max(self.height - HEAD_LINES - FOOT_LINES, 1)


def gutter_width(sheet: OpenSheet) -> int:
    """Return the cells that the numbers of the rows take, with the sign before them and the gap behind."""
    return len(f"{max(sheet.sheet.ground.row_count, 1):,}") + 1 + GAP


def draw_sheet(sheet: OpenSheet, size: Size, glyphs: Glyphs, message: str = "") -> list[Line]:
    """Return exactly `size.height` lines, none wider than the screen; `message` takes the place of the last one."""
    state = sheet.state
    room = size.width - gutter_width(sheet)
    columns = placed(state, sheet.widths, room)
    rows = range(state.top, min(state.top + size.rows, state.row_count))
    lines = [
        [("reverse", _padded(_title(sheet, size.width, glyphs), size.width))],
        _header(sheet, columns, glyphs),
        [("", glyphs.rule * size.width)],
        *_body(sheet, columns, rows, glyphs),
    ]
    if not state.row_count:
        lines.append([("", cut("  (no rows)", size.width, glyphs))])
    lines += [[] for _ in range(size.height - FOOT_LINES - len(lines))]
    foot = sanitise(message, glyphs) if message else _foot(sheet, glyphs)
    return [*lines[: size.height - FOOT_LINES], [("bold" if message else "", cut(foot, size.width, glyphs))]]


def _title(sheet: OpenSheet, width: int, glyphs: Glyphs) -> str:
    arranged, state = sheet.arranged, sheet.state
    total = sheet.sheet.ground.row_count
    count = f"{arranged.row_count:,} of {total:,} rows" if arranged.filters else f"{total:,} rows"
    parts = [f" {sheet.sheet.title}", count, f"{len(state.shown):,} columns"]
    if state.hidden:
        parts[-1] = f"{len(state.shown):,} of {len(state.columns):,} columns"
    parts += [item.text for item in arranged.filters]
    if state.selected is not None:
        parts.append(f"{state.selected[1]:,} selected")
    return cut(sanitise(glyphs.separator.join(parts), glyphs), width, glyphs)


def _header(sheet: OpenSheet, columns: Sequence[Placed], glyphs: Glyphs) -> Line:
    kinds = {column.name: column.kind for column in sheet.sheet.ground.schema}
    room = gutter_width(sheet) - GAP
    name = "record" if sheet.sheet.is_table and room >= len("record") else "#"
    line: Line = [("", f"{name:>{room}}" + " " * GAP)]
    for column in columns:
        sign = _sort_sign(sheet, column.name, glyphs)
        header = cut(sanitise(column.name, glyphs), max(column.width - len(sign), 1), glyphs) + sign
        text = _aligned(header, column.width, right=kinds[column.name] in _RIGHT)
        style = "bold reverse" if column.place == sheet.state.column else "bold"
        line += [(style, text), ("", _gap(sheet, column, glyphs))]
    return line[:-1]


def _sort_sign(sheet: OpenSheet, name: str, glyphs: Glyphs) -> str:
    sort = sheet.arranged.sort
    if sort is None or sort.column != name:
        return ""
    return (_ARROWS if glyphs.bar_parts else _PLAIN_ARROWS)[sort.descending]


def _body(sheet: OpenSheet, columns: Sequence[Placed], rows: range, glyphs: Glyphs) -> list[Line]:
    state = sheet.state
    found = [sheet.blocks.get(row) for row in rows]
    kinds = {column.name: column.kind for column in sheet.sheet.ground.schema}
    grid = []
    for column in columns:
        at = state.columns.index(column.name)
        known = iter(format_column([item[1][at] for item in found if item is not None], glyphs))
        shown = [next(known) if item is not None else glyphs.ellipsis for item in found]
        right = kinds[column.name] in _RIGHT
        grid.append([_aligned(cut(cell, column.width, glyphs), column.width, right=right) for cell in shown])
    first, count = state.selected or (0, 0)
    gutter = gutter_width(sheet)
    lines: list[Line] = []
    for at, row in enumerate(rows):
        selected = first <= row < first + count
        sign = ">" if row == state.row else "*" if selected else " "
        item = found[at]
        number = item[0] if item is not None and sheet.sheet.is_table else row
        line: Line = [("", f"{sign}{number + 1:>{gutter - GAP - 1},}" + " " * GAP)]
        for column, cells in zip(columns, grid, strict=True):
            here = row == state.row and column.place == state.column
            style = "reverse" if here else "bold" if selected or row == state.row else ""
            line += [(style, cells[at]), ("", _gap(sheet, column, glyphs))]
        lines.append(line[:-1])
    return lines


def _gap(sheet: OpenSheet, column: Placed, glyphs: Glyphs) -> str:
    """Return what stands behind a column: a line behind the last one that is frozen."""
    return f"{glyphs.axis} " if column.place == sheet.state.frozen - 1 else " " * GAP


def _foot(sheet: OpenSheet, glyphs: Glyphs) -> str:
    state = sheet.state
    if not state.row_count:
        return f"{sanitise(state.name, glyphs)}{glyphs.separator}F drops the filters{glyphs.separator}? help"
    where = f"row {state.row + 1:,} of {state.row_count:,}"
    kind = sheet.column.kind.value
    value = "" if sheet.cells() is None else format_value(sheet.value(), glyphs)
    name = f"{sanitise(state.name, glyphs)} ({kind})"
    return glyphs.separator.join(["? help", where, f"{name}: {value}"])


def _aligned(text: str, width: int, *, right: bool) -> str:
    padding = " " * max(width - width_of(text), 0)
    return padding + text if right else text + padding


def _padded(text: str, width: int) -> str:
    return _aligned(text, width, right=False)


@record
class Panel:
    """Text over a sheet, to be read and scrolled: a whole cell, a histogram, the keys; it need not be inert."""

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
