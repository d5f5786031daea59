"""`tabchat doctor`: what works here, what is around it, and which walls stand around code."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Running
from tabchat.cli.present import Presenter
from tabchat.errors import ExitCode
from tabchat.session.doctor.checks import examine
from tabchat.session.doctor.finding import State

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.config import Settings
    from tabchat.session.doctor.finding import Finding

_MARKS: Final = {State.GOOD: "ok", State.NOTE: "note", State.BAD: "BAD"}


def doctor(
    running: Running,
    call: Annotated[
        bool,
        typer.Option(
            "--call", help="Also send the model that is set one small request: speed, cost, tool calls."
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Look at what tabchat stands on: folders, ledger, terminal, providers, model, extras, sandbox.

    Asks no model unless --call does, and opens no socket but to an Ollama on this machine. Exit code 1 when something
    that is set up does not work.
    """
    with Presenter(running, Output(json=json)) as presenter:
        findings = []
        for finding in _findings(presenter.settings(), call=call):
            findings.append(finding)
            if json:
                continue
            hint = f"\n  try: {finding.hint}" if finding.hint else ""
            presenter.text(f"{_MARKS[finding.state]:4}  {finding.name}: {finding.text}{hint}")
        failed = any(finding.state is State.BAD for finding in findings)
        if json:
            presenter.json({"ok": not failed, "findings": [finding.to_json() for finding in findings]})
    raise typer.Exit(ExitCode.INTERNAL if failed else ExitCode.ANSWERED)


def _findings(settings: Settings, *, call: bool) -> Iterator[Finding]:
    yield from examine(settings)
    if call:
        from tabchat.session import Session
        from tabchat.session.doctor.trial_call import trial_call

        with Session.open([], settings=settings) as session:
            yield trial_call(session.language, timeout=settings.timeout)
