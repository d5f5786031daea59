"""A reading that can be answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.engine.facts import TableFacts
    from tabchat.errors import OfferedReading
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan import PlannedCall


@record
class Draft:
    """A reading with the call that computes it, and the line that says it."""

    intent: Intent | None
    """None for a shortcut whose query no intent says."""
    call: PlannedCall
    interpretation: str
    language: str
    facts: TableFacts
    confidence: float = 1.0
    """Probability that it is what was meant."""
    readings: tuple[OfferedReading, ...] = ()
    """All that the question could mean, this one among them."""
