"""`tabchat profile`, `tabchat repl` and `tabchat config`."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Annotated

import typer

from tabchat.cli.groups import Asking, Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.cli.recent import recent_file
from tabchat.config import config_files
from tabchat.render.pager import paged
from tabchat.render.profile import render_profile
from tabchat.session import Session


@expanded
def profile(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to profile.")],
    reading: Reading,
    running: Running,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a table.")] = False,
    table: Annotated[bool, typer.Option("--table", help="Print a table instead of a summary.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Also print the first 5 rows.")] = False,
) -> None:
    """Describe every column of a table. Also says what reading it inferred or repaired."""
    with (
        Presenter(running, Output(json=json)) as presenter,
        Session.open(
            files,
            settings=presenter.settings(),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        for opened in session.tables.values():
            with presenter.working("profiling"):
                described = session.profile(opened.name)
            if json:
                presenter.json({"table": opened.name, **described.to_json(), "load": opened.report.to_json()})
                continue
            presenter.reported(opened)
            with paged(presenter.consoles, wanted=session.settings.pager):
                if table:
                    render_profile(presenter.consoles, described, opened)
                else:
                    presenter.text(described.to_text(preview=preview, whole=True))


@expanded
def repl(
    reading: Reading,
    running: Running,
    asking: Asking,
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...", help="The tables to talk to; without one, recent ones are offered."
        ),
    ] = None,
) -> None:
    """Talk to tables: ask, look, follow up, export."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open(
            files or [recent_file(presenter)],
            settings=asking.settings(presenter.say, running.flags()),
            options=reading.options(),
            progress=presenter.progress(),
            talks=True,
        ) as session,
    ):
        presenter.loaded(session, listing="/notes")
        # Of large files that are read where they lie, more is known for questions that come later.
        session.store_in_background()
        from tabchat.repl import run_repl

        raise typer.Exit(run_repl(session, presenter.consoles))


@expanded
def config(running: Running) -> None:
    """Print every setting and its value. Also says which files settings are read from."""
    with Presenter(running, Output()) as presenter:
        settings = presenter.settings()
        presenter.lines({item.name: str(getattr(settings, item.name)) for item in fields(settings)})
        files = config_files(Path.cwd())
        presenter.say(f"Read from: {', '.join(map(str, files)) or 'no file'}.")
