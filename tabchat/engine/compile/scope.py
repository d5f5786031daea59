"""The scope of a plan: which dates, which hours of the day, and at what timeframe."""

from __future__ import annotations

import calendar
import datetime as dt
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.plan import QueryPlan, SessionWindow
    from tabchat.engine.relation import Field

DAY: Final = dt.timedelta(days=1)

_CALENDAR_DATE: Final = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2}))?)?")
_QUARTER: Final = re.compile(r"(\d{4})-?[qQ]([1-4])")
_RELATIVE: Final = re.compile(r"last_(?:(\d{1,5})_)?(day|week|month|quarter|year)s?")
_MONTHS: Final[Mapping[str, int]] = MappingProxyType({"month": 1, "quarter": 3, "year": 12})


class ScopeError(Exception):
    """A period or a session cannot be read."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


@record
class Facts:
    """What a scope needs to know of the data before its query can be written."""

    last: dt.date | None = None
    """Last date of the date column; None when there is none."""
    has_clock: bool = True
    """False when every time in the date column is midnight."""


@record
class Span:
    """Days from `start` to `end`, both included; None is open."""

    start: dt.date | None
    end: dt.date | None


def is_relative(period: str) -> bool:
    """Tell whether a period is anchored at the last date in the data."""
    return _RELATIVE.fullmatch(period.strip().lower()) is not None


def read_period(period: str, last: dt.date, week_start: str) -> Span:
    """Return the days that a period means when the data ends on `last`; raises `ScopeError`.

    `last_month` is the whole calendar month before the one of the last date (week, quarter and year alike);
    `last_3_months` are the three months that end on the last date.
    """
    text = period.strip()
    relative = _RELATIVE.fullmatch(text.lower())
    if relative is not None:
        count, unit = relative.groups()
        try:
            return _trailing(last, int(count), unit) if count else _one_before(last, unit, week_start)
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


_PERIOD_HINT: Final = (
    "Such as 2024, 2024-03, 2024-Q1, 2024-03-15, 2024-01:2024-06, 2024-03: or last_month, last_90_days."
)


def _edge(text: str, *, first: bool) -> dt.date:
    quarter = _QUARTER.fullmatch(text)
    day = _CALENDAR_DATE.fullmatch(text)
    try:
        if quarter is not None:
            start = dt.date(int(quarter[1]), 3 * int(quarter[2]) - 2, 1)
            return start if first else _shift_months(start, 3) - DAY
        if day is not None:
            year, month, number = (int(part) if part else None for part in day.groups())
            start = dt.date(year or 0, month or 1, number or 1)
            return start if first or number else _shift_months(start, 1 if month else 12) - DAY
    except (ValueError, OverflowError):
        raise ScopeError(f"There is no date `{text}`.", _PERIOD_HINT) from None
    raise ScopeError(f"`{text}` is not a period.", _PERIOD_HINT)


def _trailing(last: dt.date, count: int, unit: str) -> Span:
    if count < 1:
        raise ScopeError("A period of no length holds nothing.", "Such as last_30_days.")
    if unit in _MONTHS:
        return Span(start=_shift_months(last, -count * _MONTHS[unit]) + DAY, end=last)
    return Span(start=last - dt.timedelta(days=count * (7 if unit == "week" else 1)) + DAY, end=last)


def _one_before(last: dt.date, unit: str, week_start: str) -> Span:
    if unit == "day":
        return Span(start=last, end=last)
    if unit == "week":
        this = last - dt.timedelta(days=(last.weekday() + (week_start == "sunday")) % 7)
        return Span(start=this - 7 * DAY, end=this - DAY)
    months = _MONTHS[unit]
    this = dt.date(last.year, (last.month - 1) // months * months + 1, 1)
    return Span(start=_shift_months(this, -months), end=this - DAY)


def _shift_months(day: dt.date, months: int) -> dt.date:
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def period_condition(field: Field, span: Span) -> exp.Expr:
    """Return the filter for a span of days."""
    conditions = []
    if span.start is not None:
        conditions.append(fill(":x >= :day", x=field.column(), day=_date(span.start)))
    if span.end is not None and span.end < dt.date.max:
        conditions.append(fill(":x < :day", x=field.column(), day=_date(span.end + DAY)))
    return exp.and_(*conditions) if conditions else exp.true()


def _date(day: dt.date) -> exp.Expr:
    return exp.cast(exp.Literal.string(day.isoformat()), "DATE", dialect="duckdb")


@record
class Window:
    """A time-of-day window; the end is not part of it, and it wraps midnight when it ends before it starts."""

    name: str
    start: dt.time
    end: dt.time
    """Midnight also ends a day that is written 24:00."""

    def condition(self, clock: exp.Expr) -> exp.Expr:
        """Return the filter on a time of day."""
        after = fill(":clock >= :edge", clock=clock, edge=_time(self.start))
        before = fill(":clock < :edge", clock=clock, edge=_time(self.end))
        if self.end == dt.time():
            return after
        return exp.and_(after, before) if self.start < self.end else exp.Paren(this=exp.or_(after, before))

    def __str__(self) -> str:
        """Return the window as a note writes it."""
        return f"{self.start:%H:%M} to {self.end:%H:%M}"


def read_session(session: SessionWindow, named: Mapping[str, tuple[str, str]]) -> Window | None:
    """Return the window, or None for a name that is not in the settings; raises `ScopeError`."""
    if isinstance(session, tuple):
        return _window(f"{session[0]}-{session[1]}", session)
    folded = {name.casefold(): (name, edges) for name, edges in named.items()}
    found = folded.get(session.casefold())
    return _window(*found) if found is not None else None


def _window(name: str, edges: tuple[str, str]) -> Window:
    start, end = (_clock(text) for text in edges)
    if start == end:
        raise ScopeError(f"Session `{name}` starts and ends at the same time.", "Such as 09:30 to 16:00.")
    return Window(name=name, start=start, end=end)


def _clock(text: str) -> dt.time:
    try:
        found = dt.time() if text.strip() == "24:00" else dt.time.fromisoformat(text.strip().zfill(5))
    except ValueError:
        raise ScopeError(f"`{text}` is not a time of day.", "Such as 09:30.") from None
    if found.tzinfo is not None:
        raise ScopeError(f"`{text}` has a time zone.", "Sessions are in the data's own clock.")
    return found


def _time(clock: dt.time) -> exp.Expr:
    return exp.cast(exp.Literal.string(clock.isoformat()), "TIME", dialect="duckdb")


def fact_query(plan: QueryPlan, relation: str, time: Field | None) -> exp.Select | None:
    """Return the query for `Facts` (last date, whether any time is not midnight), or None when none is needed."""
    relative = plan.period is not None and is_relative(plan.period)
    clocked = plan.session is not None and time is not None and time.kind is ColumnKind.DATETIME
    if time is None or not (relative or clocked):
        return None
    last = fill("CAST(MAX(:x) AS DATE)", x=time.column())
    clock = fill("COUNT(*) FILTER (WHERE CAST(:x AS TIME) <> CAST('00:00:00' AS TIME)) > 0", x=time.column())
    return exp.select(last, clock if clocked else exp.true()).from_(exp.table_(relation, quoted=True))
