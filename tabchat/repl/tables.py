"""What the commands do that are about the open tables: which there are, how they were read, what they hold."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.errors import ExitCode, UsageError
from tabchat.render.block import counted
from tabchat.render.findings import render_findings
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.render.load import narrate_load_report, render_load_report
from tabchat.render.profile import render_profile
from tabchat.render.terminal.pager import paged
from tabchat.repl.registry import Command
from tabchat.repl.writing import words_of

if TYPE_CHECKING:
    from tabchat.engine.table import Table
    from tabchat.repl.shell import Shell


def list_tables(shell: Shell, _argument: str) -> ExitCode:
    """List the open tables."""
    glyphs = shell.consoles.glyphs
    tables = list(shell.session.tables.values())
    current = shell.session.current.name if tables else ""
    draw_fitting(
        shell.consoles,
        [
            GridColumn(header="", cells=["*" if table.name == current else "" for table in tables]),
            GridColumn(
                header="table", cells=[sanitise(table.name, glyphs) for table in tables], elastic=True
            ),
            GridColumn(header="rows", cells=[f"{table.row_count:,}" for table in tables], right=True),
            GridColumn(header="columns", cells=[str(len(table.schema)) for table in tables], right=True),
            GridColumn(
                header="file", cells=[sanitise(str(table.source), glyphs) for table in tables], elastic=True
            ),
        ],
    )
    return ExitCode.ANSWERED


def use_table(shell: Shell, argument: str) -> ExitCode:
    """Make a table the current one."""
    if not argument:
        message = "/use needs the name of a table."
        raise UsageError(message, hint=f"Open tables: {', '.join(shell.session.tables)}.")
    table = shell.session.use(argument)
    shell.say(describe_table(table))
    return ExitCode.ANSWERED


def describe_table(table: Table) -> str:
    """Return a table in one line: its name, rows, columns and file."""
    size = f"{counted(table.row_count, 'row')} × {counted(len(table.schema), 'column')}"
    return sanitise(f"{table.name}: {size} from {table.source}")


def load_file(shell: Shell, argument: str) -> ExitCode:
    """Read one more file and make it the current table."""
    path = _plain_file(argument.strip())
    if path is None:
        (word,) = words_of(argument, "/load FILE", at_least=1, at_most=1)
        path = Path(word).expanduser()
    with shell.activity.working("reading"):
        table = shell.session.add(path, progress=shell.activity)
    shell.session.use(table.name)
    narrate_load_report(shell.consoles, table, "/notes")
    shell.say(describe_table(table))
    return ExitCode.ANSWERED


def _plain_file(name: str) -> Path | None:
    """Return the file of a name that is written as it is, blanks included; nothing where there is none."""
    with contextlib.suppress(OSError, RuntimeError, ValueError):
        path = Path(name).expanduser()
        return path if path.is_file() else None
    return None


def show_schema(shell: Shell, argument: str) -> ExitCode:
    """Show the columns of a table, and say how many notes there are on reading its file."""
    table = shell.session.table(argument or None)
    glyphs = shell.consoles.glyphs
    draw_fitting(
        shell.consoles,
        [
            GridColumn(
                header="column", cells=[sanitise(item.name, glyphs) for item in table.schema], elastic=True
            ),
            GridColumn(header="kind", cells=[item.kind.value for item in table.schema]),
            GridColumn(header="type", cells=[item.sql_type for item in table.schema]),
            GridColumn(header="unit", cells=[sanitise(item.unit or "", glyphs) for item in table.schema]),
        ],
    )
    narrate_load_report(shell.consoles, table, "/notes")
    shell.say(describe_table(table))
    return ExitCode.ANSWERED


def show_notes(shell: Shell, argument: str) -> ExitCode:
    """List what reading a table's file inferred, repaired or rejected."""
    table = shell.session.table(argument or None)
    render_load_report(shell.consoles, table)
    if not table.report.notes:
        shell.say(sanitise(f"There are no notes on reading {table.source}.", shell.consoles.glyphs))
    return ExitCode.ANSWERED


def show_profile(shell: Shell, argument: str) -> ExitCode:
    """Describe every column of a table."""
    table = shell.session.table(argument or None)
    with shell.activity.working("profiling"):
        described = shell.session.profile(table.name, spreads=True)
    with paged(shell.consoles, wanted=shell.pages):
        render_profile(shell.consoles, described, table)
    return ExitCode.ANSWERED


def check(shell: Shell, argument: str) -> ExitCode:
    """Look for what may be wrong with a table."""
    from tabchat.session.quality import check_table

    table = shell.session.table(argument or None)
    with shell.activity.working("checking"):
        findings = check_table(shell.session, table.name)
    render_findings(shell.consoles, findings, table, show="/show {key}", mend="/edit {}".format)
    return ExitCode.ANSWERED


TABLE_COMMANDS: Final = (
    Command(name="tables", summary="list the open tables", run=list_tables),
    Command(
        name="use", arguments="TABLE", summary="make a table the current one", run=use_table, takes=("table",)
    ),
    Command(name="load", arguments="FILE", summary="read one more file", run=load_file, takes=("path",)),
    Command(
        name="schema",
        arguments="[table]",
        summary="columns, their kinds, types and units",
        run=show_schema,
        takes=("table",),
    ),
    Command(
        name="notes",
        arguments="[table]",
        summary="what reading the file inferred, repaired or rejected",
        run=show_notes,
        takes=("table",),
    ),
    Command(
        name="profile",
        arguments="[table]",
        summary="ranges, missing values and top values of every column",
        run=show_profile,
        takes=("table",),
    ),
    Command(
        name="check",
        arguments="[table]",
        summary="what may be wrong: missing, repeated, outliers, gaps",
        run=check,
        takes=("table",),
    ),
)
