"""`/open`: a result, the rows behind it, or a whole table on the whole screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import ExitCode, UsageError
from tabchat.render.terminal.console import has_screen
from tabchat.repl.registry import Command
from tabchat.store import is_key
from tabchat.store.naming import is_short
from tabchat.tools.arguments import table_called

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell
    from tabchat.viewer.sheet import Sheet


def open_viewer(shell: Shell, argument: str) -> ExitCode:
    """Look at the last result, at a kept one or at a table; prints it where there is no screen to fill."""
    wanted = argument.strip()
    if not has_screen(shell.consoles):
        return _print(shell, wanted)
    from tabchat.viewer.opening import run_viewer

    run_viewer(shell.session, _sheet(shell, wanted), shell.consoles)
    return ExitCode.ANSWERED


def _sheet(shell: Shell, wanted: str) -> Sheet:
    from tabchat.viewer.opening import block_sheet, key_sheet, source_sheet, table_sheet

    if _is_result(shell, wanted):
        return key_sheet(shell.session, shell.session.key(wanted))
    if wanted == "source":
        return source_sheet(shell.require_block(), shell.source())
    if wanted or shell.last is None or shell.last.block is None:
        return table_sheet(shell.session, _table_name(shell, wanted))
    return block_sheet(shell.session, shell.require_block())


def _print(shell: Shell, wanted: str) -> ExitCode:
    if _is_result(shell, wanted):
        return shell.show(shell.session.show(wanted))
    if wanted == "source":
        return shell.show_source()
    if wanted or shell.last is None or shell.last.block is None:
        from tabchat.render.layout.table import TableView, render_table

        frame = shell.session.frame(_table_name(shell, wanted))
        render_table(shell.consoles, frame, TableView(limit=shell.rows))
        return ExitCode.ANSWERED
    return shell.again()


def _is_result(shell: Shell, wanted: str) -> bool:
    """Return whether a key is meant; a table that is open comes before what its name would begin."""
    return (is_key(wanted) or is_short(wanted)) and table_called(wanted, shell.session.tables) is None


def _table_name(shell: Shell, wanted: str) -> str | None:
    """Return the name of an open table, the current one when none is named."""
    try:
        return shell.session.table(wanted or None).name
    except UsageError as error:
        error.hint = f"/open KEY, /open source, /open TABLE; /load {wanted or 'FILE'} reads a file."
        raise


OPEN: Final = Command(
    name="open",
    arguments="[KEY]",
    summary="look at a result on the whole screen; also TABLE, source",
    run=open_viewer,
    takes=("key", "table", "source"),
)
