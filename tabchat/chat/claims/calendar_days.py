"""Periods of the calendar as (first day, last day)."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Final, TypeAlias

Period: TypeAlias = tuple[date, date]

NO_YEAR: Final = 2000
"""Stands for the year of a date that names none; a leap year, so 29 February is a day."""

_MONTHS: Final = 12
_QUARTERS: Final = 4
_CENTURY: Final = 2000


def day(year: int, month: int, number: int) -> Period | None:
    """Return the day; None when there is no such day."""
    try:
        found = date(year, month, number)
    except ValueError:
        return None
    return found, found


def days(year: int, month: int, first: int, last: int) -> Period | None:
    """Return the days from `first` to `last` of a month."""
    begin, end = day(year, month, first), day(year, month, last)
    return (begin[0], end[0]) if begin and end and first < last else None


def months(year: int, first: int, last: int) -> Period | None:
    """Return the months from `first` to `last` of a year."""
    if not (1 <= first <= last <= _MONTHS and date.min.year <= year < date.max.year):
        return None
    after = date(year + last // _MONTHS, last % _MONTHS + 1, 1)
    return date(year, first, 1), after - timedelta(days=1)


def part_of_year(year: int, number: int, parts: int) -> Period | None:
    """Return the quarter (`parts` 4) or the half (`parts` 2) of a year."""
    if not 1 <= number <= parts:
        return None
    length = _MONTHS // parts
    return months(year, (number - 1) * length + 1, number * length)


def week(year: int, number: int) -> Period | None:
    """Return the ISO week."""
    try:
        monday = date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return monday, monday + timedelta(days=6)


def decade(year: int) -> Period:
    """Return the ten years from `year` on."""
    return date(year, 1, 1), date(year + 9, 12, 31)


def full_year(digits: str) -> int:
    """Return the year of two or four digits."""
    return int(digits) if len(digits) > 2 else _CENTURY + int(digits)  # noqa: PLR2004 -- 24 is 2024
