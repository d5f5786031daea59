"""What no probability makes certain: what two careful readers take differently, or that a word was lost from.

Each module has the doubts about one thing; a reading of which one holds is offered however likely it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.choice.doubts.ambiguity import AMBIGUITIES
from tabchat.planner.choice.doubts.amounts import AMOUNTS
from tabchat.planner.choice.doubts.bounds import BOUNDS
from tabchat.planner.choice.doubts.constructions import CONSTRUCTIONS
from tabchat.planner.choice.doubts.contrasts import CONTRASTS
from tabchat.planner.choice.doubts.counts import COUNTS
from tabchat.planner.choice.doubts.dates import DATES
from tabchat.planner.choice.doubts.grain import GRAIN
from tabchat.planner.choice.doubts.losses import LOSSES
from tabchat.planner.choice.doubts.missing import MISSING
from tabchat.planner.choice.doubts.names import NAMES
from tabchat.planner.choice.doubts.nouns import NOUNS
from tabchat.planner.choice.doubts.persons import PERSONS
from tabchat.planner.choice.doubts.predicates import PREDICATES
from tabchat.planner.choice.doubts.prices import PRICES
from tabchat.planner.choice.doubts.shares import SHARES
from tabchat.planner.choice.doubts.status import STATUS
from tabchat.planner.choice.doubts.sums import SUMS
from tabchat.planner.choice.doubts.unsaid import UNSAID
from tabchat.planner.choice.doubts.wholes import WHOLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

_DOUBTS: Final[tuple[Callable[[Lattice, Intent], bool], ...]] = (
    *AMOUNTS,
    *SUMS,
    *PRICES,
    *SHARES,
    *NAMES,
    *PERSONS,
    *LOSSES,
    *BOUNDS,
    *MISSING,
    *DATES,
    *STATUS,
    *COUNTS,
    *GRAIN,
    *NOUNS,
    *PREDICATES,
    *AMBIGUITIES,
    *CONSTRUCTIONS,
    *CONTRASTS,
    *UNSAID,
    *WHOLES,
)


def is_doubtful(lattice: Lattice, intent: Intent) -> bool:
    """Tell whether a reading is to be offered however likely it is."""
    return any(doubt(lattice, intent) for doubt in _DOUBTS)
