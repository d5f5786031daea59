"""Periods of the calendar as a plan writes them: `2024`, `2024-03:`, `last_month`, `this_year`, `last_30_days`."""

from __future__ import annotations

import datetime as dt
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import shift_months
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

DAY: Final = dt.timedelta(days=1)

# Patterns are compiled when they are first asked: most questions name no period.
_CALENDAR_DATE: Final = r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?"
_QUARTER: Final = r"(\d{4})-?[qQ]([1-4])"
_UNIT: Final = "(?P<unit>day|week|month|quarter|year)s?"
_RELATIVE: Final = (
    rf"(?P<which>last|this|previous)_(?:(?P<count>\d{{1,5}})_)?{_UNIT}"
    rf"|(?P<ago>\d{{1,5}})_{_UNIT.replace('<unit>', '<back>')}_ago|(?P<day>today|yesterday)"
)
MONTHS: Final[Mapping[str, int]] = MappingProxyType({"month": 1, "quarter": 3, "year": 12})
"""Months of the calendar units that are made of months."""


class ScopeError(Exception):
    """A period or a session cannot be read."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@record
class Span:
    """Days from `start` to `end`, both included; None is open."""

    start: dt.date | None
    end: dt.date | None


@record
class Relative:
    """A period that is anchored at the last date of the data."""

    unit: str
    """day, week, month, quarter or year."""
    first: int
    """Whole units before that of the last date in which it begins; for a trailing one, its length in units."""
    latest: int = 0
    """Whole units before that of the last date in which it ends."""
    trailing: bool = False
    """True when it ends on the last date itself."""


def is_relative(period: str) -> bool:
    """Tell whether a period is anchored at the last date in the data."""
    return re.fullmatch(_RELATIVE, period.strip().lower()) is not None


def read_relative(period: str) -> Relative | None:
    """Return what a period says of the last date, or None when it is none of that; raises `ScopeError`."""
    found = re.fullmatch(_RELATIVE, period.strip().lower())
    if found is None:
        return None
    if found["day"]:
        ago = 0 if found["day"] == "today" else 1
        return Relative(unit="day", first=ago, latest=ago)
    if found["ago"]:
        return Relative(unit=found["back"], first=int(found["ago"]), latest=int(found["ago"]))
    which, unit, count = found["which"], found["unit"], int(found["count"] or 1)
    if which == "this" and found["count"]:
        raise ScopeError("`this_` takes no number.", f"Such as this_{unit} or last_{count}_{unit}s.")
    if count < 1:
        raise ScopeError("A period of no length holds nothing.", "Such as last_30_days.")
    if which == "last" and found["count"]:
        return Relative(unit=unit, first=count, trailing=True)
    if which == "this" or (which == "last" and unit == "day"):
        return Relative(unit=unit, first=0)
    return Relative(unit=unit, first=count, latest=1)


def read_period(period: str, last: dt.date, week_start: str) -> Span:
    """Return the days that a period means when the data ends on `last`; raises `ScopeError`.

    `last_month` is the whole calendar month before the one of the last date (week, quarter and year alike), and
    `this_month` the one of the last date; `last_3_months` are the three months that end on the last date,
    `previous_3_months` the three whole ones before its own; `12_months_ago` is a whole month, too. `today` and
    `last_day` are the last date itself.
    """
    text = period.strip()
    relative = read_relative(text)
    if relative is not None:
        try:
            return _anchored(relative, last, week_start)
        except (ValueError, OverflowError):
            raise ScopeError(
                "The period reaches back before the calendar.", "Such as last_30_days."
            ) from None
    start_text, colon, end_text = text.partition(":")
    if not colon:
        return Span(start=_edge(text, first=True), end=_edge(text, first=False))
    start = _edge(start_text.strip(), first=True) if start_text.strip() else None
    end = _edge(end_text.strip(), first=False) if end_text.strip() else None
    if start is None and end is None:
        raise ScopeError(f"Period `{period}` has no dates.", _PERIOD_HINT)
    if start is not None and end is not None and start > end:
        raise ScopeError(f"Period `{period}` ends before it starts.", "Write the earlier date first.")
    return Span(start=start, end=end)


_PERIOD_HINT: Final = "Such as 2024, 2024-03, 2024-Q1, 2024-03-15, 2024-01:2024-06, 2024-03: or last_month, this_year, last_90_days, 12_months_ago."


def _edge(text: str, *, first: bool) -> dt.date:
    quarter = re.fullmatch(_QUARTER, text)
    day = re.fullmatch(_CALENDAR_DATE, text)
    try:
        if quarter is not None:
            start = dt.date(int(quarter[1]), 3 * int(quarter[2]) - 2, 1)
            return start if first else shift_months(start, 3) - DAY
        if day is not None:
            year, month, number = (int(part) if part else None for part in day.groups())
            start = dt.date(year or 0, month or 1, number or 1)
            return start if first or number else shift_months(start, 1 if month else 12) - DAY
    except (ValueError, OverflowError):
        raise ScopeError(f"There is no date `{text}`.", _PERIOD_HINT) from None
    raise ScopeError(f"`{text}` is not a period.", _PERIOD_HINT)


def _anchored(period: Relative, last: dt.date, week_start: str) -> Span:
    if period.trailing:
        return Span(start=_trailing(last, period.first, period.unit), end=last)
    first = _whole(last, period.unit, period.first, week_start)
    return Span(start=first.start, end=_whole(last, period.unit, period.latest, week_start).end)


def _trailing(last: dt.date, count: int, unit: str) -> dt.date:
    """Return the first day of the `count` units that end on the last date."""
    if unit in MONTHS:
        return shift_months(last, -count * MONTHS[unit]) + DAY
    return last - dt.timedelta(days=count * (7 if unit == "week" else 1)) + DAY


def _whole(last: dt.date, unit: str, ago: int, week_start: str) -> Span:
    """Return the whole calendar unit that lies `ago` units before the one of the last date."""
    if unit == "day":
        return Span(start=last - ago * DAY, end=last - ago * DAY)
    if unit == "week":
        this = last - dt.timedelta(days=(last.weekday() + (week_start == "sunday")) % 7)
        return Span(start=this - 7 * ago * DAY, end=this - 7 * (ago - 1) * DAY - DAY)
    months = MONTHS[unit]
    this = dt.date(last.year, (last.month - 1) // months * months + 1, 1)
    return Span(start=shift_months(this, -months * ago), end=shift_months(this, -months * (ago - 1)) - DAY)
