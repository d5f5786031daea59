"""Calendar and clock. Without an argument these read the plan's date column."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, template

if TYPE_CHECKING:
    from sqlglot import exp

    from tabchat.engine.functions.signature import Arguments, BuildContext

_PACK: Final = "time"


def week_start_of(context: BuildContext, x: exp.Expr) -> exp.Expr:
    """Return the first day of the calendar week of x."""
    if context.week_start == "sunday":
        return fill("CAST(DATE_TRUNC('week', :x + INTERVAL 1 DAY) - INTERVAL 1 DAY AS DATE)", x=x)
    return fill("CAST(DATE_TRUNC('week', :x) AS DATE)", x=x)


def _period_week(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return week_start_of(context, arguments["x"].sql)


CALENDAR: Final[tuple[Function, ...]] = (
    function(
        _PACK,
        "dayofweek(x: date = time) -> integer",
        "Monday = 0 to Sunday = 6; shown as Mon to Sun.",
        template("ISODOW(:x) - 1"),
        label="weekday",
        aliases=("weekday",),
    ),
    function(_PACK, "dayname(x: date = time) -> text", "Monday to Sunday.", template("DAYNAME(:x)")),
    function(
        _PACK,
        "month(x: date = time) -> integer",
        "1 to 12; shown as Jan to Dec.",
        template("MONTH(:x)"),
        label="month",
    ),
    function(_PACK, "monthname(x: date = time) -> text", "January to December.", template("MONTHNAME(:x)")),
    function(_PACK, "year(x: date = time) -> integer", "The year.", template("YEAR(:x)")),
    function(_PACK, "quarter(x: date = time) -> integer", "1 to 4.", template("QUARTER(:x)")),
    function(
        _PACK, "week(x: date = time) -> integer", "ISO week of the year, 1 to 53.", template("WEEK(:x)")
    ),
    function(_PACK, "day(x: date = time) -> integer", "Day of the month.", template("DAY(:x)")),
    function(_PACK, "dayofyear(x: date = time) -> integer", "Day of the year.", template("DAYOFYEAR(:x)")),
    function(
        _PACK,
        "hour(x: clock = time) -> integer",
        "0 to 23; shown as 00:00 to 23:00.",
        template("HOUR(:x)"),
        label="hour",
    ),
    function(_PACK, "minute(x: clock = time) -> integer", "0 to 59.", template("MINUTE(:x)")),
    function(
        _PACK, "date(x: date = time) -> date", "The day, without the time.", template("CAST(:x AS DATE)")
    ),
    function(_PACK, "time(x: clock = time) -> time", "The time of day.", template("CAST(:x AS TIME)")),
    function(
        _PACK,
        "period_month(x: date = time) -> text",
        "The month as 2024-03, for grouping by month.",
        template("STRFTIME(:x, '%Y-%m')"),
    ),
    function(
        _PACK,
        "period_quarter(x: date = time) -> text",
        "The quarter as 2024-Q1, for grouping by quarter.",
        template("CAST(YEAR(:x) AS VARCHAR) || '-Q' || CAST(QUARTER(:x) AS VARCHAR)"),
    ),
    function(
        _PACK,
        "period_week(x: date = time) -> date",
        "The first day of the week, for grouping by week.",
        _period_week,
    ),
    function(
        _PACK,
        "is_weekend(x: date = time) -> boolean",
        "True on Saturday and Sunday.",
        template("ISODOW(:x) > 5"),
    ),
    function(
        _PACK,
        "days_between(start: date, end: date) -> integer",
        "Calendar days from start to end.",
        template("DATE_DIFF('day', CAST(:start AS DATE), CAST(:end AS DATE))"),
    ),
)
