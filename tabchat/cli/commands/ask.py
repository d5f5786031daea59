"""`tabchat ask`: one question, or a file of them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from tabchat.cli.options.groups import Asking, Drawn, Reading, Running
from tabchat.cli.options.typed import check_stdin, is_file
from tabchat.cli.present import Presenter
from tabchat.errors import ExitCode, UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    import typer


def ask(  # noqa: PLR0913, PLR0917 - every option is a parameter
    arguments: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE... QUESTION",
            help="One or more tables (- for stdin), then the question; without one, questions are suggested.",
        ),
    ],
    reading: Reading,
    running: Running,
    asking: Asking,
    output: Drawn,
    from_file: Annotated[
        str | None,
        typer.Option(
            "--from-file",
            "-f",
            help="Questions, one a line (- for stdin), instead of QUESTION. Each stands alone: none refers to "
            "the one before.",
        ),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(
            "--jobs",
            "-j",
            min=1,
            help="With -f: questions that are with a model at once; one under --max-cost.",
        ),
    ] = 4,
    resume: Annotated[
        Path | None,
        typer.Option(
            "--resume",
            metavar="JSONL",
            help="With -f: append the answers to this file, and do not ask again what it answers.",
        ),
    ] = None,
    pick: Annotated[
        int | None,
        typer.Option(
            "--pick",
            min=1,
            metavar="N",
            help="Answer the reading with this number, of those that were offered for the question.",
        ),
    ] = None,
    events: Annotated[
        bool, typer.Option("--events", help="Print what happens as JSON lines, as it happens.")
    ] = False,
    receipts: Annotated[
        bool,
        typer.Option(
            "--receipts",
            help="List where every figure of the answer comes from: expression, cell, row, key.",
        ),
    ] = False,
    show_prompt: Annotated[
        bool,
        typer.Option(
            "--show-prompt", help="Print what a model would be sent first, as JSON, and send nothing."
        ),
    ] = False,
) -> int:
    """Answer a question about a table.

    Common questions need no model. Exit code 4 when it is not certain what is meant: readings are offered, and
    `--pick N` answers one of them. Nothing is ever guessed.
    """
    _check(arguments, output, from_file=from_file, resume=resume, show_prompt=show_prompt, pick=pick)
    sources, question = (arguments, None) if from_file is not None else _split(arguments)
    with (
        Presenter(running, output, events=events, receipts=receipts) as presenter,
        Session.open(
            sources,
            settings=asking.settings(presenter.say, running.flags(), output.flags()),
            options=reading.options(),
            progress=presenter.progress(),
            direct=question is not None,
        ) as session,
    ):
        presenter.loaded(session)
        if question is not None and show_prompt:
            code = presenter.prompt(session, question)
        elif question is not None:
            code = presenter.turn(session, question, pick=pick)
            if code != ExitCode.INTERRUPTED:
                # Whoever stopped the question wants nothing to go on without them.
                session.store_in_background()
        else:
            from tabchat.cli.batch import read_questions, run_batch

            code = run_batch(session, presenter, read_questions(str(from_file)), jobs=jobs, resume=resume)
    return code


def _split(arguments: list[str]) -> tuple[list[str], str]:
    *sources, question = arguments
    if question == "-" or is_file(question):
        # Without a question, what can be asked is told.
        return arguments, ""
    if not sources:
        message = f"The file is missing: only {question!r} was given."
        raise UsageError(message, hint='tabchat ask FILE "QUESTION", with - for a FILE on stdin.')
    if not question.strip():
        hint = 'tabchat ask FILE "QUESTION", or tabchat ask FILE for what can be asked.'
        raise UsageError("The question is empty.", hint=hint)
    return sources, question


def _check(
    arguments: list[str],
    output: Drawn,
    *,
    from_file: str | None,
    resume: Path | None,
    show_prompt: bool,
    pick: int | None,
) -> None:
    """Raise `UsageError` for options that do not go together."""
    example = "tabchat ask FILE -f questions.txt"
    if from_file is None:
        if resume is not None:
            message = "--resume goes on with a file of questions, and there is only one."
            raise UsageError(message, hint=f"{example} --resume answers.jsonl")
        return
    *_, last = arguments
    if len(arguments) > 1 and any(map(str.isspace, last)) and not Path(last).exists():
        message = f"A question, {last!r}, and a file of them exclude each other."
        raise UsageError(message, hint="Leave -f out, or the question.")
    if output.output is not None:
        message = "-o takes the result of one question, not of a file of them."
        raise UsageError(message, hint="Leave -o out, and export the results by their keys.")
    if output.chart_out is not None:
        hint = "Leave --chart-out out, and draw the results: tabchat show KEY --chart-out out.svg"
        raise UsageError("--chart-out takes the result of one question, not of a file of them.", hint=hint)
    if pick is not None:
        message = "--pick takes one question, not a file of them."
        raise UsageError(message, hint='tabchat ask FILE "QUESTION" --pick 1')
    if show_prompt:
        message = "--show-prompt takes one question, not a file of them."
        raise UsageError(message, hint='tabchat ask FILE "QUESTION" --show-prompt')
    check_stdin([*arguments, from_file])
