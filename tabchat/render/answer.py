"""An answer on the two streams: stdout gets the sentence, the table and the bars; stderr says how it came about."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, assert_never

from tabchat.chat.events import Asking, DataReady, Done, Failed, Rewriting, TextDelta, ToolEnd, ToolStart
from tabchat.engine.result import ResultKind
from tabchat.errors import TabchatError, UsageError
from tabchat.record import record
from tabchat.render.chart import draw_chart, is_drawable
from tabchat.render.commands import SHELL
from tabchat.render.grid import GridColumn, draw, fit
from tabchat.render.table import TableView, render_table
from tabchat.render.text import pack, sanitise, sanitise_lines
from tabchat.render.values import format_value

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.chat.answer import Answer, DataBlock
    from tabchat.chat.events import Event
    from tabchat.engine.result import Frame, Result
    from tabchat.engine.types import Value
    from tabchat.render.commands import NextCommands
    from tabchat.render.console import Consoles
    from tabchat.render.text import Glyphs


@record
class AnswerView:
    """How answers are shown."""

    rows: int = 50
    """Rows of a table that are shown."""
    source: bool = False
    """Show the rows behind the result instead of the result."""
    verbose: bool = False
    """Also say which tools ran, with what, for how long."""
    quiet: bool = False
    """Say nothing on stderr."""
    commands: NextCommands = SHELL
    columns: tuple[str, ...] = ()
    """Columns of a table to show; all that fit when empty."""


def render_events(consoles: Consoles, events: Iterable[Event], view: AnswerView) -> Answer:
    """Show a turn as it happens and return its answer; a failure is in `Answer.error`, for the caller to report.

    A model's text waits for the end of the turn: its figures are checked first.
    """
    for event in events:
        match event:
            case ToolStart() | ToolEnd():
                if view.verbose and not view.quiet:
                    _narrate_tool(consoles, event)
            case Done() | Failed():
                render_answer(consoles, event.answer, view)
                return event.answer
            case Asking() | TextDelta() | DataReady() | Rewriting():
                continue
            case _:
                assert_never(event)
    message = "The turn ended without an answer."
    raise TabchatError(message)


def render_answer(
    consoles: Consoles, answer: Answer, view: AnswerView, *, source: Frame | None = None
) -> None:
    """Show an answer.

    `source` is the frame of the rows behind a kept result, for `view.source`;
    without it the result's own is used. Raises `UsageError` when there is none.
    """
    if not view.quiet:
        _narrate_before(consoles, answer)
    block = answer.block
    if view.source and block is not None:
        if answer.text and not view.quiet:
            _say(consoles, _marked_text(answer, consoles.glyphs))
        _render_source(consoles, block, source or block.result.source, view)
        return
    if answer.text:
        consoles.out.print(_marked_text(answer, consoles.glyphs))
    if block is None:
        return
    if answer.text and block.result.kind is not ResultKind.SCALAR:
        consoles.out.print()
    _render_result(consoles, block, view, has_text=bool(answer.text))
    if not view.quiet:
        _narrate_after(consoles, block, view)


def _render_result(consoles: Consoles, block: DataBlock, view: AnswerView, *, has_text: bool) -> None:
    result = block.result
    match result.kind:
        case ResultKind.SCALAR:
            if not has_text:
                name = sanitise(result.frame.columns[0], consoles.glyphs)
                consoles.out.print(f"{name}: {_scalar_text(result.value, result, consoles.glyphs)}")
        case ResultKind.DICT:
            _render_values(consoles, result)
        case ResultKind.TABLE | ResultKind.GROUPED:
            _render_frame(consoles, block, view)
        case _:
            assert_never(result.kind)


def _scalar_text(value: Value, result: Result, glyphs: Glyphs) -> str:
    if value is not None:
        return format_value(value, glyphs)
    return "no rows" if result.source_row_count == 0 else "no values"


def _render_values(consoles: Consoles, result: Result) -> None:
    glyphs = consoles.glyphs
    names = GridColumn(header="", cells=[sanitise(name, glyphs) for name in result.values], elastic=True)
    cells = [_scalar_text(value, result, glyphs) for value in result.values.values()]
    values = GridColumn(header="", cells=cells, right=True)
    draw(consoles.out, [names, values], fit([names, values], consoles.width).widths, glyphs, header=False)


def _render_frame(consoles: Consoles, block: DataBlock, view: AnswerView) -> None:
    chart = block.result.chart
    shown = render_table(
        consoles,
        block.result.frame,
        TableView(
            limit=view.rows,
            key=block.data_key,
            commands=view.commands,
            bars_of=chart.value if chart else None,
            columns=view.columns,
        ),
    )
    if chart and not shown.has_bars and view.rows and not view.columns:
        render_chart(consoles, block.result)


def render_chart(consoles: Consoles, result: Result) -> bool:
    """Print the bars of a grouped result; returns whether it has any to draw, and there was room."""
    if result.chart is None:
        return False
    names = result.frame.columns
    rows = result.frame.rows()
    value = names.index(result.chart.value)
    labels = [names.index(name) for name in result.group_by or (result.chart.category,) if name in names]
    values = [row[value] for row in rows]
    if not is_drawable(values):
        return False
    return draw_chart(
        consoles,
        [tuple(row[label] for label in labels) for row in rows],
        values,
        title=sanitise(result.chart.value, consoles.glyphs),
    )


def _render_source(consoles: Consoles, block: DataBlock, source: Frame | None, view: AnswerView) -> None:
    if source is None:
        message = "This result has no separate source rows: it is a table of its own."
        raise UsageError(message, hint="Show the result itself, without --source.")
    table_view = TableView(
        limit=view.rows, key=block.data_key, commands=view.commands, is_source=True, columns=view.columns
    )
    render_table(consoles, source, table_view)
    if not view.quiet:
        parts = [f"{_counted(source.row_count, 'source row')} behind {block.data_key or 'the result'}"]
        if block.data_key and source.row_count <= view.rows:
            parts.append(view.commands.export_source.format(key=block.data_key))
        _say(consoles, *pack(parts, consoles.width, consoles.glyphs))


# Narration


def _narrate_tool(consoles: Consoles, event: ToolStart | ToolEnd) -> None:
    glyphs = consoles.glyphs
    if isinstance(event, ToolStart):
        given = json.dumps(dict(event.input), ensure_ascii=False)
        _say(consoles, sanitise(f"{event.tool} {given}", glyphs))
    else:
        outcome = f" failed: {event.error}" if event.error else ""
        _say(consoles, sanitise(f"{event.tool} took {event.duration_ms:.0f} ms{outcome}", glyphs))


def _narrate_before(consoles: Consoles, answer: Answer) -> None:
    glyphs = consoles.glyphs
    if answer.interpretation:
        _say(consoles, f"read as: {sanitise(answer.interpretation, glyphs)}")
    if answer.block:
        for note in answer.block.result.metadata.notes:
            _say(consoles, f"note: {sanitise(note, glyphs)}")
    for warning in answer.warnings:
        consoles.err.print(f"warning: {sanitise(warning, glyphs)}", style="yellow")


def _narrate_after(consoles: Consoles, block: DataBlock, view: AnswerView) -> None:
    parts = [describe_size(block.result)]
    if block.data_key:
        parts.append(f"key {block.data_key}")
        if not _is_cut(block.result, view):
            parts.append(view.commands.export.format(key=block.data_key))
        if block.result.source_row_count and block.result.source is not None:
            parts.append(view.commands.source.format(key=block.data_key))
    _say(consoles, *pack(parts, consoles.width, consoles.glyphs))


def _is_cut(result: Result, view: AnswerView) -> bool:
    """Return whether rows were left out of the table: the line below it has said how to export them then."""
    has_table = result.kind in {ResultKind.TABLE, ResultKind.GROUPED}
    return has_table and result.frame.row_count > view.rows


def describe_size(result: Result) -> str:
    """Return how much there is, and how many rows it came from: `5 groups from 5,000 rows`."""
    match result.kind:
        case ResultKind.SCALAR | ResultKind.DICT:
            size = ""
        case ResultKind.GROUPED:
            size = _counted(result.frame.row_count, "group")
        case ResultKind.TABLE:
            size = _counted(result.frame.row_count, "row")
        case _:
            assert_never(result.kind)
    source = result.source_row_count
    if source is None:
        return size or "1 value"
    return f"{size} from {_counted(source, 'row')}".lstrip()


def _counted(count: int, noun: str) -> str:
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def _say(consoles: Consoles, *lines: str) -> None:
    for line in lines:
        consoles.err.print(line, style="dim")


def _marked_text(answer: Answer, glyphs: Glyphs) -> str:
    """Return the text of an answer, each figure that no result backs marked where it stands."""
    text = sanitise_lines(answer.text, glyphs)
    doubtful = {
        sanitise(claim.text, glyphs) for claim in answer.verification.claims if claim.status == "unverified"
    }
    if not doubtful:
        return text
    figures = "|".join(re.escape(figure) for figure in sorted(doubtful, key=len, reverse=True))
    return re.sub(rf"(?<![\w.,])(?:{figures})(?!\w)", r"\g<0> [unverified]", text)
