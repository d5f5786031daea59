"""What each `/` command does that is about models: which one, what it may see, what it was sent, what it cost."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Final

from tabchat.config import Planner, PrivacyLevel
from tabchat.engine.nearest import nearest
from tabchat.errors import ExitCode, UsageError
from tabchat.render.layout.text import pack, sanitise
from tabchat.render.receipts import render_receipts
from tabchat.render.verdict import describe_usage, dollars
from tabchat.repl.entry import whole_number
from tabchat.repl.registry import Command
from tabchat.tools.hiding import hidden_twins

if TYPE_CHECKING:
    from collections.abc import Sequence
    from enum import StrEnum

    from tabchat.repl.shell import Shell

SEEN: Final = {
    PrivacyLevel.STRICT: "names, types and counts",
    PrivacyLevel.SUMMARY: "names, types, counts and summaries of values",
    PrivacyLevel.PREVIEW: "names, types, counts, summaries and a few rows",
}
"""What a model sees at each level, in words."""
ANSWERERS: Final = {
    Planner.AUTO: "rules first, then the model",
    Planner.RULES: "rules alone",
    Planner.LLM: "the model alone",
}

REQUESTS_LISTED: Final = 20


def describe_model(shell: Shell) -> str:
    """Return who answers and what leaves the machine, in one line."""
    settings = shell.session.settings
    if not asks_a_model(shell):
        return "No model is asked: everything stays on this machine."
    name = sanitise(settings.model or "no model", shell.consoles.glyphs)
    hidden = f", nothing of {len(settings.hide):,} hidden columns" if len(settings.hide) > 1 else ""
    hidden = ", nothing of 1 hidden column" if len(settings.hide) == 1 else hidden
    return f"{name} sees {SEEN[settings.privacy]}{hidden}; /egress shows every byte."


def asks_a_model(shell: Shell) -> bool:
    """Return whether a question may reach a model."""
    settings = shell.session.settings
    return settings.model is not None and settings.planner is not Planner.RULES and not settings.offline


def set_model(shell: Shell, argument: str) -> ExitCode:
    """Say which model is asked, or ask another one, or none."""
    if argument:
        name = argument.strip()
        if len(name.split()) > 1:
            raise UsageError(f"{name!r} is not one name.", hint="/model openai/gpt-5-mini, or /model off")
        shell.session.set_model(None if name == "off" else name)
        # It loads while the person types the question.
        shell.session.language.warm()
    shell.explain(describe_model(shell))
    settings = shell.session.settings
    if settings.model is not None and settings.offline:
        shell.explain(
            f"{sanitise(settings.model, shell.consoles.glyphs)} is set, and --offline forbids asking it."
        )
    elif settings.model is not None and settings.planner is Planner.RULES:
        shell.explain("A model is set, and /planner rules keeps it out; /planner auto lets it answer.")
    elif settings.model is None:
        shell.explain("Name one with /model, such as /model openai/gpt-5-mini.")
    return ExitCode.ANSWERED


def set_privacy(shell: Shell, argument: str) -> ExitCode:
    """Say what a model may see, or change it."""
    level = shell.session.settings.privacy
    if argument:
        level = PrivacyLevel(_one_of("/privacy", argument, tuple(PrivacyLevel)))
        shell.session.set_privacy(level)
    shell.explain(f"Privacy is {level}: a model sees {SEEN[level]}.")
    return ExitCode.ANSWERED


def set_planner(shell: Shell, argument: str) -> ExitCode:
    """Say who may answer, or change it."""
    planner = shell.session.settings.planner
    if argument:
        planner = Planner(_one_of("/planner", argument, tuple(Planner)))
        shell.session.set_planner(planner)
    shell.explain(f"Planner is {planner}: {ANSWERERS[planner]}.")
    return ExitCode.ANSWERED


def _one_of(command: str, argument: str, choices: Sequence[StrEnum]) -> str:
    wanted = argument.strip().lower()
    begun = [choice for choice in choices if choice.startswith(wanted)]
    if len(begun) != 1:
        message = f"{command} cannot be {argument!r}."
        raise UsageError(message, hint=f"Use {', '.join(choices[:-1])} or {choices[-1]}.")
    return begun[0].value


def hide_columns(shell: Shell, argument: str) -> ExitCode:
    """Hide columns from models, or say which are hidden."""
    hidden = shell.session.settings.hide
    if argument.strip().lower() == "off":
        hidden = ()
        shell.session.set_hidden(hidden)
    elif argument:
        hidden = tuple(dict.fromkeys((*hidden, *_columns(shell, argument))))
        shell.session.set_hidden(hidden)
    listed = sanitise(", ".join(hidden), shell.consoles.glyphs)
    shell.explain(f"Hidden from models: {listed}." if hidden else "No column is hidden from models.")
    for sentence in hidden_twins(shell.session.tables, hidden):
        shell.explain(sanitise(sentence, shell.consoles.glyphs))
    return ExitCode.ANSWERED


def _columns(shell: Shell, argument: str) -> list[str]:
    """Return the columns that an argument names: separated by commas, or by spaces where no name has any."""
    known = {column.name: None for table in shell.session.tables.values() for column in table.schema}
    wanted = [name.strip().strip('"') for name in argument.split(",") if name.strip()]
    if any(name not in known for name in wanted):
        try:
            words = shlex.split(argument.replace(",", " "))
        except ValueError:
            words = wanted
        wanted = words if all(word in known for word in words) else wanted
    for name in wanted:
        if name not in known:
            near = nearest(name, known) or tuple(known)[:5]
            message = f"No open table has a column {name!r}."
            raise UsageError(message, hint=f"/hide {near[0]} — there is {', '.join(near)}.")
    return wanted


def show_egress(shell: Shell, argument: str) -> ExitCode:
    """List what was sent to models, newest first, or show one request."""
    from tabchat.render.egress import narrate_damage, render_egress, render_request

    ledger = shell.session.ledger
    if argument:
        render_request(shell.consoles, ledger.get(argument.strip()))
        return ExitCode.ANSWERED
    damaged: list[str] = []
    shown = render_egress(shell.consoles, ledger.entries(limit=REQUESTS_LISTED, damaged=damaged.append))
    if shown == REQUESTS_LISTED:
        shell.explain(f"the newest {shown} requests; tabchat egress --last 0 lists all")
    narrate_damage(shell.consoles, damaged)
    return ExitCode.ANSWERED


def show_cost(shell: Shell, _argument: str) -> ExitCode:
    """Say what the models of this session have cost, and what they may."""
    spent, settings = shell.session.spent, shell.session.settings
    said = ["No model was asked in this session."]
    if spent.model is not None:
        said = describe_usage(spent)
    for line in pack(said, shell.consoles.width, shell.consoles.glyphs):
        shell.consoles.out.print(line)
    limits = []
    if settings.max_cost is not None:
        limits.append(f"at most {dollars(settings.max_cost)} in all")
    if settings.max_tokens is not None:
        limits.append(f"at most {settings.max_tokens:,} tokens a question")
    shell.explain(f"Limits: {', '.join(limits) or 'none (--max-cost, --max-tokens)'}.")
    return ExitCode.ANSWERED


def show_receipts(shell: Shell, argument: str) -> ExitCode:
    """Show where the figures of the last answer come from."""
    wanted = argument.strip().strip("[]")
    number = whole_number(wanted)
    if wanted and number is None:
        message = f"{argument!r} is no number of a figure."
        raise UsageError(message, hint="/trace 1, or /trace for all of them.")
    answer = shell.require_last()
    if not render_receipts(shell.consoles, answer, shell.consoles.out, number=number):
        message = f"The last answer has no figure {wanted}." if wanted else "The last answer has no figures."
        raise UsageError(message, hint="/trace lists them." if wanted else "Ask for numbers.")
    return ExitCode.ANSWERED


MODEL_COMMANDS: Final = (
    Command(
        name="model",
        arguments="[NAME|off]",
        summary="ask another model what rules cannot answer, or none",
        run=set_model,
        takes=("model",),
    ),
    Command(
        name="planner",
        arguments="[WHO]",
        summary="who answers: auto (rules, then the model), rules, llm",
        run=set_planner,
        takes=("planner",),
    ),
    Command(
        name="privacy",
        arguments="[LEVEL]",
        summary="what a model may see: strict, summary, preview",
        run=set_privacy,
        takes=("privacy",),
    ),
    Command(
        name="hide",
        arguments="[names|off]",
        summary="columns that no model may learn of",
        run=hide_columns,
        takes=("hidden",),
    ),
    Command(
        name="egress",
        arguments="[ID]",
        summary="what was sent to models, or one request of it",
        run=show_egress,
        takes=("request",),
    ),
    Command(
        name="trace",
        arguments="[N]",
        summary="where the figures of the last answer come from",
        run=show_receipts,
        takes=("number",),
    ),
    Command(name="cost", summary="what the models of this session have cost", run=show_cost),
)
