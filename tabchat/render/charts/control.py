"""A control chart in text: points in order between their limits, those that break a rule marked.

However many points there are, the engine reduces them to one column of the screen each: the lowest and the
highest of the points that fall there, so that none that is out of control is lost.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.chart.chart import as_number
from tabchat.engine.functions.templates import fill
from tabchat.record import record
from tabchat.render.layout.text import UNICODE, cut, sanitise, width_of
from tabchat.render.layout.values import format_figure, format_value

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.result.result import Chart, Frame, Result
    from tabchat.engine.types import Value
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

HEIGHT: Final = 15
"""Lines between the highest value and the lowest."""
MIN_WIDTH: Final = 20
"""Columns below which no chart is drawn."""
MAX_WIDTH: Final = 120
_STRETCH: Final = 3
"""Columns that one point takes at most."""
_PLACE: Final = "__place"


@record
class Signs:
    """What a chart is drawn with."""

    point: str = "•"
    out: str = "✖"
    between: str = "│"
    center: str = "─"
    limit: str = "┄"
    axis: str = "┤"


_PLAIN: Final = Signs(point="o", out="X", between="|", center="-", limit=".", axis="|")


@record
class Column:
    """One column of the screen: the values that fall there, and the limits."""

    low: float
    high: float
    out: tuple[float, ...]
    """Lowest and highest value that breaks a rule; empty when none does."""
    lcl: float | None
    ucl: float | None


def draw_control_chart(consoles: Consoles, result: Result) -> bool:
    """Print the chart of `result`; returns whether it has points, and there was room for them."""
    chart, frame = result.chart, result.frame
    if chart is None or chart.line is None or frame.row_count == 0:
        return False
    glyphs = consoles.glyphs
    signs = Signs() if glyphs == UNICODE else _PLAIN
    center = as_number(result.values.get("center"))
    widest = _label_width(result, glyphs)
    room = min(consoles.width - widest - 2, MAX_WIDTH)
    if room < MIN_WIDTH:
        return False
    columns, stretch = _columns(frame, chart, room)
    if not columns:
        return False
    lines = plot(columns, center, stretch, signs)
    labels = _labels(columns, center, glyphs)
    consoles.out.print()
    consoles.out.print(sanitise(chart.value, glyphs))
    for number, line in enumerate(lines):
        style = "cyan" if number not in labels else ""
        consoles.out.print(f"{labels.get(number, ''):>{widest}} {signs.axis}{line}".rstrip(), style=style)
    consoles.out.print(_axis(frame, chart, len(columns) * stretch, widest, glyphs))
    return True


def plot(columns: Sequence[Column], center: float | None, stretch: int, signs: Signs) -> list[str]:
    """Return the lines of a chart, the highest values first."""
    low, high = _range(columns, center)
    grid = [[" "] * (len(columns) * stretch) for _ in range(HEIGHT)]

    def line_of(value: float) -> int:
        return row_of(value, low, high)

    for place, column in enumerate(columns):
        for start in range(place * stretch, (place + 1) * stretch):
            if center is not None:
                grid[line_of(center)][start] = signs.center
            for limit in (column.lcl, column.ucl):
                if limit is not None:
                    grid[line_of(limit)][start] = signs.limit
        at = place * stretch
        top, bottom = line_of(column.high), line_of(column.low)
        for number in range(top + 1, bottom):
            grid[number][at] = signs.between
        for value in (column.low, column.high):
            grid[line_of(value)][at] = signs.point
        for value in column.out:
            grid[line_of(value)][at] = signs.out
    return ["".join(line) for line in grid]


def row_of(value: float, low: float, high: float) -> int:
    """Return the line, from the top, on which `value` stands when the chart reaches from `low` to `high`."""
    if high <= low:
        return HEIGHT // 2
    return round((high - value) / (high - low) * (HEIGHT - 1))


def _range(columns: Sequence[Column], center: float | None) -> tuple[float, float]:
    lows = [value for column in columns for value in (column.low, column.lcl) if value is not None]
    highs = [value for column in columns for value in (column.high, column.ucl) if value is not None]
    middle = [] if center is None else [center]
    return min(*lows, *middle, lows[0]), max(*highs, *middle, highs[0])


def _columns(frame: Frame, chart: Chart, room: int) -> tuple[list[Column], int]:
    """Return what stands in each column of the screen, and how many columns wide each is."""
    count = frame.row_count
    stretch = max(1, min(_STRETCH, room // count))
    width = min(room, count)
    names = frame.columns
    # The three columns before the rules are the center line and the limits, whatever they are called.
    place = names.index(chart.line or "")
    _, lcl, ucl = (exp.column(name, quoted=True) for name in names[place - 3 : place])
    value, rules = exp.column(chart.value, quoted=True), exp.column(chart.line or "", quoted=True)
    number = fill(":n - 1", n=exp.Window(this=exp.RowNumber()))
    inner = exp.select("*", exp.alias_(number, _PLACE, quoted=True)).from_(frame.query.subquery("frame"))
    bucket = fill(
        "(:place * :width) // :count", place=exp.column(_PLACE, quoted=True), width=width, count=count
    )
    found: Mapping[str, exp.Expr] = {"x": value, "rules": rules, "lcl": lcl, "ucl": ucl}
    query = (
        exp.select(
            exp.alias_(bucket, "bucket"),
            *(
                fill(shape, **found)
                for shape in (
                    "MIN(:x)",
                    "MAX(:x)",
                    "MIN(:x) FILTER (WHERE NOT :rules IS NULL)",
                    "MAX(:x) FILTER (WHERE NOT :rules IS NULL)",
                    "MIN(:lcl)",
                    "MAX(:ucl)",
                )
            ),
        )
        .from_(inner.subquery("numbered"))
        .group_by(exp.Literal.number(1))
        .order_by(exp.Literal.number(1))
    )
    made = [_column(*map(as_number, row[1:])) for row in frame.engine.rows(query)]
    return [column for column in made if column is not None], stretch


def _column(
    low: float | None,
    high: float | None,
    first: float | None,
    last: float | None,
    lcl: float | None,
    ucl: float | None,
) -> Column | None:
    if low is None or high is None:
        return None
    out = tuple(value for value in (first, last) if value is not None)
    return Column(low=low, high=high, out=out, lcl=lcl, ucl=ucl)


def _labels(columns: Sequence[Column], center: float | None, glyphs: Glyphs) -> dict[int, str]:
    """Return line → the number that is written beside it: the ends, and the lines when they are straight."""
    low, high = _range(columns, center)
    marked: list[tuple[str, float]] = [("", high), ("", low)]
    for name in ("lcl", "ucl"):
        limits = {getattr(column, name) for column in columns}
        marked += [(name.upper(), limit) for limit in limits if limit is not None and len(limits) == 1]
    if center is not None:
        marked.append(("mean", center))
    return {
        row_of(value, low, high): f"{name} {format_figure(float(f'{value:.6g}'), glyphs)}".lstrip()
        for name, value in marked
    }


def _label_width(result: Result, glyphs: Glyphs) -> int:
    values: list[Value] = [result.values.get(name) for name in ("center", "lcl", "ucl")]
    shown = [
        format_figure(float(f"{value:.6g}"), glyphs) for value in map(as_number, values) if value is not None
    ]
    return max((width_of(text) for text in shown), default=0) + len("mean ") + 2


def _axis(frame: Frame, chart: Chart, width: int, indent: int, glyphs: Glyphs) -> str:
    """Return the line below the chart: the labels of the first point and of the last one."""
    place = frame.columns.index(chart.category)
    first = format_value(frame.rows(1)[0][place], glyphs)
    last = format_value(frame.rows(1, frame.row_count - 1)[0][place], glyphs)
    half = max(width // 2 - 1, 1)
    first, last = cut(first, half, glyphs), cut(last, half, glyphs)
    gap = max(width - width_of(first) - width_of(last), 1)
    return f"{' ' * (indent + 2)}{first}{' ' * gap}{last}"
