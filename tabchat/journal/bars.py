"""Bars of a result drawn with signs, for a report that shows no pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import json_value
from tabchat.render.text import sanitise
from tabchat.render.values import format_column

if TYPE_CHECKING:
    from tabchat.engine.result import Result

_WIDTH: Final = 40
_MOST: Final = 40
_LABEL: Final = 30


def text_bars(result: Result) -> str:
    """Return a line with a bar for each row of a chart of at most 40, scaled to the greatest size; else nothing."""
    chart = result.chart
    if chart is None or not 1 < result.frame.row_count <= _MOST:
        return ""
    rows = result.frame.rows()
    names = result.frame.columns
    labels = format_column([row[names.index(chart.category)] for row in rows])
    sizes = [json_value(row[names.index(chart.value)]) for row in rows]
    numbers = [float(size) if isinstance(size, (int, float)) else 0.0 for size in sizes]
    most = max(map(abs, numbers))
    if not most:
        return ""
    shown = [sanitise(label)[:_LABEL] for label in labels]
    width = max(map(len, shown))
    lines = []
    for label, number in zip(shown, numbers, strict=True):
        bar = "█" * round(_WIDTH * abs(number) / most)
        lines.append(f"{label:<{width}}  {'-' if number < 0 else ' '}{bar}".rstrip())
    return "\n".join(lines)
