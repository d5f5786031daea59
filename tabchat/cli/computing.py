"""The course of the commands that compute one answer over some files, without a turn: open, compute, show."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import typer

from tabchat.cli.present import Presenter
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.chat.turn.answer import Answer
    from tabchat.cli.groups import Output, Reading, Running
    from tabchat.sandbox.runner import Sandbox


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
        Session.open(
            files,
            settings=presenter.settings(),
            options=reading.options(),
            progress=presenter.progress(),
            runs_sql=runs_sql,
        ) as session,
    ):
        if sandbox is not None:
            session.code.lend(sandbox)
        presenter.loaded(session)
        code = presenter.computed(session, lambda: run(session))
    raise typer.Exit(code)
