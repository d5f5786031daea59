"""The Typer application, and what it makes of arguments."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabchat.cli.invocation import COMMANDS
from tabchat.cli.options.groups import expanded
from tabchat.cli.options.typed import is_file
from tabchat.errors import ExitCode, InterruptedByUserError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

_ABOUT: Final = frozenset({"--help", "-h", "--version"})
OUTLINE: Final[Mapping[str, str]] = {
    "ask": "Answer a question about a table.",
    "repl": "Talk to tables: ask, look, follow up, export.",
    "query": "Run a QueryPlan on a table.",
    "sql": "Run one read-only SELECT.",
    "run": "Run pandas code over a table, in a locked process.",
    "edit": "Change a table and save it to another file.",
    "profile": "Describe every column of a table.",
    "view": "Look at a table or a kept result on the whole screen.",
    "check": "Look for what may be wrong with a table.",
    "show": "Show a kept result again.",
    "results": "List the results that are kept, newest first.",
    "export": "Write every row of a kept result to a file or to stdout.",
    "mcp": "Let another assistant ask tables (Model Context Protocol).",
    "rerun": "Compute a kept result again on another file, and compare.",
    "test": "Repeat a session on the files as they are now.",
    "egress": "List what was sent to models, newest first, or show one request.",
    "words": "List your own words for columns and cells, or teach one.",
    "doctor": "Look at what tabchat stands on, from folders to sandbox.",
    "analyze": "Run an analysis recipe: yields, causes, control charts.",
    "session": "The kept conversations of the REPL.",
    "config": "Show the settings, and change your own file of them.",
    "model": "List, choose or show the model that is asked.",
    "cache": "The cached table versions, results, replies of models and sessions.",
}
"""Command → what it does, in the order of the list: groups of commands come last."""


def build_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Return the application with the commands in `names`, importing only what they need."""
    app = _empty_app()
    for name in names:
        command = getattr(import_module(COMMANDS[name]), name)
        if isinstance(command, typer.Typer):
            app.add_typer(command, name=name, short_help=OUTLINE.get(name))
        else:
            app.command(name, short_help=OUTLINE.get(name))(expanded(command))
    return app


def build_outline() -> typer.Typer:
    """Return the application as its list of commands shows it, importing none of them; no command of it runs."""
    app = _empty_app()
    for name, summary in OUTLINE.items():
        app.command(name, short_help=summary)(_unloaded)
    return app


def _unloaded() -> None:
    """Stand for a command that is only listed."""


def _empty_app() -> typer.Typer:
    app = typer.Typer(
        name="tabchat",
        # Its own would load every command, and part words at spaces.
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback(invoke_without_command=True)(main)
    return app


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"tabchat {version('tabchat')}")
        raise typer.Exit


def _show_completion(shell: str | None) -> None:
    if shell is not None:
        from tabchat.cli.completion import script

        typer.echo(script(shell), nl=False)
        raise typer.Exit


def _install_completion(shell: str | None) -> None:
    if shell is not None:
        from tabchat.cli.completion import install

        target, start = install(shell)
        typer.echo(f"Written: {target}{f'; a line in {start} reads it' if start else ''}.", err=True)
        typer.echo("Completion works in the next shell that you start.", err=True)
        raise typer.Exit


def main(
    context: typer.Context,
    version: Annotated[  # noqa: ARG001 - the callback acts on it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
    install_completion: Annotated[  # noqa: ARG001 - as above
        str | None,
        typer.Option(
            callback=_install_completion,
            is_eager=True,
            metavar="[SHELL]",
            help="Let Tab complete commands, options and keys, in bash, zsh or fish.",
        ),
    ] = None,
    show_completion: Annotated[  # noqa: ARG001 - as above
        str | None,
        typer.Option(
            callback=_show_completion,
            is_eager=True,
            metavar="[SHELL]",
            help="Print the completion script of a shell, this one by default.",
        ),
    ] = None,
) -> None:
    """Ask a local table a question: tabchat FILE "QUESTION" is tabchat ask.

    The answer, and every row behind it, stays on this machine.
    """
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _app_for(argv: Sequence[str]) -> typer.Typer:
    if argv and argv[0] in COMMANDS:
        return build_app(argv[:1])
    if _ABOUT.issuperset(argv):
        return build_outline()
    return build_app()


def parsed(argv: Sequence[str]) -> int:
    """Run one command; usage errors of the option parser become `UsageError`.

    A command that is named first is the only one that is loaded, and for a look
    at their list none is: describing the options of all would cost every start.
    """
    if argv and argv[-1] in {"--install-completion", "--show-completion"}:
        argv = [*argv, "auto"]
    command = typer.main.get_command(_app_for(argv))
    try:
        # Its own `main` would make an exit code of Ctrl-C, of which nobody then heard.
        with command.make_context("tabchat", list(argv)) as context:
            code = command.invoke(context)
    except typer.Exit as stop:
        return stop.exit_code
    except typer.Abort as stop:
        raise InterruptedByUserError("Interrupted.") from stop
    except typer.TyperException as error:
        within = getattr(error, "ctx", None)
        path = within.command_path if within is not None else "tabchat"
        raise UsageError(error.format_message(), hint=_hint(error, argv) or f"Run {path} --help.") from error
    return int(code or ExitCode.ANSWERED)


def _hint(error: typer.TyperException, argv: Sequence[str]) -> str | None:
    """Say how a file or a text that begins with - is given, where one was taken for an option."""
    taken = getattr(error, "option_name", None)
    typed = next((item for item in argv if taken and item.startswith(taken)), "")
    if is_file(typed):
        return f"If the file is meant: ./{typed}"
    if any(map(str.isspace, typed)):
        return "A text that begins with - goes behind --, after all options."
    return None
