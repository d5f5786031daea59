"""The phrases of the lexicons that stand in a question: all of them, long ones beside their parts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from tabchat.planner.words.sentence import Concept
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.token import Word


def find_concepts(words: Sequence[Word], lexicons: Sequence[Lexicon]) -> tuple[Concept, ...]:
    """Return every phrase of every lexicon at every place, by place, the longest first."""
    norms = [word.norm if word.kind is not TokenKind.QUOTED else "" for word in words]
    spellings = {word.norm: word.spellings for word in words if word.spellings}
    found: dict[tuple[int, int, str], bool] = {}
    for start in range(len(words)):
        for lexicon in lexicons:
            for hit in chain(
                lexicon.concepts_at(norms, start, spellings), lexicon.headers_at(norms, start, spellings)
            ):
                for name in hit.concepts:
                    key = (start, hit.end, name)
                    found[key] = hit.exact or found.get(key, False)
    return tuple(
        Concept(name=name, start=start, end=end, exact=exact)
        for (start, end, name), exact in sorted(
            found.items(), key=lambda item: (item[0][0], -item[0][1], item[0][2])
        )
    )
