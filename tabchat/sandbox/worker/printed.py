"""Where the output of the code goes. Runs inside the worker."""

from __future__ import annotations


class Printed:
    """What the code prints: the first `limit` characters are kept, all are counted."""

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._parts: list[str] = []
        self.length = 0

    def write(self, text: str) -> int:
        """Take what is printed."""
        room = self._limit - self.length
        if room > 0:
            self._parts.append(text[:room])
        self.length += len(text)
        return len(text)

    def flush(self) -> None:
        """Nothing is held back."""

    def isatty(self) -> bool:
        """Say that nobody watches."""
        return False

    def kept(self) -> str:
        """Return what fits."""
        return "".join(self._parts)
