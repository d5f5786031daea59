"""Columns of cells laid out in a given width: text gives way first, then whole columns; numbers never do."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.record import record
from tabchat.render.layout.text import UNICODE, cut, fold, width_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.render.layout.styles import Styled
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Console, Consoles

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
CHUNK_LINES: Final = 1_000
"""Lines that are printed at once."""
_BETWEEN: Final = " " * GAP


@record
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


@record
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
    """Print the first `len(widths)` columns, under a ruled header; no line ends in spaces.

    Lines are put together here because their widths are settled already: Rich's
    tables would measure and wrap every cell again, at ten times the cost.
    """
    shown = list(zip(columns, widths, strict=False))
    lines = _header_lines(shown, glyphs) if header else []
    if header:
        lines.append([(glyphs.rule * _total(widths), "")])
    for row in zip(*(column.cells for column, _ in shown), strict=True):
        lines.append(_row_line(row, shown, glyphs))
        if len(lines) >= CHUNK_LINES:
            _print_lines(console, lines)
            lines = []
    _print_lines(console, lines)


def draw_fitting(
    consoles: Consoles, columns: Sequence[GridColumn], console: Console | None = None
) -> tuple[str, ...]:
    """Print the columns that fit on the screen, to stdout or to `console`; returns the headers of the others."""
    widths = fit(columns, consoles.width).widths
    draw(console or consoles.out, columns, widths, consoles.glyphs)
    return tuple(column.header for column in columns[len(widths) :])


def _print_lines(console: Console, lines: Sequence[Sequence[Styled]]) -> None:
    console.write(piece for line in lines for piece in (*line, ("\n", "")))


def _header_lines(shown: Sequence[tuple[GridColumn, int]], glyphs: Glyphs) -> list[list[Styled]]:
    """Return the lines of a header whose names are folded, all resting on the last line."""
    folded = [_folded(column.header, width, glyphs) for column, width in shown]
    height = max(map(len, folded))
    lines: list[list[Styled]] = []
    for at in range(height):
        cells = [lines_of[at - height] if at >= height - len(lines_of) else "" for lines_of in folded]
        padded = [_padded(cell, column, width) for cell, (column, width) in zip(cells, shown, strict=True)]
        lines.append([(_BETWEEN.join(padded).rstrip(" "), "bold")])
    return lines


def _folded(header: str, width: int, glyphs: Glyphs) -> list[str]:
    lines = fold(header, width)
    if len(lines) <= HEADER_LINES:
        return lines
    return [*lines[: HEADER_LINES - 1], cut("".join(lines[HEADER_LINES - 1 :]), width, glyphs)]


def _row_line(cells: Sequence[str], shown: Sequence[tuple[GridColumn, int]], glyphs: Glyphs) -> list[Styled]:
    line: list[Styled] = []
    plain = ""
    for cell, (column, width) in zip(cells, shown, strict=True):
        text = cut(cell, width, glyphs) if column.elastic else cell
        padded = _padded(text, column, width)
        style = "dim" if text == glyphs.null else column.style
        if style:
            line += ((plain, ""), (padded, style))
            plain = _BETWEEN
        else:
            plain += padded + _BETWEEN
    line.append((plain, ""))
    return _trimmed(line)


def _padded(text: str, column: GridColumn, width: int) -> str:
    padding = " " * (width - width_of(text))
    return padding + text if column.right else text + padding


def _trimmed(line: list[Styled]) -> list[Styled]:
    """Return the pieces of a line without the padding at its end."""
    while line and not line[-1][0].strip(" "):
        line.pop()
    if line:
        text, style = line[-1]
        line[-1] = (text.rstrip(" "), style)
    return line
