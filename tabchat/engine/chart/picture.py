"""What of a result is drawn: which kind of chart, from which columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import MOST_POINTS, ChartKind, Picture, as_number, lacks, told_of
from tabchat.engine.types import ColumnKind
from tabchat.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Column, Value

MOST_BARS: Final = 200
LEAST_OF_LINE: Final = 3
_PERIOD: Final = re.compile(r"\d{4}(-(\d{2}(-\d{2})?|Q[1-4]|W\d{2}))?")
"""Texts of calendar units, whose order is that of time."""


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
    from tabchat.engine.chart.points import boxes_of, line_of, scatter_of

    frame = result.frame
    measured = _measured(result)
    if kind is ChartKind.SCATTER:
        numbers = [column for column in frame.schema if column.kind.is_numeric]
        if len(numbers) < 2:  # noqa: PLR2004 - two axes
            raise lacks(kind, "two columns of numbers", frame)
        y = measured if measured is not None and measured != numbers[0] else numbers[1]
        return scatter_of(frame, numbers[0].name, y.name)
    if measured is None:
        raise lacks(kind, "a column of numbers", frame)
    along = _along(result, measured, kind)
    match kind:
        case ChartKind.HIST:
            from tabchat.engine.chart.bins import histogram

            bins = histogram(frame.engine, frame.query, measured.name)
            if bins is None:
                raise lacks(kind, "a number in it", frame)
            told = told_of(frame.row_count, "row", missing=bins.missing)
            return Picture(kind=kind, x=measured.name, y="rows", bins=bins, told=told)
        case ChartKind.BOX:
            return boxes_of(frame, along, measured.name)
        case ChartKind.LINE:
            if len(result.group_by) > 1:
                raise _tangled(result)
            return line_of(result, along, measured.name)
        case _:
            return _bars(result, along, measured.name)


def _tangled(result: Result) -> UsageError:
    names = " and ".join(result.group_by)
    hint = f"Take --chart bar (/chart bar), or ask by one of them, such as: by {result.group_by[-1]}."
    return UsageError(f"A line chart needs one group for each point; the result is by {names}.", hint=hint)


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
    # Rows without a time are no point of it, and the chart says so.
    cells = [str(row[at]) for row in frame.rows() if row[at] is not None]
    return bool(cells) and all(map(_PERIOD.fullmatch, cells)) and cells == sorted(cells)


def _bars(result: Result, along: str | None, measured: str) -> Picture:
    frame = result.frame
    if along is None:
        raise lacks(ChartKind.BAR, "a column of categories", frame)
    names = [name for name in result.group_by if name in frame.columns] or [along]
    places = [frame.columns.index(name) for name in names]
    value = frame.columns.index(measured)
    points = tuple(
        (_joined([row[place] for place in places]), as_number(row[value])) for row in frame.rows(MOST_BARS)
    )
    numbers = sum(number is not None for _, number in points)
    if not numbers:
        raise lacks(ChartKind.BAR, "a number", frame)
    left_out = frame.row_count - len(points)
    noun = "group" if result.group_by else "row"
    told = told_of(frame.row_count, noun, missing=len(points) - numbers, left_out=left_out)
    return Picture(
        kind=ChartKind.BAR, x=", ".join(names), y=measured, points=points, left_out=left_out, told=told
    )


def _joined(values: Sequence[Value]) -> Value:
    return (
        values[0] if len(values) == 1 else ", ".join("" if value is None else str(value) for value in values)
    )
