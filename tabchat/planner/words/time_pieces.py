"""What the rules for times are about, years, days, hours and decades, and the times that they make of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Period
from tabchat.planner.words.chart import Piece
from tabchat.planner.words.token import TokenKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.planner.words.chart import Bound, Chart
    from tabchat.planner.words.quantities import Numeral
    from tabchat.planner.words.sentence import Parts

TIME: Final = "#time"
"""The pieces that rules for times make."""


@record
class When:
    """A stretch of time, a part of every year, or a list of stretches."""

    period: Period | None = None
    parts: Parts = ()
    opened: str | None = None
    periods: tuple[Period, ...] = ()
    ranged: bool = False
    """True for a stretch between two ends that were said, which does not open once more."""

    @property
    def is_absolute(self) -> bool:
        """True for one stretch between two days."""
        return self.period is not None and None not in {self.period.start, self.period.end} and not self.parts

    @property
    def is_part(self) -> bool:
        """True for a part of the calendar without a year."""
        return self.period is None and bool(self.parts) and self.opened is None

    @property
    def unit(self) -> str | None:
        """The finest unit that was said."""
        return self.parts[-1][0] if self.parts else self.period.unit if self.period is not None else None


Build = Callable[["Bound"], "Iterable[When]"]
"""The named parts of a pattern → the times that they can mean."""
Rules = tuple[tuple[str, Build], ...]


def of_period(period: Period | None) -> tuple[When, ...]:
    """Return a time of one period, none when there is no such."""
    return (When(period=period),) if period is not None else ()


def of_parts(*parts: tuple[str, tuple[int, ...]]) -> tuple[When, ...]:
    """Return a part of every year, week or day."""
    return (When(parts=parts),)


def relative(unit: str, *, ago: int | None = None, count: int | None = None) -> tuple[When, ...]:
    """Return a time that is told from the last date of the data."""
    return (When(period=Period(unit=unit, ago=ago, count=count)),)


def time_of(piece: Piece) -> When:
    """Return the time that a piece holds."""
    found = piece.value
    assert isinstance(found, When)  # noqa: S101 - rules make nothing else
    return found


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
_HOURS: Final = 24


def add_time_pieces(chart: Chart, numerals: Sequence[Numeral]) -> None:
    """Add `#year`, `#day`, `#count`, `#nth`, `#month`, `#date`, `#hour`, `#decade`, `#slash` to a chart."""
    for numeral in numerals:
        for kind, value in _of_numeral(chart, numeral):
            chart.add(Piece(kind=kind, start=numeral.start, end=numeral.end, value=value))
    for place in range(len(chart.words)):
        for kind, end, held in _of_word(chart, place):
            chart.add(Piece(kind=kind, start=place, end=end, value=held))


def _of_numeral(chart: Chart, numeral: Numeral) -> Iterator[tuple[str, int]]:
    word, value = chart.words[numeral.start], int(numeral.value) if numeral.value.is_integer() else 0
    if value < 1 or word.percent or numeral.scaled:
        return
    if numeral.ordinal:
        yield "#nth", value
    if not numeral.ordinal or not numeral.word:
        yield "#count", value
    if value <= _LONGEST_MONTH and word.text[:1].isalnum():
        yield "#day", value
    digits = word.norm.isdigit() and word.text[:1].isdigit() and not numeral.word
    if digits and len(word.norm) == 2 and value <= NOON:  # noqa: PLR2004 - two digits of a month
        yield "#month", value
    if digits and len(word.norm) == _YEAR_DIGITS and _FIRST_YEAR <= value <= _LAST_YEAR:
        measured = chart.has(numeral.end, *_MEASURED) and not chart.has(numeral.end, "unit.year")
        if not measured:
            yield "#year", value


def _of_word(chart: Chart, place: int) -> Iterator[tuple[str, int, object]]:
    word = chart.words[place]
    if word.kind is TokenKind.DATE:
        yield "#date", place + 1, word.date
    elif word.kind is TokenKind.TIME:
        hour = int(word.norm.partition(":")[0])
        if hour < _HOURS:
            yield "#hour", place + 1, hour
    elif word.text == "/":
        yield "#slash", place + 1, None
    elif word.kind is TokenKind.NUMBER:
        yield from _of_digits(chart, place)
    elif word.kind is TokenKind.WORD and word.norm[:1].isdigit():
        yield from _glued(chart, place)


def _of_digits(chart: Chart, place: int) -> Iterator[tuple[str, int, object]]:
    word = chart.words[place]
    months = _MONTH_YEAR.fullmatch(word.norm)
    if months is not None:
        yield "#monthyear", place + 1, (int(months[2]), int(months[1]))
    after = chart.words[place + 1] if place + 1 < len(chart.words) else None
    if after is not None and after.glued and word.norm.isdigit():
        decade = _decade(word.norm + after.norm)
        if decade is not None:
            yield "#decade", place + 2, decade


def _glued(chart: Chart, place: int) -> Iterator[tuple[str, int, object]]:
    norm = chart.words[place].norm
    year, clock, decade = _YEAR.fullmatch(norm), _CLOCK.fullmatch(norm), _decade(norm)
    if year is not None:
        yield "#year", place + 1, int(year[1])
    if clock is not None and int(clock[1]) <= NOON:
        yield "#hour", place + 1, hour_of(int(clock[1]), clock[2])
    if decade is not None:
        yield "#decade", place + 1, decade


def hour_of(number: int, half: str) -> int:
    """Return the hour of the day (0-23) of an hour before or after noon: `12 am` is midnight."""
    return number % NOON + (NOON if half == "pm" else 0)


def _decade(text: str) -> int | None:
    match = _DECADE.fullmatch(text)
    if match is None or not match[1].endswith("0"):
        return None
    number = int(match[1])
    if len(match[1]) == _YEAR_DIGITS:
        return number
    return _CENTURY + number if number in _SURE_DECADES else None
