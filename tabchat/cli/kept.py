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
from tabchat.render.results import human_size, render_results
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
    with (
        Presenter(running, Output(json=json)) as presenter,
        Session.open([], settings=load_settings(running.flags())) as session,
    ):
        for key, on in ((pin, True), (unpin, False)):
            if key is not None:
                session.store.pin(key, on=on)
        if json:
            for entry in session.results():
                presenter.json(entry.to_json())
        else:
            render_results(presenter.consoles, session.results())


@expanded
def show(key: Annotated[str, _KEY], running: Running, output: Output) -> None:
    """Show a kept result again."""
    with (
        Presenter(running, output) as presenter,
        Session.open([], settings=load_settings(running.flags() | output.flags())) as session,
    ):
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
    to_stdout = output in {None, "-"}
    fmt = _format(format, to_stdout=to_stdout)
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=load_settings(running.flags())) as session,
    ):
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
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=load_settings(running.flags())) as session,
    ):
        tables, kept = session.cache.info(), session.store.info()
        presenter.lines(
            {
                "folder": str(session.root),
                "table versions": f"{tables.entries} in {human_size(tables.bytes)} of {human_size(tables.limit)}",
                "results": f"{kept.entries} in {human_size(kept.bytes)}"
                + (f" of {human_size(kept.limit)}" if kept.limit is not None else ""),
                "pinned": str(kept.pinned),
            }
        )


@cache_app.command("check")
@expanded
def cache_check(running: Running) -> None:
    """Look for damaged entries, and mend what can be mended."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=load_settings(running.flags())) as session,
    ):
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
    everything = not (tables or results)
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=load_settings(running.flags())) as session,
    ):
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
    with (
        Presenter(running, Output()) as presenter,
        Session.open(
            files,
            settings=load_settings(running.flags()),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)
