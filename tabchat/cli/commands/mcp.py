"""`tabchat mcp`: local tables as tools of another assistant."""

from __future__ import annotations

import sys
from dataclasses import replace
from importlib.util import find_spec
from typing import Annotated, Final

import typer

from tabchat.cli.offline import refuse_sockets
from tabchat.cli.options.groups import Output, Reading, Running
from tabchat.cli.options.typed import STDIN
from tabchat.cli.present import Presenter
from tabchat.config import ToolChoice, load_settings
from tabchat.errors import UsageError
from tabchat.session import Session

_SEES: Final = "What the assistant may see"


def mcp(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables that it may ask.")],
    reading: Reading,
    running: Running,
    privacy: Annotated[
        str | None,
        typer.Option(help="strict, summary or preview.", rich_help_panel=_SEES, metavar="LEVEL"),
    ] = None,
    hide: Annotated[
        list[str] | None,
        typer.Option(
            help="Column that it never learns of; repeatable, or separated by commas.",
            rich_help_panel=_SEES,
            metavar="COLUMN",
        ),
    ] = None,
    questions: Annotated[
        int,
        typer.Option(
            min=1,
            help="How many questions' worth of values it may be told, until it is started again.",
            rich_help_panel=_SEES,
        ),
    ] = 20,
) -> None:
    """Let another assistant ask the tables, by the Model Context Protocol on stdin and stdout.

    It gets the tools and the summaries that a model gets, never a file or a frame. Every byte that it was sent is in
    `tabchat egress`. Tables cannot be changed, and no socket is opened.
    """
    _check(files)
    with Presenter(running, Output()) as presenter:
        told = {"privacy": privacy, "hide": ",".join(hide or ()), "offline": True}
        given = {name: value for name, value in told.items() if value}
        settings = load_settings(running.flags() | given, told=presenter.say)
        if settings.tools is ToolChoice.FULL:
            # Edits are confirmed by the person, and nobody sits at this end.
            settings = replace(settings, tools=ToolChoice.ANALYSIS)
        refuse_sockets()
        with Session.open(
            files, settings=settings, options=reading.options(), progress=presenter.progress()
        ) as session:
            presenter.loaded(session)
            from tabchat.mcp import serve

            presenter.say(f"Serving {', '.join(session.tables)} at privacy level {settings.privacy.value}.")
            if sys.stdin.isatty():
                presenter.say(
                    "An assistant starts this itself (docs/how-to/assistants.md says how); here, Ctrl-C ends it."
                )
            serve(session, questions=questions, say=presenter.say)


def _check(files: list[str]) -> None:
    if STDIN in files:
        message = "A table cannot come from stdin here: the assistant's messages do."
        raise UsageError(message, hint="Put it into a file.")
    if find_spec("mcp") is None:
        message = "The Model Context Protocol needs a package that is not installed."
        raise UsageError(message, hint="Install the extra: pip install 'tabchat[mcp]'")
