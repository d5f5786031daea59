"""Patterns of requests: classes of words with slots between them, matched in every way that fits.

A pattern is a text: `rename column? {old} to_name {new}`. A word is a class of the language's data file, `a|b` one
of several, `?` what may be left out, `{…}` a stretch of one word or more, `@type` any class of the family `type.`
whose name is kept. The same patterns serve every language.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

Span = tuple[int, int]
"""(first token, one past the last)."""
Found = dict[str, "Span | str"]

_MOST: Final = 400
"""Ways of one pattern to match that are looked at."""


@record
class Step:
    """One part of a pattern."""

    names: frozenset[str] = frozenset()
    slot: str | None = None
    family: str | None = None
    optional: bool = False


@record
class Lattice:
    """Where the words of each class stand in one request."""

    length: int
    places: Mapping[tuple[str, int], frozenset[int]]
    """(class, first token) → ends."""
    families: Mapping[tuple[str, int], tuple[tuple[str, int], ...]]
    """(family, first token) → (name, end) pairs."""

    def skip(self, place: int) -> int:
        """Return where the words that say nothing end."""
        while place < self.length and (ends := self.places.get(("filler", place))):
            place = max(ends)
        return place


@lru_cache(maxsize=256)
def steps_of(pattern: str) -> tuple[Step, ...]:
    """Read a pattern."""
    return tuple(_step(part) for part in pattern.split())


def _step(part: str) -> Step:
    optional, part = part.endswith("?"), part.removesuffix("?")
    if part.startswith("{"):
        return Step(slot=part[1:-1], optional=optional)
    if part.startswith("@"):
        return Step(family=part[1:], optional=optional)
    return Step(names=frozenset(part.split("|")), optional=optional)


def matches(pattern: str, lattice: Lattice) -> list[Found]:
    """Return the ways in which a pattern fits the whole of a request."""
    found: list[Found] = []
    for way in _match(steps_of(pattern), 0, 0, lattice, {}):
        found.append(way)
        if len(found) >= _MOST:
            break
    return found


def _match(steps: Sequence[Step], index: int, place: int, lattice: Lattice, bound: Found) -> Iterator[Found]:
    if index == len(steps):
        if lattice.skip(place) == lattice.length:
            yield bound
        return
    step = steps[index]
    for end, taken in _taken(steps, index, place, lattice):
        yield from _match(steps, index + 1, end, lattice, bound | taken)
    if step.optional:
        yield from _match(steps, index + 1, place, lattice, bound)


def _taken(steps: Sequence[Step], index: int, place: int, lattice: Lattice) -> Iterator[tuple[int, Found]]:
    """Yield where one step can end, and what it binds."""
    step = steps[index]
    starts = sorted({place, lattice.skip(place)})
    if step.slot is not None:
        for end in _ends(steps, index, starts[-1], lattice):
            yield end, {step.slot: (starts[-1], end)}
    elif step.family is not None:
        for start in starts:
            for name, end in lattice.families.get((step.family, start), ()):
                yield end, {step.family: name}
    else:
        for start in starts:
            for name in step.names:
                yield from ((end, {}) for end in lattice.places.get((name, start), ()))


def _ends(steps: Sequence[Step], index: int, start: int, lattice: Lattice) -> Iterator[int]:
    """Yield where a slot can end: anywhere, or at the end when nothing comes behind."""
    if start >= lattice.length:
        return
    if index == len(steps) - 1:
        yield lattice.length
        return
    yield from range(start + 1, lattice.length + 1)
