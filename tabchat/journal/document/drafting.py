"""The document of a kept session: each turn that computed or changed something becomes a step with its figures."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import AssistantMessage
from tabchat.engine.edits.versions import FRAME
from tabchat.journal.document.document import Head, Step, TableFile, lines_of
from tabchat.journal.replay.figures import figures_of
from tabchat.journal.resuming import open_answer
from tabchat.record import record
from tabchat.session.edits.requests import COMMIT

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from tabchat.chat.turn.answer import Answer
    from tabchat.engine.types import JsonValue
    from tabchat.journal.kept import KeptSession
    from tabchat.journal.records import KeptAnswer, KeptBlock, KeptChange, KeptTurn
    from tabchat.session import Session
    from tabchat.store.recipe import ResultRecipe

_CODE_COMMANDS: Final = ("/run", ".run", "/edit", ".edit")


@record
class Section:
    """A turn as a report tells it."""

    turn: KeptTurn
    steps: tuple[Step, ...]
    """What repeats it; nothing for a turn that cannot be repeated."""
    answer: Answer | None
    """Its answer with its rows, where they are kept."""
    untold: str | None = None
    """Why it cannot be repeated, or why its figures are not here."""


@record
class Draft:
    """All that a report is made of."""

    kept: KeptSession
    head: Head
    sections: tuple[Section, ...]


def draft(session: Session, kept: KeptSession, folder: Path | None) -> Draft:
    """Return the parts of a report that will lie in `folder`, from which its tables are named."""
    workspace = kept.workspace
    settings: dict[str, JsonValue] = {"privacy": workspace.privacy}
    if workspace.hide:
        settings["hide"] = list(workspace.hide)
    for turn in kept.turns:
        for block in turn.answer.blocks if turn.answer is not None else ():
            settings |= _settings(block.recipe)
    head = Head(
        tables=tuple(
            TableFile(
                name=table.reference.name,
                file=_path(table.source, folder),
                options=table.reference.options,
            )
            for table in workspace.tables
        ),
        settings=settings,
    )
    return Draft(kept=kept, head=head, sections=tuple(_sections(session, kept)))


def _path(source: Path, folder: Path | None) -> str:
    """Return a path from `folder`, when the file lies in it or below."""
    if folder is not None and source.is_relative_to(os.path.abspath(folder)):  # noqa: PTH100 - links stay as they are
        return str(source.relative_to(os.path.abspath(folder)))  # noqa: PTH100 - as above
    return str(source)


def _settings(recipe: ResultRecipe | None) -> Mapping[str, JsonValue]:
    known = recipe.settings if recipe is not None else {}
    return {name: known[name] for name in ("week_start", "sessions") if known.get(name)}


def _sections(session: Session, kept: KeptSession) -> Iterator[Section]:
    steps: dict[str, JsonValue] = {}
    """Data key → the number of the step that gave it; with the place of the result, where it was not the step's last."""
    count = 0
    for turn in kept.turns:
        section = _section(session, turn, steps)
        if section is None:
            continue
        count += len(section.steps)
        if section.steps and turn.answer is not None:
            steps |= _places(turn.answer, count)
        yield section


def _places(answer: KeptAnswer, count: int) -> Mapping[str, JsonValue]:
    last = len(answer.blocks) - 1
    return {
        block.key: count if place == last else [count, place]
        for place, block in enumerate(answer.blocks)
        if block.key is not None
    }


def _section(session: Session, turn: KeptTurn, steps: Mapping[str, JsonValue]) -> Section | None:
    answer = turn.answer
    if answer is None:
        if not turn.changes and turn.asked is None:
            return None
        changes = [_change(change, turn) for change in turn.changes if change.kind != "saved"]
        lost = any(step is None for step in changes)
        return Section(
            turn=turn,
            steps=tuple(step for step in changes if step is not None),
            answer=None,
            untold="The code that made the change is not known." if lost else None,
        )
    opened = open_answer(session, answer)
    try:
        does = _does(turn, answer, steps)
    except LookupError as error:
        return Section(turn=turn, steps=(), answer=opened, untold=str(error.args[0]))
    if does is None:
        return Section(turn=turn, steps=(), answer=opened)
    block = opened.block if len(opened.blocks) == len(answer.blocks) else None
    step = Step(
        does=does,
        expect=figures_of(block.result) if block is not None else None,
        figures=_text_figures(answer) if "replies" in does else None,
    )
    missing = "Its rows are not kept any more." if answer.block is not None and block is None else None
    return Section(turn=turn, steps=(step,), answer=opened, untold=missing)


