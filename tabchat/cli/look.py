"""`tabchat profile`, `tabchat repl` and `tabchat config`."""

from __future__ import annotations

from typing import Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.config import load_settings
from tabchat.session import Session


@expanded
def profile(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to profile.")],
    reading: Reading,
    running: Running,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a table.")] = False,
) -> None:
    """Describe every column of a table, and what reading it inferred or repaired."""
    presenter = Presenter(running, Output(json=json))
    with Session.open(
        files,
        settings=load_settings(running.flags()),
        options=reading.options(),
        progress=presenter.progress(),
    ) as session:
        for name in session.tables:
            presenter.profile(session.tables[name], session.profile(name))


@expanded
def repl(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to talk to.")],
    reading: Reading,
    running: Running,
) -> None:
    """Talk to tables: ask, look, follow up, export."""
    presenter = Presenter(running, Output())
    with Session.open(
        files,
        settings=load_settings(running.flags()),
        options=reading.options(),
        progress=presenter.progress(),
    ) as session:
        presenter.loaded(session)
        from tabchat.repl import run_repl

        raise typer.Exit(run_repl(session, presenter.consoles))


@expanded
def config(running: Running) -> None:
    """Print every setting, its value and where settings are read from."""
    Presenter(running, Output()).settings(load_settings(running.flags()))
