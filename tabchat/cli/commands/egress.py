"""`tabchat egress`: every byte that was ever sent to a model."""

from __future__ import annotations

import datetime as dt
import sys
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Local, Output
from tabchat.cli.present import Presenter
from tabchat.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from tabchat.audit import EgressLedger

LISTED: Final = 50
"""Requests that a list shows unless more are asked for."""


def egress(  # noqa: PLR0913, PLR0917 - every option is a parameter
    running: Local,
    name: Annotated[
        str | None, typer.Argument(metavar="[ID]", help="The request to show; its first characters will do.")
    ] = None,
    raw: Annotated[
        str | None, typer.Option("--raw", help="Write the exact bytes of this request.", metavar="ID")
    ] = None,
    json: Json = False,
    last: Annotated[
        int | None,
        typer.Option("--last", "-n", min=0, help="Only the newest N; 50 in a list. 0 for all.", metavar="N"),
    ] = None,
    since: Annotated[
        str | None,
        typer.Option(help="Only from this local date or time on, such as 2025-03-01.", metavar="WHEN"),
    ] = None,
    model: Annotated[
        str | None, typer.Option("--model", "-m", help="Only for the model of this name.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Verify that no line was changed or taken out.")
    ] = False,
    path: Annotated[bool, typer.Option("--path", help="Print where the ledger is.")] = False,
) -> None:
    """List what was sent to models, newest first, or show one request.

    Every request is written down before it is sent, byte for byte; keys are left out.
    """
    from tabchat.audit import EgressLedger

    if sum((name is not None, raw is not None, check, path)) > 1:
        message = "ID, --raw, --check and --path are different questions."
        raise UsageError(message, hint="Ask one of them at a time.")
    if raw is not None and json:
        message = "--raw writes the bytes as they are, and --json wraps them."
        raise UsageError(message, hint=f"tabchat egress {raw} --json")
    with Presenter(running, Output(json=json)) as presenter:
        settings = presenter.settings()
        ledger = EgressLedger(settings.data_dir / "egress", max_bytes=settings.egress_size)
        if path and json:
            presenter.json({"ok": True, "path": str(ledger.path)})
        elif path:
            presenter.text(str(ledger.path))
        elif check:
            raise typer.Exit(_check(presenter, ledger))
        elif raw is not None:
            sys.stdout.buffer.write(ledger.body_of(raw))
            sys.stdout.buffer.flush()
        elif name is not None:
            _show(presenter, ledger, name)
        else:
            _list(presenter, ledger, since=since, model=model, last=last)


def _list(
    presenter: Presenter, ledger: EgressLedger, *, since: str | None, model: str | None, last: int | None
) -> None:
    from tabchat.render.egress import NOTHING_SENT, narrate_damage, render_egress

    damaged: list[str] = []
    usual = None if presenter.output.json or since else LISTED
    limit = usual if last is None else last or None
    entries = ledger.entries(since=_moment(since), model=model, limit=limit, damaged=damaged.append)
    if presenter.output.json:
        presenter.json_list("requests", (entry.to_json() for entry in entries))
    else:
        nothing = NOTHING_SENT if since is None and model is None else "No such request was sent."
        count = render_egress(presenter.consoles, entries, nothing=nothing)
        if last is None and count == limit:
            presenter.say(f"the newest {count} requests; --last N shows more, --last 0 all")
    if not presenter.running.quiet:
        narrate_damage(presenter.consoles, damaged)


def _show(presenter: Presenter, ledger: EgressLedger, name: str) -> None:
    from tabchat.render.egress import render_request

    entry = ledger.get(name)
    if presenter.output.json:
        presenter.json(entry.to_json())
    else:
        render_request(presenter.consoles, entry)


def _check(presenter: Presenter, ledger: EgressLedger) -> ExitCode:
    from tabchat.render.block import counted

    found = ledger.check()
    code = ExitCode.INTERNAL if found.problems else ExitCode.ANSWERED
    if presenter.output.json:
        presenter.json(
            {
                "ok": not found.problems,
                "requests": found.requests,
                "files": found.files,
                "problems": list(found.problems),
                "notes": list(found.notes),
            }
        )
        return code
    for line in (*found.problems, *found.notes):
        presenter.text(line)
    verdict = "The ledger is not whole" if found.problems else "The ledger is whole"
    presenter.text(f"{verdict}: {counted(found.requests, 'request')} in {counted(found.files, 'file')}.")
    return code


def _moment(text: str | None) -> dt.datetime | None:
    if text is None:
        return None
    try:
        # Without a zone it is the person's own time.
        return dt.datetime.fromisoformat(text).astimezone()
    except (ValueError, OverflowError, OSError) as error:
        message = f"--since cannot be {text!r}."
        raise UsageError(message, hint="Write a date or a time: 2025-03-01, or 2025-03-01T14:30.") from error
