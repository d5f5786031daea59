"""`tabchat cache`: the cached table versions, results, replies of models and sessions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import opened, without_tables
from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Local, Output, Reading, expanded
from tabchat.cli.present import Presenter
from tabchat.errors import DeclinedError
from tabchat.render.block import counted
from tabchat.render.mutation import agrees, can_ask
from tabchat.render.results import human_size
from tabchat.session import Session

if TYPE_CHECKING:
    from tabchat.chat.provider.response_cache import ResponseCache
    from tabchat.engine.types import JsonValue
    from tabchat.journal.folder import SessionFolder

cache = typer.Typer(
    help="The cached table versions, results, replies of models and sessions.", rich_markup_mode=None
)


@cache.command("info")
@expanded
def info(running: Local, json: Json = False) -> None:
    """Say where the cache is, what it holds and how large it may grow."""
    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as session:
        tables, kept, replies = session.cache.info(), session.store.info(), _replies(session).info()
        sessions, size = _sessions(session).sizes()
        if json:
            presenter.json(
                {
                    "ok": True,
                    "folder": str(session.root),
                    "table_versions": _space(tables.entries, tables.size, tables.limit),
                    "results": _space(kept.entries, kept.bytes, kept.limit) | {"pinned": kept.pinned},
                    "replies": _space(replies.entries, replies.bytes, replies.limit),
                    "sessions": _space(sessions, size, None),
                }
            )
            return
        presenter.lines(
            {
                "folder": str(session.root),
                "table versions": f"{tables.entries} in {human_size(tables.size)} of {human_size(tables.limit)}",
                "results": f"{kept.entries} in {human_size(kept.bytes)}"
                + (f" of {human_size(kept.limit)}" if kept.limit is not None else ""),
                "pinned": str(kept.pinned),
                "replies": f"{replies.entries} in {human_size(replies.bytes)} of {human_size(replies.limit)}",
                "sessions": f"{sessions} in {human_size(size)}",
            }
        )


@cache.command("check")
@expanded
def check(running: Local, json: Json = False) -> None:
    """Look for damaged entries, and mend what can be mended."""
    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as session:
        problems = (
            *session.cache.check(),
            *session.store.check(),
            *_replies(session).check(),
            *_sessions(session).check(),
        )
        if json:
            presenter.json({"ok": True, "problems": [*problems]})
        for problem in problems:
            presenter.say(problem)
        presenter.say(f"{counted(len(problems), 'problem')} found." if problems else "The cache is sound.")


@cache.command("clear")
@expanded
def clear(
    running: Local,
    tables: Annotated[bool, typer.Option("--tables", help="Only the table versions.")] = False,
    results: Annotated[bool, typer.Option("--results", help="Only the results.")] = False,
    replies: Annotated[bool, typer.Option("--replies", help="Only the replies of models.")] = False,
    sessions: Annotated[bool, typer.Option("--sessions", help="Only the sessions of the REPL.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Delete without asking.")] = False,
    json: Json = False,
) -> None:
    """Delete the cached table versions, the kept results, the replies of models and the sessions, once you agree.

    Pinned results stay, and so do the files that all of it came from.
    """
    everything = not (tables or results or replies or sessions)
    deleted: dict[str, JsonValue] = {}
    with Presenter(running, Output(json=json)) as presenter, without_tables(presenter) as session:
        if not yes:
            held = _held(
                session,
                tables=tables or everything,
                results=results or everything,
                replies=replies or everything,
                sessions=sessions or everything,
            )
            _confirm(presenter, held)
        if tables or everything:
            deleted["table_versions"] = count = session.cache.clear()
            presenter.say(f"{counted(count, 'table version')} deleted.")
        if results or everything:
            deleted["results"] = count = session.store.clear()
            presenter.say(f"{counted(count, 'result')} deleted.")
        if replies or everything:
            deleted["replies"] = count = _replies(session).clear()
            presenter.say(f"{counted(count, 'reply', 'replies')} deleted.")
        if sessions or everything:
            deleted["sessions"] = count = _sessions(session).clear()
            presenter.say(f"{counted(count, 'session')} deleted.")
        if json:
            presenter.json({"ok": True, "deleted": deleted})


@cache.command("build")
@expanded
def build(
    files: Annotated[list[str], typer.Argument(metavar="FILE...", help="The tables to read.")],
    reading: Reading,
    running: Local,
    json: Json = False,
) -> None:
    """Read tables into the cache now, so that the first question finds them there; Parquet and Arrow files are only looked at."""
    with Presenter(running, Output(json=json)) as presenter, opened(presenter, files, reading) as session:
        session.survey()
        presenter.loaded(session)
        if json:
            built: list[JsonValue] = [
                {"table": table.name, "source": str(table.source), "rows": table.row_count}
                for table in session.tables.values()
            ]
            presenter.json({"ok": True, "tables": built})


def _space(entries: int, size: int, limit: int | None) -> dict[str, JsonValue]:
    return {"entries": entries, "bytes": size, "limit": limit}


def _held(session: Session, *, tables: bool, results: bool, replies: bool, sessions: bool) -> str:
    """Return in words what would be deleted; nothing is an empty text."""
    parts = []
    if tables and (entries := session.cache.info().entries):
        parts.append(counted(entries, "table version"))
    if results:
        kept = session.store.info()
        if unpinned := kept.entries - kept.pinned:
            pinned = f" ({kept.pinned:,} pinned stay)" if kept.pinned else ""
            parts.append(f"{counted(unpinned, 'kept result')}{pinned}")
    if replies and (entries := _replies(session).info().entries):
        parts.append(counted(entries, "reply", "replies"))
    if sessions:
        held, unsaved = _sessions(session).sizes()[0], _sessions(session).unsaved()
        if held:
            edits = f" ({unsaved:,} with edits that no file has)" if unsaved else ""
            parts.append(f"{counted(held, 'session')}{edits}")
    return ", ".join(parts)


def _confirm(presenter: Presenter, held: str) -> None:
    """Ask before anything is deleted; raises `DeclinedError` without a yes."""
    if not held:
        return
    if not can_ask():
        message = f"Nothing was deleted: nobody can be asked about {held}."
        raise DeclinedError(message, hint="tabchat cache clear --yes deletes without asking.")
    if not agrees(presenter.consoles, f"Delete {held}?"):
        raise DeclinedError("Nothing was deleted.", hint="tabchat cache info says what there is.")


def _sessions(session: Session) -> SessionFolder:
    from tabchat.journal.folder import SessionFolder

    return SessionFolder(session)


def _replies(session: Session) -> ResponseCache:
    from tabchat.chat.provider.response_cache import ResponseCache

    return ResponseCache(session.root / "responses", seal=session.seal)
