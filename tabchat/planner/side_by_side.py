"""Comparatives: what is set against something (`how much more in 2017 than in 2001`), and what is the most of all."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.nodes import Node, match_at
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from collections.abc import Sequence


def read_comparatives(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Put the word that sets two sides against each other between them, and read `who sells more` as the most."""
    if any(node.has("byhowmuch", "bytimes") for node in nodes):
        return _set_side_by_side(nodes)
    return _most(nodes)


def _most(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `в каком городе больше сотрудников` as the most of them, where nothing is said that it is more than."""
    asked = [place for place, node in enumerate(nodes) if node.has("which", "who")]
    if not asked or any(node.has("which.many", "super.", "than", "compare") for node in nodes):
        return nodes
    found = [place for place, node in enumerate(nodes) if node.has("more.bare")]
    if len(found) != 1 or found[0] < asked[0]:
        return nodes
    place = found[0]
    after = nodes[place + 1] if place + 1 < len(nodes) else None
    if after is not None and not _is_most_of(nodes, place + 1):
        return nodes
    most = replace(nodes[place], sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"super.max"})))
    return (*nodes[:place], most, *nodes[place + 1 :])


def _is_most_of(nodes: Sequence[Node], place: int) -> bool:
    """Tell whether a noun that there may be the most of stands at a place, and no number behind it."""
    noun = nodes[place]
    said = (
        noun.has("entity.", "rows")
        or noun.names("entity.")
        or match_at("val|numcol", nodes, place) is not None
    )
    return said and match_at("any num", nodes, place) is None


def _set_side_by_side(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Read `how much more in 2017 than in 2001`: the word between the sides sets them against each other."""
    asked = next(place for place, node in enumerate(nodes) if node.has("byhowmuch", "bytimes"))
    row = _without_more(nodes, asked)
    for position in range(asked + 1, len(row)):
        match = match_at("cmp.gt|more|than than? in?", row, position)
        if match is None:
            continue
        versus = Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"compare"})))
        rest = _without_repeated(row[asked + 1 : position], row[match.end :])
        return (*row[:position], replace(versus, place=row[position].place), *rest)
    return row


def _without_more(nodes: tuple[Node, ...], asked: int) -> tuple[Node, ...]:
    """Leave out the comparative, and the comma, before the word that opens the second side: `больше …, чем …`."""
    joints = [
        place
        for place, node in enumerate(nodes)
        if place > asked + 1 and node.has("than") and not node.has("in")
    ]
    if len(joints) != 1:
        return nodes
    return tuple(
        node
        for place, node in enumerate(nodes)
        if not (
            asked < place < joints[0]
            and (node.has("cmp.gt", "more") or (node.has("comma") and place == joints[0] - 1))
        )
    )


def _without_repeated(before: Sequence[Node], after: tuple[Node, ...]) -> tuple[Node, ...]:
    """Leave out the measure of the second side when it is that of the first, said again."""
    match = match_at("agg=agg.? in? col=col in?", after, 0)
    if match is None:
        return after
    said = {node.column.index for node in before if node.column is not None}
    functions = {node.sense.concepts for node in before if node.sense is not None and node.has("agg.")}
    aggregate, column = match.get("agg"), match["col"].column
    function = aggregate.sense.concepts if aggregate is not None and aggregate.sense is not None else None
    same = column is not None and column.index in said and (function is None or function in functions)
    return after[match.end :] if same else after
