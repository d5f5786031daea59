"""Small patterns over the pieces of a question: what stands at each place, and how far it goes.

A pattern is text such as `in? n=#int unit=unit. rel.ago`: tests in a row, `?` for may be absent, `|` between
alternatives, `name=` to keep what matched. A test names a kind of piece (`#year`), a concept (`rel.last`) or a family
of concepts (`unit.`).
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.planner.words.sentence import Concept
    from tabchat.planner.words.token import Word


@record
class Piece:
    """What some words can be."""

    kind: str
    """A concept, or a kind that begins with `#`."""
    start: int
    end: int
    value: Any = None
    """Of a concept, what stands behind the point of its family; else what the kind holds."""


Bound = dict[str, Piece]
"""The named parts of a pattern that matched."""


class Chart:
    """The pieces of one question, by their places; rules add to it while it is read."""

    def __init__(self, words: Sequence[Word], concepts: Sequence[Concept]) -> None:
        """Take over the concepts of a question."""
        self.words = words
        self._pieces: list[dict[str, list[Piece]]] = [{} for _ in range(len(words) + 1)]
        for concept in concepts:
            _, _, behind = concept.name.partition(".")
            self.add(Piece(kind=concept.name, start=concept.start, end=concept.end, value=behind))
        self.add(Piece(kind="#end", start=len(words), end=len(words)))

    def add(self, piece: Piece) -> bool:
        """Keep a piece; return False when the same one is there already."""
        held = self._pieces[piece.start].setdefault(piece.kind.partition(".")[0], [])
        if piece in held:
            return False
        held.append(piece)
        return True

    def at(self, place: int, test: str) -> Sequence[Piece]:
        """Return the pieces at a place that a test asks for, in the order in which they were added."""
        family, point, name = test.partition(".")
        held = self._pieces[place].get(family, ()) if 0 <= place < len(self._pieces) else ()
        return [piece for piece in held if piece.kind == test] if name or not point else held

    def has(self, place: int, *tests: str) -> bool:
        """Tell whether a piece of any of these kinds begins at a place."""
        return any(self.at(place, test) for test in tests)

    def matches(self, pattern: str, start: int) -> Iterator[tuple[int, Bound]]:
        """Yield (end, named parts) of every way in which a pattern matches at a place."""
        yield from self._match(_compiled(pattern), 0, start, {})

    def _match(
        self, steps: tuple[_Step, ...], step: int, place: int, bound: Mapping[str, Piece]
    ) -> Iterator[tuple[int, Bound]]:
        if step == len(steps):
            yield place, dict(bound)
            return
        current = steps[step]
        for test in current.tests:
            for piece in self.at(place, test):
                kept = {**bound, current.name: piece} if current.name else bound
                yield from self._match(steps, step + 1, piece.end, kept)
        if current.optional:
            yield from self._match(steps, step + 1, place, bound)


@record
class _Step:
    name: str
    tests: tuple[str, ...]
    optional: bool


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> tuple[_Step, ...]:
    return tuple(_step(part) for part in pattern.split())


def _step(part: str) -> _Step:
    name, equals, tests = part.rpartition("=")
    optional = tests.endswith("?")
    del equals
    return _Step(name=name, tests=tuple(tests.removesuffix("?").split("|")), optional=optional)
