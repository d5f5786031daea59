"""`tabchat repl`: a conversation, begun or gone on with."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.options.groups import Asking, Output, Reading, Running
from tabchat.cli.options.typed import STDIN
from tabchat.cli.present import Presenter
from tabchat.cli.recent import recent_file
from tabchat.engine.table import ReadOptions
from tabchat.errors import UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    from tabchat.config import Settings
    from tabchat.journal.journal import Journal


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
    goes_on: Annotated[
        bool,
        typer.Option(
            "--continue", "-c", help="Go on with the newest conversation, with FILE the newest about it."
        ),
    ] = False,
    session_id: Annotated[
        str | None,
        typer.Option("--session", help="Go on with this one (tabchat session list).", metavar="ID"),
    ] = None,
) -> None:
    """Talk to tables: ask, look, follow up, export. Each turn is kept, so that a later run can go on."""
    from tabchat.repl import run_repl

    with Presenter(running, Output()) as presenter, ExitStack() as stack:
        settings = asking.settings(presenter.say, running.flags())
        if goes_on or session_id is not None:
            if reading.options() != ReadOptions():
                message = "A session that is gone on with reads its files as it did."
                raise UsageError(
                    message, hint="Leave out how to read the file, or begin anew: tabchat repl FILE"
                )
            session = stack.enter_context(Session.open([], settings=settings, talks=True))
            journal = _continued(presenter, session, settings, files or [], session_id)
        else:
            session = stack.enter_context(
                Session.open(
                    files or [recent_file(presenter)],
                    settings=settings,
                    options=reading.options(),
                    progress=presenter.progress(),
                    talks=True,
                )
            )
            if STDIN in (files or ()):
                _ask_at_the_terminal()
            presenter.loaded(session, listing="/notes")
            # Of large files that are read where they lie, more is known for questions that come later.
            session.store_in_background()
            journal = _begun(session)
        if journal is not None:
            stack.callback(journal.close)
        raise typer.Exit(run_repl(session, presenter.consoles, journal))


def _ask_at_the_terminal() -> None:
    """Let questions come from the terminal where stdin was the table; raises `UsageError` where there is none."""
    try:
        terminal = os.open("/dev/tty", os.O_RDWR)
    except OSError as error:
        message = "Stdin was the table, and there is no terminal to ask at."
        raise UsageError(message, hint='Ask at once: tabchat ask - "…"') from error
    os.dup2(terminal, 0)
    os.close(terminal)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - it stays open to the end


def _begun(session: Session) -> Journal | None:
    if session.settings.no_cache:
        return None
    from tabchat.journal.folder import SessionFolder
    from tabchat.journal.journal import Journal

    return Journal(SessionFolder(session), session)


def _continued(
    presenter: Presenter, session: Session, settings: Settings, files: list[str], session_id: str | None
) -> Journal | None:
    """Let `session` go on with the kept one that is wanted; raises `DataKeyError` when there is none."""
    from tabchat.journal.choice import choose
    from tabchat.journal.folder import SessionFolder
    from tabchat.journal.journal import Journal
    from tabchat.journal.resuming import describe, resume

    if settings.no_cache:
        raise UsageError("Without a cache no session is kept.", hint="Leave --no-cache out.")
    folder = SessionFolder(session)
    chosen = choose(folder, [Path(file) for file in files], session_id)
    with ExitStack() as on_failure:
        on_failure.callback(chosen.release)
        presenter.progress()
        told = resume(session, chosen.kept, hide=settings.hide)
        journal = Journal(folder, session, chosen.kept, chosen.release)
        on_failure.pop_all()
    for sentence in (*chosen.told, describe(chosen.kept), *told):
        presenter.say(sentence)
    return journal
