"""What was found of one thing that tabchat stands on."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING

from tabchat.record import record
from tabchat.values import fields_json

if TYPE_CHECKING:
    from tabchat.engine.types import JsonValue


class State(StrEnum):
    """How one thing stands."""

    GOOD = "good"
    NOTE = "note"
    """Something is off or missing that tabchat can do without."""
    BAD = "bad"
    """Something that was asked for does not work."""


@record
class Finding:
    """One thing that was looked at."""

    name: str
    state: State
    text: str
    hint: str | None = None

    def to_json(self) -> dict[str, JsonValue]:
        """Return the finding as plain JSON."""
        return fields_json(self)
