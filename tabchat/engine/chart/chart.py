"""Charts as values: which kinds there are, and what one of them shows."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.chart.bins import Histogram
    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Value

MOST_POINTS: Final = 2_000
"""Points of a line or a scatter chart."""


class ChartKind(StrEnum):
    """How a result is drawn."""

    BAR = "bar"
    LINE = "line"
    HIST = "hist"
    SCATTER = "scatter"
    BOX = "box"
    NONE = "none"


_NAMES: Final = {ChartKind.HIST: "histogram", ChartKind.BOX: "box plot"}


@record
class Box:
    """Five numbers of the cells of a category."""

    label: Value
    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float


Point: TypeAlias = "tuple[Value, float | None]"
"""Without a number, a line breaks and a bar is none."""


@record
class Picture:
    """A chart, ready to be drawn."""

    kind: ChartKind
    x: str
    """What runs along the axis: a category, a time, a number."""
    y: str
    """What is measured."""
    points: tuple[Point, ...] = ()
    """Of bars, lines and scatter charts."""
    bins: Histogram | None = None
    boxes: tuple[Box, ...] = ()
    left_out: int = 0
    """Rows, groups or categories of which nothing is drawn, because there are too many."""
    told: str = ""
    """How much of the result is drawn, in words: `200 of 300 groups, 2 without a number`, or only what is not, such as
    `2 of 300 groups without a number`; empty where all is."""

    @property
    def caption(self) -> str:
        """The line that stands under the chart; empty where all of the result is drawn."""
        is_lack = " without " in self.told.partition(", ")[0]
        return f"{'not ' if is_lack else ''}drawn: {self.told}" if self.told else ""


def as_number(value: Value) -> float | None:
    """Return a cell as a finite number, or nothing."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def position(value: Value) -> float | None:
    """Return where a value of a number axis or a time axis stands; None for a category."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=dt.UTC).timestamp() if value.tzinfo is None else value.timestamp()
    if isinstance(value, dt.date):
        return float(value.toordinal())
    return as_number(value)


def lacks(kind: ChartKind, what: str, frame: Frame) -> UsageError:
    """Return the error that says what a kind of chart needs and what the result has."""
    names = ", ".join(column.name for column in frame.schema[:5])
    message = f"A {_NAMES.get(kind, f'{kind.value} chart')} needs {what}; the result has {names}."
    return UsageError(message, hint="Ask for numbers by group, such as: total revenue by region.")


def told_of(
    total: int, noun: str, *, missing: int = 0, left_out: int = 0, lacks: str = "without a number"
) -> str:
    """Return how much of so many rows is drawn; empty where nothing lacks."""
    without = f"{missing:,} {lacks}" if missing else ""
    if left_out:
        drawn = f"{total - missing - left_out:,} of {total:,} {noun}s"
        return f"{drawn}, {without}" if without else drawn
    return f"{missing:,} of {total:,} {noun}s {lacks}" if missing else ""
