"""How the guard's lists are written."""

from __future__ import annotations


def listed(text: str) -> frozenset[str]:
    """Return the words of `text`."""
    return frozenset(text.split())
