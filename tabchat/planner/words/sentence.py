"""What is known of a question before anything is known of the table that it is asked of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.record import record

if TYPE_CHECKING:
    from tabchat.planner.intent import Period
    from tabchat.planner.words.token import Word

Parts = tuple[tuple[str, tuple[int, ...]], ...]
"""Recurring parts of the calendar, all of which hold: `(("month", (3,)),)`, `(("weekday", (5, 6)),)`.

Units: year, quarter (1-4), month (1-12), year_day (1-366, of a leap year), weekday (Monday = 0), hour (0-23).
"""


@record
class Concept:
    """A phrase of a lexicon that stands in the question."""

    name: str
    """As the lexicons call it: `agg.sum`, `cmp.gt`, `stop.article`, `header.revenue`, `country.de`."""
    start: int
    """Place of its first word."""
    end: int
    """One past the place of its last word."""
    exact: bool = True
    """False when it was reached through an ending or a corrected spelling."""


@record
class TimeSpan:
    """A mention of time. Several may overlap: the readings choose among them."""

    start: int
    """Place of its first word."""
    end: int
    """One past the place of its last word."""
    period: Period | None = None
    """The stretch of time, whose `unit` may be decade and century, too; absent for a part of every year and a list."""
    parts: Parts = ()
    """A part of every year, week or day: `in March`, `on weekends`, `before noon`; with a period, of that one alone."""
    opened: str | None = None
    """since, after, before or until, when it was said so: already applied to `period`; to `parts`, within a year."""
    periods: tuple[Period, ...] = ()
    """Several stretches that were listed: `2022 and 2023`."""


@record
class Quantity:
    """A number with what stands around it."""

    start: int
    """Place of its first word."""
    end: int
    """One past the place of its last word."""
    value: float
    """Words for thousands and millions applied; the unit is not. An `int` where a float would not be exact."""
    percent: bool = False
    unit: str | None = None
    """As the lexicons call it: minute, km, usd, celsius."""
    seconds: float | None = None
    """The value in seconds, of a unit of time."""
    word: bool = False
    """True when it was written in letters."""
    ordinal: bool = False
    """True for `third`, `3rd`."""
    scaled: bool = False
    """True when a word or a letter for thousands or millions stood with it."""

    @property
    def is_whole(self) -> bool:
        """Whether the value has no fraction."""
        return float(self.value).is_integer()


@record
class Sentence:
    """A question taken apart, without a table."""

    text: str
    language: str
    """The likeliest of its languages."""
    words: tuple[Word, ...]
    concepts: tuple[Concept, ...] = ()
    """By their first place, the longest first."""
    times: tuple[TimeSpan, ...] = ()
    """By their first place, the longest first."""
    quantities: tuple[Quantity, ...] = ()
    """By their first place, the longest first."""
    languages: tuple[str, ...] = ()
    """All that it can be in, the likeliest first."""
