"""Columns of cells laid out in a given width: text gives way first, then whole columns; numbers never do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from rich.box import Box
from rich.segment import Segment, Segments
from rich.table import Table as RichTable
from rich.text import Text

from tabchat.render.text import UNICODE, cut, fold, width_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from tabchat.render.text import Glyphs

GAP: Final = 2
"""Cells between two columns."""
TEXT_WIDTH: Final = 60
"""Cells that a text column asks for at most; it gets more only where room is left over."""
TEXT_FLOOR: Final = 14
"""Cells below which a text column does not shrink, unless it says otherwise."""
HEADER_WIDTH: Final = 24
"""Cells that a header may widen a column to before it is folded."""
HEADER_FLOOR: Final = 12
HEADER_LINES: Final = 3
CHUNK_ROWS: Final = 1_000
"""Rows that are laid out at once."""


@dataclass(frozen=True, kw_only=True)
class GridColumn:
    """A header and its cells, already inert single lines."""

    header: str
    cells: Sequence[str]
    right: bool = False
    """Right-aligned, as numbers are."""
    elastic: bool = False
    """Cells may be cut with an ellipsis: only text is."""
    floor: int = TEXT_FLOOR
    """Cells below which an elastic column does not shrink."""
    style: str = ""


@dataclass(frozen=True, kw_only=True)
class Fit:
    """How many columns are shown, and how wide."""

    widths: tuple[int, ...]
    hidden: int
    """Columns at the end for which there was no room."""
    full_width: int
    """Cells that all columns would take."""

    @property
    def total(self) -> int:
        """Cells that the shown columns take."""
        return _total(self.widths)


def fit(columns: Sequence[GridColumn], width: int) -> Fit:
    """Choose the columns that fit into `width` cells, from the left, and their widths.

    Text columns shrink to a floor before a column is dropped; the first column
    always stays, and room that is left goes to text that was cut.
    """
    contents = [max((width_of(cell) for cell in column.cells), default=0) for column in columns]
    floors = [_floor(column, content, width) for column, content in zip(columns, contents, strict=True)]
    wanted = [_wanted(column, content) for column, content in zip(columns, contents, strict=True)]
    shown = 1
    while shown < len(columns) and _total(floors[: shown + 1]) <= width:
        shown += 1
    widths = _shrink(wanted[:shown], floors[:shown], contents[:shown], width)
    full = [content if column.elastic else 0 for column, content in zip(columns, contents, strict=True)]
    return Fit(
        widths=tuple(_grow(widths, full[:shown], width)),
        hidden=len(columns) - shown,
        full_width=_total(wanted),
    )


def _total(widths: Sequence[int]) -> int:
    return sum(widths) + GAP * max(len(widths) - 1, 0)


def _wanted(column: GridColumn, content: int) -> int:
    header = min(width_of(column.header), HEADER_WIDTH)
    return max(min(content, TEXT_WIDTH) if column.elastic else content, header, 1)


def _floor(column: GridColumn, content: int, width: int) -> int:
    header = min(width_of(column.header), HEADER_FLOOR)
    least = min(content, column.floor, width) if column.elastic else content
    return max(least, header, 1)


def _shrink(wanted: Sequence[int], floors: Sequence[int], contents: Sequence[int], width: int) -> list[int]:
    """Return widths that fit if the floors do: headers fold first, which loses nothing; then the widest text."""
    widths = list(wanted)
    while _total(widths) > width:
        can_shrink = [index for index, floor in enumerate(floors) if widths[index] > floor]
        if not can_shrink:
            break
        widest = max(can_shrink, key=lambda index: (widths[index] > contents[index], widths[index]))
        widths[widest] -= 1
    return widths


def _grow(widths: Sequence[int], full: Sequence[int], width: int) -> list[int]:
    grown = list(widths)
    for index, content in enumerate(full):
        room = width - _total(grown)
        grown[index] += max(min(content - grown[index], room), 0)
    return grown


def draw(
    console: Console,
    columns: Sequence[GridColumn],
    widths: Sequence[int],
    glyphs: Glyphs = UNICODE,
    *,
    header: bool = True,
) -> None:
    """Print the first `len(widths)` columns, under a ruled header; no line ends in spaces."""
    shown = columns[: len(widths)]
    count = max((len(column.cells) for column in shown), default=0)
    for start in range(0, max(count, 1), CHUNK_ROWS):
        table = _rich_table(
            shown, widths, slice(start, start + CHUNK_ROWS), glyphs, header=header and start == 0
        )
        options = console.options.update(width=_total(widths))
        lines = console.render_lines(table, options, pad=False)
        console.print(Segments(list(_trimmed(lines))), end="", soft_wrap=True)


def _rich_table(
    columns: Sequence[GridColumn], widths: Sequence[int], rows: slice, glyphs: Glyphs, *, header: bool
) -> RichTable:
    table = RichTable(
        box=_ruled(glyphs.rule),
        show_header=header,
        show_edge=False,
        pad_edge=False,
        padding=(0, GAP - 1, 0, 0),
        header_style="bold",
    )
    for column, width in zip(columns, widths, strict=True):
        table.add_column(
            _header(column.header, width, glyphs),
            justify="right" if column.right else "left",
            vertical="bottom",
            width=width,
            no_wrap=True,
            overflow="crop",
            style=column.style,
        )
    cells = [
        [_cell(cell, column, width, glyphs) for cell in column.cells[rows]]
        for column, width in zip(columns, widths, strict=True)
    ]
    for row in zip(*cells, strict=True):
        table.add_row(*row)
    return table


def _ruled(rule: str) -> Box:
    lines = ["    "] * 8
    lines[2] = rule * 4  # the line under the header
    return Box("\n".join(lines) + "\n", ascii=rule.isascii())


def _header(header: str, width: int, glyphs: Glyphs) -> Text:
    lines = fold(header, width)
    if len(lines) > HEADER_LINES:
        rest = "".join(lines[HEADER_LINES - 1 :])
        lines = [*lines[: HEADER_LINES - 1], cut(rest, width, glyphs)]
    return Text("\n".join(lines))


def _cell(cell: str, column: GridColumn, width: int, glyphs: Glyphs) -> Text:
    text = cut(cell, width, glyphs) if column.elastic else cell
    return Text(text, style="dim" if text == glyphs.null else "")


def _trimmed(lines: Sequence[Sequence[Segment]]) -> Iterator[Segment]:
    """Yield the segments of `lines` without the padding at line ends."""
    for line in lines:
        kept = [segment for segment in line if segment.text]
        while kept and not kept[-1].text.strip(" "):
            kept.pop()
        yield from kept[:-1]
        if kept:
            yield Segment(kept[-1].text.rstrip(" "), kept[-1].style)
        yield Segment.line()
