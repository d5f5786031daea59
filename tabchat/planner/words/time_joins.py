"""Times that are made of others: a month in a year, ranges, lists, what lies before or after."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Period
from tabchat.planner.words import calendar
from tabchat.planner.words.times import When, around, parts_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.words.times import Build, Made, Rules

_PER_YEAR: Final = {"quarter": 4, "month": 12, "week": 52}
_CYCLES: Final = {"month": 12, "weekday": 7, "quarter": 4, calendar.YEAR_DAY: calendar.YEAR_DAYS}
_SAME_GRAIN: Final = ("month", "quarter", "day")
_THIRD_DAYS: Final = {"early": (1, 10), "mid": (11, 20), "late": (21, None)}


def _in_year(part: When, year: int) -> tuple[When, ...]:
    """Return a part of every year in one year; of a winter both, the one that begins and the one that ends in it."""
    found = dict(part.parts)
    numbers = found.get("month", found.get("quarter", found.get(calendar.YEAR_DAY, ())))
    if not numbers or len(found) > 1:
        return ()
    (unit,) = found
    apart = any((one + 1 - other) % _CYCLES[unit] for one, other in pairwise(numbers))
    if unit == calendar.YEAR_DAY:
        if apart:
            each = [calendar.days_of_year(year, number, number) for number in numbers]
            return (When(periods=tuple(period for (period,) in each)),) if all(each) else ()
        stretches = calendar.days_of_year(year, numbers[0], numbers[-1])
        return tuple(When(period=period, ranged=part.ranged) for period in stretches)
    if apart:
        parted = (_months_of(part, year, number) for number in numbers)
        return (When(periods=tuple(period for period in parted if period is not None)),)
    starts = (year - 1, year) if numbers[-1] < numbers[0] else (year,)
    made_of = (_months_of(part, start, numbers[0], len(numbers)) for start in starts)
    return tuple(When(period=period) for period in made_of if period is not None)


def _months_of(part: When, year: int, number: int, count: int = 1) -> Period | None:
    """Return some months or quarters of a year from one on; the half of a year is told in quarters."""
    length = 3 if "quarter" in dict(part.parts) else 1
    quarterly = length > 1 or count * length == 6  # noqa: PLR2004 - months of a half
    unit = "quarter" if quarterly else "month"
    return calendar.months(year, (number - 1) * length + 1, count * length, unit)


def _year_of(when: When) -> int | None:
    """Return the year that a time is, when it is one."""
    period = when.stretch
    if period is None or period.unit != "year" or when.opened or period.start is None or period.end is None:
        return None
    return period.start.year if period.start.year == period.end.year else None


def _within(a: When, b: When) -> Made:
    """Read `March 2023`, `weekends in June 2023`, `the first quarter of last year`."""
    if not a.is_part or b.parts or b.opened:
        return None
    if b.periods:
        years = [year for period in b.periods if (year := _year_of(When(period=period))) is not None]
        made = [times[0].period for year in years if len(times := _in_year(a, year)) == 1]
        periods = tuple(period for period in made if period is not None)
        return When(periods=periods) if len(periods) == len(b.periods) else None
    year = _year_of(b)
    timed = _in_year(a, year) if year is not None else ()
    if timed or b.period is None:
        return timed
    fits = b.period.unit == "year" or set(dict(a.parts)) <= {"weekday", "hour"}
    return When(period=b.period, parts=a.parts) if fits else None


def _same(unit: str, b: When) -> Made:
    """Read `the same quarter last year`."""
    yearly = b.period is not None and b.period.unit == "year" and unit in _PER_YEAR
    ago = b.period.ago if yearly and b.period is not None else None
    return Period(unit=unit, ago=ago * _PER_YEAR[unit]) if ago else None


def _third(third: str, b: When) -> Made:
    """Read `mid-2023`, `early March`."""
    part = "early" if third == "start" else third
    if b.stretch is not None:
        return calendar.third(b.stretch, part)
    single = b.is_part and len(b.parts) == 1 and b.unit == "month" and len(b.parts[0][1]) == 1
    return (
        parts_of(**{calendar.YEAR_DAY: calendar.year_days(b.parts[0][1][0], *_THIRD_DAYS[part])})
        if single
        else None
    )


def _nth(b: When, unit: str, n: int = 1, nth: int = 1) -> Made:
    """Read `the first week of May 2024`; the last 30 days of 2023 are those from its end."""
    if b.period is None or b.parts or b.period.unit == unit:
        return None
    made = calendar.stretch(b.period, unit, nth - 1, n)
    whole = made is not None and (made.start, made.end) == (b.period.start, b.period.end)
    return None if whole else made


def _last(b: When, unit: str, n: int = 1) -> Made:
    return _nth(b, unit, n, nth=0)


def _range(a: When, b: When) -> Made:
    if a.is_part and b.is_part:
        return _cycle(a, b)
    firsts, lasts = [a], [b]
    if a.is_part and b.stretch is not None and b.stretch.start is not None:
        year = b.stretch.start.year
        firsts = [*_in_year(a, year), *_in_year(a, year - 1)]
    if b.is_part and a.stretch is not None and a.stretch.end is not None:
        year = a.stretch.end.year
        lasts = [*_in_year(b, year), *_in_year(b, year + 1)]
    made = (_between(one.stretch, other.stretch) for one in firsts for other in lasts)
    return next((When(period=period, ranged=True) for period in made if period is not None), None)


def _hyphened(a: When, b: When) -> Made:
    """Read `March-May`, `Mon-Fri 2023`; `2024-Q1` and `May-2023` are no ranges."""
    return _range(a, b) if a.unit == b.unit else None


def _between(first: Period | None, last: Period | None) -> Period | None:
    if first is None or last is None or first.start is None or last.start is None:
        return None
    finer = first.unit if first.unit != "year" else last.unit
    return Period(start=first.start, end=last.end, unit=finer) if first.start < last.start else None


def _alike(one: When, other: When) -> tuple[str, tuple[int, ...], tuple[int, ...]] | None:
    """Return (unit, numbers of one, those of the other) of two parts of one cycle; of a month and a day in days."""
    if len(one.parts) != 1 or len(other.parts) != 1:
        return None
    if {one.unit, other.unit} == {"month", calendar.YEAR_DAY}:
        return calendar.YEAR_DAY, _days_of(one), _days_of(other)
    return (*one.parts[0], other.parts[0][1]) if one.unit == other.unit else None


def _days_of(part: When) -> tuple[int, ...]:
    """Return the days of some months, or those of a part in days."""
    (unit, numbers), *_ = part.parts
    days = (calendar.year_days(month, 1) for month in numbers)
    return tuple(day for month in days for day in month) if unit == "month" else numbers


def _cycle(first: When, last: When) -> Made:
    """Read `from November to February`, `Monday to Friday`, `March 10 to April 5`: the same parts of every year or week."""
    alike = _alike(first, last)
    if alike is None or alike[0] not in _CYCLES:
        return None
    unit, low, high = alike
    length = _CYCLES[unit]
    count = (high[-1] - low[0]) % length + 1
    numbers = around(low[0], count, length, base=0 if unit == "weekday" else 1)
    return When(parts=((unit, tuple(numbers)),), ranged=True)


def _open(side: str) -> Build:
    def build(a: When) -> Made:
        if a.ranged:
            return None
        if a.is_part:
            return _open_part(a, side)
        if a.stretch is None or a.opened or a.periods:
            return None
        period = calendar.opened(side, a.stretch)
        return When(period=period, opened=side) if period is not None else None

    return build


def _compared(side: str | None) -> Build:
    """Read `> 2024-03-11` as after that day; `over March` is rather the time in March. A table tells whether 2024 is a number."""

    def build(a: When) -> Made:
        dated = a.stretch is not None and a.stretch.unit in {"day", "year"}
        return None if not dated or a.opened or a.periods else a if side is None else _open(side)(a)

    return build


def _open_part(part: When, side: str) -> Made:
    """Read `since March` without a year as the months of any year from March on, `since March 15` as its days; no winter."""
    (unit, numbers), *finer = part.parts
    last = _CYCLES[unit] if unit in calendar.YEARLY else 0
    if finer or not last or numbers[-1] - numbers[0] != len(numbers) - 1:
        return None
    kept = {
        "since": range(numbers[0], last + 1),
        "after": range(numbers[-1] + 1, last + 1),
        "before": range(1, numbers[0]),
        "until": range(1, numbers[-1] + 1),
    }[side]
    return When(parts=((unit, tuple(kept)),), opened=side) if kept else None


def _list(a: When, b: When) -> Made:
    """Read `2022 and 2023`, `January, March and May`, `June and July 2023`, `June 2023 and 2024`."""
    if a.opened or b.opened or a.periods:
        return None
    if a.is_part and b.is_part:
        return _listed_parts(a, b)
    others = b.periods or ((b.period,) if b.period is not None and not b.parts else ())
    if a.is_part and others and others[0].start is not None and a.unit == others[0].unit:
        timed = _in_year(a, others[0].start.year)
        return [When(periods=(made.period, *others)) for made in timed if made.period is not None]
    if a.period is None or a.parts or not others:
        return None
    if a.stretch is not None and a.unit in _SAME_GRAIN and all(other.unit == "year" for other in others):
        return _in_years(a.stretch, others)
    return When(periods=(a.period, *others)) if a.unit == others[0].unit else None


def _listed_parts(a: When, b: When) -> Made:
    alike = _alike(a, b)
    if alike is None:
        return None
    unit, numbers, others = alike
    if unit == "hour" and (a.ranged or b.ranged):
        return None  # after 8 and before 17: both hold
    if unit == "hour" and len(others) > 1 and {*numbers} & {*others}:
        return b  # at night, from midnight to 6
    return parts_of(**{unit: dict.fromkeys(numbers + others)})


def _in_years(first: Period, others: Iterable[Period]) -> Made:
    """Return a month or a quarter of one year with the same one of other years."""
    if first.start is None or first.end is None or first.unit is None or first.unit == "day":
        return None
    month, count = first.start.month, first.end.month - first.start.month + 1
    years = [other.start.year if other.start is not None else 0 for other in others]
    made = [calendar.months(year, month, count, first.unit) for year in years]
    known = tuple(period for period in made if period is not None)
    return When(periods=(first, *known)) if len(known) == len(made) else None


def _against(a: When, b: When) -> Made:
    """Read `March vs April 2024`, `2023 vs 2024`; `May vs April` names two times, and what lies between them compares."""
    return None if a.is_part and b.is_part else _list(a, b)


def _previous(a: When) -> Made:
    """Read `this month against the previous`."""
    period = a.period
    if period is None or period.ago is None:
        return None
    return When(periods=(period, Period(unit=period.unit, ago=period.ago + 1)))


def _year_first(a: When, b: When) -> Made:
    """Read `2024 Q1`."""
    year = _year_of(b)
    return _in_year(a, year) if year is not None and a.is_part else None


JOINS: Final[Rules] = (
    ("a=#time in|comma? b=#time", _within),
    ("b=#time sign.dash? a=#time", _year_first),
    ("relative.same|rel.this unit=unit. in? b=#time", _same),
    # `the month of March` is March.
    ("unit=unit. clock.of a=#time", lambda unit, a: None if a.ranged or a.opened or a.unit != unit else a),
    ("third=third. in? b=#time", _third),
    ("from third.start in? a=#time", _open("since")),
    ("half=half. in? b=#time", lambda half, b: calendar.half(b.stretch, int(half)) if b.stretch else None),
    ("rel.last|rel.past|relative.latest n=#count unit=unit. in b=#time", _last),
    ("rel.last|rel.past|relative.latest unit=unit. in? b=#time", _last),
    ("rel.first n=#count unit=unit. in? b=#time", _nth),
    ("nth=#nth unit=unit. in? b=#time", _nth),
    ("per.time n=#count unit=unit. b=#time", _nth),
    ("between stop.article? a=#time and|to stop.article? b=#time", _range),
    ("from|since stop.article? a=#time to|until|and|sign.dash stop.article? b=#time", _range),
    ("a=#time to|until|sign.dash b=#time", _range),
    ("from? a=#time #hyphen b=#time", _hyphened),
    ("since stop.article? a=#time", _open("since")),
    ("from a=#time post.since", _open("since")),
    # Of the table it is whether `from March 1` is that day; `from March` is rather the time in March.
    ("from stop.article? a=#time", lambda a: _open("since")(a) if a.unit == "day" else None),
    ("after stop.article? a=#time", _open("after")),
    ("before stop.article? a=#time", _open("before")),
    ("until|limit.le stop.article? a=#time", _open("until")),
    ("cmp.gt a=#time", _compared("after")),
    ("cmp.ge a=#time", _compared("since")),
    ("cmp.lt a=#time", _compared("before")),
    ("cmp.le a=#time", _compared("until")),
    ("cmp.eq a=#time", _compared(None)),
    ("a=#time post.ge|post.since", _open("since")),
    ("a=#time post.le", _open("until")),
    ("a=#time and|or|comma b=#time", _list),
    ("a=#time compare b=#time", _against),
    ("a=#time and|compare|to in? stop.article? rel.last|prevrow #end", _previous),
)
