"""Stretches of the calendar as periods: years, quarters, months, weeks, and parts of them."""

from __future__ import annotations

import datetime as dt
from typing import Final

from tabchat.planner.intent import Period

DAY: Final = dt.timedelta(days=1)
MONTHS: Final = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
"""Months of a unit."""
_DAYS: Final = {"day": 1, "week": 7}
_LATEST: Final = 9000
"""Year after which no calendar of a table goes."""


def months(year: int, first: int, count: int, unit: str) -> Period | None:
    """Return `count` whole months from month `first` (1-12) of a year."""
    last = year * 12 + first - 1 + count - 1
    if not 1 <= year <= _LATEST or last // 12 > _LATEST:
        return None
    from calendar import monthrange

    last_day = monthrange(last // 12, last % 12 + 1)[1]
    return Period(start=dt.date(year, first, 1), end=dt.date(last // 12, last % 12 + 1, last_day), unit=unit)


def years(first: int, count: int = 1, unit: str = "year") -> Period | None:
    """Return `count` whole years."""
    return months(first, 1, 12 * count, unit)


def day(year: int, month: int, number: int) -> Period | None:
    """Return one day, nothing when the calendar does not have it."""
    try:
        date = dt.date(year, month, number)
    except ValueError:
        return None
    return Period(start=date, end=date, unit="day")


def week(year: int, number: int) -> Period | None:
    """Return a week by its ISO 8601 number."""
    try:
        monday = dt.date.fromisocalendar(year, number, 1)
    except ValueError:
        return None
    return Period(start=monday, end=monday + 6 * DAY, unit="week")


def stretch(period: Period, unit: str, skipped: int, count: int) -> Period | None:
    """Return `count` units of a period after the first `skipped`; from its end when `skipped` is negative.

    Weeks are seven days from the first or the last day of the period. Nothing when they do not lie within it.
    """
    if period.start is None or period.end is None or count < 1:
        return None
    start: dt.date | None = period.start
    end: dt.date | None = period.end
    try:
        if skipped >= 0:
            start, end = _after(period.start, unit, skipped), _after(period.start, unit, skipped + count)
            end = end - DAY if end is not None else None
        else:
            start = _after(period.end + DAY, unit, -count)
    except OverflowError:
        return None
    if start is None or end is None or start < period.start or end > period.end:
        return None
    return Period(start=start, end=end, unit=unit)


def _after(date: dt.date, unit: str, count: int) -> dt.date | None:
    """Return the day `count` units later; whole months only from the first day of one."""
    if unit in _DAYS:
        return date + count * _DAYS[unit] * DAY
    index = date.year * 12 + date.month - 1 + count * MONTHS.get(unit, 0)
    if unit not in MONTHS or date.day != 1 or not 12 <= index < _LATEST * 12:  # noqa: PLR2004 - months of a year
        return None
    return dt.date(index // 12, index % 12 + 1, 1)


def third(period: Period, part: str) -> Period | None:
    """Return the early, mid or late third of a period: of a year 4 months, of a month about 10 days."""
    if period.start is None or period.end is None:
        return None
    place = ("early", "mid", "late").index(part)
    if period.unit == "decade":
        return years(period.start.year + (0, 4, 7)[place], (4, 3, 3)[place])
    whole = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month + 1
    if period.unit in {"year", "quarter", "century"} and whole % 3 == 0:
        return months_of(period, place * whole // 3, whole // 3)
    length = (period.end - period.start).days + 1
    first, last = (place * 10, place * 10 + 9) if length >= 28 else (place * length // 3, -1)  # noqa: PLR2004 - a month
    if last < 0:
        last = (place + 1) * length // 3 - 1
    start = period.start + first * DAY
    end = period.end if part == "late" else period.start + last * DAY
    return Period(start=start, end=end, unit="day") if start <= end else None


def months_of(period: Period, skipped: int, count: int) -> Period | None:
    """Return some whole months of a period that begins with one."""
    if period.start is None:
        return None
    index = period.start.year * 12 + period.start.month - 1 + skipped
    return months(index // 12, index % 12 + 1, count, "month")


def half(period: Period, number: int) -> Period | None:
    """Return the first or the second half of a period: of a month its days up to the 15th, or the others."""
    if period.start is None or period.end is None:
        return None
    whole = (period.end.year - period.start.year) * 12 + period.end.month - period.start.month + 1
    if period.unit == "month" and whole == 1:
        middle = period.start.replace(day=15)
        first = Period(start=period.start, end=middle, unit="day")
        return first if number == 1 else Period(start=middle + DAY, end=period.end, unit="day")
    if whole % 2 or period.start.day != 1:
        return None
    found = months_of(period, (number - 1) * whole // 2, whole // 2)
    unit = "quarter" if period.unit == "year" else "month"
    return Period(start=found.start, end=found.end, unit=unit) if found is not None else None


def opened(side: str, period: Period) -> Period | None:
    """Return the time since, after, before or until a period."""
    if period.start is None or period.end is None:
        return None
    bounds: dict[str, tuple[dt.date | None, dt.date | None]] = {
        "since": (period.start, None),
        "after": (period.end + DAY, None),
        "before": (None, period.start - DAY),
        "until": (None, period.end),
    }
    start, end = bounds[side]
    return Period(start=start, end=end, unit=period.unit)
