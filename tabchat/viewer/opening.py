"""From a table, a kept result or an answer to its sheet, and from a row of a result to the rows behind it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.result.result import ResultKind
from tabchat.errors import UsageError
from tabchat.render.layout.text import cut
from tabchat.viewer.arranged import arrange
from tabchat.viewer.filters import same_as
from tabchat.viewer.ground import ground_of
from tabchat.viewer.sheet import Sheet

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.chat.turn.answer import DataBlock
    from tabchat.engine.result.result import Frame, Result
    from tabchat.engine.types import Value
    from tabchat.render.terminal.console import Consoles
    from tabchat.session import Session
    from tabchat.viewer.sheet import Behind

_TITLE_WIDTH: Final = 12
"""Cells of a key in a title: its beginning tells it from others."""


def table_sheet(session: Session, name: str | None = None) -> Sheet:
    """Return the sheet of a whole table, the current one by default."""
    table = session.table(name)
    return Sheet(title=table.name, ground=ground_of(session.frame(name)), is_table=not table.edits)


def key_sheet(session: Session, key: str) -> Sheet:
    """Return the sheet of a kept result; raises `DataKeyError`."""
    result = session.result(key)
    return replace(_result_sheet(result, key, lambda: session.source(key)), data_key=key)


def block_sheet(session: Session, block: DataBlock) -> Sheet:
    """Return the sheet of a result that was just shown."""
    if block.data_key is not None:
        return key_sheet(session, block.data_key)
    return _result_sheet(block.result, "result", lambda: block.result.source)


def source_sheet(block: DataBlock, source: Frame | None) -> Sheet:
    """Return the sheet of the rows behind a result; raises `UsageError` when it is a table of its own."""
    title = block.data_key or "the result"
    if source is None:
        raise _no_source(title)
    return Sheet(
        title=f"rows behind {cut(title, _TITLE_WIDTH)}", ground=ground_of(source), data_key=block.data_key
    )


def _no_source(title: str) -> UsageError:
    message = f"{title} has no separate source rows: it is a table of its own."
    return UsageError(message, hint="Look at the result itself: /open.")


def _result_sheet(result: Result, title: str, source: Callable[[], Frame | None]) -> Sheet:
    has_source = bool(result.source_row_count)
    return Sheet(
        title=title,
        ground=ground_of(result.frame),
        behind=_rows_behind(result, title, source) if has_source else None,
    )


def _rows_behind(result: Result, title: str, source: Callable[[], Frame | None]) -> Behind:
    """Return the way from a row of a result: to the rows of its group, or to all rows where it is no group."""

    def behind(cells: Mapping[str, Value]) -> Sheet:
        frame = source()
        if frame is None:
            raise _no_source(title)
        ground = ground_of(frame)
        by_name = {column.name: column for column in ground.schema}
        keys = result.group_by if result.kind is ResultKind.GROUPED else ()
        if not all(name in by_name and name in cells for name in keys):
            keys = ()
        filters = tuple(same_as(by_name[name], cells[name]) for name in keys)
        return Sheet(
            title=f"rows behind {cut(title, _TITLE_WIDTH)}", ground=ground, arranged=arrange(ground, filters)
        )

    return behind


def run_viewer(session: Session, sheet: Sheet, consoles: Consoles) -> None:
    """Show a sheet on the whole screen until the person leaves."""
    from tabchat.viewer.app import ViewerApp
    from tabchat.viewer.viewer import Viewer

    viewer = Viewer.of(sheet, glyphs=consoles.glyphs, protected=session.protected(sheet.data_key))
    ViewerApp(viewer, session.cancel).run()
