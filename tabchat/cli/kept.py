"""Kept results: `tabchat results`, `show`, `export` and `cache`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.config import load_settings
from tabchat.errors import UsageError
from tabchat.export import ExportFormat
from tabchat.session import Session

_KEY = typer.Argument(metavar="KEY", help="The key of a result: ds_…")


@expanded
def results(
    running: Running,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a line.")] = False,
    pin: Annotated[str | None, typer.Option(help="Keep this result for good.", metavar="KEY")] = None,
    unpin: Annotated[str | None, typer.Option(help="Let this result expire again.", metavar="KEY")] = None,
) -> None:
    """List the results that are kept, newest first."""
    presenter = Presenter(running, Output(json=json))
    with Session.open([], settings=load_settings(running.flags())) as session:
        for key, on in ((pin, True), (unpin, False)):
            if key is not None:
                session.store.pin(key, on=on)
        presenter.results(session.results())


@expanded
def show(key: Annotated[str, _KEY], running: Running, output: Output) -> None:
    """Show a kept result again."""
    presenter = Presenter(running, output)
    settings = load_settings(running.flags() | output.flags())
    with Session.open([], settings=settings) as session:
        code = presenter.computed(session, lambda: session.show(key))
    raise typer.Exit(code)


@expanded
def export(
    key: Annotated[str, _KEY],
    running: Running,
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
) -> None:
    """Write every row of a kept result to a file or to stdout."""
    presenter = Presenter(running, Output())
    to_stdout = output in {None, "-"}
    fmt = _format(format, to_stdout=to_stdout)
    with Session.open([], settings=load_settings(running.flags())) as session:
        report = session.export(
            key,
            sys.stdout.buffer if to_stdout else Path(str(output)),
            fmt,
            source=source,
            force=force,
            guard_formulas=guard_formulas,
        )
    presenter.exported(report, None if to_stdout else Path(str(output)))


def _format(name: str | None, *, to_stdout: bool) -> ExportFormat | None:
    if name is None:
        return ExportFormat.CSV if to_stdout else None
    try:
        return ExportFormat(name.lower())
    except ValueError as error:
        known = ", ".join(item.value for item in ExportFormat)
        message = f"There is no export format {name!r}."
        raise UsageError(message, hint=f"Formats: {known}.") from error


cache_app = typer.Typer(help="The cached table versions and results.", rich_markup_mode=None)


@cache_app.command("info")
@expanded
def cache_info(running: Running) -> None:
    """Say where the cache is, what it holds and how large it may grow."""
    presenter = Presenter(running, Output())
    with Session.open([], settings=load_settings(running.flags())) as session:
        presenter.cache(session)


@cache_app.command("check")
@expanded
def cache_check(running: Running) -> None:
    """Look for damaged entries, and mend what can be mended."""
    presenter = Presenter(running, Output())
    with Session.open([], settings=load_settings(running.flags())) as session:
        problems = (*session.cache.check(), *session.store.check())
    for problem in problems:
        presenter.say(problem)
    presenter.say(f"{len(problems)} problems found." if problems else "The cache is sound.")


@cache_app.command("clear")
@expanded
def cache_clear(
    running: Running,
    tables: Annotated[bool, typer.Option("--tables", help="Only the table versions.")] = False,
    results: Annotated[bool, typer.Option("--results", help="Only the results.")] = False,
) -> None:
    """Delete the cached table versions and the kept results; the files they came from are untouched."""
    presenter = Presenter(running, Output())
    everything = not (tables or results)
    with Session.open([], settings=load_settings(running.flags())) as session:
        if tables or everything:
            presenter.say(f"{session.cache.clear()} table versions deleted.")
        if results or everything:
            presenter.say(f"{session.store.clear()} results deleted.")


@cache_app.command("build")
@expanded
def cache_build(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to read.")],
    reading: Reading,
    running: Running,
) -> None:
    """Read tables into the cache now, so that the first question finds them there."""
    presenter = Presenter(running, Output())
    with Session.open(
        files,
        settings=load_settings(running.flags()),
        options=reading.options(),
        progress=presenter.progress(),
    ) as session:
        presenter.loaded(session)
