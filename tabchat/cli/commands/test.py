"""`tabchat test`: a session repeated on the files as they are now."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.options.flags import Json
from tabchat.cli.options.groups import Output, Running
from tabchat.cli.present import Presenter
from tabchat.errors import DeclinedError, ExitCode, FiguresChangedError
from tabchat.render.block import counted
from tabchat.render.diagnostics import report
from tabchat.render.mutation import agrees, can_ask

if TYPE_CHECKING:
    from tabchat.journal.replay.replay import Outcome
    from tabchat.journal.replay.testing import SessionTest


def repeat(
    file: Annotated[Path, typer.Argument(metavar="SESSION", help="Markdown of tabchat session export.")],
    running: Running,
    json: Json = False,
    update: Annotated[
        bool,
        typer.Option("--update", help="Write the figures as they are now into the file, once you agree."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Update without asking.")] = False,
) -> None:
    """Repeat a session on the files as they are now. Fails with exit code 6 when a figure is another one.

    Nothing is sent: of what a model answered, its recorded replies are taken.
    """
    from tabchat.cli.offline import refuse_sockets
    from tabchat.journal.replay.testing import SessionTest

    refuse_sockets()
    with Presenter(running, Output(json=json)) as presenter:
        tested = SessionTest.read(file)
        with tested.opened(presenter.settings(), presenter.progress()) as session:
            presenter.loaded(session)
            with presenter.working("repeating"):
                outcomes = tested.run(session)
            code = _told(presenter, tested, outcomes, update=update, yes=yes)
        raise typer.Exit(code)


test = repeat
"""The command by its own name, which for a function is that of a unit test."""


def _told(
    presenter: Presenter, tested: SessionTest, outcomes: tuple[Outcome, ...], *, update: bool, yes: bool
) -> int:
    from tabchat.journal.replay.testing import outcome_json, render_outcomes

    bad = [outcome for outcome in outcomes if not outcome.ok]
    error = _verdict(outcomes, tested)
    updated = update and bool(bad) and _may_update(presenter, tested, bad, yes=yes)
    if updated:
        tested.update(outcomes)
    if presenter.output.json:
        presenter.json(
            {
                "ok": not bad,
                "session": str(tested.path),
                "steps": [outcome_json(number, outcome) for number, outcome in enumerate(outcomes, start=1)],
                "updated": updated,
                "error": error.to_json() if error is not None and not updated else None,
            }
        )
    else:
        render_outcomes(presenter.consoles, outcomes)
    if updated:
        failed = sum(outcome.error is not None for outcome in bad)
        presenter.say(
            f"{tested.path} is updated."
            + (f" {counted(failed, 'step')} failed, and stayed." if failed else "")
        )
        return ExitCode.UNVERIFIED if failed else ExitCode.ANSWERED
    if error is not None:
        return report(error, presenter.consoles)
    checked = sum(outcome.is_checked for outcome in outcomes)
    bare = sum(outcome.answer is not None and not outcome.is_checked for outcome in outcomes)
    holds = "holds" if bare == 1 else "hold"
    told = f"; {counted(bare, 'step')} {holds} no figures to compare with" if bare else ""
    presenter.say(f"{counted(checked, 'step')} as before{told}.")
    return ExitCode.ANSWERED


def _verdict(outcomes: tuple[Outcome, ...], tested: SessionTest) -> FiguresChangedError | None:
    failed = sum(outcome.error is not None for outcome in outcomes)
    changed = sum(bool(outcome.differences) for outcome in outcomes)
    if not failed and not changed:
        return None
    parts = [f"{counted(changed, 'step')} came to other figures"] if changed else []
    parts += [f"{counted(failed, 'step')} failed"] if failed else []
    hint = (
        f"Where that is right: tabchat test {shlex.quote(str(tested.path))} --update"
        if changed
        else f"Mend the steps in {tested.path}, or the tables that it names."
    )
    return FiguresChangedError(f"{' and '.join(parts)}, of {counted(len(outcomes), 'step')}.", hint=hint)


def _may_update(presenter: Presenter, tested: SessionTest, bad: list[Outcome], *, yes: bool) -> bool:
    if yes:
        return True
    if not can_ask():
        message = f"{tested.path} was not updated: nobody can be asked."
        raise DeclinedError(message, hint="Add --yes to update without being asked.")
    return agrees(presenter.consoles, f"Write the figures of {counted(len(bad), 'step')} into {tested.path}?")
