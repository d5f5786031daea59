"""Doubts about what is there: rows of what did not take place, or is over by now."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Measure, all_conditions
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.states import left_at

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice, TableColumn

_FEW: Final = 12
"""Different cells up to which those of a column may be states."""


def _takes_all_for_what_happened(lattice: Lattice, intent: Intent) -> bool:
    """`how many appointments took place in May`, answered by those that were cancelled, too."""
    return "stop.happening" in lattice.names and _passes_over(lattice, intent, "undone")


def _loses_the_present(lattice: Lattice, intent: Intent) -> bool:
    """`who currently works in Sales`, answered by those who left, too: their date of leaving, or a state, tells."""
    if "now" not in lattice.names:
        return False
    ends = left_at(lattice)
    asked = {clause.column for clause in all_conditions(intent)}
    if ends:
        return ends not in asked
    # `сколько сейчас на горячей` (how much is on the hot one now) counts nothing that is named.
    unnamed = "howmuch" in lattice.names and not lattice.links(LinkKind.ROWS) and Measure() in intent.measures
    return unnamed or _passes_over(lattice, intent, "over")


def _passes_over(lattice: Lattice, intent: Intent, kind: str) -> bool:
    """Tell whether cells of a column that no condition is on say a word of some evidence, or its header that it stands."""
    asked = {clause.column for clause in all_conditions(intent)}
    words = lattice.vocabulary.evidence(kind)
    standing = lattice.vocabulary.evidence("standing") if kind == "over" else frozenset()
    return any(
        any(word in text for text in _states(column) for word in words)
        or (column.flag and not standing.isdisjoint(column.words))
        for column in lattice.vocabulary.columns
        if column.name not in asked
    )


def _states(column: TableColumn) -> list[str]:
    """Return the few different texts of a column, folded, with blanks for hyphens."""
    few = column.text and column.facts.complete and len(column.facts.texts) <= _FEW
    return [text.casefold().replace("-", " ").replace("_", " ") for text in column.facts.texts] if few else []


PRESENCE: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    _takes_all_for_what_happened,
    _loses_the_present,
)
"""Each tells whether a reading is doubtful."""
