"""Bars of a Pareto chart: each cause's share of the whole, and the cumulative share as a mark on the same scale."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import as_number
from tabchat.render.charts.bars import bars
from tabchat.render.layout.text import UNICODE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.types import Value
    from tabchat.render.layout.text import Glyphs

_WHOLE: Final = 100.0
_MARK: Final = "◆"
_PLAIN_MARK: Final = "*"


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
