"""What of a result is drawn: which kind of chart, from which columns, reduced by the engine to what an eye can tell apart."""

from __future__ import annotations

import datetime as dt
import math
import re
from decimal import Decimal
from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.bins import Histogram, histogram
from tabchat.engine.functions.templates import fill
from tabchat.engine.types import ColumnKind
from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.result import Frame, Result
    from tabchat.engine.types import Column, Row, Value


class ChartKind(StrEnum):
    """How a result is drawn."""

    BAR = "bar"
    LINE = "line"
    HIST = "hist"
    SCATTER = "scatter"
    BOX = "box"
    NONE = "none"


_NAMES: Final = {ChartKind.HIST: "histogram", ChartKind.BOX: "box plot"}
MOST_POINTS: Final = 2_000
"""Points of a line or a scatter chart."""
MOST_BARS: Final = 200
MOST_BOXES: Final = 20
LEAST_OF_LINE: Final = 3
_PERIOD: Final = re.compile(r"\d{4}(-(\d{2}(-\d{2})?|Q[1-4]|W\d{2}))?")
"""Texts of calendar units, whose order is that of time."""
_PLACE: Final = "__place"


@record
class Box:
    """Five numbers of the cells of a category."""

    label: Value
    low: float
    first_quartile: float
    median: float
    third_quartile: float
    high: float


Point: TypeAlias = "tuple[Value, float]"


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
    """Rows of which nothing is drawn, because there are too many."""


def default_kind(result: Result) -> ChartKind:
    """Return how a result is drawn when nobody says: a time series is a line, other groups are bars."""
    chart = result.chart
    if chart is None or chart.kind != "bars":
        return ChartKind.NONE
    if len(result.group_by) > 1 or result.frame.row_count < LEAST_OF_LINE:
        return ChartKind.BAR
    by_name = {column.name: column for column in result.frame.schema}
    column = by_name.get(chart.category)
    return ChartKind.LINE if column is not None and _is_time(result.frame, column) else ChartKind.BAR


def picture_of(result: Result, kind: ChartKind) -> Picture:
    """Return the chart of that kind; raises `UsageError` that says which columns it lacks."""
    frame = result.frame
    measured = _measured(result)
    if kind is ChartKind.SCATTER:
        numbers = [column for column in frame.schema if column.kind.is_numeric]
        if len(numbers) < 2:  # noqa: PLR2004 - two axes
            raise _lacks(kind, "two columns of numbers", frame)
        y = measured if measured is not None and measured != numbers[0] else numbers[1]
        return _scatter(frame, numbers[0].name, y.name)
    if measured is None:
        raise _lacks(kind, "a column of numbers", frame)
    along = _along(result, measured, kind)
    match kind:
        case ChartKind.HIST:
            bins = histogram(frame.engine, frame.query, measured.name)
            if bins is None:
                raise _lacks(kind, "a number in it", frame)
            return Picture(kind=kind, x=measured.name, y="rows", bins=bins)
        case ChartKind.BOX:
            return _boxes(frame, along, measured.name)
        case ChartKind.LINE:
            return _line(frame, along, measured.name)
        case _:
            return _bars(result, along, measured.name)


