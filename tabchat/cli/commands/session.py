"""`tabchat session`: the kept conversations of the REPL."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import without_tables
from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.errors import DeclinedError, UsageError
from tabchat.render.mutation import agrees, can_ask
from tabchat.render.terminal.pager import paged
from tabchat.session import Session
from tabchat.store.naming import NEWEST

if TYPE_CHECKING:
    from tabchat.journal.folder import SessionFolder
    from tabchat.journal.kept import KeptSession

session = typer.Typer(help="The kept conversations of the REPL.", rich_markup_mode=None)

_ID = typer.Argument(
    metavar="[ID]", help="A session, by the beginning of its id; the newest when absent, as for _."
)


def _folder_of(opened: Session) -> SessionFolder:
    """Return the kept sessions of the person."""
    from tabchat.journal.folder import SessionFolder

    return SessionFolder(opened)


@session.command("list")
@expanded
def list_sessions(running: Running, json: Json = False) -> None:
    """List the sessions that are kept, newest first."""
    from tabchat.journal.listing import render_sessions, session_listing

    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as opened:
        kept = _folder_of(opened).list()
        if json:
            presenter.json_list("sessions", (session_listing(item) for item in kept))
        else:
            with paged(presenter.consoles, wanted=opened.settings.pager):
                render_sessions(presenter.consoles, kept)


@session.command("show")
@expanded
def show(running: Running, name: Annotated[str, _ID] = NEWEST, json: Json = False) -> None:
    """Show the turns of a session: what was asked, how it was read, the answer and its key."""
    from tabchat.journal.listing import render_session, session_listing

    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as opened:
        kept = _folder_of(opened).get(name)
        if json:
            presenter.json({"ok": True, "session": session_listing(kept, turns=True)})
        else:
            with paged(presenter.consoles, wanted=opened.settings.pager):
                render_session(presenter.consoles, kept)


@session.command("delete")
@expanded
def delete(
    running: Running,
    names: Annotated[
        list[str], typer.Argument(metavar="ID...", help="Sessions, by the beginning of their ids.")
    ],
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    json: Json = False,
) -> None:
    """Delete sessions, once you agree. Their results and files stay."""
    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as opened:
        folder = _folder_of(opened)
        found = [folder.get(name) for name in names]
        if not yes:
            _confirm(presenter, found)
        chosen = {item.id: item for item in found}
        for kept in chosen.values():
            folder.delete(kept)
            presenter.say(f"Session {kept.name} deleted.")
        if json:
            presenter.json({"ok": True, "deleted": [*chosen]})


@session.command("export")
@expanded
def export(
    running: Running,
    name: Annotated[str, _ID] = NEWEST,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The file to write; - or nothing for stdout.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's own name
        str | None, typer.Option("--format", help="md, html or py; else from the file's name.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    json: Annotated[
        bool, typer.Option("--json", help="With -o: print one JSON object that says what was written.")
    ] = False,
) -> None:
    """Write a session as a report: Markdown, which tabchat test repeats, a page of HTML, or a Python program."""
    from tabchat.export.target import check_target
    from tabchat.journal.document.export import report_format, write_report

    target = None if output in {None, "-"} else Path(str(output))
    if json and target is None:
        message = "--json says what was written to a file, and the report goes to stdout."
        raise UsageError(message, hint="Add -o FILE.")
    fmt = report_format(format, target)
    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as opened:
        kept = _folder_of(opened).get(name)
        if target is not None:
            check_target(target, force=force, protected=kept.files)
        with presenter.working("writing"):
            parts = write_report(
                opened,
                kept,
                target or sys.stdout.buffer,
                fmt,
                folder=target.absolute().parent if target is not None else None,
                force=force,
            )
        for section in parts.sections:
            if section.untold is not None:
                presenter.say(f"not repeated: {section.turn.asked or section.turn.entry}: {section.untold}")
        where = "stdout" if target is None else str(target)
        presenter.say(f"Session {kept.name} written to {where}.")
        if json:
            untold = [section.turn.entry for section in parts.sections if section.untold is not None]
            presenter.json({"ok": True, "session": kept.id, "output": where, "not_repeated": untold})


def _confirm(presenter: Presenter, found: list[KeptSession]) -> None:
    held = ", ".join(f"session {kept.name}" for kept in found)
    if not can_ask():
        message = f"Nothing was deleted: nobody can be asked about {held}."
        raise DeclinedError(message, hint="Add --yes to delete without being asked.")
    if not agrees(presenter.consoles, f"Delete {held}?"):
        raise DeclinedError("Nothing was deleted.", hint="tabchat session list says what there is.")
