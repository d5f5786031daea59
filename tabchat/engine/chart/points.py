"""Points and boxes of a chart, reduced by the engine to what an eye can tell apart."""

from __future__ import annotations

import re
from itertools import islice, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, Final

from tabchat.engine.chart.chart import MOST_POINTS, Box, ChartKind, Picture, as_number, lacks, told_of
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

    from sqlglot import exp

    from tabchat.engine.chart.chart import Point
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Row

MOST_BOXES: Final = 20
_PLACE: Final = "__place"
_UNITS: Final = (
    ("month", 12, "{:04d}-{:02d}", re.compile(r"(\d{4})-(0[1-9]|1[0-2])")),
    ("quarter", 4, "{:04d}-Q{}", re.compile(r"(\d{4})-Q([1-4])")),
)
"""Texts of calendar units: what one is called, how many a year has, how it is written, and its pattern."""
_NAMED: Final = 3


def line_of(result: Result, along: str | None, measured: str) -> Picture:
    """Return the points in the order of the axis; of many, the lowest and the highest of each stretch.

    A stretch without a number is a point without one, where the line breaks; so is a month or a quarter between
    two others that the result does not have.
    """
    frame = result.frame
    columns = {column.name: column for column in frame.schema}
    # Texts stand in the order of the result: weekdays, sizes.
    has_order = along is not None and (columns[along].kind.is_temporal or columns[along].kind.is_numeric)
    # What decimals are as floats, and where NaN stands, the engine says.
    is_exact = not columns[measured].sql_type.startswith("DECIMAL")
    by_row = frame.is_few and is_exact and (along is None or columns[along].kind is not ColumnKind.NUMBER)
    stretches = (_rows if by_row else _stretches)(frame, along, measured, has_order=has_order)
    points: list[Point] = []
    numbers = drawn = 0
    for at, low, high, count in stretches:
        ends = [as_number(low), as_number(high)][: 1 if low == high else 2]
        points += [(at, number) for number in ends]
        drawn += sum(number is not None for number in ends)
        numbers += count if isinstance(count, int) else 0
    if drawn < 2:  # noqa: PLR2004 - the ends of a line
        raise lacks(ChartKind.LINE, "two numbers or more", frame)
    noun = "group" if result.group_by else "row"
    left_out = numbers - drawn
    # Where the axis has no value, there is no point either.
    missing = frame.row_count - numbers
    told = told_of(frame.row_count, noun, missing=missing, left_out=left_out, lacks="without a value")
    gaps = _gaps(points)
    if gaps is not None:
        points = list(gaps.points)
        parts = (f"{drawn:,} of {gaps.units}", f"{missing:,} without a value" if missing else "", gaps.told)
        told = ", ".join(filter(None, parts))
    return Picture(
        kind=ChartKind.LINE, x=along or "row", y=measured, points=tuple(points), left_out=left_out, told=told
    )


@record
class _Gaps:
    """Points along a calendar of which some units are absent."""

    points: tuple[Point, ...]
    """With one without a number for each absent unit, unless there are more than a line has points."""
    units: str
    """How many units there are from the first to the last: `36 months`."""
    told: str


