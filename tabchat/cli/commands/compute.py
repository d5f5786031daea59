"""`tabchat query` and `tabchat sql`: a plan or SQL that the person wrote."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import compute
from tabchat.cli.options.groups import Drawn, Reading, Running
from tabchat.cli.options.typed import check_stdin, typed_text
from tabchat.errors import UsageError
from tabchat.session.json_argument import json_object

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue


def query(
    file: Annotated[str, typer.Argument(help="The table (- for stdin).")],
    plan: Annotated[str, typer.Argument(help="A QueryPlan as JSON, @FILE to read it, or - for stdin.")],
    reading: Reading,
    running: Running,
    output: Drawn,
) -> None:
    """Run a QueryPlan on a table. All errors of the plan are reported at once."""
    check_stdin([file, plan])
    compute([file], reading, running, output, lambda session: session.query(_plan(plan)))


def sql(
    arguments: Annotated[
        list[str],
        typer.Argument(metavar="FILE... SQL", help="The tables, then one SELECT (@FILE to read it)."),
    ],
    reading: Reading,
    running: Running,
    output: Drawn,
) -> None:
    """Run one read-only SELECT. It is DuckDB's dialect; a table is named after its file: jobs.csv is jobs."""
    *files, text = arguments
    if not files:
        message = f"The file or the SQL is missing: only {text!r} was given."
        raise UsageError(message, hint='tabchat sql FILE "SELECT …", with - for a FILE on stdin.')
    check_stdin(arguments)
    compute(files, reading, running, output, lambda session: session.sql(typed_text(text)), runs_sql=True)


def _plan(text: str) -> dict[str, JsonValue]:
    return json_object(
        typed_text(text), what="plan", hint="""Quote it for the shell: '{"select": "count()"}'"""
    )
