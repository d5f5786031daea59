"""Times that are made of others: a month in a year, ranges, lists, what lies before or after."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import Period
from tabchat.planner.words import calendar
from tabchat.planner.words.time_pieces import When, of_parts, of_period, relative, time_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.words.chart import Bound
    from tabchat.planner.words.time_pieces import Build, Rules

_PER_YEAR: Final = {"quarter": 4, "month": 12, "week": 52}
_CYCLES: Final = {"month": 12, "weekday": 7, "quarter": 4}
_SAME_GRAIN: Final = ("month", "quarter", "day")


def in_year(part: When, year: int) -> tuple[When, ...]:
    """Return a part of every year in one year; of a winter both, the one that begins and the one that ends in it."""
    found = dict(part.parts)
    numbers = found.get("month", found.get("quarter", ()))
    if not numbers or set(found) - {"month", "quarter", "day"}:
        return ()
    if "day" in found:
        first = calendar.day(year, numbers[0], found["day"][0])
        last = calendar.day(year, numbers[0], found["day"][-1])
        made = Period(start=first.start, end=last.end, unit="day") if first and last else None
        return (When(period=made, ranged=part.ranged),) if made is not None else ()
    length = 3 if "quarter" in found else 1
    starts = (year - 1, year) if numbers[-1] < numbers[0] else (year,)
    if any((one + 1 - other) % _CYCLES[part.parts[0][0]] for one, other in pairwise(numbers)):
        return (When(periods=_each(part, year)),)
    unit = "month" if length == 1 else "quarter"
    unit = "quarter" if len(numbers) * length == 6 else unit  # noqa: PLR2004 - months of a half
    first_month = (numbers[0] - 1) * length + 1
    return tuple(
        when
        for start in starts
        for when in of_period(calendar.months(start, first_month, len(numbers) * length, unit))
    )


def _each(part: When, year: int) -> tuple[Period, ...]:
    """Return every month or quarter of a part in one year."""
    ((unit, numbers),) = part.parts
    length = 3 if unit == "quarter" else 1
    made = (calendar.months(year, (number - 1) * length + 1, length, unit) for number in numbers)
    return tuple(period for period in made if period is not None)


def _year_of(when: When) -> int | None:
    """Return the year that a time is, when it is one."""
    period = when.period
    named = when.is_absolute and period is not None and period.unit == "year" and not when.opened
    if not named or period is None or period.start is None or period.end is None:
        return None
    return period.start.year if period.start.year == period.end.year else None


def _within(bound: Bound) -> Iterable[When]:
    """Read `March 2023`, `weekends in June 2023`, `the first quarter of last year`."""
    part, whole = time_of(bound["a"]), time_of(bound["b"])
    if not part.is_part or whole.parts or whole.opened:
        return ()
    if whole.periods:
        yeared = [_year_of(When(period=period)) for period in whole.periods]
        made = [in_year(part, year) for year in yeared if year is not None]
        periods = [when[0].period for when in made if len(when) == 1 and when[0].period is not None]
        return (When(periods=tuple(periods)),) if len(periods) == len(whole.periods) else ()
    year = _year_of(whole)
    timed = in_year(part, year) if year is not None else ()
    if timed or whole.period is None:
        return timed
    fits = whole.period.unit == "year" or set(dict(part.parts)) <= {"weekday", "hour"}
    return (When(period=whole.period, parts=part.parts),) if fits else ()


def _same(bound: Bound) -> Iterable[When]:
    """Read `the same quarter last year`."""
    period, unit = time_of(bound["b"]).period, str(bound["unit"].value)
    if period is None or period.unit != "year" or not period.ago or unit not in _PER_YEAR:
        return ()
    return relative(unit, ago=period.ago * _PER_YEAR[unit])


def _third(bound: Bound) -> Iterable[When]:
    """Read `mid-2023`, `early March`."""
    said, whole = str(bound["third"].value), time_of(bound["b"])
    part = "early" if said == "start" else said
    if whole.is_absolute and whole.period is not None:
        return of_period(calendar.third(whole.period, part))
    days = {"early": range(1, 11), "mid": range(11, 21), "late": range(21, 32)}[part]
    single = whole.is_part and len(whole.parts) == 1 and whole.unit == "month" and len(whole.parts[0][1]) == 1
    return of_parts(*whole.parts, ("day", tuple(days))) if single else ()


def _half(bound: Bound) -> Iterable[When]:
    whole = time_of(bound["b"])
    if not whole.is_absolute or whole.period is None:
        return ()
    return of_period(calendar.half(whole.period, int(bound["half"].value)))


def _nth(*, last: bool) -> Build:
    """Read `the first week of May 2024`, `the last 30 days of 2023`."""

    def build(bound: Bound) -> Iterable[When]:
        whole, unit = time_of(bound["b"]).period, str(bound["unit"].value)
        if whole is None or time_of(bound["b"]).parts or whole.unit == unit:
            return ()
        count = int(bound["n"].value) if "n" in bound else 1
        nth = int(bound["nth"].value) if "nth" in bound else 1
        made = calendar.stretch(whole, unit, -1 if last else nth - 1, count)
        return of_period(made if made is None or (made.start, made.end) != (whole.start, whole.end) else None)

    return build


def _range(bound: Bound) -> Iterable[When]:
    first, last = time_of(bound["a"]), time_of(bound["b"])
    if first.is_part and last.is_part:
        return _cycle(first, last)
    if first.is_part and last.is_absolute and last.period is not None and last.period.start is not None:
        year = last.period.start.year
        firsts = (*in_year(first, year), *in_year(first, year - 1))
    else:
        firsts = (first,)
    if last.is_part and first.is_absolute and first.period is not None and first.period.end is not None:
        lasts = (*in_year(last, first.period.end.year), *in_year(last, first.period.end.year + 1))
    else:
        lasts = (last,)
    made = (_between(one, other) for one in firsts for other in lasts)
    return next(((When(period=period, ranged=True),) for period in made if period is not None), ())


def _between(first: When, last: When) -> Period | None:
    if not first.is_absolute or not last.is_absolute or first.period is None or last.period is None:
        return None
    start, end = first.period.start, last.period.end
    if start is None or end is None or first.period.start >= last.period.start:  # type: ignore[operator]
        return None
    finer = first.period.unit if first.period.unit != "year" else last.period.unit
    return Period(start=start, end=end, unit=finer)


def _cycle(first: When, last: When) -> Iterable[When]:
    """Read `from November to February`, `Monday to Friday`: the same parts of every year or week."""
    if len(first.parts) != 1 or len(last.parts) != 1 or first.parts[0][0] != last.parts[0][0]:
        return ()
    (unit, low), (_, high) = first.parts[0], last.parts[0]
    length = _CYCLES.get(unit)
    if length is None:
        return ()
    base = 0 if unit == "weekday" else 1
    count = (high[-1] - low[0]) % length + 1
    return of_parts((unit, tuple((low[0] - base + turn) % length + base for turn in range(count))))


def _open(side: str) -> Build:
    def build(bound: Bound) -> Iterable[When]:
        base = time_of(bound["a"])
        if base.ranged:
            return ()
        if base.is_part:
            return _open_part(base, side)
        if not base.is_absolute or base.period is None or base.opened or base.periods:
            return ()
        period = calendar.opened(side, base.period)
        return (When(period=period, opened=side),) if period is not None else ()

    return build


def _open_part(part: When, side: str) -> Iterable[When]:
    """Read `since March` without a year as the months of any year from March on; no days, and no winter."""
    (unit, numbers), *finer = part.parts
    last = {"month": 12, "quarter": 4}.get(unit, 0)
    if finer or not last or numbers[-1] - numbers[0] != len(numbers) - 1:
        return ()
    kept = {
        "since": range(numbers[0], last + 1),
        "after": range(numbers[-1] + 1, last + 1),
        "before": range(1, numbers[0]),
        "until": range(1, numbers[-1] + 1),
    }[side]
    return (When(parts=((unit, tuple(kept)),), opened=side),) if kept else ()


def _list(bound: Bound) -> Iterable[When]:
    """Read `2022 and 2023`, `January, March and May`, `June and July 2023`, `June 2023 and 2024`."""
    first, rest = time_of(bound["a"]), time_of(bound["b"])
    if first.opened or rest.opened or first.periods:
        return ()
    if first.is_part and rest.is_part:
        return _any_part(first, rest)
    others = rest.periods or ((rest.period,) if rest.period is not None and not rest.parts else ())
    if first.is_part and others and others[0].start is not None and first.unit == others[0].unit:
        return [
            When(periods=(made.period, *others))
            for made in in_year(first, others[0].start.year)
            if made.period
        ]
    if first.period is None or first.parts or not others:
        return ()
    if first.is_absolute and first.unit in _SAME_GRAIN and all(other.unit == "year" for other in others):
        return _in_years(first.period, others)
    return (When(periods=(first.period, *others)),) if first.unit == others[0].unit else ()


def _in_years(first: Period, others: tuple[Period, ...]) -> Iterable[When]:
    """Return a month, a quarter or a day of one year with the same one of other years."""
    if first.start is None or first.end is None:
        return ()
    count = (first.end.month - first.start.month) + 1
    made = [
        calendar.months(other.start.year, first.start.month, count, first.unit or "month")
        for other in others
        if other.start is not None
    ]
    known = tuple(period for period in made if period is not None)
    return (When(periods=(first, *known)),) if first.unit != "day" and len(known) == len(others) else ()


def _any_part(first: When, rest: When) -> Iterable[When]:
    if len(first.parts) != 1 or len(rest.parts) != 1 or first.parts[0][0] != rest.parts[0][0]:
        return ()
    numbers = dict.fromkeys((*first.parts[0][1], *rest.parts[0][1]))
    return of_parts((first.parts[0][0], tuple(numbers)))


def _previous(bound: Bound) -> Iterable[When]:
    """Read `this month against the previous`."""
    period = time_of(bound["a"]).period
    if period is None or period.ago is None:
        return ()
    return (When(periods=(period, Period(unit=period.unit, ago=period.ago + 1))),)


def _year_first(bound: Bound) -> Iterable[When]:
    """Read `2024 Q1`."""
    year = _year_of(time_of(bound["b"]))
    part = time_of(bound["a"])
    return in_year(part, year) if year is not None and part.is_part else ()


JOINS: Final[Rules] = (
    ("a=#time in|comma? b=#time", _within),
    ("b=#time sign.dash? a=#time", _year_first),
    ("relative.same|rel.this unit=unit. in? b=#time", _same),
    ("third=third. in? b=#time", _third),
    ("from third.start in? a=#time", _open("since")),
    ("half=half. in? b=#time", _half),
    ("rel.last|rel.past|relative.latest n=#count unit=unit. in b=#time", _nth(last=True)),
    ("rel.last|rel.past|relative.latest unit=unit. in? b=#time", _nth(last=True)),
    ("rel.first n=#count unit=unit. in? b=#time", _nth(last=False)),
    ("nth=#nth unit=unit. in? b=#time", _nth(last=False)),
    ("per.time n=#count unit=unit. b=#time", _nth(last=False)),
    ("between a=#time and|to b=#time", _range),
    ("from|since a=#time to|until|and|sign.dash b=#time", _range),
    ("a=#time to|until|sign.dash b=#time", _range),
    ("since a=#time", _open("since")),
    ("from a=#time post.since", _open("since")),
    ("after a=#time", _open("after")),
    ("before a=#time", _open("before")),
    ("until|limit.le a=#time", _open("until")),
    ("a=#time post.ge|post.since", _open("since")),
    ("a=#time post.le", _open("until")),
    ("a=#time and|or|comma|compare b=#time", _list),
    ("a=#time and|compare|to in? stop.article? rel.last|prevrow #end", _previous),
)
