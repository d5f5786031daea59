"""`tabchat view`: a table or a kept result on the whole screen."""

from __future__ import annotations

from importlib import import_module
from threading import Thread
from typing import Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.cli.typed import is_file
from tabchat.render.console import has_screen
from tabchat.render.table import TableView, render_table
from tabchat.session import Session
from tabchat.store import is_key
from tabchat.store.naming import is_short


@expanded
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
    with (
        presenting as presenter,
        Session.open(
            [] if is_result else [target],
            settings=presenter.settings(),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)
        if looks:
            from tabchat.viewer.opening import key_sheet, run_viewer, table_sheet

            sheet = key_sheet(session, session.key(target)) if is_result else table_sheet(session)
            run_viewer(session, sheet, presenter.consoles)
        elif is_result:
            raise typer.Exit(presenter.computed(session, lambda: session.show(target)))
        else:
            render_table(presenter.consoles, session.frame(), TableView(limit=session.settings.rows))
