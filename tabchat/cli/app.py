"""The Typer application, and how an invocation becomes an exit code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.ask import ask
from tabchat.cli.compute import query, sql
from tabchat.cli.kept import cache_app, export, results, show
from tabchat.cli.look import config, profile, repl
from tabchat.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

app = typer.Typer(
    name="tabchat",
    help="Ask a local table a question. The answer, and every row behind it, stays on this machine.",
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (ask, repl, query, sql, profile, show, results, export, config):
    app.command()(command)
app.add_typer(cache_app, name="cache")


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tabchat {version('tabchat')}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def main(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - the callback acts on it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Ask a local table a question. The answer, and every row behind it, stays on this machine."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def invoke(argv: Sequence[str]) -> int:
    """Run one command; usage errors of the option parser become `UsageError`."""
    command = typer.main.get_command(app)
    try:
        code = command.main(args=list(argv), prog_name="tabchat", standalone_mode=False)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort:
        return ExitCode.INTERRUPTED
    except typer.TyperException as error:
        raise UsageError(
            error.format_message(), hint="Run tabchat --help, or tabchat COMMAND --help."
        ) from error
    return int(code or ExitCode.ANSWERED)