def _text_figures(answer: KeptAnswer) -> tuple[tuple[str, JsonValue], ...]:
    return tuple((figure.text, figure.value) for figure in answer.figures)


def _does(
    turn: KeptTurn, answer: KeptAnswer, steps: Mapping[str, JsonValue]
) -> Mapping[str, JsonValue] | None:
    """Return what repeats an answer; nothing for one that is words of rules alone. Raises `LookupError` with a reason."""
    asked: dict[str, JsonValue] = {"ask": turn.asked or answer.question or turn.entry}
    if answer.planner == "llm":
        return {**asked, "table": turn.table, **_model_turn(turn, answer, steps)}
    block = answer.block
    if block is None:
        return None
    if block.recipe is None:
        raise LookupError("How it was computed is not kept.")
    return {**asked, **computed_by(block.recipe), **_uses(block.recipe, steps), **_number(block)}


def _number(block: KeptBlock) -> Mapping[str, JsonValue]:
    return {"number": block.number} if block.number is not None else {}


def computed_by(recipe: ResultRecipe) -> Mapping[str, JsonValue]:
    """Return the part of a step that computes a result."""
    plan = dict(recipe.plan or {})
    names = [table.name for table in recipe.tables]
    match recipe.kind:
        case "plan":
            return {"table": names[0], "plan": plan}
        case "sql":
            return {"sql": lines_of(recipe.sql or "")}
        case "code":
            return {"table": names[0], "code": lines_of(str(plan["code"]))}
        case "analysis":
            children = {"children": names[1]} if len(names) > 1 else {}
            return {"table": names[0], "analysis": {**plan, **children}}


def _uses(recipe: ResultRecipe, steps: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    keys = [table.result_key for table in recipe.tables if table.result_key is not None]
    if any(key not in steps for key in keys):
        raise LookupError("It reads a result of another session.")
    return {"uses": {key: steps[key] for key in keys}} if keys else {}


def _model_turn(
    turn: KeptTurn, answer: KeptAnswer, steps: Mapping[str, JsonValue]
) -> Mapping[str, JsonValue]:
    replies: list[JsonValue] = []
    for message in answer.messages:
        if isinstance(message, AssistantMessage):
            calls: list[JsonValue] = [
                {"name": call.name, "arguments": dict(call.arguments)} for call in message.tool_calls
            ]
            replies.append({"text": lines_of(message.text), **({"calls": calls} if calls else {})})
    if not replies:
        raise LookupError("The model's replies are not kept.")
    told: dict[str, JsonValue] = {"model": answer.model, "replies": replies}
    named = [key for key in steps if any(key in repr(reply) for reply in replies)]
    if named:
        told["uses"] = {key: steps[key] for key in named}
    if any(change.kind == "made" for change in turn.changes):
        told["agrees"] = True
    numbered: Sequence[int] = [block.number for block in answer.blocks if block.number is not None]
    return told | ({"numbers": list(numbered)} if numbered else {})


def _change(change: KeptChange, turn: KeptTurn) -> Step | None:
    if change.kind == "undone":
        return Step(does={"undo": True})
    if change.kind == "redone":
        return Step(does={"redo": True})
    if change.edit.get("operation") != FRAME:
        return Step(does={"table": change.table, "edit": dict(change.edit)})
    command, _, code = turn.entry.partition(" ")
    code = code.strip().removeprefix("--yes ").strip()
    if command.lower() not in _CODE_COMMANDS or not code or code.startswith("@"):
        return None
    code = code if COMMIT in code else f"{code}\n{COMMIT} = True"
    return Step(does={"table": change.table, "edit_code": lines_of(code)})
