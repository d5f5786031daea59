"""What the commands do that are about results: the last one shown otherwise, a kept one, one computed from SQL or a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import ExitCode, UsageError
from tabchat.render.results import render_results
from tabchat.render.terminal.pager import paged
from tabchat.repl.entry import whole_number
from tabchat.repl.registry import Command
from tabchat.session.json_argument import json_object

if TYPE_CHECKING:
    from tabchat.repl.shell import Shell


def set_rows(shell: Shell, argument: str) -> ExitCode:
    """Set how many rows tables show, and show the last result so."""
    rows = _row_count(argument, "/rows")
    if rows is None:
        shell.say(f"Tables show {shell.rows:,} rows.")
        return ExitCode.ANSWERED
    shell.rows = rows
    return shell.again() if shell.last is not None else ExitCode.ANSWERED


def show_source(shell: Shell, argument: str) -> ExitCode:
    """Show the rows behind the last result."""
    return shell.show_source(_row_count(argument, "/source"))


def _row_count(argument: str, command: str) -> int | None:
    digits = argument.replace(",", "").replace("_", "")
    rows = whole_number(digits)
    if digits and rows is None:
        raise UsageError(f"{argument!r} is no number of rows.", hint=f"{command} 100")
    return rows


def show_columns(shell: Shell, argument: str) -> ExitCode:
    """Show the named columns of the last result, or all of them, below each other."""
    if not argument:
        return shell.show_all_columns()
    known = shell.require_block().result.frame.columns
    wanted = tuple(name.strip().strip('"') for name in argument.split(","))
    for name in wanted:
        if name not in known:
            near = nearest(name, known) or known[:5]
            message = f"The last result has no column {name!r}."
            raise UsageError(message, hint=f"/columns {near[0]} — it has {', '.join(near)}.")
    return shell.again(columns=wanted)


def run_sql(shell: Shell, argument: str) -> ExitCode:
    """Run one SELECT."""
    if not argument:
        message = "/sql needs a SELECT."
        raise UsageError(message, hint="/sql SELECT …; /tables lists the names to select from.")
    return shell.computed(lambda: shell.session.sql(argument))


def run_query(shell: Shell, argument: str) -> ExitCode:
    """Run a QueryPlan."""
    plan = json_object(argument, what="plan", hint='/query {"select": "count()"}')
    return shell.computed(lambda: shell.session.query(plan, asked=f"/query {argument.strip()}"))


def show_last(shell: Shell, _argument: str) -> ExitCode:
    """Show the last result again."""
    return shell.again()


def show_key(shell: Shell, argument: str) -> ExitCode:
    """Show a kept result; it becomes the last one."""
    if not argument:
        raise UsageError("/show needs a key.", hint="/results lists the keys.")
    return shell.computed(lambda: shell.session.show(argument))


def list_results(shell: Shell, _argument: str) -> ExitCode:
    """List the kept results."""
    with paged(shell.consoles, wanted=shell.pages):
        render_results(shell.consoles, shell.session.results())
    return ExitCode.ANSWERED


SHOWN_COMMANDS: Final = (
    Command(
        name="rows",
        arguments="[N]",
        summary="show the last result, and all after it, with N rows",
        run=set_rows,
        takes=("number",),
    ),
    Command(
        name="columns",
        arguments="[name, name]",
        summary="show all columns of the last result, or these",
        run=show_columns,
        takes=("column",),
    ),
    Command(
        name="source",
        arguments="[N]",
        summary="show the rows behind the last result",
        run=show_source,
        takes=("number",),
    ),
)

COMPUTED_COMMANDS: Final = (
    Command(name="sql", arguments="SELECT …", summary="run one SELECT", run=run_sql, takes=("sql",)),
    Command(name="query", arguments="{…}", summary="run a QueryPlan (JSON)", run=run_query, takes=("plan",)),
)

KEPT_COMMANDS: Final = (
    Command(name="last", summary="show the last result again; also _", run=show_last),
    Command(name="show", arguments="KEY", summary="show a kept result", run=show_key, takes=("key",)),
    Command(name="results", summary="list the kept results", run=list_results),
)
