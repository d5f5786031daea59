"""What the clauses and the core of a follow-up change: filters, time, groups, function, order, number."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.nodes import Measure
from tabchat.planner.order_edits import turned, with_extreme, with_limit, with_order
from tabchat.planner.parts import Parts, parts_of
from tabchat.planner.plans import Unreadable
from tabchat.planner.readings import shaped
from tabchat.planner.recall import measure_of
from tabchat.planner.scope_edits import with_condition, with_periods
from tabchat.planner.shape_edits import (
    as_count,
    as_rows,
    as_share,
    measures_of,
    with_column,
    with_function,
    with_keys,
    with_measures,
)
from tabchat.planner.shapes.base import Question
from tabchat.planner.skeleton import skeletons
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from tabchat.planner.follow_words import Heard
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.linker import Linked
    from tabchat.planner.nodes import Condition
    from tabchat.planner.scene import Scene

    Edit = Callable[[Parts], tuple[Parts, ...]]
    """A change of a plan; several results are different readings of it."""


@record
class FollowUp:
    """A question that may go on from the last one, and what is needed to read it."""

    heard: Heard
    linked: Linked
    """Of the words that are left when the follow-up words are out."""
    scene: Scene
    nonadditive: frozenset[str]


def questions(clauses: Clauses, asked: FollowUp) -> Iterator[Question]:
    """Yield what the core of a follow-up can be, by codes."""
    for codes, core in skeletons(clauses.core, asked.scene):
        yield Question(
            clauses=replace(clauses, core=core), codes=codes, scene=asked.scene, nonadditive=asked.nonadditive
        )


def is_change(question: Question, asked: FollowUp) -> bool:
    """Tell whether a question is a change of something, whatever that is."""
    try:
        edit = _core_edit(question, asked)
    except Unreadable:
        return False
    return edit is not None and (edit is not _unchanged or _has_clauses(question))


def is_bare_number(question: Question) -> bool:
    """Tell whether a question says how many and nothing else: `the first 3`."""
    return re.fullmatch(r"(ON|FN|NO)", question.codes) is not None and not _has_clauses(question)


def changed(question: Question, asked: FollowUp, parts: Parts) -> tuple[Parts, ...] | None:
    """Apply everything that a question says to a plan; nothing when some of it is no change.

    Raises `Unreadable` for a change that the plan does not allow.
    """
    clauses = question.clauses
    core = None if clauses.by or clauses.bounds or clauses.per_row else _core_edit(question, asked)
    if core is None:
        return None
    edits = [*_scope_edits(question, asked), *([] if core is _unchanged else [core])]
    edits += _view_edits(question, asked)
    options: tuple[Parts, ...] = (parts,)
    for edit in edits:
        options = tuple(made for option in options for made in edit(option))
    return options if edits else None


def _has_clauses(question: Question) -> bool:
    clauses = question.clauses
    return bool(clauses.conditions or clauses.periods or clauses.keys or clauses.order)


def _scope_edits(question: Question, asked: FollowUp) -> Iterator[Edit]:
    clauses, heard, scene = question.clauses, asked.heard, asked.scene
    conditions = [node.condition for node in clauses.conditions if node.condition is not None]
    _check_one_each(conditions)
    if heard.has("rows"):
        yield lambda item: (as_rows(item, scene),)
    for condition in conditions:
        yield _filtering(condition, scene, too=heard.has("too"))
    if clauses.periods:
        yield lambda item: with_periods(item, clauses.periods, scene)
    if clauses.keys:
        yield _grouping(question, heard)


def _view_edits(question: Question, asked: FollowUp) -> Iterator[Edit]:
    order = question.clauses.order
    if asked.heard.has("share"):
        yield lambda item: (as_share(item, asked.scene),)
    if order is not None:
        yield lambda item: with_order(item, order, asked.scene)
    if asked.heard.has("reverse"):
        yield turned


def _check_one_each(conditions: Sequence[Condition]) -> None:
    columns = [item.column.index for item in conditions if item.column is not None]
    if len(set(columns)) < len(columns):
        raise Unreadable("two filters on one column: join them with “and” or “or”")


def _filtering(condition: Condition, scene: Scene, *, too: bool) -> Edit:
    def edit(parts: Parts) -> tuple[Parts, ...]:
        apart = condition.column is not None and condition.column.name in parts.keys
        if not apart and (
            condition.link == "versus" or (condition.link == "and" and not _adds_up(parts, scene))
        ):
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


# The core


def _core_edit(question: Question, asked: FollowUp) -> Edit | None:
    """Return what the core of a question changes; nothing when it is a question of its own."""
    for pattern, build in _CORES:
        if re.fullmatch(pattern, question.codes):
            return build(question, asked)
    if not asked.heard.begins and not asked.heard.has("instead", "too"):
        return None
    return _measuring(question, asked)


def _listing(question: Question, asked: FollowUp) -> Edit | None:
    """Read `show them`, and `show by region`, where showing says nothing."""
    return _unchanged if _has_clauses(question) else lambda item: (as_rows(item, asked.scene),)


def _clauses_alone(question: Question, asked: FollowUp) -> Edit | None:
    """Read `only online orders`: nothing but clauses, and at the most the word for the rows."""
    if question.codes.endswith("E") and not asked.heard.begins and not asked.heard.has("ending"):
        return None
    return _unchanged if _has_clauses(question) or not question.codes else None


def _function(question: Question, asked: FollowUp) -> Edit | None:
    function = next((node.sense.family("agg.") for node in question.nodes("fa") if node.sense), None)
    if function is None:
        return None
    add = asked.heard.has("too")
    return lambda item: (with_function(item, function, asked.scene, add=add),)


def _counting(_question: Question, asked: FollowUp) -> Edit | None:
    return lambda item: as_count(item, asked.scene)


def _extreme(question: Question, _asked: FollowUp) -> Edit | None:
    return lambda item: with_extreme(item, question)


def _limiting(question: Question, asked: FollowUp) -> Edit | None:
    number = question.number()
    node = question.node("O") if question.has("O") else question.node("F")
    if number is None or node.has("rel.last", "rel.past", "top.worst"):
        return None
    those = asked.heard.has("those")
    best = None if question.has("F") else not node.has("top.min")
    return lambda item: (with_limit(item, number, question.scene, best=best, those=those),)


def _column(question: Question, asked: FollowUp) -> Edit | None:
    if not asked.heard.begins and not asked.heard.has("instead", "too"):
        return None
    add = asked.heard.has("too")
    return lambda item: (with_column(item, question, add=add),)


def _thing(question: Question, asked: FollowUp) -> Edit | None:
    """Read `and products?` after a number of different countries."""
    column = question.node("D").column
    if column is None or not asked.heard.begins:
        return None
    measure = Measure(function="count_distinct", column=column)

    def edit(parts: Parts) -> tuple[Parts, ...]:
        if [item.function for item in measures_of(parts, asked.scene)] != ["count_distinct"]:
            raise Unreadable(f"what of {column.name}?")
        return (with_measures(parts, (measure,), asked.scene, add=asked.heard.has("too")),)

    return edit


_CORES: Final[tuple[tuple[str, Callable[[Question, FollowUp], Edit | None]], ...]] = (
    (r"L", _listing),
    (r"[WL]*E?", _clauses_alone),
    (r"[WL]*[fa]E?", _function),
    (r"[WL]*(ON|FN|NO)E?", _limiting),
    (r"[WL]*K", _counting),
    (r"[WL]*S", _extreme),
    (r"[WL]*C", _column),
    (r"[WL]*D", _thing),
)


def _measuring(question: Question, asked: FollowUp) -> Edit | None:
    """Read the core as a measure of its own, as the kinds of question read it."""
    core = replace(question.clauses, conditions=(), periods=(), keys=(), order=None)
    reasons: list[str] = []
    draft = shaped(core, asked.scene, asked.nonadditive, reasons)
    if reasons:
        raise Unreadable(reasons[0])
    if draft is None or draft.tool != "run_query" or set(draft.arguments) != {"table", "select"}:
        return None
    measures = [measure_of(entry, asked.scene.table) for entry in parts_of(draft.arguments).select]
    found = [measure for measure in measures if measure is not None]
    if len(found) < max(1, len(measures)):
        return None
    add = asked.heard.has("too")
    return lambda item: (with_measures(item, found, asked.scene, add=add),)
