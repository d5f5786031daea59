"""The scope of a plan: which dates, which hours of the day, and at what timeframe."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.periods import DAY, ScopeError, Span, is_relative, read_period
from tabchat.engine.types import ColumnKind
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.plan.query_plan import QueryPlan, SessionWindow
    from tabchat.engine.plan.relation import Field


@record
class Facts:
    """What a scope needs to know of the data before its query can be written."""

    last: dt.date | None = None
    """Last date of the date column; None when there is none."""
    has_clock: bool = True
    """False when every time in the date column is midnight."""


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


__all__ = [
    "Facts",
    "ScopeError",
    "Span",
    "Window",
    "fact_query",
    "is_relative",
    "period_condition",
    "read_period",
    "read_session",
]
