"""The register of doubts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.intent import Intent
    from tabchat.planner.links import Lattice

Doubt: TypeAlias = "Callable[[Lattice, Intent], bool]"
DOUBTS: Final[list[Doubt]] = []
"""Each tells whether a reading is to be offered however likely it is."""


def doubt(tells: Doubt) -> Doubt:
    """Enter in the register what tells whether a reading is doubtful."""
    DOUBTS.append(tells)
    return tells
