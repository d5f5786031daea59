"""A table's profile: one line a column, with what a person asks first of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.render.grid import GridColumn, draw, fit
from tabchat.render.text import sanitise
from tabchat.render.values import format_value

if TYPE_CHECKING:
    from tabchat.engine.profile import ColumnProfile, TableProfile
    from tabchat.engine.table import Table
    from tabchat.engine.types import Value
    from tabchat.render.console import Consoles
    from tabchat.render.text import Glyphs

TOP_SHOWN: Final = 5
"""Most frequent values that are listed."""


def render_profile(consoles: Consoles, profile: TableProfile, table: Table) -> None:
    """Print every column of a profile to stdout, and its size to stderr."""
    glyphs = consoles.glyphs
    items = profile.columns
    columns = [
        GridColumn(header="column", cells=[sanitise(item.name, glyphs) for item in items], elastic=True),
        GridColumn(header="kind", cells=[_kind(item, glyphs) for item in items]),
        GridColumn(header="missing", cells=[f"{item.nulls:,}" for item in items], right=True),
        GridColumn(header="distinct", cells=[_distinct(item) for item in items], right=True),
        GridColumn(header="min", cells=[_bound(item, item.min, glyphs) for item in items], right=True),
        GridColumn(header="max", cells=[_bound(item, item.max, glyphs) for item in items], right=True),
        GridColumn(header="mean", cells=[_bound(item, item.mean, glyphs) for item in items], right=True),
        GridColumn(header="top values", cells=[_top(item, glyphs) for item in items], elastic=True),
    ]
    fitted = fit(columns, consoles.width)
    draw(consoles.out, columns, fitted.widths, glyphs)
    hidden = [column.header for column in columns[len(fitted.widths) :]]
    if hidden:
        note = (
            f"+{len(hidden)} more: {', '.join(hidden)}; a wider terminal or tabchat profile --json has them"
        )
        consoles.out.print(note, style="dim")
    size = f"{sanitise(table.name, glyphs)}: {profile.rows:,} rows × {profile.cols:,} columns"
    approximate = "" if profile.exact else f"{glyphs.separator}~ marks estimates"
    consoles.err.print(size + approximate, style="dim")


def _kind(item: ColumnProfile, glyphs: Glyphs) -> str:
    return item.kind.value if item.unit is None else sanitise(f"{item.kind.value}, {item.unit}", glyphs)


def _distinct(item: ColumnProfile) -> str:
    return f"{'' if item.distinct_is_exact else '~'}{item.distinct:,}"


def _bound(item: ColumnProfile, value: Value, glyphs: Glyphs) -> str:
    if item.kind is ColumnKind.TEXT or value is None:
        return ""
    return format_value(value, glyphs)


def _top(item: ColumnProfile, glyphs: Glyphs) -> str:
    shown = item.top_values[:TOP_SHOWN]
    parts = [f"{format_value(value, glyphs)} {count:,}" for value, count in shown]
    return glyphs.separator.join(parts)
