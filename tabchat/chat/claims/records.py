"""What a text asserts: the figures and dates that it writes, each with all that it may mean."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Literal, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from datetime import date, datetime
    from decimal import Decimal

Span: TypeAlias = tuple[int, int]
"""Start and end in the text, in characters; the end is not included."""


class NumberKind(StrEnum):
    """What sort of figure is written."""

    NUMBER = "number"
    PERCENT = "percent"
    """A percentage, as written: 12.5 for `12.5 %`."""
    POINTS = "points"
    """Percentage points; basis points are given in them (0.25 for `25 bps`)."""
    MONEY = "money"
    COUNT = "count"
    """How many there are: `80 rows`, `4 of 7`, `three`. Exact unless the words say otherwise."""
    ORDINAL = "ordinal"
    """A place in an order: `3rd`, `3-й`, `третє місце`."""
    YEAR = "year"
    """A calendar year; its other readings hold the plain number where the text does not rule it out."""
    RATIO = "ratio"
    """How many times, or which part: 2 for `twice`, 0.5 for `half`, 0.75 for `3/4`."""
    TIME = "time"
    """A time of day in hours: 14.5 for `14:30`."""


@record
class WrittenNumber:
    """One figure.

    `value` carries the written sign, never that of a verb: `-3%` is -3, `fell 3%` is 3 with
    `direction="down"`. When there is a direction, the size of the change is `abs(value)`.
    """

    text: str
    """The figure as written, with its sign, currency, scale word and percent sign."""
    start: int
    end: int
    value: Decimal
    """The figure in full: the scale word is multiplied in, a percentage stays as written."""
    tolerance: Decimal
    """How far the true value may be away: half a unit of the last digit written, in units of `value`.

    So `67` is within 0.5 (two integers that near are equal), `2.5M` within 50,000. It is 0 for counts,
    number words, ordinals and years. After a word such as `about` it is half a unit of the last digit
    that is not zero, at most a twentieth of the value. A part (`half`, `3/4`) is within 0.005, a multiple
    in words (`twice`) within 0.05, and after `about` both within a tenth of the value.
    """
    readings: tuple[tuple[Decimal, Decimal], ...]
    """Every plausible (value, tolerance), the likeliest first: `1,234` may be 1234 or 1.234."""
    kind: NumberKind
    unit: str | None = None
    """`%`, `pp`, a currency code such as `USD`, or the noun counted or measured, in lower case."""
    direction: Literal["up", "down"] | None = None
    """The change that the words around say: `fell 3%`, `12 more`, `зросла на 5`."""
    bound: Literal["over", "under"] | None = None
    """`over 5,000`, `at least 3`, `менше ніж 7`: the true value lies beyond the figure."""
    is_approximate: bool = False
    """A word or sign such as `about`, `~`, `майже` stands before it."""
    is_range_end: bool = False
    """True of both ends of a range: `10–20`, `from 5 to 7`."""
    sentence: Span
    clause: Span
    """The part of the sentence that holds the figure and what is named beside it."""
    from_question: bool = False
    """The question writes the same value."""
    heading: str | None = None
    """The heading of its column, when the figure stands in a Markdown table."""


@record
class WrittenDate:
    """One day, or one period that is written as a date: a month, a quarter, a week, a decade."""

    text: str
    start: int
    end: int
    first: date
    last: date
    """Last day of the period; the same as `first` for a single day."""
    readings: tuple[tuple[date, date], ...]
    """Every plausible (first, last), the likeliest first: `03/04/2024` may be 4 March or 3 April."""
    at: datetime | None = None
    """The moment, when a time of day is written with it."""
    has_year: bool = True
    """False for `15 March`: only month and day of `first` and `last` count then (their year is 2000)."""
    sentence: Span
    clause: Span
    from_question: bool = False
    """The question writes the same date."""
    heading: str | None = None
    """The heading of its column, when the date stands in a Markdown table."""


WrittenClaim: TypeAlias = WrittenNumber | WrittenDate
