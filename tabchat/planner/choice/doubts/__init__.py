"""What no probability makes certain: what two careful readers take differently, or that a word was lost from.

Each module has the doubts about one thing; a reading of which one holds is offered however likely it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.choice.doubts import (  # noqa: F401 - each enters its doubts in the register
    ambiguity,
    amounts,
    bounds,
    constructions,
    contrasts,
    counts,
    dates,
    grain,
    losses,
    missing,
    names,
    nouns,
    persons,
    predicates,
    prices,
    receipts,
    shares,
    status,
    sums,
    unsaid,
    wholes,
)
from tabchat.planner.choice.doubts.register import DOUBTS

if TYPE_CHECKING:
    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice


def is_doubtful(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a reading is to be offered however likely it is."""
    return any(tells(lattice, intent) for tells in DOUBTS)
