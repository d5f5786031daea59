"""The phrases of the lexicons that stand in a question: all of them, long ones beside their parts."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from tabchat.planner.words.lexicon import COUNTRY
from tabchat.planner.words.sentence import Concept
from tabchat.planner.words.token import TokenKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.words.lexicon import Lexicon
    from tabchat.planner.words.token import Word

_PLAIN: Final = "scale.plain."
_OTHER_END: Final = {"max": "min", "min": "max"}
_DEGREES: Final = {
    "degree.most": ("most", False),
    "degree.more": ("more", False),
    "degree.least": ("most", True),
    "degree.less": ("more", True),
}
"""Words before an adjective of scale → its level, and whether they turn it round: `least expensive`."""
LONGEST_CODE: Final = 3
"""Letters of the codes of countries."""


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
                    if name.startswith(COUNTRY) and _is_pronoun(words[start : hit.end]):
                        continue
                    key = (start, hit.end, name)
                    found[key] = hit.exact or found.get(key, False)
    for (start, end, name), exact in tuple(found.items()):
        for (begun, place, degree), said in tuple(found.items()):
            level = _DEGREES.get(degree) if place == start else None
            if level is not None and name.startswith(_PLAIN):
                found.setdefault((begun, end, _raised(name, *level)), exact and said)
    return tuple(
        Concept(name=name, start=start, end=end, exact=exact)
        for (start, end, name), exact in sorted(
            found.items(), key=lambda item: (item[0][0], -item[0][1], item[0][2])
        )
    )


def _is_pronoun(words: Sequence[Word]) -> bool:
    """Tell whether the code of a country is rather a word: `us` and `it`, unless in capitals."""
    return len(words) == 1 and len(words[0].text) <= LONGEST_CODE and not words[0].text.isupper()


def _raised(name: str, level: str, turned: bool) -> str:  # noqa: FBT001 - a pair of the table of degrees
    """Return `scale.most.max.price` for `scale.plain.max.price` behind `most`."""
    end, _, dimension = name.removeprefix(_PLAIN).partition(".")
    return f"scale.{level}.{_OTHER_END[end] if turned else end}.{dimension}"
