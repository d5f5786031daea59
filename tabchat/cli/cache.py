"""`tabchat cache`: the cached table versions, results and replies of models."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.groups import Output, Reading, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.render.block import counted
from tabchat.render.results import human_size
from tabchat.session import Session

if TYPE_CHECKING:
    from tabchat.chat.provider.response_cache import ResponseCache

cache = typer.Typer(help="The cached table versions, results and replies of models.", rich_markup_mode=None)


@cache.command("info")
@expanded
def info(running: Running) -> None:
    """Say where the cache is, what it holds and how large it may grow."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=presenter.settings()) as session,
    ):
        tables, kept, replies = session.cache.info(), session.store.info(), _replies(session).info()
        presenter.lines(
            {
                "folder": str(session.root),
                "table versions": f"{tables.entries} in {human_size(tables.size)} of {human_size(tables.limit)}",
                "results": f"{kept.entries} in {human_size(kept.bytes)}"
                + (f" of {human_size(kept.limit)}" if kept.limit is not None else ""),
                "pinned": str(kept.pinned),
                "replies": f"{replies.entries} in {human_size(replies.bytes)} of {human_size(replies.limit)}",
            }
        )


@cache.command("check")
@expanded
def check(running: Running) -> None:
    """Look for damaged entries, and mend what can be mended."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=presenter.settings()) as session,
    ):
        problems = (*session.cache.check(), *session.store.check(), *_replies(session).check())
        for problem in problems:
            presenter.say(problem)
        presenter.say(f"{counted(len(problems), 'problem')} found." if problems else "The cache is sound.")


@cache.command("clear")
@expanded
def clear(
    running: Running,
    tables: Annotated[bool, typer.Option("--tables", help="Only the table versions.")] = False,
    results: Annotated[bool, typer.Option("--results", help="Only the results.")] = False,
    replies: Annotated[bool, typer.Option("--replies", help="Only the replies of models.")] = False,
) -> None:
    """Delete the cached table versions, the kept results and the replies of models.

    Pinned results stay, and so do the files that all of it came from.
    """
    everything = not (tables or results or replies)
    with (
        Presenter(running, Output()) as presenter,
        Session.open([], settings=presenter.settings()) as session,
    ):
        if tables or everything:
            presenter.say(f"{counted(session.cache.clear(), 'table version')} deleted.")
        if results or everything:
            presenter.say(f"{counted(session.store.clear(), 'result')} deleted.")
        if replies or everything:
            replied = _replies(session).clear()
            presenter.say(f"{replied:,} repl{'y' if replied == 1 else 'ies'} deleted.")


@cache.command("build")
@expanded
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to read.")],
    reading: Reading,
    running: Running,
) -> None:
    """Read tables into the cache now, so that the first question finds them there."""
    with (
        Presenter(running, Output()) as presenter,
        Session.open(
            files,
            settings=presenter.settings(),
            options=reading.options(),
            progress=presenter.progress(),
        ) as session,
    ):
        presenter.loaded(session)


def _replies(session: Session) -> ResponseCache:
    from tabchat.chat.provider.response_cache import ResponseCache

    return ResponseCache(session.root / "responses", seal=session.seal)
