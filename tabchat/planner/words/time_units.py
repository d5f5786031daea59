"""Times that stand by themselves: a year, a month, the last three weeks, the nineties, a day of June, nine o'clock."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.planner.words import calendar
from tabchat.planner.words.time_pieces import NOON, When, hour_of, of_parts, of_period, relative

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.words.chart import Bound, Piece
    from tabchat.planner.words.time_pieces import Rules

_RELATIVE_UNITS: Final = ("year", "quarter", "month", "week", "day")
_HOURS: Final = 24
_LONGEST: Final = 1000
"""Units back from the last date of the data, up to which a number counts them."""


def _unit(bound: Bound) -> str | None:
    found = str(bound["unit"].value)
    return found if found in _RELATIVE_UNITS else None


def _date(bound: Bound) -> Iterable[When]:
    date = bound["date"].value
    return of_period(calendar.day(date.year, date.month, date.day))


def _slashed(bound: Bound) -> Iterable[When]:
    """Read `3/14/2023`; both ways, where neither number is above twelve."""
    first, second, year = bound["a"].value, bound["b"].value, bound["year"].value
    ways = {(first, second), (second, first)} if first != second else {(first, second)}
    return [
        when
        for month, day in sorted(ways)
        if month <= NOON
        for when in of_period(calendar.day(year, month, day))
    ]


def _year_month(bound: Bound) -> Iterable[When]:
    return of_period(calendar.months(bound["year"].value, bound["month"].value, 1, "month"))


def _whole_month(bound: Bound) -> Iterable[When]:
    year, month = bound["both"].value
    return of_period(calendar.months(year, month, 1, "month"))


def _year(bound: Bound) -> Iterable[When]:
    return of_period(calendar.years(bound["year"].value))


def _week(bound: Bound) -> Iterable[When]:
    return of_period(calendar.week(bound["year"].value, bound["n"].value))


def _decade(bound: Bound) -> Iterable[When]:
    return of_period(calendar.years(int(bound["decade"].value), 10, "decade"))


def _century(bound: Bound) -> Iterable[When]:
    return of_period(calendar.years(int(bound["n"].value) * 100 - 99, 100, "century"))


def _count(bound: Bound) -> Iterable[When]:
    unit, count = _unit(bound), int(bound["n"].value)
    return relative(unit, count=count) if unit and 1 <= count <= _LONGEST else ()


def _ago(bound: Bound) -> Iterable[When]:
    unit, ago = _unit(bound), int(bound["n"].value) if "n" in bound else 1
    return relative(unit, ago=ago) if unit and 1 <= ago <= _LONGEST else ()


def _this(bound: Bound) -> Iterable[When]:
    unit = _unit(bound)
    return relative(unit, ago=0) if unit else ()


def _told(bound: Bound) -> Iterable[When]:
    unit, _, ago = str(bound["told"].value).partition(" ")
    return relative(unit, ago=int(ago)) if ago else ()


def _month(bound: Bound) -> Iterable[When]:
    return of_parts(("month", (int(bound["month"].value),)))


def _quarter(bound: Bound) -> Iterable[When]:
    number = int(bound["quarter"].value)
    return of_parts(("quarter", (number,))) if number <= 4 else ()  # noqa: PLR2004 - a year has four


def _half(bound: Bound) -> Iterable[When]:
    first = int(bound["half"].value) * 6 - 5
    return of_parts(("month", tuple(range(first, first + 6))))


def _season(bound: Bound) -> Iterable[When]:
    first = int(bound["season"].value)
    return of_parts(("month", tuple((first + turn - 1) % NOON + 1 for turn in range(3))))


def _day(bound: Bound) -> Iterable[When]:
    month, day = int(bound["month"].value), int(bound["day"].value)
    leap = 2000
    exists = calendar.day(leap, month, day) is not None
    return of_parts(("month", (month,)), ("day", (day,))) if exists else ()


def _days(bound: Bound) -> Iterable[When]:
    month, low, high = (int(bound[name].value) for name in ("month", "low", "high"))
    if low >= high:
        return ()
    return (When(parts=(("month", (month,)), ("day", tuple(range(low, high + 1)))), ranged=True),)


def _weekdays(bound: Bound) -> Iterable[When]:
    return of_parts(("weekday", tuple(int(digit) for digit in str(bound["weekday"].value))))


def _daypart(bound: Bound) -> Iterable[When]:
    first, _, last = str(bound["part"].value).partition("-")
    length = (int(last) - int(first)) % _HOURS + 1
    return of_parts(("hour", tuple((int(first) + turn) % _HOURS for turn in range(length))))


def _hour(piece: Piece, half: Piece | None) -> int | None:
    """Return the hour that a piece tells: a number, or noon and midnight."""
    if piece.kind.startswith("clock."):
        return {"noon": NOON, "midnight": 0}.get(str(piece.value))
    hour = int(piece.value)
    if half is not None and half.value in {"am", "pm"}:
        return hour_of(hour, half.value) if hour <= NOON else None
    return hour if hour < _HOURS else None


def _at(bound: Bound) -> Iterable[When]:
    hour = _hour(bound["h"], bound.get("half"))
    return of_parts(("hour", (hour,))) if hour is not None else ()


def _after_hour(bound: Bound) -> Iterable[When]:
    hour = _hour(bound["h"], bound.get("half"))
    return of_parts(("hour", tuple(range(hour, _HOURS)))) if hour is not None else ()


def _before_hour(bound: Bound) -> Iterable[When]:
    hour = _hour(bound["h"], bound.get("half"))
    return of_parts(("hour", tuple(range(hour or _HOURS)))) if hour is not None else ()


def _hours(bound: Bound) -> Iterable[When]:
    last = bound.get("half")
    high, low = _hour(bound["h"], last), _hour(bound["low"], bound.get("lowhalf") or last)
    if low is None or high is None or low >= high:
        return ()
    return of_parts(("hour", tuple(range(low, high))))


_CLOCKS: Final = (
    "h=#hour|clock.noon|clock.midnight",
    "h=#count half=clock.am|clock.pm|clock.sharp",
)
"""How an hour is said."""

UNITS: Final[Rules] = (
    ("date=#date", _date),
    ("a=#day #slash b=#day #slash year=#year", _slashed),
    ("both=#monthyear", _whole_month),
    ("year=#year sign.dash month=#month", _year_month),
    ("month=#month #slash year=#year", _year_month),
    ("unit.week n=#count in? year=#year", _week),
    ("n=#nth unit.week in? year=#year unit.year?", _week),
    ("year=#year", _year),
    ("unit.year cmp.eq? year=#year", _year),
    ("year=#year unit.year", _year),
    ("decade=#decade|decade. unit.year?", _decade),
    ("n=#nth|#count unit.century", _century),
    ("rel.last|rel.past|relative.latest n=#count unit=unit.", _count),
    ("n=#count relative.latest|rel.last|rel.past unit=unit.", _count),
    ("rel.last|rel.past unit=unit.", _ago),
    ("relative.latest|rel.this|super.late unit=unit.", _this),
    ("rel.lastyear", lambda _: relative("year", ago=1)),
    ("n=#count unit=unit. relative.ago", _ago),
    ("stop.article? unit=unit. relative.ago", _ago),
    ("unit=unit. before #end", _ago),
    ("told=relative.", _told),
    ("month=month.", _month),
    ("quarter=quarter.", _quarter),
    ("quarter=#nth unit.quarter", _quarter),
    ("half=half.", _half),
    ("season=season.", _season),
    ("day=#day in? month=month.", _day),
    ("day=#nth in? month=month.", _day),
    ("month=month. stop.article? day=#day", _day),
    ("month=month. stop.article? day=#nth", _day),
    ("between|from|since? low=#day|#nth to|until|and|sign.dash high=#day|#nth in? month=month.", _days),
    ("month=month. between|from|since? low=#day|#nth to|until|and|sign.dash high=#day|#nth", _days),
    ("weekday=weekday.", _weekdays),
    ("part=daypart.", _daypart),
    ("h=#hour|clock.noon|clock.midnight", _at),
    ("h=#count half=clock.am|clock.pm", _at),
    ("in h=#count half=clock.sharp", _at),
    *((f"after|since {clock}", _after_hour) for clock in _CLOCKS),
    *((f"before|until {clock}", _before_hour) for clock in _CLOCKS),
    *(
        (f"between|from low=#count|#hour lowhalf=clock.am|clock.pm? and|to|until|sign.dash {clock}", _hours)
        for clock in _CLOCKS
    ),
)
"""Pattern → what it means, the plain ones before those that are made of them."""
