"""Numbers in a question, with the words around them that say what they count."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.words.sentence import Quantity

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.words.sentence import Concept
    from tabchat.planner.words.token import Word


def find_quantities(words: Sequence[Word], concepts: Sequence[Concept]) -> tuple[Quantity, ...]:
    """Return every number of the question."""
    del concepts
    return tuple(
        Quantity(start=place, end=place + 1, value=word.number, percent=word.percent)
        for place, word in enumerate(words)
        if word.number is not None
    )
