"""`tabchat query`, `tabchat sql` and `tabchat run`: a plan, SQL or code that the person wrote."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.config import load_settings
from tabchat.errors import InputError, PlanIssue, PlanValidationError, UsageError
from tabchat.session import Session

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.chat.answer import Answer
    from tabchat.engine.types import JsonValue


@expanded
def query(
    file: Annotated[str, typer.Argument(help="The table (- for stdin).")],
    plan: Annotated[str, typer.Argument(help="A QueryPlan as JSON, @FILE to read it, or - for stdin.")],
    reading: Reading,
    running: Running,
    output: Output,
) -> None:
    """Run a QueryPlan on a table. All errors of the plan are reported at once."""
    _compute([file], reading, running, output, lambda session: session.query(_plan(plan)))


@expanded
def sql(
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="FILE... SQL", help="The tables, then one SELECT (@FILE to read it)."),
    ],
    reading: Reading,
    running: Running,
    output: Output,
) -> None:
    """Run one read-only SELECT. It is DuckDB's dialect; a table is named after its file: jobs.csv is jobs."""
    *files, text = arguments
    if not files:
        message = f"The file or the SQL is missing: only {text!r} was given."
        raise UsageError(message, hint='tabchat sql FILE "SELECT …"')
    _compute(files, reading, running, output, lambda session: session.sql(_text(text)))


@expanded
def run(
    file: Annotated[str, typer.Argument(help="The table (- for stdin).")],
    code: Annotated[str, typer.Argument(help="pandas code, @FILE to read it, or - for stdin.")],
    reading: Reading,
    running: Running,
    output: Output,
) -> None:
    """Run pandas code over a table, in a locked process.

    The code sees the table as `df`, with pd, np, re, math, statistics and datetime, and leaves its answer in `result`.
    """
    _compute([file], reading, running, output, lambda session: session.run(_text(code)))


def _compute(
    files: list[str],
    reading: Reading,
    running: Running,
    output: Output,
    run: Callable[[Session], Answer],
) -> None:
    with (
        Presenter(running, output) as presenter,
        Session.open(
            files,
            settings=load_settings(running.flags() | output.flags()),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)
        code = presenter.computed(session, lambda: run(session))
    raise typer.Exit(code)


def _plan(text: str) -> dict[str, JsonValue]:
    try:
        plan = json.loads(_text(text))
    except json.JSONDecodeError as error:
        issue = PlanIssue(
            step="plan",
            expression=text[:80],
            message=f"not valid JSON: {error.msg.removesuffix(' at')} at line {error.lineno}, column {error.colno}",
            hint="""Quote it for the shell: '{"select": "count()"}'""",
        )
        raise PlanValidationError([issue]) from error
    if not isinstance(plan, dict):
        issue = PlanIssue(step="plan", expression=text[:80], message="a plan is a JSON object", hint=None)
        raise PlanValidationError([issue])
    return plan


def _text(argument: str) -> str:
    try:
        if argument == "-":
            return sys.stdin.read()
        if argument.startswith("@"):
            return Path(argument[1:]).read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        message = f"{argument[1:]!r} cannot be read: {getattr(error, 'strerror', None) or error}."
        raise InputError(message, hint="Give the text itself, @FILE, or - for stdin.") from error
    return argument
