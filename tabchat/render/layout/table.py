"""A frame as a table that stays readable, and the plain statement of what of it is not shown."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import HELPER_PREFIX, ColumnKind
from tabchat.record import record
from tabchat.render.charts.bars import MAX_BAR_WIDTH, bars, is_drawable
from tabchat.render.commands import SHELL, short_key
from tabchat.render.layout.grid import GAP, GridColumn, draw, fit
from tabchat.render.layout.text import cut, pack, sanitise
from tabchat.render.layout.values import format_column

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Row, Schema
    from tabchat.render.commands import NextCommands
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles

MIN_BAR_COLUMN: Final = 12
"""Cells below which bars are not drawn beside a table."""
NAMES_SHOWN: Final = 4
"""Hidden columns that are named."""
WIDEST_LINE: Final = 2_000
"""Cells up to which a pager that scrolls sideways is proposed for a wide table."""

_RIGHT: Final = frozenset({ColumnKind.INTEGER, ColumnKind.NUMBER})
_ELASTIC: Final = frozenset({ColumnKind.TEXT, ColumnKind.OTHER})


@record
class TableView:
    """How a frame is shown."""

    limit: int = 50
    """Rows that are shown."""
    key: str | None = None
    """Data key of the result that the frame belongs to."""
    commands: NextCommands = SHELL
    is_source: bool = False
    """The frame holds the rows behind the result, not the result."""
    bars_of: str | None = None
    """Column that bars are drawn for when there is room beside the table."""
    line_of: str | None = None
    """Column of cumulative percentages that are marked among the bars."""
    columns: tuple[str, ...] = ()
    """Columns to show, all when empty."""
    telling: Callable[[], Collection[str]] = tuple
    """Asked where there is no room for all columns: those that say why these rows and in this order stay before others."""
    announce: bool = True
    """Say what is not shown."""


@record
class TableShown:
    """What reached the screen."""

    hidden_columns: tuple[str, ...]
    has_bars: bool


def grid_columns(schema: Schema, rows: Sequence[Row], glyphs: Glyphs) -> list[GridColumn]:
    """Return the visible columns of `rows` as inert text; the engine's own columns are left out."""
    visible = [index for index, column in enumerate(schema) if not column.name.startswith(HELPER_PREFIX)]
    return [
        GridColumn(
            header=sanitise(schema[index].name, glyphs),
            cells=format_column([row[index] for row in rows], glyphs),
            right=schema[index].kind in _RIGHT,
            elastic=schema[index].kind in _ELASTIC,
        )
        for index in visible
    ]


def render_table(consoles: Consoles, frame: Frame, view: TableView) -> TableShown:
    """Print the first rows of `frame` to stdout; says there what was left out, and how to see it."""
    glyphs = consoles.glyphs
    rows = frame.rows(view.limit)
    names = [column.name for column in frame.schema if not column.name.startswith(HELPER_PREFIX)]
    grid = grid_columns(frame.schema, rows, glyphs)
    if view.columns:
        grid = [grid[names.index(name)] for name in view.columns]
        names = list(view.columns)
    fitted = fit(grid, consoles.width)
    full_width, places = fitted.full_width, list(range(len(fitted.widths)))
    telling = view.telling() if fitted.hidden else ()
    if not {*telling} <= {*names[: len(places)]}:
        places = _with_telling(names, grid, telling, consoles.width)
        fitted = fit([grid[place] for place in places], consoles.width)
    shown, widths = [grid[place] for place in places], list(fitted.widths)
    room = min(consoles.width - fitted.total - GAP, MAX_BAR_WIDTH)
    beside = _bars_beside([names[place] for place in places], frame, rows, view, room, glyphs)
    if beside is not None:
        shown.append(beside)
        widths.append(room)
    draw(consoles.out, shown, widths, glyphs)
    hidden = tuple(name for place, name in enumerate(names) if place not in places)
    for parts in (
        () if not view.announce else _left_out(frame.row_count, len(rows), hidden, full_width, view, glyphs)
    ):
        for line in pack(parts, consoles.width, glyphs):
            consoles.out.print(line, style="dim")
    return TableShown(hidden_columns=hidden, has_bars=beside is not None)


def _with_telling(
    names: Sequence[str], grid: Sequence[GridColumn], telling: Collection[str], width: int
) -> list[int]:
    """Return the places of the first column, of those that tell, and of as many others as fit, as the table has them."""
    first = [place for place, name in enumerate(names) if place == 0 or name in telling]
    order = [*first, *(place for place in range(len(names)) if place not in first)]
    return sorted(order[: len(fit([grid[place] for place in order], width).widths)])


def _bars_beside(
    names: Sequence[str], frame: Frame, rows: Sequence[Row], view: TableView, room: int, glyphs: Glyphs
) -> GridColumn | None:
    """Return a column of bars, when one is wanted, its numbers are shown, and there is room for it."""
    if view.bars_of is None or view.bars_of not in names or room < MIN_BAR_COLUMN:
        return None
    values = [row[frame.columns.index(view.bars_of)] for row in rows]
    if not is_drawable(values):
        return None
    # Beside its own numbers a bar needs no name; past other columns it does.
    is_last = view.bars_of == names[-1]
    header = "" if is_last else cut(sanitise(view.bars_of, glyphs), room, glyphs)
    if view.line_of is not None:
        from tabchat.render.charts.bars import pareto_bars

        marked = [row[frame.columns.index(view.line_of)] for row in rows]
        return GridColumn(header=header, cells=pareto_bars(values, marked, room, glyphs), style="cyan")
    return GridColumn(header=header, cells=bars(values, room, glyphs), style="cyan")


def render_all_columns(consoles: Consoles, frame: Frame, view: TableView) -> None:
    """Print the first rows of `frame` with every column, in as many tables below each other as it takes."""
    names = tuple(column.name for column in frame.schema if not column.name.startswith(HELPER_PREFIX))
    while names:
        names = render_table(consoles, frame, replace(view, columns=names, announce=False)).hidden_columns
        if names:
            consoles.out.print()
    for parts in _left_out(frame.row_count, min(view.limit, frame.row_count), (), 0, view, consoles.glyphs):
        for line in pack(parts, consoles.width, consoles.glyphs):
            consoles.out.print(line, style="dim")


def _left_out(
    row_count: int, shown: int, hidden: Sequence[str], full_width: int, view: TableView, glyphs: Glyphs
) -> list[list[str]]:
    """Return one list of parts for each thing that is not shown: what it is, then the commands that show it."""
    if not row_count:
        return [["(no rows)"]]
    statements = []
    commands = view.commands
    if hidden:
        named = ", ".join(sanitise(name, glyphs) for name in hidden[:NAMES_SHOWN])
        more = f", {glyphs.ellipsis}" if len(hidden) > NAMES_SHOWN else ""
        plural = "" if len(hidden) == 1 else "s"
        parts = [f"+{len(hidden):,} more column{plural}: {named}{more}"]
        if view.key:
            template = commands.columns if full_width <= WIDEST_LINE else commands.export
            parts.append(template.format(key=short_key(view.key), width=full_width))
        statements.append(parts)
    if shown < row_count:
        parts = [f"{shown:,} of {row_count:,} rows shown"]
        if view.key:
            all_rows = commands.source_rows if view.is_source else commands.rows
            export = commands.export_source if view.is_source else commands.export
            key = short_key(view.key)
            parts += [template.format(key=key, rows=row_count) for template in (all_rows, export)]
        statements.append(parts)
    return [[part for part in parts if part] for parts in statements]
