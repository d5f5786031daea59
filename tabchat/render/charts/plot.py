"""Lines, scatter charts, histograms and boxes in text: dots of braille, or plain signs where they cannot be written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, assert_never

from tabchat.engine.chart.chart import ChartKind, position
from tabchat.render.charts.bars import bars
from tabchat.render.layout.text import cut, sanitise, width_of
from tabchat.render.layout.values import format_column, format_value

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.chart.bins import Histogram
    from tabchat.engine.chart.chart import Box, Picture
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

HEIGHT: Final = 12
MAX_WIDTH: Final = 100
MIN_WIDTH: Final = 16
_BRAILLE: Final = 0x2800
_DOTS: Final = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""Bits of a braille sign: four rows of two dots."""
_LABEL_WIDTH: Final = 24


class Canvas:
    """A grid of dots in a grid of characters; dot (0, 0) is at the top left."""

    def __init__(self, columns: int, lines: int, *, is_plain: bool) -> None:
        self._is_plain = is_plain
        self._bits = [[0] * columns for _ in range(lines)]
        self.width = columns if is_plain else columns * 2
        self.height = lines if is_plain else lines * 4

    def dot(self, x: int, y: int) -> None:
        """Set one dot."""
        if self._is_plain:
            self._bits[y][x] = 1
        else:
            self._bits[y // 4][x // 2] |= _DOTS[y % 4][x % 2]

    def line(self, start: tuple[int, int], end: tuple[int, int]) -> None:
        """Set the dots between two dots, these among them."""
        (x0, y0), (x1, y1) = start, end
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for step in range(steps + 1):
            self.dot(round(x0 + (x1 - x0) * step / steps), round(y0 + (y1 - y0) * step / steps))

    def lines(self) -> list[str]:
        """Return the characters, line by line."""
        if self._is_plain:
            return ["".join("*" if bit else " " for bit in line) for line in self._bits]
        return ["".join(chr(_BRAILLE + bits) if bits else " " for bits in line) for line in self._bits]


def draw_picture(consoles: Consoles, picture: Picture) -> bool:
    """Print a line, a scatter chart, a histogram or boxes; returns whether there was room."""
    lines = list(picture_lines(picture, consoles.width, consoles.glyphs))
    if not lines:
        return False
    consoles.out.print()
    for line in lines:
        consoles.out.print(line.rstrip())
    if picture.caption and picture.kind is not ChartKind.HIST:
        # The last line of a histogram counts the cells without a number.
        consoles.out.print(picture.caption, style="dim")
    return True


def picture_lines(picture: Picture, width: int, glyphs: Glyphs) -> Iterator[str]:
    """Yield the lines of a chart, none wider than `width`; none at all where there is no room."""
    match picture.kind:
        case ChartKind.LINE | ChartKind.SCATTER:
            yield from _axes(picture, width, glyphs)
        case ChartKind.HIST:
            if picture.bins is not None:
                yield sanitise(picture.x, glyphs)
                yield from histogram_lines(picture.bins, width, glyphs)
        case ChartKind.BOX:
            yield from _boxes(picture, width, glyphs)
        case ChartKind.BAR | ChartKind.NONE:
            return
        case _:
            assert_never(picture.kind)


def histogram_lines(found: Histogram, width: int, glyphs: Glyphs) -> list[str]:
    """Return a line for each bin: its ends, its count and a bar; then how many cells are no number."""
    edges = format_column(found.edges, glyphs)
    counts = [f"{count:,}" for count in found.counts]
    wide, most = max(map(len, edges)), max(map(len, counts))
    room = max(min(width - 2 * wide - most - 8, 60), 1)
    drawn = bars(found.counts, room, glyphs)
    lines = [
        f"{low:>{wide}} to {high:>{wide}}  {count:>{most}}  {bar}".rstrip()
        for low, high, count, bar in zip(edges, edges[1:], counts, drawn, strict=False)
    ]
    return [*lines, f"{sum(found.counts):,} numbers, {found.missing:,} cells without one"]


def _axes(picture: Picture, width: int, glyphs: Glyphs) -> Iterator[str]:
    numbers = [number for _, number in picture.points if number is not None]
    low, high = min(numbers), max(numbers)
    ends = format_column([_short(high), _short(low / 2 + high / 2), _short(low)], glyphs)
    margin = max(map(width_of, ends))
    room = min(width - margin - 2, MAX_WIDTH)
    if room < MIN_WIDTH:
        return
    canvas = Canvas(room, HEIGHT, is_plain=not glyphs.bar_parts)
    dots = _dots(picture, canvas, low, high)
    before: tuple[int, int] | None = None
    for dot in dots:
        if dot is not None:
            canvas.dot(*dot)
        if picture.kind is ChartKind.LINE and dot is not None and before is not None:
            canvas.line(before, dot)
        before = dot
    labels = {0: ends[0], (HEIGHT - 1) // 2: ends[1], HEIGHT - 1: ends[2]}
    yield cut(sanitise(picture.y, glyphs), width, glyphs)
    for number, line in enumerate(canvas.lines()):
        yield f"{labels.get(number, ''):>{margin}} {glyphs.axis}{line}"
    yield " " * (margin + 2) + _under(picture, room, glyphs)


def _short(number: float) -> float:
    return float(f"{number:.6g}")


def _dots(picture: Picture, canvas: Canvas, low: float, high: float) -> list[tuple[int, int] | None]:
    """Return the dot of each point, None where it has no number."""
    found = [position(value) for value, _ in picture.points]
    # Categories, and texts of calendar units, stand at equal distances.
    across = [float(at) if place is None else place for at, place in enumerate(found)]
    if any(place is None for place in found):
        across = [float(at) for at in range(len(found))]
    left, right = min(across), max(across)
    return [
        (
            _scaled(place, left, right, canvas.width),
            canvas.height - 1 - _scaled(number, low, high, canvas.height),
        )
        if number is not None
        else None
        for place, (_, number) in zip(across, picture.points, strict=True)
    ]


def _scaled(value: float, low: float, high: float, size: int) -> int:
    # Halves, because the ends may be further apart than the largest number; the smallest have none.
    span = high / 2 - low / 2
    return round((value / 2 - low / 2) / span * (size - 1)) if span > 0 else (size - 1) // 2


def _under(picture: Picture, room: int, glyphs: Glyphs) -> str:
    """Return the line below the axis: its ends, and its name between them."""
    values = [value for value, _ in picture.points]
    ends = [values[0], values[-1]]
    if picture.kind is ChartKind.SCATTER:
        known = [number for value in values if (number := position(value)) is not None]
        ends = [_short(min(known)), _short(max(known))]
    half = max((room - 2) // 3, 4)
    first, last = (cut(format_value(end, glyphs), half, glyphs) for end in ends)
    name = cut(sanitise(picture.x, glyphs), max(room - width_of(first) - width_of(last) - 2, 1), glyphs)
    gap = max(room - width_of(first) - width_of(last) - width_of(name), 2)
    return f"{first}{' ' * (gap // 2)}{name}{' ' * (gap - gap // 2)}{last}"


def _boxes(picture: Picture, width: int, glyphs: Glyphs) -> Iterator[str]:
    labels = [cut(format_value(box.label, glyphs), _LABEL_WIDTH, glyphs) for box in picture.boxes]
    medians = format_column([_short(box.median) for box in picture.boxes], glyphs)
    margin, most = max(map(width_of, labels)), max(map(width_of, [*medians, "median"]))
    room = min(width - margin - most - 4, MAX_WIDTH)
    if room < MIN_WIDTH:
        return
    low, high = min(box.low for box in picture.boxes), max(box.high for box in picture.boxes)
    yield cut(f"{sanitise(picture.y, glyphs)} by {sanitise(picture.x, glyphs)}", width, glyphs)
    yield f"{' ' * margin}  {'median':>{most}}"
    for label, median, box in zip(labels, medians, picture.boxes, strict=True):
        padding = " " * (margin - width_of(label))
        yield f"{label}{padding}  {median:>{most}}  {_box(box, low, high, room, glyphs)}"
    first, last = (format_value(_short(end), glyphs) for end in (low, high))
    yield f"{' ' * (margin + most + 4)}{first}{' ' * max(room - len(first) - len(last), 1)}{last}"


def _box(box: Box, low: float, high: float, room: int, glyphs: Glyphs) -> str:
    """Return `├──░░┃░░──┤`: from the lowest to the highest, the middle half, the median."""
    signs = ("├", "┤", "─", "░", "┃") if glyphs.bar_parts else ("|", "|", "-", "=", ":")
    begin, end, whisker, half, middle = signs
    fives: Sequence[float] = (box.low, box.first_quartile, box.median, box.third_quartile, box.high)
    at = [_scaled(value, low, high, room) for value in fives]
    cells = [" "] * room
    cells[at[0] : at[4] + 1] = whisker * (at[4] - at[0] + 1)
    cells[at[0]], cells[at[4]] = begin, end
    cells[at[1] : at[3] + 1] = half * (at[3] - at[1] + 1)
    cells[at[2]] = middle
    return "".join(cells)
