"""Times that stand by themselves: a year, a month, the last three weeks, the nineties, a day of June, nine o'clock.

A rule is a pattern over the pieces of a question, and what makes times of the parts that the pattern names.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Period
from tabchat.planner.words import calendar
from tabchat.planner.words.chart import HOURS, NOON, half_day
from tabchat.record import record

if TYPE_CHECKING:
    import datetime as dt

    from tabchat.planner.words.sentence import Parts


@record
class When:
    """A stretch of time, a part of every year, or a list of stretches."""

    period: Period | None = None
    parts: Parts = ()
    opened: str | None = None
    periods: tuple[Period, ...] = ()
    ranged: bool = False
    """True for a stretch between two ends that were said, which does not open once more."""

    @property
    def stretch(self) -> Period | None:
        """The one stretch between two days that it is, if it is one."""
        ends = (self.period.start, self.period.end) if self.period is not None else (None, None)
        return None if None in ends or self.parts else self.period

    @property
    def is_part(self) -> bool:
        """True for a part of the calendar without a year."""
        return self.period is None and bool(self.parts) and self.opened is None

    @property
    def unit(self) -> str | None:
        """The finest unit that was said."""
        return self.parts[-1][0] if self.parts else self.period.unit if self.period is not None else None


Made = Period | When | Iterable[When] | None
Build = Callable[..., Made]
"""The named parts of a pattern → the time that they mean, or the times that they can mean."""
Rules = tuple[tuple[str, Build], ...]


def times_of(made: Made) -> Iterable[When]:
    """Return what a rule made as times."""
    if made is None:
        return ()
    if isinstance(made, Period):
        return (When(period=made),)
    return (made,) if isinstance(made, When) else made


def parts_of(**numbers: Iterable[int]) -> When:
    """Return a part of every year, week or day: by its units, each with the numbers of those that are meant."""
    return When(parts=tuple((unit, tuple(listed)) for unit, listed in numbers.items()))


def around(first: int, count: int, length: int, base: int = 0) -> list[int]:
    """Return `count` numbers from `first` on, of a cycle of `length` that begins with `base`."""
    return [(first - base + turn) % length + base for turn in range(count)]


_RELATIVE_UNITS: Final = ("year", "quarter", "month", "week", "day")
_LONGEST: Final = 1000
"""Units back from the last date of the data, up to which a number counts them."""


def _last(n: int, unit: str) -> Made:
    counted = unit in _RELATIVE_UNITS and 1 <= n <= _LONGEST
    return Period(unit=unit, count=n) if counted else None


def _ago(unit: str, n: int = 1) -> Made:
    return Period(unit=unit, ago=n) if unit in _RELATIVE_UNITS and 0 <= n <= _LONGEST else None


def _told(told: str) -> Made:
    unit, _, ago = told.partition(" ")
    return Period(unit=unit, ago=int(ago)) if ago else None


def _date(date: dt.date) -> Made:
    return Period(start=date, end=date, unit="day")


def _slashed(a: int, b: int, year: int) -> Made:
    """Read `3/14/2023`; both ways, where neither number is above twelve."""
    ways = sorted({(a, b), (b, a)})
    made = (calendar.day(year, month, day) for month, day in ways if month <= NOON)
    return [When(period=period) for period in made if period is not None]


def _day(month: str, day: int) -> Made:
    days = calendar.year_days(int(month), day, day)
    return parts_of(**{calendar.YEAR_DAY: days}) if days else None


def _days(month: str, low: int, high: int) -> Made:
    days = calendar.year_days(int(month), low, high)
    return When(parts=((calendar.YEAR_DAY, tuple(days)),), ranged=True) if len(days) > 1 else None


def _quarter(quarter: str | int) -> Made:
    return parts_of(quarter=[int(quarter)]) if int(quarter) <= 4 else None  # noqa: PLR2004 - a year has four


def _daypart(part: str) -> Made:
    first, last = map(int, part.split("-"))
    return parts_of(hour=around(first, (last - first) % HOURS + 1, HOURS))


def _hour(said: str | int, half: str | None) -> int | None:
    """Return the hour that a number tells, or noon and midnight."""
    if said in {"noon", "midnight"}:
        return NOON if said == "noon" else 0
    hour = int(said)
    if half in {"am", "pm"}:
        return half_day(hour, half) if hour <= NOON else None
    return hour if hour < HOURS else None


def _hours(side: str) -> Build:
    """Return what reads the hours at, after or before one, or between two."""

    def build(h: str | int, half: str | None = None, low: str | int = 0, lowhalf: str | None = None) -> Made:
        hour, first = _hour(h, half), _hour(low, lowhalf or half)
        if hour is None or first is None:
            return None
        if side == "between":
            hours = around(first, (hour - first) % HOURS, HOURS)
            return parts_of(hour=hours) if hours else None
        ends = {"at": (hour, hour + 1), "after": (hour, HOURS), "before": (0, hour or HOURS)}
        return When(parts=(("hour", tuple(range(*ends[side]))),), ranged=side != "at")

    return build


_CLOCKS: Final = (
    "h=#hour|clock.noon|clock.midnight",
    "h=#count half=clock.am|clock.pm|clock.sharp",
)
"""How an hour is said."""

UNITS: Final[Rules] = (
    ("date=#date", _date),
    ("a=#day #slash b=#day #slash year=#year", _slashed),
    ("both=#monthyear", lambda both: calendar.month(*both)),
    ("year=#year sign.dash month=#month", calendar.month),
    ("month=#month #slash year=#year", calendar.month),
    ("unit.week n=#count in? year=#year", calendar.week),
    ("n=#nth unit.week in? year=#year unit.year?", calendar.week),
    ("year=#year", calendar.years),
    ("unit.year cmp.eq? year=#year", calendar.years),
    ("year=#year unit.year", calendar.years),
    ("decade=#decade|decade. unit.year?", lambda decade: calendar.years(int(decade), 10, "decade")),
    ("n=#nth|#count unit.century", lambda n: calendar.years(n * 100 - 99, 100, "century")),
    ("rel.last|rel.past|relative.latest n=#count unit=unit.", _last),
    ("n=#count relative.latest|rel.last|rel.past unit=unit.", _last),
    # The last day is that of the data, as a month before the last is a whole one.
    ("rel.last|rel.past unit=unit.", lambda unit: None if unit == "day" else _ago(unit)),
    ("prevrow unit.day", lambda: _ago("day")),
    ("relative.latest|rel.this|super.late unit=unit.", lambda unit: _ago(unit, 0)),
    ("rel.lastyear", lambda: _ago("year")),
    ("n=#count unit=unit. relative.ago", _ago),
    ("stop.article? unit=unit. relative.ago", _ago),
    ("unit=unit. before #end", _ago),
    ("told=relative.", _told),
    ("month=month.", lambda month: parts_of(month=[int(month)])),
    ("quarter=quarter.", _quarter),
    ("quarter=#nth unit.quarter", _quarter),
    ("half=half.", lambda half: parts_of(month=around(int(half) * 6 - 5, 6, 12, 1))),
    ("season=season.", lambda season: parts_of(month=around(int(season), 3, 12, 1))),
    # `at least 3 in March` is a number, `highest first in March` an order, and neither a day of March.
    ("day=#day clock.of? month=month.", _day),
    ("day=#nth clock.of? month=month.", _day),
    ("month=month. stop.article? day=#dayth", _day),
    ("month=month. stop.article? day=#nth", _day),
    (
        "between|from|since? stop.article? low=#day|#nth to|until|and|sign.dash stop.article? high=#day|#nth clock.of? month=month.",
        _days,
    ),
    ("month=month. between|from|since? low=#day|#nth to|until|and|sign.dash high=#day|#nth", _days),
    ("weekday=weekday.", lambda weekday: parts_of(weekday=map(int, weekday))),
    ("part=daypart.", _daypart),
    ("h=#hour|clock.noon|clock.midnight", _hours("at")),
    ("h=#count half=clock.am|clock.pm", _hours("at")),
    ("in h=#count half=clock.sharp", _hours("at")),
    *((f"after|since {clock}", _hours("after")) for clock in _CLOCKS),
    *((f"before|until {clock}", _hours("before")) for clock in _CLOCKS),
    *(
        (
            f"between|from low=#count|#hour|clock.noon|clock.midnight lowhalf=clock.am|clock.pm? and|to|until|sign.dash {clock}",
            _hours("between"),
        )
        for clock in _CLOCKS
    ),
)
"""Pattern → what it means, the plain ones before those that are made of them."""