def _gaps(points: Sequence[Point]) -> _Gaps | None:
    """Return rising points along months or quarters that lack some between; nothing for any others."""
    for unit, most, written, pattern in _UNITS:
        found = [pattern.fullmatch(at) for at, _ in points if isinstance(at, str)]
        read = [int(match[1]) * most + int(match[2]) - 1 for match in found if match is not None]
        if len(read) < len(points) or any(a >= b for a, b in pairwise(read)):
            continue
        span = range(read[0], read[-1] + 1)
        absent = len(span) - len(read)
        if not absent:
            return None
        known = dict(zip(read, points, strict=True))
        names = (written.format(place // most, place % most + 1) for place in span if place not in known)
        told = f"nothing for {', '.join(islice(names, _NAMED))}"
        filled = (known.get(place, (written.format(place // most, place % most + 1), None)) for place in span)
        return _Gaps(
            points=tuple(points if len(span) > MOST_POINTS else filled),
            units=f"{len(span):,} {unit}s",
            told=f"{told} and {absent - _NAMED:,} more" if absent > _NAMED else told,
        )
    return None


def _rows(frame: Frame, along: str | None, measured: str, *, has_order: bool) -> list[Row]:
    """Return each of a few rows as a stretch of its own: its place, its number twice, and whether it has one."""
    at, value = frame.columns.index(along) if along is not None else None, frame.columns.index(measured)
    places = [
        (place if at is None else row[at], as_number(row[value])) for place, row in enumerate(frame.few, 1)
    ]
    found: list[Row] = [(x, y, y, int(y is not None)) for x, y in places if x is not None]
    return sorted(found, key=itemgetter(0)) if has_order else found


def _stretches(frame: Frame, along: str | None, measured: str, *, has_order: bool) -> list[Row]:
    """Return the first place of each stretch of rows, its lowest and highest number, and how many it has."""
    from sqlglot import exp

    from tabchat.engine.functions.templates import fill

    x = exp.column(along, quoted=True) if along is not None else exp.column(_PLACE, quoted=True)
    y = _finite(measured)
    order = exp.Order(expressions=[exp.Ordered(this=x.copy())]) if has_order else None
    number = exp.Window(this=exp.RowNumber(), order=order)
    numbered = exp.select("*", exp.alias_(number, _PLACE, quoted=True)).from_(frame.query.subquery("frame"))
    place = exp.column(_PLACE, quoted=True)
    stretch = max(-(-frame.row_count * 2 // MOST_POINTS), 1) if frame.row_count > MOST_POINTS else 1
    shapes = ("ANY_VALUE(:x)", "MIN(:y)", "MAX(:y)", "COUNT(:y)")
    query = (
        exp.select(*(fill(shape, x=x, y=y) for shape in shapes))
        .from_(numbered.subquery("numbered"))
        .where(fill("NOT :x IS NULL", x=x))
        .group_by(fill("(:place - 1) // :stretch", place=place, stretch=stretch))
        .order_by(fill("MIN(:place)", place=place))
    )
    return frame.engine.rows(query)


def _finite(name: str) -> exp.Expr:
    """Return the cells of a column as numbers that can be drawn, else missing."""
    from sqlglot import exp

    from tabchat.engine.functions.templates import fill

    number = exp.cast(exp.column(name, quoted=True), "DOUBLE", dialect="duckdb")
    return fill("CASE WHEN ISFINITE(:number) THEN :number END", number=number)


def scatter_of(frame: Frame, x: str, y: str) -> Picture:
    """Return pairs of numbers; of many, one in every so many rows."""
    from sqlglot import exp

    from tabchat.engine.functions.templates import fill

    cells = exp.select(exp.alias_(_finite(x), "x"), exp.alias_(_finite(y), "y")).from_(
        frame.query.subquery("frame")
    )
    pairs = exp.select("*").from_(cells.subquery("cells")).where(fill("NOT x IS NULL AND NOT y IS NULL"))
    ((found,),) = frame.engine.rows(exp.select(exp.Count(this=exp.Star())).from_(pairs.subquery("pairs")))
    count = found if isinstance(found, int) else 0
    step = -(-count // MOST_POINTS) or 1
    number = exp.alias_(exp.Window(this=exp.RowNumber()), _PLACE, quoted=True)
    numbered = exp.select("*", number).from_(pairs.subquery("pairs"))
    chosen = fill("(:place - 1) % :step = 0", place=exp.column(_PLACE, quoted=True), step=step)
    query = exp.select("x", "y").from_(numbered.subquery("numbered")).where(chosen)
    points = tuple((a, as_number(b)) for a, b in frame.engine.rows(query))
    if not points:
        raise lacks(ChartKind.SCATTER, "rows with two numbers", frame)
    left_out = count - len(points)
    without = frame.row_count - count
    told = told_of(frame.row_count, "row", missing=without, left_out=left_out, lacks="without two numbers")
    return Picture(kind=ChartKind.SCATTER, x=x, y=y, points=points, left_out=left_out, told=told)


def boxes_of(frame: Frame, along: str | None, measured: str) -> Picture:
    """Return five numbers of each category, of many those of the categories with the most rows."""
    from sqlglot import exp

    from tabchat.engine.functions.templates import fill

    y = exp.cast(exp.column(measured, quoted=True), "DOUBLE", dialect="duckdb")
    label: exp.Expr = exp.Literal.string("all") if along is None else exp.column(along, quoted=True)
    shapes = (
        "MIN(:y)",
        "QUANTILE_CONT(:y, 0.25)",
        "QUANTILE_CONT(:y, 0.5)",
        "QUANTILE_CONT(:y, 0.75)",
        "MAX(:y)",
        # Of all categories, before the first ones are taken.
        "COUNT(*) OVER ()",
        "SUM(COUNT(*)) OVER ()",
    )
    query = (
        exp.select(exp.alias_(label, "label"), *(fill(shape, y=y) for shape in shapes))
        .from_(frame.query.subquery("frame"))
        .where(fill("ISFINITE(:y)", y=y))
        .group_by(exp.Literal.number(1))
        .order_by(exp.Ordered(this=exp.Count(this=exp.Star()), desc=True), exp.column("label"))
        .limit(MOST_BOXES)
    )
    rows = frame.engine.rows(query)
    boxes = tuple(box for row in rows if (box := _box(row[:-2])) is not None)
    if not boxes:
        raise lacks(ChartKind.BOX, "a number", frame)
    categories, numbers = (int(as_number(count) or 0) for count in rows[0][-2:])
    left_out = categories - len(boxes)
    cut = f"{len(boxes):,} of {categories:,} categories" if left_out else ""
    missing = told_of(frame.row_count, "row", missing=frame.row_count - numbers)
    told = ", ".join(part for part in (cut, missing) if part)
    return Picture(
        kind=ChartKind.BOX, x=along or "all rows", y=measured, boxes=boxes, left_out=left_out, told=told
    )


def _box(row: Row) -> Box | None:
    numbers = [number for value in row[1:] if (number := as_number(value)) is not None]
    if len(numbers) != len(row) - 1:
        return None
    low, first, median, third, high = numbers
    return Box(label=row[0], low=low, first_quartile=first, median=median, third_quartile=third, high=high)
