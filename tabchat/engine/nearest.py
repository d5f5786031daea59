"""The nearest known names to one that was not found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], count: int = 3) -> tuple[str, ...]:
    """Return up to `count` of `known` that a typist could have meant, best first; case is ignored."""
    # Only a refused plan needs it, and it costs start-up time.
    from difflib import SequenceMatcher

    wanted = name.casefold()
    scored = []
    for candidate in known:
        folded = candidate.casefold()
        score = SequenceMatcher(None, wanted, folded).ratio()
        if wanted and (folded.startswith(wanted) or wanted.startswith(folded)):
            score = max(score, 0.7)
        if score >= 0.6:  # noqa: PLR2004 - difflib's own cutoff for a close match
            scored.append((-score, candidate))
    return tuple(candidate for _, candidate in sorted(scored)[:count])
