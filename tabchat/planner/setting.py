"""Changing one named part of a plan by a few words: `by month`, `filter country = Germany`, `limit 5`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.nearest import nearest
from tabchat.errors import NotUnderstoodError, UsageError
from tabchat.planner.changes import changed, questions
from tabchat.planner.follow_ups import not_understood, only_one
from tabchat.planner.noted import plain_read
from tabchat.planner.parts import Parts, parts_of
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import explored
from tabchat.planner.recall import draft_of, filter_text, measure_text, order_text
from tabchat.planner.senses import Item, Sense, SenseKind
from tabchat.planner.shape_edits import scope_alone

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import PlannerTable
    from tabchat.planner.changes import FollowUp
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.linker import Linked
    from tabchat.planner.plans import Draft
    from tabchat.planner.shapes.base import Question
    from tabchat.values import JsonValue

PARTS: Final = ("measure", "filter", "by", "period", "sort", "limit")
"""The parts of a plan that can be set, in the order in which they are shown."""

_NOTHING: Final = frozenset({"none", "off", "-"})
_OPENINGS: Final[Mapping[str, tuple[str, ...]]] = {"by": ("by",), "sort": ("sort", "by")}
"""Words that a part is understood to begin with."""
_COUNTED: Final = "count() as count"


def named_parts(plan: Mapping[str, JsonValue], table: PlannerTable) -> tuple[tuple[str, str], ...]:
    """Return (part, what it is) of a plan, an empty text for what it does not have.

    Raises `NotUnderstoodError` for a plan that is not of the rows of the table.
    """
    parts = _parts(plan)
    measured = ", ".join(measure_text(entry, table) for entry in parts.select)
    shown = {
        "measure": measured or ("rows" if parts.lists_rows else "number of rows"),
        "filter": " · ".join(filter_text(item) for item in parts.filters),
        "by": ", ".join(parts.keys),
        "period": (parts.period or "").replace("_", " "),
        "sort": order_text(next((step.sort for step in reversed(parts.after) if step.sort), parts.sort)),
        "limit": str(parts.limit or ""),
    }
    return tuple((name, shown[name]) for name in PARTS)


def check_part(name: str) -> None:
    """Raise `UsageError` unless a plan has a part of that name."""
    if name not in PARTS:
        near = nearest(name, PARTS) or PARTS
        message = f"A query has no part {name!r}."
        raise UsageError(message, hint=f"One of: {', '.join(near if len(near) == 1 else PARTS)}.")


def with_part(plan: Mapping[str, JsonValue], name: str, said: FollowUp) -> Draft:
    """Return a plan with one part changed to what was said; the words must be of that part alone.

    Raises `UsageError` for a part that there is not, `NotUnderstoodError` for words that do not name one value.
    """
    check_part(name)
    parts = _parts(plan)
    if said.linked.unknown and name != "limit":
        raise not_understood(said.linked.unknown)
    begun = replace(said, linked=_opened(said.linked, _OPENINGS.get(name, ())))
    base = _base(parts, name)

    def build(clauses: Clauses, reasons: list[str]) -> Sequence[Draft]:
        for question in questions(clauses, begun):
            try:
                made = changed(question, begun, base) if _is_only(question, name) else None
            except Unreadable as reason:
                reasons.append(str(reason))
                return ()
            if made is not None:
                return tuple(draft_of(item, said.scene.table) for item in _settled(made, name, parts))
        return ()

    readings = explored(begun.linked, said.scene, build)
    if not readings.drafts:
        reason = f": {readings.reasons[0]}" if readings.reasons else "."
        raise NotUnderstoodError(
            f"That is no {name} for this query{reason}", hint=f"Such as {_EXAMPLES[name]}."
        )
    return plain_read(only_one(readings.drafts), said.scene.table)


def _base(parts: Parts, name: str) -> Parts:
    if parts.lists_rows and name in {"measure", "by"}:
        # Groups of rows are counted until something else is said.
        return replace(scope_alone(parts), select=(_COUNTED,))
    # Here an order is what the first few are taken by, not how those that were taken are shown.
    return replace(parts, limit=None) if name == "sort" and not parts.after else parts


def _settled(made: Sequence[Parts], name: str, parts: Parts) -> list[Parts]:
    if name == "sort" and not parts.after:
        return [replace(item, limit=parts.limit) for item in made]
    # A new measure is of the same rows; how many groups there are is another question.
    return [item for item in made if name != "measure" or item.after == parts.after]


_EXAMPLES: Final = {
    "measure": "/set measure median price",
    "filter": "/set filter country = Germany",
    "by": "/set by month",
    "period": "/set period 2024",
    "sort": "/set sort price desc",
    "limit": "/set limit 5",
}


def is_nothing(text: str) -> bool:
    """Tell whether a part is to be taken away."""
    return text.strip().casefold() in _NOTHING


def without_part(plan: Mapping[str, JsonValue], name: str, table: PlannerTable) -> Draft:
    """Return a plan without one of its parts."""
    check_part(name)
    parts = _parts(plan)
    if parts.after and name in {"measure", "by", "sort", "limit"}:
        raise NotUnderstoodError(
            f"The {name} of this query cannot be taken away.", hint="Ask a new question."
        )
    cleared = {
        "measure": scope_alone(parts),
        "filter": replace(parts, filters=()),
        "by": replace(parts, keys=(), having=(), sort=(), limit=None, columns=()),
        "period": replace(parts, period=None, time_column=None),
        "sort": replace(parts, sort=()),
        "limit": replace(parts, limit=None),
    }
    return draft_of(_tidy(cleared[name]), table)


def with_limit(plan: Mapping[str, JsonValue], text: str, table: PlannerTable) -> Draft:
    """Return a plan that keeps so many rows; raises `UsageError` for what is no number of rows."""
    digits = text.strip().replace(",", "")
    if not digits.isdecimal() or int(digits) < 1:
        message = f"{text!r} is no number of rows."
        raise UsageError(message, hint="Such as /set limit 5, or /set limit none.")
    parts = _parts(plan)
    if parts.after:
        raise NotUnderstoodError("The limit of this query cannot be changed.", hint="Ask a new question.")
    if not parts.keys and not parts.lists_rows:
        raise NotUnderstoodError("This query gives one row.", hint="Group it first: /set by month.")
    return draft_of(replace(parts, limit=int(digits)), table)


def _tidy(parts: Parts) -> Parts:
    """Leave out computed columns that nothing reads any more."""
    read = {name for item in parts.filters for name in item.columns} | {
        name.casefold() for name in parts.keys
    }
    texts = "\n".join((*parts.select, *parts.having, *parts.sort, *parts.columns, *dict(parts.map).values()))
    return replace(
        parts, map=tuple(pair for pair in parts.map if pair[0].casefold() in read or pair[0] in texts)
    )


def _parts(plan: Mapping[str, JsonValue]) -> Parts:
    try:
        return parts_of(plan)
    except Unreadable as reason:
        raise NotUnderstoodError(f"This query has no parts to set: {reason}.") from reason


def _opened(linked: Linked, words: Sequence[str]) -> Linked:
    """Put the words before a part that its name stands for."""
    items = tuple(
        Item(
            start=-1,
            end=0,
            text=word,
            senses=(Sense(kind=SenseKind.CONCEPT, concepts=frozenset({word})),),
        )
        for word in words
    )
    return replace(linked, items=(*items, *linked.items))


def _is_only(question: Question, name: str) -> bool:
    """Tell whether the words are of one part and of nothing else."""
    clauses = question.clauses
    found = {
        "measure": bool(question.codes),
        "filter": bool(clauses.conditions),
        "by": bool(clauses.keys),
        "period": bool(clauses.periods),
        "sort": clauses.order is not None,
    }
    return {part for part, present in found.items() if present} == {name}
