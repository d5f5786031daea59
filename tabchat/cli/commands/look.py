"""`tabchat profile`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import opened
from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Reading, Running
from tabchat.cli.present import Presenter
from tabchat.render.layout.text import sanitise
from tabchat.render.profile import render_profile, render_summary
from tabchat.render.terminal.pager import paged

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue


def profile(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to profile.")],
    reading: Reading,
    running: Running,
    json: Json = False,
    table: Annotated[bool, typer.Option("--table", help="Print a table instead of a summary.")] = False,
    preview: Annotated[bool, typer.Option("--preview", help="Also print the first 5 rows.")] = False,
) -> None:
    """Describe every column of a table. Also says what reading it inferred or repaired."""
    with Presenter(running, Output(json=json)) as presenter, opened(presenter, files, reading) as session:
        found: list[JsonValue] = []
        is_several = len(session.tables) > 1
        for place, listed in enumerate(session.tables.values()):
            with presenter.working("profiling"):
                described = session.profile(listed.name, spreads=True)
            if json:
                found.append({"table": listed.name, **described.to_json(), "load": listed.report.to_json()})
                continue
            presenter.reported(listed)
            with paged(presenter.consoles, wanted=session.settings.pager):
                if is_several:
                    if place:
                        presenter.consoles.out.print()
                    whose = f"{listed.name}: {listed.source}"
                    presenter.consoles.out.print(sanitise(whose, presenter.consoles.glyphs))
                if table:
                    render_profile(presenter.consoles, described, listed)
                else:
                    render_summary(presenter.consoles, described, preview=preview)
        if json:
            presenter.json({"ok": True, "tables": found})
