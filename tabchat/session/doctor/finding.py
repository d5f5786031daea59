"""What was found of one thing that tabchat stands on."""

from __future__ import annotations

from enum import StrEnum

from tabchat.record import record
from tabchat.values import PlainRecord


class State(StrEnum):
    """How one thing stands."""

    GOOD = "good"
    NOTE = "note"
    """Something is off or missing that tabchat can do without."""
    BAD = "bad"
    """Something that was asked for does not work."""


@record
class Finding(PlainRecord):
    """One thing that was looked at."""

    name: str
    state: State
    text: str
    hint: str | None = None
