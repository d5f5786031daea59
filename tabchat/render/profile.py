"""A table's profile: one line a column, with what a person asks first of it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from tabchat.engine.profile.spread import STEPS
from tabchat.render.charts.bars import strip
from tabchat.render.layout.grid import GAP, GridColumn, draw_fitting, fit
from tabchat.render.layout.text import cut, sanitise, width_of
from tabchat.render.layout.values import format_figure, format_value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.profile.profile import ColumnProfile, TableProfile
    from tabchat.engine.table import Table
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

NAME_WIDTH: Final = 40
"""Cells of a column's name that are shown."""
VALUES_WIDTH: Final = 30
"""Cells that the values of a column get at least."""
LEAST_WITH_STRIP: Final = 20
"""Cells that they get at least beside a strip of their spread."""


def render_summary(consoles: Consoles, profile: TableProfile, *, preview: bool) -> None:
    """Print a line for every column to stdout, with the strip of its spread where there is room for it."""
    head, title, *lines = profile.to_text(preview=preview, whole=True).split("\n")
    described = [sanitise(line, consoles.glyphs) for line in lines[: len(profile.columns)]]
    strips = [_strip(item, consoles.glyphs) for item in profile.columns]
    # All of them begin below each other, behind the longest line that leaves room.
    ends = [
        width
        for line, drawn in zip(described, strips, strict=True)
        if drawn and (width := width_of(line)) + GAP + STEPS <= consoles.width
    ]
    at = max(ends, default=0)
    for line in (head, title):
        consoles.out.print(line)
    for line, drawn in zip(described, strips, strict=True):
        beside = " " * (at - width_of(line) + GAP) + drawn if drawn and width_of(line) <= at else ""
        consoles.out.print(f"{line}{beside}".rstrip())
    for line in lines[len(profile.columns) :]:
        consoles.out.print(sanitise(line, consoles.glyphs))


def render_profile(consoles: Consoles, profile: TableProfile, table: Table) -> None:
    """Print every column of a profile to stdout, and its size to stderr.

    A column's range is always whole, but for the hours of days; of its most frequent values as many are
    listed as there is room for.
    """
    glyphs = consoles.glyphs
    items = profile.columns
    names = [cut(sanitise(item.name, glyphs), NAME_WIDTH, glyphs) for item in items]
    columns = [
        GridColumn(header="column", cells=names),
        GridColumn(header="kind", cells=[_kind(item, glyphs) for item in items]),
        GridColumn(header="missing", cells=[f"{item.nulls:,}" for item in items], right=True),
        GridColumn(header="distinct", cells=[_distinct(item) for item in items], right=True),
    ]
    room = consoles.width - fit(columns, consoles.width).total - GAP
    least = max((width_of(_values(item, 1, glyphs)) for item in items if item.min is not None), default=0)
    for cells in (STEPS, STEPS // 2):
        strips = [_strip(item, glyphs, cells) for item in items]
        if any(strips) and room - cells - GAP >= max(least, LEAST_WITH_STRIP):
            room -= cells + GAP
            columns.append(GridColumn(header="spread", cells=strips))
            break
    else:
        room = max(room, VALUES_WIDTH)
    columns.append(GridColumn(header="values", cells=[_values(item, room, glyphs) for item in items]))
    # A name gives way before the values do.
    columns[0] = GridColumn(header="column", cells=names, elastic=True)
    if hidden := draw_fitting(consoles, columns):
        consoles.out.print(f"+{len(hidden)} more on a wider terminal: {', '.join(hidden)}", style="dim")
    rows = f"{profile.rows:,} row{'' if profile.rows == 1 else 's'}"
    size = f"{sanitise(table.name, glyphs)}: {rows} {glyphs.times} {profile.cols:,} columns"
    approximate = "" if profile.exact else f"{glyphs.separator}~ marks estimates"
    consoles.err.print(size + approximate, style="dim")


def _kind(item: ColumnProfile, glyphs: Glyphs) -> str:
    return item.kind.value if item.unit is None else sanitise(f"{item.kind.value}, {item.unit}", glyphs)


def _strip(item: ColumnProfile, glyphs: Glyphs, cells: int = STEPS) -> str:
    """Return the spread of a column in so many cells at most."""
    counts = item.spread.counts if item.spread is not None else ()
    each = STEPS // cells
    return strip([sum(counts[at : at + each]) for at in range(0, len(counts), each)], glyphs)


def _distinct(item: ColumnProfile) -> str:
    return f"{'' if item.distinct_is_exact else '~'}{item.distinct:,}"


def _values(item: ColumnProfile, room: int, glyphs: Glyphs) -> str:
    """Return the range of a column and its mean, or its most frequent values with their counts."""
    if item.min is not None:
        parts = [_range(item, room, glyphs)]
        if item.mean is not None:
            parts.append(f"mean {format_figure(item.mean, glyphs)}")
        return _as_many(parts, room, glyphs)
    estimate = "~" if "top_values" in item.approximate else ""
    parts = [f"{format_value(value, glyphs)} ({estimate}{count:,})" for value, count in item.top_values]
    return cut(_as_many(parts, room, glyphs), room, glyphs)


def _range(item: ColumnProfile, room: int, glyphs: Glyphs) -> str:
    """Return the ends of a column; of times that have no room, their days, rather than no values at all."""
    ends = [format_value(end, glyphs) for end in (item.min, item.max)]
    if isinstance(item.min, dt.datetime) and isinstance(item.max, dt.datetime):
        days = [format_value(end.date(), glyphs) for end in (item.min, item.max)]
        ends = ends if width_of(f" {glyphs.ellipsis} ".join(ends)) <= room else days
    return f" {glyphs.ellipsis} ".join(ends)


def _as_many(parts: Sequence[str], room: int, glyphs: Glyphs) -> str:
    """Join as many of `parts` as fit into `room` cells, at least the first."""
    joined = ""
    for part in parts:
        longer = f"{joined}{glyphs.separator}{part}" if joined else part
        if joined and width_of(longer) > room:
            return joined
        joined = longer
    return joined
