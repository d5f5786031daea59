"""`tabchat repl`: a conversation, begun or gone on with."""

from __future__ import annotations

import os
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabchat.cli.options.groups import Asking, Output, Reading, Running
from tabchat.cli.options.typed import STDIN
from tabchat.cli.present import Presenter
from tabchat.config import load_settings
from tabchat.engine.table import ReadOptions
from tabchat.errors import UsageError
from tabchat.render.layout.text import sanitise
from tabchat.render.mutation import can_ask
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.config import Settings
    from tabchat.journal.journal import Journal
    from tabchat.store import StoredResult

OFFERED: Final = 9
_HINT: Final = "tabchat repl FILE"
_TRIES: Final = 3


def recent_file(presenter: Presenter) -> str:
    """Ask which of the files behind the newest results is wanted; raises `UsageError` when none is chosen."""
    with Session.open([], settings=load_settings(presenter.running.flags())) as session:
        files = recent_files(session.results())
    if not files:
        raise UsageError("The file is missing, and no file was asked about before.", hint=_HINT)
    glyphs = presenter.consoles.glyphs
    presenter.consoles.say(
        *(f"  {n}. {sanitise(str(path), glyphs)}" for n, path in enumerate(files, start=1))
    )
    if not can_ask():
        raise UsageError("The file is missing, and nobody can be asked which one is meant.", hint=_HINT)
    for _ in range(_TRIES):
        presenter.consoles.err.print("Which one? [1] ", end="", style="bold")
        line = sys.stdin.readline()
        typed = line.strip() or "1"
        if line and typed in map(str, range(1, len(files) + 1)):
            return str(files[int(typed) - 1])
        if not line:
            break
        presenter.consoles.say(
            sanitise(f"There is no file {typed!r} in the list: 1 to {len(files)}.", glyphs)
        )
    raise UsageError("No file was chosen.", hint=_HINT)


def recent_files(results: Iterable[StoredResult]) -> list[Path]:
    """Return the files that the results came from and that are still there, in the order of the results."""
    sources = (table.source for entry in results for table in entry.recipe.tables if table.result_key is None)
    files = (Path(source) for source in dict.fromkeys(sources) if source != "-")
    return [path for path in files if path.is_file()][:OFFERED]


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
                hint = "Leave out how to read the file, or begin anew: tabchat repl FILE"
                raise UsageError("A session that is gone on with reads its files as it did.", hint=hint)
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
