"""Two counts of one question set side by side: `how many paid by cash, and how many by card`."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.nodes import Node, match_at
from tabchat.planner.senses import Sense, SenseKind

if TYPE_CHECKING:
    from tabchat.planner.catalog import ColumnFacts


def read_sides(nodes: tuple[Node, ...]) -> tuple[Node, ...]:
    """Leave out the question word that is said again for another cell of the same column, and compare the two."""
    for position in range(1, len(nodes)):
        match = match_at("and|comma* count|howmuch in|pred* val=val", nodes, position)
        if match is None or not nodes[position].has("and", "comma"):
            continue
        before = [_column(node) for node in nodes[:position]]
        asked = any(node.has("count", "howmuch") for node in nodes[:position])
        column = _column(match["val"])
        if asked and column is not None and before.count(column) == 1:
            versus = Node(sense=Sense(kind=SenseKind.CONCEPT, concepts=frozenset({"compare"})))
            rest = nodes[match.end - 1 :]
            return (*nodes[:position], replace(versus, place=nodes[position].place), *rest)
    return nodes


def _column(node: Node) -> ColumnFacts | None:
    sense = node.sense
    return sense.column if sense is not None and sense.kind is SenseKind.VALUE else None
