"""Bars for grouped results: from zero, to one scale, in whole terminal cells and eighths of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import as_number
from tabchat.render.layout.grid import GAP, GridColumn, draw, fit
from tabchat.render.layout.text import UNICODE
from tabchat.render.layout.values import format_column, format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Row, Value
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

MAX_BARS: Final = 30
MAX_BAR_WIDTH: Final = 40
MIN_BAR_WIDTH: Final = 8
LABEL_WIDTH: Final = 28
LABEL_FLOOR: Final = 6
_WHOLE: Final = 100.0
_MARK: Final = "◆"
_PLAIN_MARK: Final = "*"


def is_drawable(values: Sequence[Value]) -> bool:
    """Return whether at least two cells are numbers, not all of them zero."""
    lengths = [length for value in values if (length := as_number(value)) is not None]
    return len(lengths) > 1 and any(lengths)


def bars(values: Sequence[Value], width: int, glyphs: Glyphs = UNICODE) -> list[str]:
    """Return one bar for each value, none wider than `width` cells.

    Negative values run to the left of a common axis. A value that is not zero
    always shows at least the smallest part of a bar.
    """
    lengths = [as_number(value) for value in values]
    known = [length for length in lengths if length is not None]
    peak = max((abs(length) for length in known), default=0.0)
    if not peak:
        return ["" for _ in values]
    low, high = min(*known, 0.0) / peak, max(*known, 0.0) / peak
    if low == 0:
        return ["" if length is None else _rightward(length / peak * width, glyphs) for length in lengths]
    room = width - len(glyphs.axis)
    left = room if high == 0 else min(max(round(room * -low / (high - low)), 1), room - 1)
    scale = min(left / -low, (room - left) / high if high else math.inf)
    return ["" if length is None else _around_axis(length / peak * scale, left, glyphs) for length in lengths]


def _around_axis(cells: float, left: int, glyphs: Glyphs) -> str:
    leftward = _leftward(-cells, glyphs) if cells < 0 else ""
    rightward = _rightward(cells, glyphs) if cells > 0 else ""
    return f"{leftward:>{left}}{glyphs.axis}{rightward}"


def _rightward(cells: float, glyphs: Glyphs) -> str:
    steps = len(glyphs.bar_parts) + 1
    parts = math.floor(cells * steps + 0.5) if cells else 0
    whole, part = divmod(max(parts, 1) if cells else 0, steps)
    return glyphs.bar * whole + (glyphs.bar_parts[part - 1] if part else "")


def _leftward(cells: float, glyphs: Glyphs) -> str:
    steps = len(glyphs.half_left) + 1
    whole, part = divmod(max(math.floor(cells * steps + 0.5), 1), steps)
    return (glyphs.half_left if part else "") + glyphs.bar * whole


def strip(counts: Sequence[int], glyphs: Glyphs = UNICODE) -> str:
    """Return counts as bars in a strip that is one line high; a count that is not zero always shows."""
    most, heights = max(counts, default=0), glyphs.heights
    return "".join(heights[math.ceil(count / most * len(heights)) - 1] if count else " " for count in counts)


def draw_chart(
    consoles: Consoles,
    labels: Sequence[Row],
    values: Sequence[Value],
    *,
    title: str = "",
    total: int | None = None,
) -> bool:
    """Print a bar for each of the first 30 values, with its label and its exact number.

    Each label is a row of parts, such as a region and a year; `total` is how many values there are where
    these are only the first ones. Returns whether there was room for it.
    """
    glyphs = consoles.glyphs
    shown = values[:MAX_BARS]
    columns = [
        GridColumn(
            header="", cells=[format_value(part, glyphs) for part in parts], elastic=True, floor=LABEL_FLOOR
        )
        for parts in zip(*labels[:MAX_BARS], strict=True)
    ]
    columns.append(GridColumn(header=title, cells=format_column(shown, glyphs), right=True))
    fitted = fit(columns, max(consoles.width - MIN_BAR_WIDTH - GAP, 1))
    widths = [min(width, LABEL_WIDTH) for width in fitted.widths[:-1]] + [*fitted.widths[-1:]]
    bar_width = min(consoles.width - sum(widths) - GAP * len(widths), MAX_BAR_WIDTH)
    if bar_width < MIN_BAR_WIDTH or fitted.hidden:
        return False
    columns.append(GridColumn(header="", cells=bars(shown, bar_width, glyphs), style="cyan"))
    consoles.out.print()
    draw(consoles.out, columns, [*widths, bar_width], glyphs)
    more = (len(values) if total is None else total) - len(shown)
    if more > 0:
        consoles.out.print(f"+{more:,} more", style="dim")
    return True


def pareto_bars(
    values: Sequence[Value], cumulative: Sequence[Value], width: int, glyphs: Glyphs = UNICODE
) -> list[str]:
    """Return one bar for each value, `width` cells being the whole, with a mark at its cumulative percentage."""
    if not values:
        return []
    shares = [as_number(value) or 0.0 for value in cumulative]
    first = as_number(values[0])
    total = first / shares[0] * _WHOLE if first and shares[0] else 0.0
    mark = _MARK if glyphs == UNICODE else _PLAIN_MARK
    # The whole itself is drawn, too, so that it sets the scale, and then left out.
    drawn = bars([*values, total], width - 1, glyphs)[:-1]
    return [
        f"{bar:<{max(place, 0)}}"[: max(place, 0)] + mark
        for bar, place in zip(drawn, (round(share / _WHOLE * (width - 1)) for share in shares), strict=True)
    ]
