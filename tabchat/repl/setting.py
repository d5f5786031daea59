"""What `/set` does: show the parts of the last reading, or run it again with one part changed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.errors import ExitCode, UsageError
from tabchat.render.layout.grid import GridColumn, draw_fitting
from tabchat.render.layout.text import sanitise
from tabchat.repl.registry import Command

if TYPE_CHECKING:
    from tabchat.planner import OfflinePlanner
    from tabchat.planner.intent import Intent
    from tabchat.planner.interpretation import Interpreter
    from tabchat.repl.shell import Shell


def set_part(shell: Shell, argument: str) -> ExitCode:
    """Show the parts of the last reading, or change one of them and show the answer."""
    from tabchat.planner.setting import with_part

    planner = shell.session.panel.rules()
    interpreter = planner.interpreter(shell.session.current.name)
    intent = _last_intent(shell, planner, interpreter)
    name, _, text = argument.strip().partition(" ")
    if not name:
        return _show_parts(shell, intent, interpreter)
    draft = planner.draft_of(with_part(intent, name.casefold(), text, interpreter), interpreter)
    answer = shell.session.query(
        draft.call.arguments, asked=f"/set {argument.strip()}", interpretation=draft.interpretation
    )
    return shell.show(answer)


def _last_intent(shell: Shell, planner: OfflinePlanner, interpreter: Interpreter) -> Intent:
    earlier = shell.session.conversation.all_messages()
    intent = planner.previous(earlier, interpreter.facts)
    if intent is None:
        message = "The last answer has no parts." if earlier else "There is no reading to change yet."
        raise UsageError(message, hint="Ask a question first: total revenue by region.")
    return intent


def _show_parts(shell: Shell, intent: Intent, interpreter: Interpreter) -> ExitCode:
    from tabchat.planner.setting import named_parts

    glyphs = shell.consoles.glyphs
    parts = named_parts(intent, interpreter.facts)
    columns = [
        GridColumn(header="part", cells=[name for name, _ in parts]),
        GridColumn(header="is", cells=[sanitise(text, glyphs) or "-" for _, text in parts], elastic=True),
    ]
    draw_fitting(shell.consoles, columns)
    return ExitCode.ANSWERED


SET: Command = Command(
    name="set",
    arguments="[PART VALUE]",
    summary="parts of the last reading, or change one: by month",
    run=set_part,
    takes=("part",),
)
