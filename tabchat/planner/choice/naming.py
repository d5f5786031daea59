"""Doubts about which cells a word names: the one that it is, or those that it is a part of; a text that tells of a gap, or a gap."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Condition, Operator
from tabchat.planner.links.link import LinkKind

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice


def _names_a_cell_and_its_kin(_: Lattice, intent: Intent) -> bool:
    """`how many failed`, over `Failure` and `Partial failure`."""
    for clause in intent.clauses:
        if isinstance(clause, Condition) and clause.operator is Operator.IN:
            words = [frozenset(str(value).casefold().split()) for value in clause.values]
            if any(one < other for one in words for other in words):
                return True
    return False


def _misses_what_a_cell_tells(lattice: Lattice, intent: Intent) -> bool:
    """`unknown cost`, answered by the empty cells of a column in which `Unknown` is written."""
    columns = lattice.vocabulary.columns
    told = {
        columns[cell.column].name
        for concept in lattice.sentence.concepts
        if concept.name.startswith("missing")
        for cell in lattice.at(concept.start, LinkKind.CELL)
    }
    return any(
        isinstance(clause, Condition) and clause.operator is Operator.MISSING and clause.column in told
        for clause in intent.clauses
    )


NAMING: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _names_a_cell_and_its_kin,
    _misses_what_a_cell_tells,
)
"""Each tells whether a reading is doubtful."""
