"""Calendar and clock. Without an argument these read the plan's date column."""

from __future__ import annotations

import datetime as dt
from functools import partial
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, template, whole
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.periods import DAY, MONTHS, ScopeError, read_period, read_relative

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, BuildContext
    from tabchat.engine.plan.periods import Relative

_time: Final = partial(function, "time")
MONTH_TEXT: Final = "STRFTIME(:x, '%Y-%m')"
QUARTER_TEXT: Final = "CAST(YEAR(:x) AS VARCHAR) || '-Q' || CAST(QUARTER(:x) AS VARCHAR)"


def week_start_of(context: BuildContext, x: exp.Expr) -> exp.Expr:
    """Return the first day of the calendar week of x."""
    if context.week_start == "sunday":
        return fill("CAST(DATE_TRUNC('week', :x + INTERVAL 1 DAY) - INTERVAL 1 DAY AS DATE)", x=x)
    return fill("CAST(DATE_TRUNC('week', :x) AS DATE)", x=x)


def _period_week(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return week_start_of(context, arguments["x"].sql)


def _in_period(context: BuildContext, arguments: Arguments) -> exp.Expr:
    text, x = str(arguments["period"].literal), arguments["x"].sql
    try:
        relative = read_relative(text)
        edges = _edges(text) if relative is None else _anchored(context, relative, x)
    except ScopeError as error:
        raise ExpressionError(error.message, error.hint) from None
    start, end = edges
    sides = [fill(":x >= :start", x=x, start=start)] if start is not None else []
    sides += [fill(":x < :end", x=x, end=end)] if end is not None else []
    return exp.and_(*sides)


def _edges(text: str) -> tuple[exp.Expr | None, exp.Expr | None]:
    """Return the first day of a period that names its dates, and the day after its last one."""
    # Nothing in it is anchored, so that any last date and any start of the week will do.
    span = read_period(text, dt.date.max, "monday")
    return (
        _day(span.start) if span.start is not None else None,
        _day(span.end + DAY) if span.end is not None else None,
    )


def _month_start(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    """Name the month by the first pattern that the whole text fits: twelve, so that each is short enough to read."""
    from tabchat.engine.months import YEAR, month_patterns

    x = arguments["x"]
    found = [
        exp.If(
            this=fill("REGEXP_MATCHES(LOWER(:x), :pattern)", x=x, pattern=f"^ *{pattern} *$"),
            true=fill(
                "CAST(REGEXP_EXTRACT(:x, :year) || :rest AS DATE)", x=x, year=YEAR, rest=f"-{month:02d}-01"
            ),
        )
        for month, pattern in enumerate(month_patterns(), start=1)
    ]
    return exp.Case(ifs=found)


def _day(day: dt.date) -> exp.Expr:
    return exp.cast(exp.Literal.string(day.isoformat()), "DATE", dialect="duckdb")


def _anchored(context: BuildContext, period: Relative, x: exp.Expr) -> tuple[exp.Expr, exp.Expr]:
    """Return the edges of a period that hangs on the last of all the dates."""
    last = context.keep("day", fill("CAST(:x AS DATE)", x=whole(context, "last", "MAX(:x)", x=x)))
    if period.trailing:
        return _shifted(_shifted(last, -period.first, period.unit), 1, "day"), _shifted(last, 1, "day")
    start: exp.Expr = last
    if period.unit == "week":
        start = week_start_of(context, last)
    elif period.unit != "day":
        start = fill(f"CAST(DATE_TRUNC('{period.unit}', :x) AS DATE)", x=last)
    return _shifted(start, -period.first, period.unit), _shifted(start, 1 - period.latest, period.unit)


def _shifted(day: exp.Expr, count: int, unit: str) -> exp.Expr:
    if not count:
        return day.copy()
    length, of = (
        (count * MONTHS[unit], "MONTH") if unit in MONTHS else (count * (7 if unit == "week" else 1), "DAY")
    )
    sign = "-" if count < 0 else "+"
    return fill(f"CAST(:x {sign} INTERVAL {abs(length)} {of} AS DATE)", x=day)


CALENDAR: Final[tuple[Function, ...]] = (
    _time(
        "dayofweek(x: date = time) -> integer",
        "Monday = 0 to Sunday = 6; shown as Mon to Sun.",
        template("ISODOW(:x) - 1"),
        label="weekday",
        aliases=("weekday",),
    ),
    _time("dayname(x: date = time) -> text", "Monday to Sunday.", template("DAYNAME(:x)")),
    _time(
        "month(x: date = time) -> integer",
        "1 to 12; shown as Jan to Dec.",
        template("MONTH(:x)"),
        label="month",
    ),
    _time("monthname(x: date = time) -> text", "January to December.", template("MONTHNAME(:x)")),
    _time("year(x: date = time) -> integer", "The year.", template("YEAR(:x)")),
    _time("quarter(x: date = time) -> integer", "1 to 4.", template("QUARTER(:x)")),
    _time("week(x: date = time) -> integer", "ISO week of the year, 1 to 53.", template("WEEK(:x)")),
    _time("day(x: date = time) -> integer", "Day of the month.", template("DAY(:x)")),
    _time("dayofyear(x: date = time) -> integer", "Day of the year.", template("DAYOFYEAR(:x)")),
    _time(
        "hour(x: clock = time) -> integer",
        "0 to 23; shown as 00:00 to 23:00.",
        template("HOUR(:x)"),
        label="hour",
    ),
    _time("minute(x: clock = time) -> integer", "0 to 59.", template("MINUTE(:x)")),
    _time("date(x: date = time) -> date", "The day, without the time.", template("CAST(:x AS DATE)")),
    _time("time(x: clock = time) -> time", "The time of day.", template("CAST(:x AS TIME)")),
    _time(
        "month_start(x: text) -> date",
        "The first day of the month or quarter that x names: 2024-03, Mar 2024, березень 2024, Q1 2024; else null.",
        _month_start,
    ),
    _time(
        "period_month(x: date = time) -> text",
        "The month as 2024-03, for grouping by month.",
        template(MONTH_TEXT),
    ),
    _time(
        "period_quarter(x: date = time) -> text",
        "The quarter as 2024-Q1, for grouping by quarter.",
        template(QUARTER_TEXT),
    ),
    _time(
        "period_week(x: date = time) -> date",
        "The first day of the week, for grouping by week.",
        _period_week,
    ),
    _time(
        "period_hour(x: clock = time) -> datetime",
        "The hour of the day that it is on, for grouping by hour.",
        template("DATE_TRUNC('hour', :x)"),
    ),
    _time(
        "in_period(period: word, x: date = time) -> boolean",
        "True where x lies in a period as `period` takes it: '2024-03', 'this_month', 'last_30_days', "
        "'12_months_ago'; relative ones count from the last x of all the rows.",
        _in_period,
        row_order=True,
    ),
    _time(
        "is_weekend(x: date = time) -> boolean", "True on Saturday and Sunday.", template("ISODOW(:x) > 5")
    ),
    _time(
        "days_between(start: date, end: date) -> integer",
        "Calendar days from start to end.",
        template("DATE_DIFF('day', CAST(:start AS DATE), CAST(:end AS DATE))"),
    ),
)