def as_number(value: Value) -> float | None:
    """Return a cell as a finite number, or nothing."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Decimal)):
        return None
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if math.isfinite(number) else None


def _lacks(kind: ChartKind, what: str, frame: Frame) -> UsageError:
    names = ", ".join(column.name for column in frame.schema[:5])
    message = f"A {_NAMES.get(kind, f'{kind.value} chart')} needs {what}; the result has {names}."
    return UsageError(message, hint="Ask for numbers by group, such as: total revenue by region.")


def _measured(result: Result) -> Column | None:
    """Return the column of numbers that is drawn: the one of the hint, else the last one."""
    numbers = {column.name: column for column in result.frame.schema if column.kind.is_numeric}
    named = [result.chart.value] if result.chart is not None else []
    wanted = [*named, *result.focus, *reversed(numbers)]
    return next((numbers[name] for name in wanted if name in numbers), None)


def _along(result: Result, measured: Column, kind: ChartKind) -> str | None:
    """Return the column along the axis: the one of the hint, else a time, else a text."""
    if kind is ChartKind.BOX and len(result.group_by) == 1:
        # Each group is one row: the box is that of the groups.
        return None
    schema = [column for column in result.frame.schema if column.name != measured.name]
    if result.chart is not None and any(column.name == result.chart.category for column in schema):
        return result.chart.category
    times = [column.name for column in schema if column.kind.is_temporal]
    texts = [column.name for column in schema if column.kind in {ColumnKind.TEXT, ColumnKind.BOOLEAN}]
    found = [*texts] if kind is ChartKind.BOX else [*times, *texts]
    return found[0] if found else None


def _is_time(frame: Frame, column: Column) -> bool:
    if column.kind.is_temporal:
        return True
    if column.kind is not ColumnKind.TEXT or frame.row_count > MOST_POINTS:
        return False
    at = frame.columns.index(column.name)
    cells = [str(row[at]) for row in frame.rows()]
    return all(map(_PERIOD.fullmatch, cells)) and cells == sorted(cells)


def _bars(result: Result, along: str | None, measured: str) -> Picture:
    frame = result.frame
    if along is None:
        raise _lacks(ChartKind.BAR, "a column of categories", frame)
    names = [name for name in result.group_by if name in frame.columns] or [along]
    places = [frame.columns.index(name) for name in names]
    value = frame.columns.index(measured)
    points = [
        (_joined([row[place] for place in places]), number)
        for row in frame.rows(MOST_BARS)
        if (number := as_number(row[value])) is not None
    ]
    left_out = max(frame.row_count - MOST_BARS, 0)
    return Picture(
        kind=ChartKind.BAR, x=", ".join(names), y=measured, points=tuple(points), left_out=left_out
    )


def _joined(values: Sequence[Value]) -> Value:
    return (
        values[0] if len(values) == 1 else ", ".join("" if value is None else str(value) for value in values)
    )


def _line(frame: Frame, along: str | None, measured: str) -> Picture:
    """Return the points in the order of the axis; of many, the lowest and the highest of each stretch."""
    x = exp.column(along, quoted=True) if along is not None else exp.column(_PLACE, quoted=True)
    y = exp.cast(exp.column(measured, quoted=True), "DOUBLE", dialect="duckdb")
    kinds = {column.name: column.kind for column in frame.schema}
    # Texts stand in the order of the result: weekdays, sizes.
    has_order = along is not None and (kinds[along].is_temporal or kinds[along].is_numeric)
    order = exp.Order(expressions=[exp.Ordered(this=x.copy())]) if has_order else None
    number = exp.Window(this=exp.RowNumber(), order=order)
    numbered = exp.select("*", exp.alias_(number, _PLACE, quoted=True)).from_(frame.query.subquery("frame"))
    place = exp.column(_PLACE, quoted=True)
    stretch = max(-(-frame.row_count * 2 // MOST_POINTS), 1) if frame.row_count > MOST_POINTS else 1
    query = (
        exp.select(*(fill(shape, x=x, y=y) for shape in ("ANY_VALUE(:x)", "MIN(:y)", "MAX(:y)")))
        .from_(numbered.subquery("numbered"))
        .where(fill("NOT :x IS NULL AND ISFINITE(:y)", x=x, y=y))
        .group_by(fill("(:place - 1) // :stretch", place=place, stretch=stretch))
        .order_by(fill("MIN(:place)", place=place))
    )
    points: list[Point] = []
    for at, low, high in frame.engine.rows(query):
        ends = [number for number in (as_number(low), as_number(high)) if number is not None]
        points += [(at, number) for number in (ends if stretch > 1 else ends[:1])]
    if len(points) < 2:  # noqa: PLR2004 - the ends of a line
        raise _lacks(ChartKind.LINE, "two numbers or more", frame)
    return Picture(kind=ChartKind.LINE, x=along or "row", y=measured, points=tuple(points))


def _scatter(frame: Frame, x: str, y: str) -> Picture:
    """Return pairs of numbers; of many, one in every so many rows."""
    cells = [exp.cast(exp.column(name, quoted=True), "DOUBLE", dialect="duckdb") for name in (x, y)]
    step = -(-frame.row_count // MOST_POINTS) or 1
    number = exp.alias_(exp.Window(this=exp.RowNumber()), _PLACE, quoted=True)
    numbered = exp.select("*", number).from_(frame.query.subquery("frame"))
    chosen = fill("(:place - 1) % :step = 0", place=exp.column(_PLACE, quoted=True), step=step)
    query = exp.select(*cells).from_(numbered.subquery("numbered")).where(chosen)
    pairs = [(as_number(a), as_number(b)) for a, b in frame.engine.rows(query)]
    points = tuple((a, b) for a, b in pairs if a is not None and b is not None)
    if not points:
        raise _lacks(ChartKind.SCATTER, "rows with two numbers", frame)
    left_out = frame.row_count - len(pairs)
    return Picture(kind=ChartKind.SCATTER, x=x, y=y, points=points, left_out=left_out)


def _boxes(frame: Frame, along: str | None, measured: str) -> Picture:
    y = exp.cast(exp.column(measured, quoted=True), "DOUBLE", dialect="duckdb")
    label: exp.Expr = exp.Literal.string("all") if along is None else exp.column(along, quoted=True)
    shapes = (
        "MIN(:y)",
        "QUANTILE_CONT(:y, 0.25)",
        "QUANTILE_CONT(:y, 0.5)",
        "QUANTILE_CONT(:y, 0.75)",
        "MAX(:y)",
    )
    query = (
        exp.select(exp.alias_(label, "label"), *(fill(shape, y=y) for shape in shapes))
        .from_(frame.query.subquery("frame"))
        .where(fill("ISFINITE(:y)", y=y))
        .group_by(exp.Literal.number(1))
        .order_by(exp.Ordered(this=exp.Count(this=exp.Star()), desc=True), exp.column("label"))
        .limit(MOST_BOXES)
    )
    boxes = tuple(box for row in frame.engine.rows(query) if (box := _box(row)) is not None)
    if not boxes:
        raise _lacks(ChartKind.BOX, "a number", frame)
    return Picture(kind=ChartKind.BOX, x=along or "all rows", y=measured, boxes=boxes)


def _box(row: Row) -> Box | None:
    numbers = [number for value in row[1:] if (number := as_number(value)) is not None]
    if len(numbers) != len(row) - 1:
        return None
    low, first, median, third, high = numbers
    return Box(label=row[0], low=low, first_quartile=first, median=median, third_quartile=third, high=high)


def position(value: Value) -> float | None:
    """Return where a value of a number axis or a time axis stands; None for a category."""
    if isinstance(value, dt.datetime):
        return value.replace(tzinfo=dt.UTC).timestamp() if value.tzinfo is None else value.timestamp()
    if isinstance(value, dt.date):
        return float(value.toordinal())
    return as_number(value)
