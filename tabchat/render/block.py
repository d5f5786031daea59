"""One result on the two streams: its table, value or bars on stdout, its size and key on stderr."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, assert_never

from tabchat.engine.chart.chart import ChartKind
from tabchat.engine.chart.picture import MOST_BARS, default_kind, picture_of
from tabchat.engine.result.result import ResultKind
from tabchat.engine.result.units import units_told, with_unit
from tabchat.errors import UsageError
from tabchat.render.charts.bars import draw_chart, is_drawable
from tabchat.render.commands import short_key
from tabchat.render.layout.grid import GridColumn, draw, fit
from tabchat.render.layout.table import TableView, render_table
from tabchat.render.layout.text import pack, sanitise, sanitise_lines
from tabchat.render.layout.values import format_value
from tabchat.render.terminal.pager import left_on_screen

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from tabchat.chat.turn.answer import DataBlock
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Row, Value
    from tabchat.render.layout.text import Glyphs
    from tabchat.render.terminal.console import Consoles
    from tabchat.render.terminal.inline import Inline
    from tabchat.render.view import AnswerView


def render_result(consoles: Consoles, block: DataBlock, view: AnswerView, *, has_text: bool) -> None:
    """Print a result; a single value is left out where a sentence gives it already (`has_text`)."""
    result = block.result
    if block.printed:
        consoles.say("printed:", *sanitise_lines(block.printed, consoles.glyphs).splitlines())
    match result.kind:
        case ResultKind.SCALAR:
            if not has_text:
                name = sanitise(result.frame.columns[0], consoles.glyphs)
                if isinstance(result.value, str) and "\n" in result.value:
                    # Such as the summary of a fitted model: its lines are its form.
                    lines = sanitise_lines(result.value, consoles.glyphs)
                    consoles.out.print(f"{name}:\n{lines}")
                else:
                    consoles.out.print(f"{name}: {_scalar_text(result.value, result, consoles.glyphs)}")
        case ResultKind.DICT:
            _render_values(consoles, result)
        case ResultKind.TABLE | ResultKind.GROUPED:
            _render_frame(consoles, block, view)
        case _:
            assert_never(result.kind)


def _scalar_text(value: Value, result: Result, glyphs: Glyphs) -> str:
    if value is not None:
        text = format_value(value, glyphs)
        measures = result.kind is ResultKind.SCALAR and result.frame.schema[0].kind.is_numeric
        unit = result.frame.schema[0].unit if measures else None
        return with_unit(text, sanitise(unit, glyphs) if unit is not None else None)
    return "no rows" if result.source_row_count == 0 else "no values"


def _render_values(consoles: Consoles, result: Result) -> None:
    glyphs = consoles.glyphs
    names = GridColumn(header="", cells=[sanitise(name, glyphs) for name in result.values], elastic=True)
    cells = [_scalar_text(value, result, glyphs) for value in result.values.values()]
    values = GridColumn(header="", cells=cells, right=True)
    draw(consoles.out, [names, values], fit([names, values], consoles.width).widths, glyphs, header=False)


def _render_frame(consoles: Consoles, block: DataBlock, view: AnswerView) -> None:
    result, chart = block.result, block.result.chart
    draws = bool((view.rows or view.chart) and not view.columns)
    kind = view.chart or default_kind(result)
    # Bars stand beside their numbers where there is room; of a Pareto and a control chart, so does the rest.
    beside = chart is not None and (kind is ChartKind.BAR or (view.chart is None and chart.kind == "pareto"))
    shown = render_table(
        consoles,
        result.frame,
        TableView(
            limit=view.rows,
            key=block.data_key,
            commands=view.commands,
            bars_of=chart.value if chart and beside else None,
            line_of=chart.line if chart and beside and chart.kind == "pareto" else None,
            columns=view.columns,
            # Columns that a person chose stand in that order.
            telling=tuple if view.columns else partial(_telling_columns, result),
        ),
    )
    if not draws or shown.has_bars:
        return
    try:
        with left_on_screen(consoles):
            drawn = render_chart(consoles, result, view.chart, view.inline)
        if not drawn and view.chart not in {None, ChartKind.NONE}:
            consoles.say("note: there is no room for the chart, or too little in it to draw.")
    except UsageError as error:
        told = " ".join(sanitise(part, consoles.glyphs) for part in (error.message, error.hint) if part)
        consoles.prose(consoles.err, f"note: {told}", style="dim", hang=2)


def _telling_columns(result: Result) -> tuple[str, ...]:
    """Return the columns that the rows of a table were computed, sorted or compared by."""
    if result.kind is not ResultKind.TABLE:
        return ()
    last = result.plan or {}
    match last.get("steps"):
        case [*_, dict(last)]:
            pass
    where = last.get("where")
    if not isinstance(where, str):
        return result.focus
    from tabchat.engine.plan.expressions import compared_columns

    compared = {name.casefold() for name in compared_columns(where)}
    return (*result.focus, *(name for name in result.frame.columns if name.casefold() in compared))


def render_chart(
    consoles: Consoles, result: Result, kind: ChartKind | None = None, inline: Inline | None = None
) -> bool:
    """Print the chart of a result, of the kind that fits it or of this one; returns whether there was room.

    `inline` shows it as a picture, unless it is one of those that only characters have.
    Without a kind nothing is drawn of a result that is no chart by itself; with one, raises `UsageError` that says
    which columns the result lacks for it.
    """
    if kind is ChartKind.NONE or (kind is None and result.chart is None):
        return False
    if kind is None and result.chart is not None and result.chart.kind == "control":
        from tabchat.render.charts.control import draw_control_chart

        return draw_control_chart(consoles, result)
    chosen = kind or default_kind(result)
    if chosen not in {ChartKind.BAR, ChartKind.NONE}:
        from tabchat.render.charts.plot import draw_picture

        picture = picture_of(result, chosen)
        return (inline is not None and inline.show(consoles, picture)) or draw_picture(consoles, picture)
    if inline is not None and _has_bars(result) and inline.show(consoles, picture_of(result, ChartKind.BAR)):
        return True
    return _render_bars(consoles, result)


def _has_bars(result: Result) -> bool:
    """Return whether a result is bars by itself, and nothing beside them."""
    if result.chart is None or result.chart.kind != "bars":
        return False
    place = result.frame.columns.index(result.chart.value)
    return is_drawable([row[place] for row in result.frame.rows(MOST_BARS)])


def _render_bars(consoles: Consoles, result: Result) -> bool:
    if result.chart is None:
        picture = picture_of(result, ChartKind.BAR)
        labels: list[Row] = [(label,) for label, _ in picture.points]
        values: list[Value] = [value for _, value in picture.points]
        title = picture.y
    else:
        names = result.frame.columns
        rows = result.frame.rows()
        places = [names.index(name) for name in result.group_by or (result.chart.category,) if name in names]
        labels = [tuple(row[place] for place in places) for row in rows]
        values = [row[names.index(result.chart.value)] for row in rows]
        title = result.chart.value
    if not is_drawable(values):
        return False
    title = sanitise(title, consoles.glyphs)
    return draw_chart(consoles, labels, values, title=title, total=result.frame.row_count)


def render_source(consoles: Consoles, block: DataBlock, source: Frame | None, view: AnswerView) -> None:
    """Print the rows behind a result; raises `UsageError` when it is a table of its own."""
    if source is None:
        message = "This result has no separate source rows: it is a table of its own."
        raise UsageError(message, hint="Show the result itself, without --source.")
    table_view = TableView(
        limit=view.rows, key=block.data_key, commands=view.commands, is_source=True, columns=view.columns
    )
    render_table(consoles, source, table_view)
    if not view.quiet:
        key = f"{short_key(block.data_key)}{consoles.glyphs.ellipsis}" if block.data_key else "the result"
        consoles.say(f"{counted(source.row_count, 'source row')} behind {key}")


def narrate_result(consoles: Consoles, block: DataBlock) -> None:
    """Say how much there is, from how many rows, the key, and the units of the figures that a table shows bare."""
    told = [describe_size(block.result)]
    if block.data_key:
        told.append(f"{short_key(block.data_key)}{consoles.glyphs.ellipsis}")
    if block.result.kind is not ResultKind.SCALAR:
        told += [sanitise(unit, consoles.glyphs) for unit in units_told(block.result.frame.schema)]
    consoles.say(*pack(told, consoles.width, consoles.glyphs))


def narrate_notes(consoles: Consoles, block: DataBlock) -> None:
    """Say which rules were applied, such as the dates that `last_month` stood for."""
    for note in block.result.metadata.notes:
        told = f"note: {sanitise(note, consoles.glyphs)}"
        consoles.prose(consoles.err, told, style="dim", hang=2)


def describe_size(result: Result) -> str:
    """Return how much there is, and how many rows it came from: `5 groups from 4,851 of 5,000 rows`."""
    match result.kind:
        case ResultKind.SCALAR | ResultKind.DICT:
            size = ""
        case ResultKind.GROUPED:
            shown, groups = result.frame.row_count, result.metadata.groups
            whole = groups is None or groups == shown
            size = counted(shown, "group") if whole else f"{shown:,} of {counted(groups or 0, 'group')}"
        case ResultKind.TABLE:
            size = counted(result.frame.row_count, "row")
        case _:
            assert_never(result.kind)
    behind = describe_source(result)
    return f"{size} {behind}".lstrip() if behind else size or counted(max(1, len(result.values)), "value")


def describe_source(result: Result) -> str:
    """Return how many rows a result came from, those without a value told: `from 4,851 of 5,000 rows`, or nothing."""
    source, used = result.source_row_count, result.metadata.used_rows
    if source is None:
        return ""
    rows = counted(source, "row")
    return f"from {rows}" if used is None or used == source else f"from {used:,} of {rows}"


def counted(count: int, noun: str, nouns: str | None = None) -> str:
    """Return a count with its noun: `1 row`, `5,000 rows`, and with `nouns` `2 entries`."""
    return f"{count:,} {noun if count == 1 else nouns or noun + 's'}"


def narrate_written(consoles: Consoles, rows: int, target: Path | None, warnings: Iterable[str]) -> None:
    """Say how many rows were written to `target`, or to stdout, and what was lost on the way."""
    for warning in warnings:
        told = f"warning: {sanitise(warning, consoles.glyphs)}"
        consoles.prose(consoles.err, told, style="yellow", hang=2)
    place = "stdout" if target is None else sanitise(str(target), consoles.glyphs)
    consoles.say(f"{counted(rows, 'row')} written to {place}.")
