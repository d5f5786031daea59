"""Mentions of time in a question: every way to read them, the long ones beside their parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.words.chart import Piece
from tabchat.planner.words.sentence import TimeSpan
from tabchat.planner.words.time_joins import JOINS
from tabchat.planner.words.time_pieces import add_time_pieces
from tabchat.planner.words.time_units import UNITS
from tabchat.planner.words.when import TIME, time_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.words.chart import Chart
    from tabchat.planner.words.numerals import Numeral


def find_times(chart: Chart, numerals: Sequence[Numeral]) -> tuple[TimeSpan, ...]:
    """Return every mention of time, by place, the longest first.

    Places are read from the last to the first, so that a rule finds the times that follow already made.
    """
    add_time_pieces(chart, numerals)
    found: list[TimeSpan] = []
    for place in reversed(range(len(chart.words))):
        for pattern, build in (*UNITS, *JOINS):
            for end, bound in tuple(chart.matches(pattern, place)):
                made = (Piece(kind=TIME, start=place, end=end, value=when) for when in build(bound))
                found += [_span(piece) for piece in made if chart.add(piece)]
    return tuple(sorted(found, key=lambda span: (span.start, -span.end)))


def _span(piece: Piece) -> TimeSpan:
    when = time_of(piece)
    return TimeSpan(
        start=piece.start,
        end=piece.end,
        period=when.period,
        parts=when.parts,
        opened=when.opened,
        periods=when.periods,
    )
