"""What each `/` command does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import ExitCode, UsageError
from tabchat.render.findings import render_findings
from tabchat.render.grid import GridColumn, draw, fit
from tabchat.render.load import narrate_load_report, render_load_report
from tabchat.render.pager import paged
from tabchat.render.profile import render_profile
from tabchat.render.results import render_results
from tabchat.render.text import sanitise
from tabchat.repl.again import AGAIN_COMMANDS
from tabchat.repl.analyzing import ANALYZE
from tabchat.repl.asking import MODEL_COMMANDS
from tabchat.repl.drawing import CHART
from tabchat.repl.editing import EDIT_COMMANDS
from tabchat.repl.entry import whole_number
from tabchat.repl.looking import OPEN
from tabchat.repl.registry import Command, commands, find_command
from tabchat.repl.setting import SET
from tabchat.repl.shell import LeaveRepl
from tabchat.repl.writing import export, words_of
from tabchat.session.json_argument import json_object

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.table import Table
    from tabchat.repl.shell import Shell


def _print_grid(shell: Shell, columns: Sequence[GridColumn]) -> None:
    fitted = fit(columns, shell.consoles.width)
    draw(shell.consoles.out, columns, fitted.widths, shell.consoles.glyphs)


def show_help(shell: Shell, argument: str) -> ExitCode:
    """List the commands, or explain one."""
    if argument:
        command = find_command(argument.lstrip("/."))
        shell.consoles.out.print(f"{command.usage}\n  {command.summary}")
        return ExitCode.ANSWERED
    known = commands().values()
    width = max(len(command.usage) for command in known) + 2
    for command in known:
        shell.consoles.out.print(f"{command.usage:<{width}}{command.summary}")
    shell.explain(
        "Anything else is a question, or SQL (SELECT …). Ctrl-C stops it; Alt-Enter or a final \\ begins a new line."
    )
    return ExitCode.ANSWERED


def list_tables(shell: Shell, _argument: str) -> ExitCode:
    """List the open tables."""
    glyphs = shell.consoles.glyphs
    tables = list(shell.session.tables.values())
    current = shell.session.current.name if tables else ""
    _print_grid(
        shell,
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
    columns = len(table.schema)
    return sanitise(
        f"{table.name}: {table.row_count:,} row{'' if table.row_count == 1 else 's'}"
        f" × {columns:,} column{'' if columns == 1 else 's'} from {table.source}"
    )


def load_file(shell: Shell, argument: str) -> ExitCode:
    """Read one more file and make it the current table."""
    (path,) = words_of(argument, "/load FILE", at_least=1, at_most=1)
    with shell.activity.working("reading"):
        table = shell.session.add(Path(path).expanduser(), progress=shell.activity)
    shell.session.use(table.name)
    narrate_load_report(shell.consoles, table, "/notes")
    shell.say(describe_table(table))
    return ExitCode.ANSWERED


def show_schema(shell: Shell, argument: str) -> ExitCode:
    """Show the columns of a table, and how its file was read."""
    table = shell.session.table(argument or None)
    glyphs = shell.consoles.glyphs
    _print_grid(
        shell,
        [
            GridColumn(
                header="column", cells=[sanitise(item.name, glyphs) for item in table.schema], elastic=True
            ),
            GridColumn(header="kind", cells=[item.kind.value for item in table.schema]),
            GridColumn(header="type", cells=[item.sql_type for item in table.schema]),
            GridColumn(header="unit", cells=[sanitise(item.unit or "", glyphs) for item in table.schema]),
        ],
    )
    render_load_report(shell.consoles, table)
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
        message = f"{argument!r} is no number of rows."
        raise UsageError(message, hint=f"{command} 100")
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
        message = "/show needs a key."
        raise UsageError(message, hint="/results lists the keys.")
    return shell.computed(lambda: shell.session.show(argument))


def list_results(shell: Shell, _argument: str) -> ExitCode:
    """List the kept results."""
    with paged(shell.consoles, wanted=shell.pages):
        render_results(shell.consoles, shell.session.results())
    return ExitCode.ANSWERED


def list_history(shell: Shell, _argument: str) -> ExitCode:
    """List the questions of this conversation."""
    for number, question in enumerate(shell.asked, start=1):
        shell.consoles.out.print(f"{number:>3}  {sanitise(question, shell.consoles.glyphs)}")
    return ExitCode.ANSWERED


def leave(_shell: Shell, _argument: str) -> ExitCode:
    """Leave the REPL."""
    raise LeaveRepl


COMMANDS: Final = (
    Command(
        name="help",
        arguments="[command]",
        summary="list the commands, or explain one",
        run=show_help,
        takes=("command",),
        aliases=("h", "?"),
    ),
    Command(name="tables", summary="list the open tables", run=list_tables),
    Command(
        name="use", arguments="TABLE", summary="make a table the current one", run=use_table, takes=("table",)
    ),
    Command(name="load", arguments="FILE", summary="read one more file", run=load_file, takes=("path",)),
    OPEN,
    Command(
        name="schema",
        arguments="[table]",
        summary="columns and kinds, and how the file was read",
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
    CHART,
    Command(
        name="export",
        arguments="[KEY] FILE",
        summary="write a whole result; --source --force --guard-formulas",
        run=export,
        takes=("key", "path"),
    ),
    Command(name="sql", arguments="SELECT …", summary="run one SELECT", run=run_sql, takes=("sql",)),
    Command(name="query", arguments="{…}", summary="run a QueryPlan (JSON)", run=run_query, takes=("plan",)),
    ANALYZE,
    SET,
    *EDIT_COMMANDS,
    Command(name="last", summary="show the last result again; also _", run=show_last),
    Command(name="show", arguments="KEY", summary="show a kept result", run=show_key, takes=("key",)),
    Command(name="results", summary="list the kept results", run=list_results),
    *AGAIN_COMMANDS,
    *MODEL_COMMANDS,
    Command(name="history", summary="list the questions of this conversation", run=list_history),
    Command(name="quit", summary="leave; also Ctrl-D", run=leave, aliases=("exit", "q")),
)
