"""Stretches of the calendar as periods: years, quarters, months, weeks, and parts of them."""

from __future__ import annotations

import datetime as dt
from typing import Final

from tabchat.planner.intent import Period

DAY: Final = dt.timedelta(days=1)
YEAR_DAY: Final = "year_day"
"""Part of every year that is a day of it: 1 to 366, as a leap year numbers them."""
YEAR_DAYS: Final = 366
YEARLY: Final = frozenset({"month", "quarter", YEAR_DAY})
"""Parts of a year, before or after which other parts of it lie."""
LEAP_YEAR: Final = 2000
"""A year that has all days."""
_MONTHS: Final = {"month": 1, "quarter": 3, "half": 6, "year": 12, "decade": 120, "century": 1200}
"""Months of a unit."""
_DAYS: Final = {"day": 1, "week": 7}
_LATEST: Final = 9000
"""Year after which no calendar of a table goes."""
_DECADES: Final = {"early": (0, 4), "mid": (4, 3), "late": (7, 3)}
"""Part of a decade → the years before it, and its years."""
_THIRDS: Final = ("early", "mid", "late")


def months(year: int, first: int, count: int, unit: str) -> Period | None:
    """Return `count` whole months from month `first` (1-12) of a year."""
    return _whole_months(year * 12 + first - 1, count, unit)


def month(year: int, month: int) -> Period | None:
    """Return one month."""
    return months(year, month, 1, "month")


def years(year: int, count: int = 1, unit: str = "year") -> Period | None:
    """Return `count` whole years."""
    return months(year, 1, 12 * count, unit)


def day(year: int, month: int, day: int) -> Period | None:
    """Return one day, nothing when the calendar does not have it."""
    try:
        date = dt.date(year, month, day)
    except ValueError:
        return None
    return Period(start=date, end=date, unit="day")


def year_days(month: int, first: int, last: int | None = None) -> range:
    """Return the days of every year from one day of a month to another, without `last` up to its end; none where one is not."""
    low, whole = day(LEAP_YEAR, month, first), months(LEAP_YEAR, month, 1, "month")
    high = whole if last is None else day(LEAP_YEAR, month, last)
    if low is None or high is None or low.start is None or high.end is None:
        return range(0)
    return range(low.start.timetuple().tm_yday, high.end.timetuple().tm_yday + 1)


def date_of(year_day: int) -> dt.date:
    """Return a day in a leap year."""
    return dt.date(LEAP_YEAR, 1, 1) + (year_day - 1) * DAY


def days_of_year(year: int, first: int, last: int) -> tuple[Period, ...]:
    """Return the days from `first` to `last` in a year: two stretches where one goes on over its end, none without a day in it."""
    starts = (year - 1, year) if last < first else (year,)
    made = ((_from_on(first, start), _up_to(last, start + (last < first))) for start in starts)
    return tuple(Period(start=start, end=end, unit="day") for start, end in made if start <= end)


def of_year(unit: str, numbers: tuple[int, ...], year: int) -> Period | None:
    """Return neighbouring months, quarters or days of every year as those of one."""
    if unit == YEAR_DAY:
        return days_of_year(year, numbers[0], numbers[-1])[-1]
    length = _MONTHS[unit]
    return months(year, (numbers[0] - 1) * length + 1, len(numbers) * length, unit)


def year_of(period: Period) -> int | None:
    """Return the year in which a period lies; None where it goes on into another one, or is open."""
    if period.start is None or period.end is None or period.start.year != period.end.year:
        return None
    return period.start.year


def _from_on(year_day: int, year: int) -> dt.date:
    """Return the first day of a year that is not before another year's."""
    date = date_of(year_day)
    return dt.date(year, date.month, 1) + (date.day - 1) * DAY


def _up_to(year_day: int, year: int) -> dt.date:
    """Return the last day of a year that is not after another year's."""
    date = date_of(year_day)
    exists = day(year, date.month, date.day) is not None
    return dt.date(year, date.month, date.day if exists else date.day - 1)


def week(year: int, n: int) -> Period | None:
    """Return a week by its ISO 8601 number."""
    try:
        monday = dt.date.fromisocalendar(year, n, 1)
    except ValueError:
        return None
    return Period(start=monday, end=monday + 6 * DAY, unit="week")


