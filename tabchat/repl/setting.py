"""What `/set` does: show the parts of the last reading, or run it again with one part changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.errors import ExitCode, UsageError
from tabchat.render.grid import GridColumn, draw, fit
from tabchat.render.text import sanitise
from tabchat.repl.registry import Command

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.planner import OfflinePlanner
    from tabchat.planner.plans import Draft
    from tabchat.repl.shell import Shell


def set_part(shell: Shell, argument: str) -> ExitCode:
    """Show the parts of the last reading, or change one of them and show the answer."""
    plan = _last_plan(shell)
    planner = shell.session.panel.rules()
    name, _, text = argument.strip().partition(" ")
    if not name:
        return _show_parts(shell, planner, plan)
    draft = _changed(planner, plan, name.casefold(), text.strip())
    answer = shell.session.query(
        draft.arguments, asked=f"/set {argument.strip()}", interpretation=draft.interpretation
    )
    return shell.show(answer)


def _last_plan(shell: Shell) -> Mapping[str, JsonValue]:
    from tabchat.planner.follow_ups import previous_of

    previous = previous_of(shell.session.conversation.all_messages())
    if previous is None or previous.plan is None:
        message = (
            "There is no reading to change yet." if previous is None else "The last answer has no parts."
        )
        raise UsageError(message, hint="Ask a question first: total revenue by region.")
    if previous.plan.get("table") not in shell.session.tables:
        message = "The last answer is not about an open table."
        raise UsageError(message, hint="Ask a question about a table first.")
    return previous.plan


def _changed(planner: OfflinePlanner, plan: Mapping[str, JsonValue], name: str, text: str) -> Draft:
    from tabchat.planner.setting import check_part, is_nothing, with_limit, with_part, without_part

    check_part(name)
    table = planner.tables[str(plan["table"])]
    if not text:
        message = f"/set {name} needs what it is to be."
        raise UsageError(message, hint=f"Such as /set {name} none, which takes it away.")
    if is_nothing(text):
        return without_part(plan, name, table)
    if name == "limit":
        return with_limit(plan, text, table)
    return with_part(plan, name, planner.heard(text, table.name))


def _show_parts(shell: Shell, planner: OfflinePlanner, plan: Mapping[str, JsonValue]) -> ExitCode:
    from tabchat.planner.setting import named_parts

    glyphs = shell.consoles.glyphs
    parts = named_parts(plan, planner.tables[str(plan["table"])])
    columns = [
        GridColumn(header="part", cells=[name for name, _ in parts]),
        GridColumn(header="is", cells=[sanitise(text, glyphs) or "-" for _, text in parts], elastic=True),
    ]
    fitted = fit(columns, shell.consoles.width)
    draw(shell.consoles.out, columns, fitted.widths, glyphs)
    return ExitCode.ANSWERED


SET: Command = Command(
    name="set",
    arguments="[PART VALUE]",
    summary="parts of the last reading, or change one: by month",
    run=set_part,
)
