"""`tabchat doctor`: what works here, and which walls stand around code."""

from __future__ import annotations

from typing import Annotated, Final

import typer

from tabchat.cli.groups import Output, Running, expanded
from tabchat.cli.present import Presenter
from tabchat.errors import ExitCode
from tabchat.session.doctor import State, examine

_MARKS: Final = {State.GOOD: "ok", State.NOTE: "note", State.BAD: "BAD"}


@expanded
def doctor(
    running: Running,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object a finding.")] = False,
) -> None:
    """Look at what tabchat stands on: folders, ledger, model, sandbox. Asks no model and opens no socket.

    Exit code 1 when something that is set up does not work.
    """
    failed = False
    with Presenter(running, Output(json=json)) as presenter:
        for finding in examine(presenter.settings()):
            failed = failed or finding.state is State.BAD
            if json:
                presenter.json(finding.to_json())
                continue
            hint = f"\n  try: {finding.hint}" if finding.hint else ""
            presenter.text(f"{_MARKS[finding.state]:4}  {finding.name}: {finding.text}{hint}")
    raise typer.Exit(ExitCode.INTERNAL if failed else ExitCode.ANSWERED)
