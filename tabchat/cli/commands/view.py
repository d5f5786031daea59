"""`tabchat view`: a table or a kept result on the whole screen."""

from __future__ import annotations

import shlex
import sys
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import Annotated

import typer

from tabchat.cli.computing import opened
from tabchat.cli.options.groups import Output, Reading, Running
from tabchat.cli.options.typed import is_file
from tabchat.cli.present import Presenter
from tabchat.engine.reader.source.files import SUFFIXES
from tabchat.errors import DataKeyError
from tabchat.render.layout.table import TableView, render_table
from tabchat.render.terminal.console import has_screen
from tabchat.render.terminal.ending import Ending
from tabchat.session import Session
from tabchat.store import is_key
from tabchat.store.naming import NEWEST, is_short

_MAIN_SCREEN = "\x1b[?1049l\x1b[?25h"
"""Shows the main screen of a terminal, and the cursor on it."""


def view(
    target: Annotated[str, typer.Argument(metavar="FILE|KEY", help="A table, or the key of a result: ds_…")],
    reading: Reading,
    running: Running,
    rows: Annotated[
        int | None,
        typer.Option("--rows", "-n", min=0, help="Rows to print where the output is no terminal."),
    ] = None,
) -> None:
    """Look at a table or a kept result on the whole screen.

    Only the rows on the screen are fetched; ? lists the keys. Where the input or the output is no terminal, the
    first rows are printed.
    """
    output = Output(rows=rows)
    is_result = (is_key(target) or is_short(target)) and not is_file(target)
    presenting = Presenter(running, output)
    if looks := has_screen(presenting.consoles):
        # It loads while the engine starts and the file is opened.
        Thread(target=import_module, args=("tabchat.viewer.app",), daemon=True).start()
    with presenting as presenter, opened(presenter, [] if is_result else [target], reading) as session:
        presenter.loaded(session)
        key = _key(session, target) if is_result else ""
        if looks:
            from tabchat.viewer.opening import key_sheet, run_viewer, table_sheet

            sheet = key_sheet(session, key) if is_result else table_sheet(session)
            with Ending() as ending:
                run_viewer(session, sheet, presenter.consoles)
            if ending.name is not None:
                if sys.stdout.isatty():
                    # The signal may have come before the viewer could give the main screen back.
                    sys.stdout.write(_MAIN_SCREEN)
                    sys.stdout.flush()
                presenter.say(f"Ended by {ending.name}.")
            raise typer.Exit(ending.exit_code)
        if is_result:
            raise typer.Exit(presenter.computed(session, lambda: session.show(key)))
        render_table(presenter.consoles, session.frame(), TableView(limit=session.settings.rows))


def _key(session: Session, target: str) -> str:
    """Return the key that was typed; where there is none, the error says so of a file of that name, too."""
    try:
        return session.key(target)
    except DataKeyError as error:
        if target == NEWEST:
            raise
        message = f"{error.message.removesuffix('.')}, and there is no file {target!r}."
        raise DataKeyError(message, hint=_other_files(target) or error.hint) from error


def _other_files(target: str) -> str | None:
    """Return the commands that look at the tables whose names are `target` but for their endings."""
    try:
        names = sorted(path.name for path in Path.cwd().iterdir() if path.name.startswith(f"{target}."))
    except OSError:
        return None
    tables = [name for name in names if Path(name).suffix.lower() in SUFFIXES][:3]
    return " or: ".join(f"tabchat view {shlex.quote(name)}" for name in tables) or None
