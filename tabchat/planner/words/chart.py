"""Small patterns over the pieces of a question: what stands at each place, and how far it goes.

A pattern is text such as `in? n=#int unit=unit. rel.ago`: tests in a row, `?` for may be absent, `|` between
alternatives, `name=` to keep what matched. A test names a kind of piece (`#year`), a concept (`rel.last`) or a family
of concepts (`unit.`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from tabchat.planner.words.token import TokenKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.words.sentence import Concept, Quantity
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


Bound = dict[str, Any]
"""Name in a pattern → what the piece that matched there holds."""


class Chart:
    """The pieces of one question, by their places; rules add to it while it is read."""

    def __init__(self, words: Sequence[Word], concepts: Sequence[Concept]) -> None:
        """Take over the concepts of a question."""
        self.words = words
        self._pieces: list[dict[str, list[Piece]]] = [{} for _ in range(len(words) + 1)]
        for concept in concepts:
            _, _, behind = concept.name.partition(".")
            if concept.exact or concept.name != "numbered":
                self.add(Piece(kind=concept.name, start=concept.start, end=concept.end, value=behind))
        self.add(Piece(kind="#end", start=len(words), end=len(words)))
        for place, word in enumerate(words):
            if word.glued:  # by a hyphen, which is no word of its own: `March-May`
                self.add(Piece(kind="#hyphen", start=place, end=place))

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
        self, steps: tuple[_Step, ...], step: int, place: int, bound: Bound
    ) -> Iterator[tuple[int, Bound]]:
        if step == len(steps):
            yield place, dict(bound)
            return
        current = steps[step]
        for test in current.tests:
            for piece in self.at(place, test):
                kept = {**bound, current.name: piece.value} if current.name else bound
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
    parts = (part.rpartition("=") for part in pattern.split())
    return tuple(
        _Step(name=name, tests=tuple(tests.removesuffix("?").split("|")), optional=tests[-1] == "?")
        for name, _, tests in parts
    )


# Pieces of times

_FIRST_YEAR: Final = 1500
_LAST_YEAR: Final = 2200
_YEAR_DIGITS: Final = 4
_LONGEST_MONTH: Final = 31
_MEASURED: Final = ("span.", "currency.", "measure.", "scale.k", "scale.m", "scale.b", "pctword")
"""What makes the number before it one of something: `2000 km` is no year."""
_YEAR: Final = re.compile(r"(\d{4})(?:р|рр|г|гг|року|году|года)")
_CLOCK: Final = re.compile(r"(\d{1,2})(am|pm)")
_MONTH_YEAR: Final = re.compile(r"(0[1-9]|1[0-2])[.](\d{4})")
_DECADE: Final = re.compile(r"(\d{4}|\d{2})('?s|ті|тих|х|е)")
_CENTURY: Final = 1900
_SURE_DECADES: Final = range(30, 100, 10)
"""Decades in two digits of which the century is beyond doubt."""
NOON: Final = 12
HOURS: Final = 24


def add_time_pieces(chart: Chart, numerals: Sequence[Quantity]) -> None:
    """Add `#year`, `#day`, `#dayth`, `#count`, `#nth`, `#month`, `#date`, `#hour`, `#decade`, `#slash` to a chart."""
    for numeral in numerals:
        for kind, number in _of_numeral(chart, numeral):
            chart.add(Piece(kind=kind, start=numeral.start, end=numeral.end, value=number))
    for place in range(len(chart.words)):
        for kind, held, length in _of_word(chart, place):
            chart.add(Piece(kind=kind, start=place, end=place + length, value=held))


def _of_numeral(chart: Chart, numeral: Quantity) -> Iterator[tuple[str, int]]:
    word, value = chart.words[numeral.start], int(numeral.value) if numeral.is_whole else 0
    if value < 1 or word.percent or numeral.scaled:
        return
    # «за 2 квартал 2024» is the second one, as two of them would stand in another case; «21 день» are so many.
    numbered = value % 10 != 1 and chart.has(numeral.end, "numbered")
    yield ("#nth" if numeral.ordinal or numbered else "#count"), value
    if value <= _LONGEST_MONTH and word.text[:1].isalnum():
        yield "#day", value
        if numeral.start and chart.words[numeral.start - 1].norm.isascii():
            # «у березні 5 замовлень» is no day of March.
            yield "#dayth", value
    digits = len(word.norm) if word.norm.isdigit() and word.text[:1].isdigit() and not numeral.word else 0
    if digits == 2 and value <= NOON:  # noqa: PLR2004 - two digits of a month
        yield "#month", value
    if digits == _YEAR_DIGITS and _FIRST_YEAR <= value <= _LAST_YEAR:
        measured = chart.has(numeral.end, *_MEASURED) and not chart.has(numeral.end, "unit.year")
        if not measured:
            yield "#year", value


def _of_word(chart: Chart, place: int) -> Iterator[tuple[str, Any, int]]:
    """Yield (kind, what it holds, number of words) of the pieces that begin with a word that is no numeral alone."""
    word = chart.words[place]
    if word.kind is TokenKind.DATE:
        yield "#date", word.date, 1
    elif word.kind is TokenKind.TIME:
        hour = int(word.norm.partition(":")[0])
        if hour < HOURS:
            yield "#hour", hour, 1
    elif word.text == "/":
        yield "#slash", None, 1
    elif word.norm[:1].isdigit():
        yield from _of_digits(chart, place)


def _of_digits(chart: Chart, place: int) -> Iterator[tuple[str, Any, int]]:
    word = chart.words[place]
    if word.kind is TokenKind.NUMBER:
        if (months := _MONTH_YEAR.fullmatch(word.norm)) is not None:
            yield "#monthyear", (int(months[2]), int(months[1])), 1
        after = chart.words[place + 1] if place + 1 < len(chart.words) else None
        if after is not None and after.glued and word.norm.isdigit():
            yield from _decade(word.norm + after.norm, 2)
    elif word.kind is TokenKind.WORD:
        if (year := _YEAR.fullmatch(word.norm)) is not None:
            yield "#year", int(year[1]), 1
        if (clock := _CLOCK.fullmatch(word.norm)) is not None and int(clock[1]) <= NOON:
            yield "#hour", half_day(int(clock[1]), clock[2]), 1
        yield from _decade(word.norm, 1)


def _decade(text: str, length: int) -> Iterator[tuple[str, Any, int]]:
    match = _DECADE.fullmatch(text)
    if match is None or not match[1].endswith("0"):
        return
    number = int(match[1])
    if len(match[1]) == _YEAR_DIGITS:
        yield "#decade", number, length
    elif number in _SURE_DECADES:
        yield "#decade", _CENTURY + number, length


def half_day(number: int, half: str) -> int:
    """Return the hour of the day (0-23) of an hour before or after noon: `12 am` is midnight."""
    return number % NOON + (NOON if half == "pm" else 0)
