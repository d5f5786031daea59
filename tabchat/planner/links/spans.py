"""From one date to another: `days between order and delivery` → the column that counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.links.link import Link, LinkKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.links.vocabulary import Vocabulary
    from tabchat.planner.words import Sentence

_OPENINGS: Final = {"between": ("and",), "from": ("to", "limit.le")}
"""What stands before the first date → what may stand before the second."""
_LASTING: Final = ("unit.day", "header.time", "header.duration", "header.days")
"""What is counted: `days from …`, `the time between …`."""
_COUNTING: Final = frozenset({"count", "howmuch"})


def span_links(sentence: Sentence, vocabulary: Vocabulary, headers: Sequence[Link]) -> Iterator[Link]:
    """Yield the spans that name two dates of a row, with the word for days or time before them."""
    spans = {column.facts.operands: column.place for column in vocabulary.columns if column.facts.operands}
    if not spans:
        return
    names = [column.name for column in vocabulary.columns]
    concepts = {(concept.name, concept.start): concept.end for concept in sentence.concepts}
    for (name, start), first in concepts.items():
        for one in (link for link in headers if link.start == first and name in _OPENINGS):
            for joint in _OPENINGS[name]:
                second = concepts.get((joint, one.end), -1)
                for other in (link for link in headers if link.start == second):
                    place = spans.get((names[one.column], names[other.column]))
                    if place is not None:
                        yield Link(
                            start=_begun(start, concepts),
                            end=other.end,
                            kind=LinkKind.COLUMN,
                            column=place,
                            features=(("column", 1.0), ("column.span", 1.0)),
                        )


def _begun(start: int, concepts: dict[tuple[str, int], int]) -> int:
    """Return the place of the first word that says what is counted: `how many days`, `the time`."""
    if any(concepts.get((name, start - 1)) == start for name in _LASTING):
        start -= 1
    return next((at for (name, at), end in concepts.items() if name in _COUNTING and end == start), start)
