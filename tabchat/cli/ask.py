"""`tabchat ask`: one question, or a file of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.config import load_settings
from tabchat.errors import ExitCode, InputError, UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Iterable


@expanded
def ask(
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE... QUESTION", help="One or more tables (- for stdin), then the question."
        ),
    ],
    reading: Reading,
    running: Running,
    output: Output,
    from_file: Annotated[
        str | None,
        typer.Option("--from-file", "-f", help="Questions, one a line (- for stdin), instead of QUESTION."),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help="Print what happens as JSON lines, as it happens.")
    ] = False,
) -> None:
    """Answer a question about a table.

    Common questions need no model. Exit code 4 when the question is not understood: nothing is ever guessed.
    """
    if from_file is not None and output.output is not None:
        message = "-o takes the result of one question, not of a file of them."
        raise UsageError(message, hint="Leave -o out, and export the results by their keys.")
    sources, question = (arguments, None) if from_file is not None else _split(arguments)
    with (
        Presenter(running, output, events=events) as presenter,
        Session.open(
            sources,
            settings=load_settings(running.flags() | output.flags()),
            options=reading.options(),
            progress=presenter.progress(),
            direct=question is not None,
        ) as session,
    ):
        presenter.loaded(session)
        if question is not None:
            code = presenter.turn(session, question)
            if code != ExitCode.INTERRUPTED:
                # Whoever stopped the question wants nothing to go on without them.
                session.store_in_background()
        else:
            code = _batch(session, presenter, _questions(str(from_file)))
    raise typer.Exit(code)


def _split(arguments: list[str]) -> tuple[list[str], str]:
    *sources, question = arguments
    if not sources:
        what = "the question" if Path(question).exists() else "the file"
        message = f"{what.capitalize()} is missing: only {question!r} was given."
        raise UsageError(message, hint='tabchat ask FILE "QUESTION"')
    if not question.strip():
        message = "The question is empty."
        raise UsageError(message, hint='tabchat ask FILE "QUESTION"')
    return sources, question


def _batch(session: Session, presenter: Presenter, questions: Iterable[str]) -> int:
    """Answer questions one by one; the exit code is that of the first that was not answered."""
    codes = []
    for question in questions:
        presenter.say(f"> {question}")
        codes.append(presenter.turn(session, question))
    answered = sum(code == ExitCode.ANSWERED for code in codes)
    plural = "" if len(codes) == 1 else "s"
    presenter.say(f"{len(codes)} question{plural}: {answered} answered, {len(codes) - answered} not.")
    return next((code for code in codes if code != ExitCode.ANSWERED), ExitCode.ANSWERED)


def _questions(source: str) -> list[str]:
    try:
        text = sys.stdin.read() if source == "-" else Path(source).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"The questions in {source!r} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise InputError(message, hint="Give a UTF-8 text file with one question a line.") from error
    lines = [line.strip() for line in text.splitlines()]
    return [line for line in lines if line and not line.startswith("#")]
