"""Bars of a result drawn with signs, for a report that shows no pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.render.charts.bars import bars
from tabchat.render.layout.text import cut, sanitise, width_of
from tabchat.render.layout.values import format_column

if TYPE_CHECKING:
    from tabchat.engine.result.result import Result

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
    drawn = bars([row[names.index(chart.value)] for row in rows], _WIDTH)
    if not any(drawn):
        return ""
    labels = format_column([row[names.index(chart.category)] for row in rows])
    shown = [cut(sanitise(label), _LABEL) for label in labels]
    width = max(map(width_of, shown))
    return "\n".join(
        f"{label}{' ' * (width - width_of(label))}  {bar}".rstrip()
        for label, bar in zip(shown, drawn, strict=True)
    )
