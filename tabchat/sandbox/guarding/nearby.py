"""The known name that a typist could have meant."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def near(name: str, known: Iterable[str]) -> str | None:
    """Return the one of `known` that is most like `name`, None when none is."""
    return next(iter(difflib.get_close_matches(name, sorted(known), n=1, cutoff=0.75)), None)


def nearest(name: str, known: Iterable[str]) -> str | None:
    """Return the hint that asks for what was meant, None when nothing is like it."""
    found = near(name, known)
    return f"Did you mean `{found}`?" if found else None
