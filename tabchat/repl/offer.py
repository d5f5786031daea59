"""Readings of an entry that was not certain, to be chosen from by their number."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.errors import UsageError
from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.errors import OfferedReading

MOST_PICKED: Final = 10
"""Numbers below are those of readings, wherever any are offered; 2024 goes on from the last question."""


@record
class Offer:
    """What an entry can mean."""

    question: str
    readings: tuple[OfferedReading, ...]
    version: str
    """Of the table that they are about."""
    edits: bool = False
    """Whether they are edits."""

    def reading(self, number: int) -> OfferedReading:
        """Return a reading by its number, from 1 on; raises `UsageError` when there is none."""
        if not 1 <= number <= len(self.readings):
            message = f"There is no reading {number}."
            raise UsageError(message, hint=f"Type a number from 1 to {len(self.readings)}.")
        return self.readings[number - 1]
