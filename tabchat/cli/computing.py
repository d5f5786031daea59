"""The course of the commands that work on some files without a turn: open them, and mostly compute one answer and show it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

from tabchat.cli.present import Presenter
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.cli.options.groups import Output, Reading, Running
    from tabchat.sandbox.runner import Sandbox


def opened(
    presenter: Presenter, files: Sequence[str], reading: Reading, *, runs_sql: bool = False
) -> Session:
    """Open files as they are to be read; raises `InputError` for one that cannot be."""
    return Session.open(
        files,
        settings=presenter.settings(),
        options=reading.options(),
        progress=presenter.progress(),
        runs_sql=runs_sql,
    )


def without_tables(presenter: Presenter) -> Session:
    """Open no file: what is kept is there all the same."""
    return Session.open([], settings=presenter.settings())


def compute(
    files: Sequence[str],
    reading: Reading,
    running: Running,
    output: Output,
    run: Callable[[Session], Answer],
    *,
    runs_sql: bool = False,
    sandbox: Sandbox | None = None,
) -> NoReturn:
    """Show what `run` gives over `files`, and leave with the exit code; code runs in `sandbox` if there is one."""
    with (
        Presenter(running, output) as presenter,
        opened(presenter, files, reading, runs_sql=runs_sql) as session,
    ):
        if sandbox is not None:
            session.code.lend(sandbox)
        presenter.loaded(session)
        code = presenter.computed(session, lambda: run(session))
    raise typer.Exit(code)