def stretch(period: Period, unit: str, skipped: int, count: int) -> Period | None:
    """Return `count` units of a period after the first `skipped`; from its end when `skipped` is negative.

    Weeks are seven days from the first or the last day of the period. Nothing when they do not lie within it.
    """
    if period.start is None or period.end is None or count < 1:
        return None
    end = period.end + DAY
    start = _later(end, unit, -count) if skipped < 0 else _later(period.start, unit, skipped)
    after = end if skipped < 0 else _later(period.start, unit, skipped + count)
    if start is None or after is None or start < period.start or after > end:
        return None
    return Period(start=start, end=after - DAY, unit=unit)


def third(period: Period, part: str) -> Period | None:
    """Return the early, mid or late third of a period: of a year 4 months, of a month about 10 days."""
    if period.start is None or period.end is None:
        return None
    if period.unit == "decade":
        skipped, count = _DECADES[part]
        return years(period.start.year + skipped, count)
    place, whole = _THIRDS.index(part), _months_in(period.start, period.end)
    if period.unit in {"year", "quarter", "century"} and whole % 3 == 0:
        return _whole_months(_month_number(period.start) + place * whole // 3, whole // 3, "month")
    length = (period.end - period.start).days + 1
    monthly = length >= 28  # noqa: PLR2004 - days of a month, which is parted into ten, ten and the rest
    ends = [0, 10, 20, length] if monthly else [length * end // 3 for end in range(4)]
    start, after = (period.start + ends[end] * DAY for end in (place, place + 1))
    return Period(start=start, end=after - DAY, unit="day") if start < after else None


def half(period: Period, number: int) -> Period | None:
    """Return the first or the second half of a period: of a month its days up to the 15th, or the others."""
    if period.start is None or period.end is None:
        return None
    whole = _months_in(period.start, period.end)
    if period.unit == "month" and whole == 1:
        middle = period.start.replace(day=15)
        first = Period(start=period.start, end=middle, unit="day")
        return first if number == 1 else Period(start=middle + DAY, end=period.end, unit="day")
    if whole % 2 or period.start.day != 1:
        return None
    unit = "quarter" if period.unit == "year" else "month"
    return _whole_months(_month_number(period.start) + (number - 1) * whole // 2, whole // 2, unit)


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


def _month_number(date: dt.date) -> int:
    """Return the number of a month since the beginning of the calendar."""
    return date.year * 12 + date.month - 1


def _months_in(start: dt.date, end: dt.date) -> int:
    return _month_number(end) - _month_number(start) + 1


def _first_day(number: int) -> dt.date | None:
    """Return the first day of a month by its number."""
    inside = 12 <= number <= (_LATEST + 1) * 12  # noqa: PLR2004 - months of a year
    return dt.date(number // 12, number % 12 + 1, 1) if inside else None


def _whole_months(first: int, count: int, unit: str) -> Period | None:
    start, after = _first_day(first), _first_day(first + count)
    return Period(start=start, end=after - DAY, unit=unit) if start and after else None


def _later(date: dt.date, unit: str, count: int) -> dt.date | None:
    """Return the day `count` units later; whole months only from the first day of one."""
    if unit in _DAYS:
        days = date.toordinal() + count * _DAYS[unit]
        return dt.date.fromordinal(days) if 1 <= days <= _LATEST * 365 else None
    whole = unit in _MONTHS and date.day == 1
    return _first_day(_month_number(date) + count * _MONTHS[unit]) if whole else None


def calendar_name(start: dt.date, end: dt.date) -> str | None:
    """Return the year, the month or the day that a stretch of days is, in ISO form; None for any other stretch."""
    if start == end:
        return start.isoformat()
    if start.year != end.year or start.day != 1:
        return None
    if (start.month, end.month, end.day) == (1, 12, 31):
        return f"{start.year:04d}"
    is_month = start.month == end.month and (end.day == 31 or (end + DAY).day == 1)  # noqa: PLR2004 - no month is longer
    return f"{start.year:04d}-{start.month:02d}" if is_month else None
