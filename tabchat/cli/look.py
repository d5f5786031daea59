"""`tabchat profile`, `tabchat repl` and `tabchat config`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.config import config_files, load_settings
from tabchat.session import Session


@expanded
def profile(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to profile.")],
    reading: Reading,
    running: Running,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a table.")] = False,
) -> None:
    """Describe every column of a table, and what reading it inferred or repaired."""
    with (
        Presenter(running, Output(json=json)) as presenter,
        Session.open(
            files,
            settings=load_settings(running.flags()),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)
        for name, table in session.tables.items():
            described = session.profile(name)
            if json:
                presenter.json({"table": name, **described.to_json(), "load": table.report.to_json()})
            else:
                from tabchat.render.profile import render_profile

                render_profile(presenter.consoles, described, table)


@expanded
def repl(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to talk to.")],
    reading: Reading,
    running: Running,
) -> None:
    """Talk to tables: ask, look, follow up, export."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open(
            files,
            settings=load_settings(running.flags()),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)
        from tabchat.repl import run_repl

        raise typer.Exit(run_repl(session, presenter.consoles))


@expanded
def config(running: Running) -> None:
    """Print every setting, its value and the files that settings are read from."""
    with Presenter(running, Output()) as presenter:
        settings = load_settings(running.flags())
        presenter.lines({item.name: str(getattr(settings, item.name)) for item in fields(settings)})
        files = config_files(Path.cwd())
        presenter.say(f"Read from: {', '.join(map(str, files)) or 'no file'}.")
