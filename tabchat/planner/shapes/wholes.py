"""Of what a percentage is: the filters that are asked about, and those that limit the rows."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from tabchat.engine.types import ColumnKind
from tabchat.planner.plans import Unreadable

if TYPE_CHECKING:
    from tabchat.planner.nodes import Node
    from tabchat.planner.shapes.base import Question

    Parted = tuple[list[Node], list[Node]]

_UNCLEAR = "which condition is the percentage about?"


def asked_of(question: Question) -> Parted:
    """Part the filters into what is asked about and what limits the rows.

    What stands before the noun, or between the noun and the statement about it, limits; the statement itself is
    what is asked. With one filter only, that is what is asked. Raises `Unreadable` where both are good English.
    """
    conditions = sorted(question.clauses.conditions, key=lambda node: node.place)
    if len(conditions) <= 1:
        return conditions, []
    if (parted := _among(question, conditions)) is not None:
        return parted
    noun = max((node.place for node in question.nodes("ECM")), default=-1)
    if question.has("R"):
        rate = question.node("R").place
        asked = [node for node in conditions if node.place < rate][-1:]
        return asked, [node for node in conditions if node not in asked]
    if noun < 0:
        return _by_first(conditions)
    return _by_statement(question, conditions, noun) or _by_noun(question, conditions, noun)


def _among(question: Question, conditions: list[Node]) -> Parted | None:
    """Part the filters at `among`, which names the whole: `percent of returned among online orders`."""
    within = [place for place in question.clauses.among if place > conditions[0].place]
    if not within:
        return None
    asked = [node for node in conditions if node.place < within[0]]
    return asked, [node for node in conditions if node not in asked]


def _by_statement(question: Question, conditions: list[Node], noun: int) -> Parted | None:
    """Part the filters at the clause about the rows: `of orders from Germany that were returned`.

    Filters of that clause that nothing joins (`that were returned in Germany`) may limit as well as ask.
    """
    after = [node for node in conditions if node.place > noun]
    stated = [place for place, node in enumerate(after) if _is_stated(question, node, conditions)]
    if not stated:
        return None
    asked, limits = after[stated[0] :], after[: stated[0]]
    pairs = itertools.pairwise(node.place for node in asked)
    if not all(any(one < joint < two for joint in question.clauses.joints) for one, two in pairs):
        raise Unreadable(_UNCLEAR)
    return asked, [node for node in conditions if node.place < noun] + limits


def _is_stated(question: Question, node: Node, conditions: list[Node]) -> bool:
    """Tell whether a filter stands behind a verb, with no other filter between."""
    before = max((other.place for other in conditions if other.place < node.place), default=-1)
    return any(before < place <= node.place for place in question.clauses.verbs)


def _by_noun(question: Question, conditions: list[Node], noun: int) -> Parted:
    """Part the filters at the noun: `percent of online orders with a discount over 10%`."""
    statements = [place for place in question.clauses.predicates if place > noun]
    for start in statements[:1]:
        before = [node for node in conditions if node.place < start]
        after = [node for node in conditions if node.place > start]
        if len(after) == 1 or (after and not before):
            return after, before
    before = [node for node in conditions if node.place < noun]
    after = [node for node in conditions if node.place > noun]
    if before and len(after) == 1 and not _names_a_cell(after[0]):
        return after, before
    raise Unreadable(_UNCLEAR)


def _is_counted_flag(node: Node) -> bool:
    """Tell whether a filter is a yes/no column behind the word for the share: `percentage of returns`."""
    condition = node.condition
    if condition is None or condition.column is None:
        return False
    return condition.noun and condition.column.kind is ColumnKind.BOOLEAN


def _names_a_cell(node: Node) -> bool:
    """Tell whether a filter is a cell: `percent of online orders in Germany` may be of all there, or of all online."""
    return node.condition is not None and node.condition.value is not None


def _by_first(conditions: list[Node]) -> Parted:
    """Part the filters when the first of them also names the rows: `percent of notebooks over 15000`."""
    flags = [node for node in conditions if _is_counted_flag(node)]
    if len(flags) == 1:
        return flags, [node for node in conditions if node is not flags[0]]
    first, *others = conditions
    named = first.condition is not None and first.condition.noun
    if named and len(others) == 1 and not _names_a_cell(others[0]):
        return others, [first]
    raise Unreadable(_UNCLEAR)
