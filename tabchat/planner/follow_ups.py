"""A question that goes on from the one before, read as changes of the last plan; every word is accounted for.

Nothing is remembered here: the last plan is in the conversation, as the arguments of the tool that it was run by.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import ToolMessage, UserMessage
from tabchat.errors import LacksDetailError, NotUnderstoodError
from tabchat.planner.changes import changed, is_bare_number, is_change, questions
from tabchat.planner.parts import Parts, parts_of
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import Readings, explored, identity
from tabchat.planner.recall import draft_of
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from tabchat.chat.turn.messages import Message, ToolCall
    from tabchat.planner.changes import FollowUp
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.plans import Draft
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue


@record
class Previous:
    """The last answer that rules or a model computed in this conversation."""

    plan: Mapping[str, JsonValue] | None
    """Arguments of `run_query`; none when the answer came from another tool."""
    tool: str


def previous_of(messages: Iterable[Message]) -> Previous | None:
    """Return what the last answered question of a conversation was computed by."""
    calls: list[ToolCall] = []
    asked = False
    for message in messages:
        if isinstance(message, UserMessage):
            calls, asked = [], True
        elif isinstance(message, ToolMessage) and message.envelope.ok and message.envelope.data_key:
            calls.append(message.call)
    if not calls:
        return Previous(plan=None, tool="words alone") if asked else None
    last = calls[-1]
    if any(dict(call.arguments) != dict(last.arguments) for call in calls):
        return Previous(plan=None, tool="several queries")
    return Previous(plan=last.arguments if last.name == "run_query" else None, tool=last.name)


NOTHING: Final = "This goes on from an earlier question, and there is nothing that it refers to."


def settled(
    alone: Draft | NotUnderstoodError,
    asked: FollowUp,
    previous: Previous | None,
    offered: dict[str, Draft],
) -> Draft:
    """Decide between what a question means alone and what it changes of the last one.

    What is understood alone keeps its meaning, unless it begins like a follow-up. Raises `NotUnderstoodError`;
    the plans of the readings that it lists are put into `offered`.
    """
    refusal = alone if isinstance(alone, NotUnderstoodError) else None
    own = alone if not isinstance(alone, NotUnderstoodError) else None
    noun = own is not None and "bare" in own.details
    goes_on = asked.heard.begins or noun or (own is not None and _only_says(asked, is_bare_number))
    if not goes_on and (own is not None or (refusal is not None and refusal.readings)):
        return _given(own, refusal)
    if asked.linked.unknown:
        if own is None and asked.heard.marks:
            raise not_understood(asked.linked.unknown)
        return _given(own, refusal)
    if previous is None:
        if own is None and not isinstance(refusal, LacksDetailError) and is_fragment(asked):
            hint = "Ask the whole question: what to compute, of which column, and by what."
            raise NotUnderstoodError(NOTHING, hint=hint)
        return _given(own, refusal)
    readings = read_follow_up(asked, previous)
    if own is not None and not asked.heard.has("rows") and not readings.drafts:
        return own
    if not readings.drafts:
        raise _no_change(readings, None if asked.heard.marks else refusal)
    edits = own is None or _is_bare(own) or (noun and bool(asked.heard.marks))
    found = readings.drafts if edits or own is None else (*readings.drafts, own)
    try:
        return only_one(found)
    except NotUnderstoodError:
        offered.update({draft.interpretation: draft for draft in found})
        raise


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
    try:
        plan = parts_of(draft.arguments).to_arguments()
    except Unreadable:
        return draft
    return replace(draft, arguments=plan)


def not_understood(words: Sequence[str]) -> NotUnderstoodError:
    """Return the refusal that names words."""
    shown = ", ".join(f"“{word}”" for word in words)
    return NotUnderstoodError(
        f"Not understood: {shown}.",
        hint="Use the names of columns and values in the table; `tabchat profile FILE` lists them.",
        words=tuple(words),
    )


def read_follow_up(asked: FollowUp, previous: Previous) -> Readings:
    """Return the plans that the last one becomes; none when the words are no change of it."""
    last = previous.plan
    if last is None:
        return Readings(drafts=(), reasons=(f"the last answer came from {previous.tool}, not from one plan",))
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

    return _only_says(asked, lambda question: is_change(question, asked))


def _only_says(asked: FollowUp, test: Callable[[Question], bool]) -> bool:
    """Tell whether the words, in some way in which they can be taken, pass a test."""

    def build(clauses: Clauses, _reasons: list[str]) -> Sequence[Draft]:
        found = any(test(question) for question in questions(clauses, asked))
        return (draft_of(Parts(), asked.scene.table),) if found else ()

    return bool(explored(asked.linked, asked.scene, build).drafts)


def _builder(asked: FollowUp, parts: Parts) -> Callable[[Clauses, list[str]], Sequence[Draft]]:
    def build(clauses: Clauses, reasons: list[str]) -> Sequence[Draft]:
        for question in questions(clauses, asked):
            try:
                made = changed(question, asked, parts)
            except Unreadable as reason:
                reasons.append(str(reason))
                return ()
            if made is not None:
                return tuple(draft_of(item, asked.scene.table) for item in made)
        return ()

    return build
