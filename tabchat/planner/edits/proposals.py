"""What a pattern makes of a request: the arguments of the tool, and how they are read back."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.values import JsonValue


@record
class Proposal:
    """One reading of an edit request."""

    arguments: Mapping[str, JsonValue]
    """Of `edit_table`, without the table."""
    template: str
    """Name of the template that reads it back."""
    parts: tuple[str, ...] = ()
    """What the holes of the template hold."""
    cost: float = 0.0
    """0 for what was said by its own name; more for what had to be guessed."""

    @property
    def identity(self) -> str:
        """A text that is the same for the same edit."""
        return json.dumps(self.arguments, sort_keys=True, ensure_ascii=False)
