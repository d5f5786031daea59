"""`tabchat edit`: changes to a table, shown first, and saved to another file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tabchat.cli.computing import opened
from tabchat.cli.options.groups import Output, Reading, Running
from tabchat.cli.options.typed import STDIN, check_stdin, typed_text
from tabchat.cli.present import Presenter
from tabchat.errors import DeclinedError, ExitCode, UsageError
from tabchat.export.target import check_target
from tabchat.render.diagnostics import report
from tabchat.render.mutation import agrees, can_ask, render_mutation
from tabchat.session import Session

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue
    from tabchat.session.edits.editing import TableChange


def edit(
    file: Annotated[str, typer.Argument(help="The table (- for stdin); it is never written to.")],
    requests: Annotated[
        list[str],
        typer.Argument(
            metavar="REQUEST...",
            help="Edits, one after the other: words, the JSON of edit_table, pandas code, @FILE with it, or - for stdin.",
        ),
    ],
    reading: Reading,
    running: Running,
    output: Output,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Save without asking.")] = False,
) -> None:
    """Change a table and save it to another file.

    What changes is shown first. Without -o, nothing is saved.
    """
    check_stdin([file, *requests])
    if output.source:
        raise UsageError("An edited table has no source rows.", hint="Leave --source out.")
    if output.output is not None:
        # Nobody is to be asked about an edit that cannot be saved.
        check_target(output.output, force=output.force, protected=[] if file == "-" else [Path(file)])
    with Presenter(running, output) as presenter, opened(presenter, [file], reading) as session:
        presenter.loaded(session)
        raise typer.Exit(_edit(session, presenter, requests, yes=yes))


def _edit(session: Session, presenter: Presenter, requests: list[str], *, yes: bool) -> int:
    from tabchat.session.edits.editing import edit_in_order

    texts = [typed_text(text) if text == STDIN else text for text in requests]
    with presenter.working("editing"):
        change = edit_in_order(session, texts)
    output, target = presenter.output, presenter.output.output
    is_human = not output.json and output.format == "table"
    if is_human:
        for step, reading in zip(change.steps, change.readings, strict=True):
            if reading is not None:
                presenter.say(f"read as: {reading}")
            render_mutation(presenter.consoles, step.text, step.summary)
            for note in step.notes:
                presenter.say(f"note: {note}")
    refusal = _refusal(presenter, target, yes=yes)
    if target is not None and refusal is None:
        with presenter.working("writing"):
            done = session.save(target, force=output.force)
        presenter.exported(done, target)
    if output.json:
        presenter.json(_json(session, change, " ; ".join(requests), target, refusal))
    elif not is_human:
        presenter.print_frame(session.frame())
    if refusal is not None:
        return report(refusal, presenter.consoles)
    if target is None:
        presenter.say("Nothing was saved. To save the edited table: -o FILE.")
    return ExitCode.ANSWERED


def _refusal(presenter: Presenter, target: Path | None, *, yes: bool) -> DeclinedError | None:
    """Ask whether to save, and return why not to."""
    if target is None or yes:
        return None
    if not can_ask():
        message = "Nothing was saved: nobody can be asked to confirm the edit."
        return DeclinedError(message, hint="Add --yes to save without being asked.")
    if agrees(presenter.consoles, f"Save the edited table to {target}?"):
        return None
    return DeclinedError("Nothing was saved.", hint="The table is as it was.")


def _json(
    session: Session,
    change: TableChange,
    question: str,
    target: Path | None,
    refusal: DeclinedError | None,
) -> dict[str, JsonValue]:
    """Return the one object that `--json` prints."""
    answer = session.query({})
    saved = target is not None and refusal is None
    return answer.to_json(rows=session.settings.rows) | {
        "ok": refusal is None,
        "question": question,
        "answer": "; ".join((*(step.text for step in change.steps), *change.summary.to_lines())),
        "type": "edit",
        "edits": [dict(step.edit) for step in change.steps],
        "mutation_summary": change.summary.to_json(),
        "interpretation": "; ".join(filter(None, change.readings)) or None,
        "saved": str(target) if saved else None,
        "error": refusal.to_json() if refusal is not None else None,
    }
