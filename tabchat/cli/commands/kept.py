"""Kept results: `tabchat results`, `show` and `export`."""

from __future__ import annotations

import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Annotated

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Drawn, Local, Output, Running
from tabchat.cli.present import Presenter
from tabchat.errors import UsageError
from tabchat.export import ExportFormat
from tabchat.render.results import render_results
from tabchat.render.terminal.pager import paged
from tabchat.session.root import listed_results
from tabchat.store.naming import NEWEST, full_key

_KEY = typer.Argument(
    metavar="[KEY]",
    help="The key of a result, or its beginning: ds_…; the newest one when absent, as for _.",
)


def results(
    running: Local,
    json: Json = False,
    pin: Annotated[str | None, typer.Option(help="Keep this result for good.", metavar="KEY")] = None,
    unpin: Annotated[str | None, typer.Option(help="Let this result expire again.", metavar="KEY")] = None,
) -> None:
    """List the results that are kept, newest first."""
    with (
        Presenter(running, Output(json=json)) as presenter,
        listed_results(settings := presenter.settings()) as store,
    ):
        if pin is not None:
            kept = store.pin(full_key(pin, store), on=True)
            presenter.say(f"{kept.key} is kept for good.")
        if unpin is not None:
            kept = store.pin(full_key(unpin, store), on=False)
            presenter.say(f"{kept.key} may expire again.")
        if json:
            presenter.json_list("results", (entry.listing() for entry in store.list()))
        else:
            with paged(presenter.consoles, wanted=settings.pager):
                render_results(presenter.consoles, store.list())


def show(running: Running, output: Drawn, key: Annotated[str, _KEY] = NEWEST) -> None:
    """Show a kept result again."""
    from tabchat.cli.computing import without_tables

    with Presenter(running, output) as presenter, without_tables(presenter) as session:
        code = presenter.computed(session, lambda: session.show(key))
    raise typer.Exit(code)


def export(
    running: Running,
    key: Annotated[str, _KEY] = NEWEST,
    output: Annotated[
        str | None, typer.Option("--output", "-o", help="The file to write; - or nothing for stdout.")
    ] = None,
    format: Annotated[  # noqa: A002 - the option's own name
        str | None,
        typer.Option(
            "--format",
            help="csv, tsv, json, jsonl, parquet, arrow, xlsx, md or html; else from the file's name.",
        ),
    ] = None,
    source: Annotated[bool, typer.Option("--source", help="The rows behind the result.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Overwrite the file.")] = False,
    guard_formulas: Annotated[
        bool, typer.Option("--guard-formulas", help="Put ' before cells that a spreadsheet would run.")
    ] = False,
    json: Annotated[
        bool, typer.Option("--json", help="With -o: print one JSON object that says what was written.")
    ] = False,
) -> None:
    """Write every row of a kept result to a file or to stdout."""
    from tabchat.cli.computing import without_tables

    to_stdout = output in {None, "-"}
    if json and to_stdout:
        message = "--json says what was written to a file, and the rows go to stdout."
        raise UsageError(message, hint="Add -o FILE, or take --format json for the rows themselves.")
    fmt = _format(format, to_stdout=to_stdout)
    with Presenter(running, Output()) as presenter, without_tables(presenter) as session:
        # Rows on the screen are a sign of life themselves, and a line between them would tear them.
        with nullcontext() if to_stdout else presenter.working("writing"):
            report = session.export(
                key,
                sys.stdout.buffer if to_stdout else Path(str(output)),
                fmt,
                source=source,
                force=force,
                guard_formulas=guard_formulas,
            )
        if json:
            presenter.json(
                {
                    "ok": True,
                    "path": str(output),
                    "format": report.format.value,
                    "rows": report.rows,
                    "bytes": report.bytes,
                    "warnings": list(report.warnings),
                }
            )
        presenter.exported(report, None if to_stdout else Path(str(output)))


def _format(name: str | None, *, to_stdout: bool) -> ExportFormat | None:
    if name is None:
        return ExportFormat.CSV if to_stdout else None
    try:
        return ExportFormat(name.lower())
    except ValueError as error:
        known = ", ".join(item.value for item in ExportFormat)
        raise UsageError(f"There is no export format {name!r}.", hint=f"Formats: {known}.") from error
