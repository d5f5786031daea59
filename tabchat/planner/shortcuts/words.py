"""The words of a question and of an utterance, cut into the phrases of the lexicon, and when two of them say the same."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.inflection import Inflection
    from tabchat.planner.lexicon import Lexicon
    from tabchat.planner.tokens import Token

FRAME: Final = frozenset({"which", "list", "exist", "table", "in", "pred", "from"})
"""Concepts that put a question without changing what is asked."""

SYNONYMS: Final = frozenset(
    {
        "count",
        "howmuch",
        "when",
        "who",
        "by",
        "each",
        "and",
        "rows",
        "columns",
        "missing",
        "share",
        "pctword",
        "super.max",
        "agg.sum",
        "agg.mean",
        "corr",
        "cmp.gt",
        "number.1",
        "dup.more",
    }
)
"""Concepts whose words may stand for each other."""


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Phrase:
    """A stretch of words that the lexicon knows, or one word that it does not."""

    start: int
    """First token."""
    end: int
    words: tuple[str, ...]
    concepts: frozenset[str]

    @property
    def carries(self) -> bool:
        """True when the phrase has a part in what is asked."""
        return not only_frames(self.concepts)

    @property
    def is_said(self) -> bool:
        """True when the phrase says more than courtesy and the request to show."""
        return any(concept != "list" and not concept.startswith("stop.") for concept in self.concepts)


def only_frames(concepts: frozenset[str]) -> bool:
    """Tell whether a word of these concepts changes nothing about what is asked."""
    return bool(concepts) and all(concept in FRAME or concept.startswith("stop.") for concept in concepts)


def phrases(tokens: Sequence[Token], lexicons: Sequence[Lexicon], start: int = 0) -> list[Phrase]:
    """Cut `tokens` into phrases, the longest first; `start` is the place of the first token."""
    longest = max(lexicon.longest for lexicon in lexicons)
    found: list[Phrase] = []
    position = 0
    while position < len(tokens):
        words = tuple(token.norm for token in tokens[position : position + longest])
        length, concepts = _longest(words, lexicons)
        found.append(
            Phrase(
                start=start + position,
                end=start + position + length,
                words=words[:length],
                concepts=concepts,
            )
        )
        position += length
    return found


def _longest(words: tuple[str, ...], lexicons: Sequence[Lexicon]) -> tuple[int, frozenset[str]]:
    for length in range(len(words), 0, -1):
        concepts = frozenset().union(*(lexicon.find(words[:length]) for lexicon in lexicons))
        if concepts:
            return length, concepts
    return 1, frozenset()


def same(one: Phrase, other: Phrase, inflection: Inflection) -> bool:
    """Tell whether two phrases are forms of one, or synonyms by the lexicon."""
    if one.concepts & other.concepts & SYNONYMS:
        return True
    return len(one.words) == len(other.words) and all(
        inflection.alike(mine, theirs) for mine, theirs in zip(one.words, other.words, strict=True)
    )
