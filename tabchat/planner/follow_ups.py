"""A question that goes on from the one before, read as changes of the last plan; every word is accounted for.

Nothing is remembered here: the last plan is in the conversation, as the arguments of the tool that it was run by.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.messages import ToolMessage
from tabchat.engine.plan import parse_plan
from tabchat.errors import NotUnderstoodError
from tabchat.planner.follow_words import Heard
from tabchat.planner.parts import Parts, parts_of
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import Readings, explored, identity, shaped
from tabchat.planner.recall import draft_of, measure_of
from tabchat.planner.scope_edits import with_condition, with_periods
from tabchat.planner.shape_edits import (
    as_count,
    as_rows,
    as_share,
    turned,
    with_column,
    with_extreme,
    with_function,
    with_keys,
    with_limit,
    with_measures,
    with_order,
)
from tabchat.planner.shapes.base import Question
from tabchat.planner.skeleton import skeletons
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.chat.messages import Message
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.linker import Linked
    from tabchat.planner.nodes import Condition
    from tabchat.planner.plans import Draft
    from tabchat.planner.scene import Scene
    from tabchat.values import JsonValue

    Edit = Callable[[Parts], tuple[Parts, ...]]
    """A change of a plan; several results are different readings of it."""

_ANY: Final = r"[WL]*E?"
_FUNCTION: Final = r"[WL]*[fa]E?"
_LIMIT: Final = r"[WL]*(ON|FN|NO)E?"
_COUNT: Final = r"[WL]*K"
_EXTREME: Final = r"[WL]*S"
_COLUMN: Final = r"[WL]*C"
_LIST: Final = r"L"


@record
class Previous:
    """The last answer that rules or a model computed in this conversation."""

    plan: Mapping[str, JsonValue] | None
    """Arguments of `run_query`; none when the answer came from another tool."""
    tool: str


def previous_of(messages: Iterable[Message]) -> Previous | None:
    """Return what the last answered question of a conversation was computed by."""
    calls = [
        message.call
        for message in messages
        if isinstance(message, ToolMessage) and message.envelope.ok and message.envelope.data_key is not None
    ]
    if not calls:
        return None
    last = calls[-1]
    return Previous(plan=last.arguments if last.name == "run_query" else None, tool=last.name)


NOTHING: Final = "This goes on from an earlier question, and there is nothing that it refers to."


def settled(alone: Draft | NotUnderstoodError, asked: FollowUp, previous: Previous | None) -> Draft:
    """Decide between what a question means alone and what it changes of the last one.

    What is understood alone keeps its meaning, unless it begins like a follow-up. Raises `NotUnderstoodError`.
    """
    refusal = alone if isinstance(alone, NotUnderstoodError) else None
    own = alone if not isinstance(alone, NotUnderstoodError) else None
    if not asked.heard.begins and (own is not None or (refusal is not None and refusal.readings)):
        return _given(own, refusal)
    if asked.linked.unknown:
        if own is None and asked.heard.marks:
            raise not_understood(asked.linked.unknown)
        return _given(own, refusal)
    if previous is None:
        if own is None and is_fragment(asked):
            hint = "Ask the whole question: what to compute, of which column, and by what."
            raise NotUnderstoodError(NOTHING, hint=hint)
        return _given(own, refusal)
    readings = read_follow_up(asked, previous)
    if own is not None and not asked.heard.has("rows") and not readings.drafts:
        return own
    if not readings.drafts:
        raise _no_change(readings, refusal)
    return only_one(readings.drafts if own is None or _is_bare(own) else (*readings.drafts, own))


def _given(own: Draft | None, refusal: NotUnderstoodError | None) -> Draft:
    if own is None:
        raise refusal or NotUnderstoodError(NOTHING)
    return own


def _is_bare(own: Draft) -> bool:
    """Tell whether a question names a measure, rows or a number of them, and nothing else; the rest is carried over."""
    names = set(own.arguments)
    return own.tool == "run_query" and (names <= {"table", "select"} or names <= {"table", "limit"})


def _no_change(readings: Readings, refusal: NotUnderstoodError | None) -> NotUnderstoodError:
    if not readings.reasons and refusal is not None:
        return refusal
    reason = readings.reasons[0] if readings.reasons else "it is no change of it"
    return NotUnderstoodError(
        f"This goes on from the last answer, but not clearly: {reason}",
        hint="Ask it as a whole question.",
    )


def only_one(drafts: Sequence[Draft]) -> Draft:
    """Return the one plan that all drafts are; raises `NotUnderstoodError` with the readings of different ones."""
    found = {identity(_canonical(draft)): draft for draft in reversed(drafts)}
    if len(found) == 1:
        return drafts[0]
    raise NotUnderstoodError(
        "The question has several readings with different results.",
        hint="Name what is to change, or ask the whole question.",
        readings=tuple(draft.interpretation for draft in reversed(found.values())),
    )


def _canonical(draft: Draft) -> Draft:
    """Return a draft whose plan is written in the one way that plans of equal meaning share."""
    if draft.tool != "run_query":
        return draft
    plan = {name: value for name, value in draft.arguments.items() if name != "table"}
    return replace(draft, arguments=parse_plan(plan).to_json())


def not_understood(words: Sequence[str]) -> NotUnderstoodError:
    """Return the refusal that names words."""
    shown = ", ".join(f"“{word}”" for word in words)
    return NotUnderstoodError(
        f"Not understood: {shown}.",
        hint="Use the names of columns and values in the table; `tabchat profile FILE` lists them.",
        words=tuple(words),
    )


@record
class FollowUp:
    """A question that may go on from the last one, and what is needed to read it."""

    heard: Heard
    linked: Linked
    """Of the words that are left when the follow-up words are out."""
    scene: Scene
    nonadditive: frozenset[str]


def read_follow_up(asked: FollowUp, previous: Previous) -> Readings:
    """Return the plans that the last one becomes; none when the words are no change of it."""
    last = previous.plan
    if last is None:
        return Readings(drafts=(), reasons=(f"the last answer came from {previous.tool}, not from a plan",))
    if last.get("table", asked.scene.table.name) != asked.scene.table.name:
        return Readings(drafts=(), reasons=("the last answer is about another table",))
    try:
        parts = parts_of(last)
    except Unreadable as reason:
        return Readings(drafts=(), reasons=(str(reason),))
    return explored(asked.linked, asked.scene, _builder(asked, parts))


def is_fragment(asked: FollowUp) -> bool:
    """Tell whether a question only makes sense after another one."""
    if asked.heard.has("instead", "share", "reverse", "rows"):
        return True

    def build(clauses: Clauses, _reasons: list[str]) -> Sequence[Draft]:
        found = [_is_change(question, asked) for question in _questions(clauses, asked)]
        return (draft_of(Parts(), asked.scene.table),) if any(found) else ()

    return bool(explored(asked.linked, asked.scene, build).drafts)


def _is_change(question: Question, asked: FollowUp) -> bool:
    clauses = question.clauses
    try:
        edit = _core_edit(question, asked)
    except Unreadable:
        return False
    said = clauses.conditions or clauses.periods or clauses.keys or clauses.order
    return edit is not None and (bool(said) or edit is not _unchanged)


def _builder(asked: FollowUp, parts: Parts) -> Callable[[Clauses, list[str]], Sequence[Draft]]:
    def build(clauses: Clauses, reasons: list[str]) -> Sequence[Draft]:
        for question in _questions(clauses, asked):
            try:
                made = _changed(question, asked, parts)
            except Unreadable as reason:
                reasons.append(str(reason))
                return ()
            if made is not None:
                return tuple(draft_of(item, asked.scene.table) for item in made)
        return ()

    return build


def _questions(clauses: Clauses, asked: FollowUp) -> Iterable[Question]:
    for codes, core in skeletons(clauses.core, asked.scene):
        yield Question(
            clauses=replace(clauses, core=core), codes=codes, scene=asked.scene, nonadditive=asked.nonadditive
        )


def _changed(question: Question, asked: FollowUp, parts: Parts) -> tuple[Parts, ...] | None:
    """Apply everything that a question says to the last plan; nothing when some of it is no change."""
    clauses, heard, scene = question.clauses, asked.heard, asked.scene
    if clauses.by or clauses.bounds or clauses.per_row:
        return None
    core = _core_edit(question, asked)
    if core is None:
        return None
    conditions = [node.condition for node in clauses.conditions if node.condition is not None]
    _check_one_each(conditions)
    edits: list[Edit] = []
    if heard.has("rows"):
        edits.append(lambda item: (as_rows(item, scene),))
    for condition in conditions:
        edits.append(_filtering(condition, scene, too=heard.has("too")))
    if clauses.periods:
        edits.append(lambda item: with_periods(item, clauses.periods, scene))
    if clauses.keys:
        edits.append(_grouping(question, heard))
    if core is not _unchanged:
        edits.append(core)
    if heard.has("share"):
        edits.append(lambda item: (as_share(item, scene),))
    if clauses.order is not None:
        order = clauses.order
        edits.append(lambda item: with_order(item, order, scene))
    if heard.has("reverse"):
        edits.append(turned)
    return _applied(parts, edits) if edits else None


def _applied(parts: Parts, edits: Iterable[Edit]) -> tuple[Parts, ...]:
    options: tuple[Parts, ...] = (parts,)
    for edit in edits:
        options = tuple(made for option in options for made in edit(option))
    return options


def _check_one_each(conditions: Sequence[Condition]) -> None:
    columns = [item.column.index for item in conditions if item.column is not None]
    if len(set(columns)) < len(columns):
        raise Unreadable("two filters on one column: join them with “and” or “or”")


def _filtering(condition: Condition, scene: Scene, *, too: bool) -> Edit:
    def edit(parts: Parts) -> tuple[Parts, ...]:
        if condition.link == "versus" or (condition.link == "and" and not _adds_up(parts, scene)):
            raise Unreadable("the values together, or each of them?")
        return with_condition(parts, condition, too=too)

    return edit


def _adds_up(parts: Parts, scene: Scene) -> bool:
    """Tell whether the measure of two values together is the one that `and` asks for."""
    found = [measure_of(entry, scene.table) for entry in parts.select]
    return all(item is not None and item.function in {"sum", "count", "min", "max"} for item in found)


def _grouping(question: Question, heard: Heard) -> Edit:
    clauses = question.clauses
    if heard.has("instead") and heard.has("too"):
        raise Unreadable("instead of the groups that there are, or as well?")
    replaces = heard.has("instead") or not heard.has("more", "too")
    return lambda item: with_keys(
        item, clauses.keys, clauses, question.scene, add=heard.has("too"), replaces=replaces
    )


def _unchanged(parts: Parts) -> tuple[Parts, ...]:
    """Leave the measure as it is."""
    return (parts,)


def _core_edit(question: Question, asked: FollowUp) -> Edit | None:
    """Return what the core of a question changes; nothing when it is a question of its own."""
    codes, heard, scene = question.codes, asked.heard, asked.scene
    add = heard.has("too")
    clauses = question.clauses
    bare = not (clauses.conditions or clauses.periods or clauses.keys or clauses.order)
    if re.fullmatch(_LIST, codes) and bare:
        return lambda item: (as_rows(item, scene),)
    if re.fullmatch(_ANY, codes) and (heard.begins or not codes.endswith("E")):
        return None if codes and bare else _unchanged
    if re.fullmatch(_FUNCTION, codes):
        function = next((node.sense.family("agg.") for node in question.nodes("fa") if node.sense), None)
        return None if function is None else lambda item: (with_function(item, function, scene, add=add),)
    if re.fullmatch(_LIMIT, codes):
        return _limiting(question)
    if re.fullmatch(_COUNT, codes):
        return lambda item: as_count(item, scene)
    if re.fullmatch(_EXTREME, codes):
        return lambda item: with_extreme(item, question)
    if not heard.begins and not heard.has("instead", "too"):
        return None
    if re.fullmatch(_COLUMN, codes):
        return lambda item: (with_column(item, question, add=add),)
    return _measuring(question, asked, add=add)


def _limiting(question: Question) -> Edit | None:
    number = question.number()
    node = question.node("O") if question.has("O") else question.node("F")
    if number is None or node.has("rel.last", "rel.past", "top.worst"):
        return None
    best = None if question.has("F") else not node.has("top.min")
    return lambda item: (with_limit(item, number, best, question.scene),)


def _measuring(question: Question, asked: FollowUp, *, add: bool) -> Edit | None:
    """Read the core as a measure of its own, as the kinds of question read it."""
    core = replace(
        question.clauses, conditions=(), periods=(), keys=(), order=None, core=question.clauses.core
    )
    reasons: list[str] = []
    draft = shaped(core, asked.scene, asked.nonadditive, reasons)
    if reasons:
        raise Unreadable(reasons[0])
    if draft is None or draft.tool != "run_query" or set(draft.arguments) != {"table", "select"}:
        return None
    measures = [measure_of(entry, asked.scene.table) for entry in parts_of(draft.arguments).select]
    if not measures or any(measure is None for measure in measures):
        return None
    found = [measure for measure in measures if measure is not None]
    return lambda item: (with_measures(item, found, asked.scene, add=add),)
