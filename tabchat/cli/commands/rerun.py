"""`tabchat rerun`: what is behind a key, on another file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tabchat.cli.options.groups import Output, Running
from tabchat.cli.present import Presenter
from tabchat.errors import UsageError
from tabchat.session import Session
from tabchat.store.naming import NEWEST

if TYPE_CHECKING:
    from tabchat.journal.replay.rerun import Rerunning


def rerun(
    running: Running,
    output: Output,
    on: Annotated[
        list[str],
        typer.Option(
            "--on", help="The other file; NAME=FILE where there are several tables.", metavar="FILE"
        ),
    ],
    key: Annotated[
        str,
        typer.Argument(
            metavar="[KEY]", help="The key of a result, or its beginning; the newest when absent, as for _."
        ),
    ] = NEWEST,
) -> None:
    """Compute a kept result again on another file, and say what is different there.

    Columns that are missing, new or of another kind; figures that were others, with the difference; rows that appeared
    and vanished.
    """
    if output.source:
        raise UsageError("What is different has no source rows.", hint="Leave --source out.")
    with Presenter(running, output) as presenter:
        settings = presenter.settings()
        with Session.open([], settings=settings) as found:
            from tabchat.journal.replay.rerun import Rerunning

            depends: dict[str, Any] = dict(Rerunning(found, key).settings)
        with Session.open(
            [], settings=replace(settings, **depends), progress=presenter.progress()
        ) as session:
            again = Rerunning(session, key)
            _show(presenter, session, again, [_file(text, again) for text in on])


def _show(
    presenter: Presenter, session: Session, again: Rerunning, files: list[tuple[str | None, Path]]
) -> None:
    from tabchat.journal.replay.drift import render_drift, render_schema

    drifts = again.open(files, presenter.progress())
    presenter.loaded(session)
    is_human = not presenter.output.json and presenter.output.format == "table"
    if is_human:
        render_schema(presenter.consoles, drifts)
    with presenter.working("computing"):
        done = again.run(drifts)
    if is_human:
        render_drift(presenter.consoles, done, rows=session.settings.rows)
        presenter.written(session, done.answer)
    elif presenter.output.json:
        presenter.written(session, done.answer)
        presenter.json(done.answer.to_json(rows=session.settings.rows) | {"rerun": done.to_json()})
    else:
        presenter.computed(session, lambda: done.answer)


def _file(text: str, again: Rerunning) -> tuple[str | None, Path]:
    """Return the table that a file is for, when it is said, and the file; a file may have `=` in its name."""
    name, equals, path = text.partition("=")
    if equals and (name in again.tables or not Path(text).exists()):
        return name, Path(path)
    return None, Path(text)
