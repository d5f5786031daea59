"""The numbers `r1`, `r2` … of the results of a conversation."""

from __future__ import annotations

import re
from dataclasses import field
from typing import Final

from tabchat.record import mutable

LAST: Final = "_"
"""Name of the last result."""

_NUMBERED: Final = re.compile(r"r([1-9]\d{0,5})")


@mutable
class ResultNumbers:
    """The results of one conversation, in the order in which they came; the same key again keeps its number."""

    keys: list[str] = field(default_factory=list)
    """The key of `r1`, of `r2`, and so on."""
    latest: str | None = None
    """The key of the last result, which `_` stands for."""

    def add(self, key: str) -> int:
        """Make `key` the last result, and return its number."""
        self.latest = key
        return self.number(key)

    def number(self, key: str) -> int:
        """Return the number of `key`, which is the next one for a result that is new to the conversation."""
        if key not in self.keys:
            self.keys.append(key)
        return self.keys.index(key) + 1

    def key_of(self, name: str) -> str | None:
        """Return the key that `r1` or `_` stands for, nothing for any other name."""
        if name == LAST:
            return self.latest
        match = _NUMBERED.fullmatch(name)
        place = int(match[1]) - 1 if match is not None else len(self.keys)
        return self.keys[place] if place < len(self.keys) else None
