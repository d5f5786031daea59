"""Mentions of time → periods of the table's time, or conditions on its parts and on columns of years."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.intent import (
    CLOCK_PARTS,
    MONTH_DAY,
    AnyOf,
    Condition,
    Measure,
    Operator,
    Output,
    Period,
    month_day,
)
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.phrases import paths
from tabchat.planner.words.calendar import YEAR_DAY, YEAR_DAYS, YEARLY, date_of, of_year

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tabchat.planner.intent import Clause, Intent, Side
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.links.link import Link
    from tabchat.planner.readings.effect import Effect, Features, Item
    from tabchat.planner.readings.phrases import Step
    from tabchat.planner.words import TimeSpan

_NEARLY_ALL: Final = 0.95
"""Part of the cells of another date that one has at least, where either may be meant."""
_FROM_FIRST_TO_LAST: Final[tuple[Step, ...]] = (
    *(("between", "from"), 1, ("edge.first", "rel.first", "super.early"), ("and", "to", "until"), 1),
    ("edge.last", "rel.last", "rel.past", "super.late"),
)
_COMPARING: Final = frozenset({"growth", "grow", "shrink", "change.any", "bypercent", "byhowmuch"})
_MOST_OPENED: Final = 2  # more do not make it less clear which is meant
_GRAINS: Final = {YEAR_DAY: "day"}
"""Part of every year → the unit of a period of it, where that has another name."""
_OPENING: Final = frozenset({"after", "before", "until"})
"""Ends of time whose words say nothing else: `з`, since, is from, too."""


def time_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield a mention of time at a place, with the column that is named before it or the table's own."""
    steps: tuple[tuple[Step, ...], ...] = ((LinkKind.TIME,), (LinkKind.COLUMN, 2, LinkKind.TIME))
    for links, _, told in (path for order in steps for path in paths(lattice, place, *order)):
        time, named = links[-1].time, lattice.column(links[0]) if len(links) > 1 else None
        if time is not None and (named is None or named.dated or named.facts.years or _tells_hours(named)):
            features = told if named is None else (*told, ("time.named", 1.0))
            yield from _dated(lattice, time, place, named, features)
            if not lattice.names.isdisjoint(_COMPARING):
                for both in _ends(lattice, time):
                    yield from _dated(lattice, both, place, named, features)


def _ends(lattice: Lattice, time: TimeSpan) -> Iterator[TimeSpan]:
    """Yield the two ends of a stretch as two times: `change from 2024 to 2025` is of the one to the other."""
    inner = [
        link for link in lattice.links(LinkKind.TIME) if time.start <= link.start and link.end <= time.end
    ]
    first = [link.time for link in inner if link.start - time.start <= 1 and link.end < time.end - 1]
    last = [link.time for link in inner if link.end == time.end and link.start > time.start + 1]
    for one, other in product(first, last):
        if one and other and one.end == other.start - 1 and one.period and other.period:
            yield replace(time, period=None, periods=(one.period, other.period))


def clause_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield the mentions of time that are one condition on dates, which can be denied: March, 2024, not in May 2024."""
    for item in time_items(lattice, place):
        # `March 2024` is one time.
        if not lattice.at(item.end, LinkKind.TIME):
            periods, clauses = item.effect.periods, item.effect.clauses
            if len(periods) == 1 and not clauses and periods[0].column is not None:
                year = years_within(periods[0].column, periods[0])
                clauses = () if year is None else (replace(year, part="year"),)
                yield replace(item, effect=replace(item.effect, clauses=clauses, periods=()))
            elif clauses and not periods:
                yield item


def _dated(
    lattice: Lattice, time: TimeSpan, start: int, named: TableColumn | None, features: Features
) -> Iterator[Item]:
    vocabulary, end = lattice.vocabulary, time.end
    hours = not (time.periods or time.period) and all(part == "hour" for part, _ in time.parts)
    clocks = [column for column in vocabulary.columns if _tells_hours(column)] if hours else []
    called = [column for column in vocabulary.year_columns[:2] if _is_the_year(time, column)]
    others = [column for column in vocabulary.year_columns[:2] if column not in called]
    unsaid = clocks[:3] or [*called, *lattice.unsaid_dates[:3], *others]
    columns = [named] if named is not None else unsaid
    words = ("time.words", float(min(4, end - time.start - 1)))
    # `2023 vs 2024`
    listed = any(lattice.has(place, "compare") for place in range(time.start, end))
    name = "versus" if listed and len(time.periods) > 1 else ""
    # Which of several dates is meant is open, but what every row has a date of comes before what some have.
    most = max((column.facts.filled or 0 for column in columns if column.dated), default=0) * _NEARLY_ALL
    rivals = sum((column.facts.filled or 0) >= most or not column.dated for column in columns)
    told = (*features, ("time.rivals", math.log(rivals or 1)), ("time", 1.0), words)
    periods = tuple(time.periods) or ((time.period,) if time.period is not None else ())
    clocked = any(part in CLOCK_PARTS for part, _ in time.parts)
    for rank, column in enumerate(columns):
        if clocked and not _tells_hours(column):
            # A day has no morning where nothing tells the hour.
            continue
        gaps = ("time.gaps", float(column.dated and (column.facts.filled or 0) < most))
        more: Features = (*told, ("time.later_column", float(rank)), gaps)
        parts = tuple(_part(column.name, part, values) for part, values in time.parts)
        if column.dated and periods:
            dated = tuple(replace(period, column=column.name) for period in periods)
            outside = ("time.outside", float(all(_outside(period, column) for period in dated)))
            fields = {"column": column.place, "clauses": parts, "periods": dated, "name": name}
            yield said(Kind.PERIOD, start, end, (*more, outside), **fields)
        elif (column.dated or column in clocks) and parts:
            for period in opened_periods(time, column)[:1] if not goes_on(lattice, time) else ():
                yield said(Kind.PERIOD, start, end, more, column=column.place, periods=(period,))
            opened = ("time.opened_part", float(bool(time.opened)))
            fields = {"column": column.place, "clauses": parts}
            yield said(Kind.CLAUSE, start, end, (*more, opened, ("time.part", 1.0)), **fields)
        elif column.facts.years and periods and not parts:
            years = [years_within(column.name, period) for period in periods]
            found = [clause for clause in years if clause is not None]
            # Years of some event, such as `founded`, that the question does not name.
            event = ("time.year_of_event", float(named is None and "year" not in column.groups))
            if len(found) == len(periods):
                features = (*more, ("time.year_column", 1.0), event)
                yield clause_said(start, end, _either(found), features, column.place)


def goes_on(lattice: Lattice, time: TimeSpan) -> bool:
    """Tell whether a mention of time is part of a longer one: `since March`, of `since March 2024`."""
    spans = {one.span for one in lattice.links(LinkKind.TIME)} - {(time.start, time.end)}
    return any(start <= time.start and time.end <= end for start, end in spans)


def opened_periods(time: TimeSpan, column: TableColumn) -> list[Period]:
    """Return what `since March` is over days of several years: since the last March that they have, and since the one before."""
    low, high = column.facts.low, column.facts.high
    if not isinstance(low, dt.date) or not isinstance(high, dt.date) or low.year == high.year:
        return []
    if time.opened is None or len(time.parts) != 1 or time.parts[0][0] not in YEARLY:
        return []
    ((unit, numbers),), found = time.parts, []
    for within in (of_year(unit, numbers, year) for year in range(high.year, low.year - 1, -1)):
        since = time.opened in {"since", "after"}
        edge = None if within is None else within.start if since else within.end
        if edge is not None and str(low)[:10] <= edge.isoformat() <= str(high)[:10]:
            start, end = (edge, None) if since else (None, edge)
            found.append(Period(start=start, end=end, column=column.name, unit=_GRAINS.get(unit, unit)))
        if len(found) == _MOST_OPENED:
            break
    return found


def _is_the_year(time: TimeSpan, column: TableColumn) -> bool:
    """Tell whether a column called just `Year` tells when: of a harvest, rather than the date when it was sown."""
    periods = [period for period in (*time.periods, time.period) if period is not None]
    whole = all(period.unit == "year" and period.ago is period.count is None for period in periods)
    return bool(periods) and whole and not time.parts and "year" in column.groups


def _tells_hours(column: TableColumn) -> bool:
    """Tell whether cells have a time of day, with a date or without."""
    return column.kind in {ColumnKind.TIME, ColumnKind.DATETIME}


def _outside(period: Period, column: TableColumn) -> bool:
    low, high = column.facts.low, column.facts.high
    if not column.temporal or not column.facts.exact or low is None or high is None:
        return False
    return bool(
        (period.end is not None and period.end.isoformat() < str(low)[:10])
        or (period.start is not None and period.start.isoformat() > str(high)[:10])
    )


def _part(column: str, part: str, values: tuple[int, ...]) -> Clause:
    if part == YEAR_DAY:
        return _days(column, values)
    operator = Operator.EQ if len(values) == 1 else Operator.IN
    return Condition(column=column, operator=operator, values=values, part=part)


def _days(column: str, days: tuple[int, ...]) -> Clause:
    """Return days of every year as a condition on their months and days: a stretch by its ends."""
    numbers = tuple(month_day(date_of(day)) for day in days)
    if len(days) == 1:
        return Condition(column=column, operator=Operator.EQ, values=numbers, part=MONTH_DAY)
    if days[-1] - days[0] == len(days) - 1:
        ends = (numbers[0], numbers[-1])
        return Condition(column=column, operator=Operator.BETWEEN, values=ends, part=MONTH_DAY)
    if days[-1] < days[0] and len(days) == days[-1] - days[0] + 1 + YEAR_DAYS:  # over the end of a year
        sides = ((Operator.GE, numbers[0]), (Operator.LE, numbers[-1]))
        return AnyOf(
            conditions=tuple(
                Condition(column=column, operator=side, values=(number,), part=MONTH_DAY)
                for side, number in sides
            )
        )
    return Condition(column=column, operator=Operator.IN, values=numbers, part=MONTH_DAY)


def years_within(column: str, period: Period) -> Condition | None:
    """Return a period as a condition on whole years; None where it is finer than a year."""
    start, end = period.start, period.end
    starts = start is None or (start.month, start.day) == (1, 1)
    if not starts or not (end is None or (end.month, end.day) == (12, 31)) or start is end is None:
        return None
    years = tuple(dict.fromkeys(day.year for day in (start, end) if day is not None))
    operator = Operator.BETWEEN if len(years) > 1 else Operator.EQ
    if start is None or end is None:
        operator = Operator.LE if start is None else Operator.GE
    return Condition(column=column, operator=operator, values=years)


def _either(conditions: list[Condition]) -> Clause:
    if len(conditions) == 1:
        return conditions[0]
    if all(condition.operator is Operator.EQ for condition in conditions):
        values = tuple(value for condition in conditions for value in condition.values)
        return Condition(column=conditions[0].column, operator=Operator.IN, values=values)
    return AnyOf(conditions=tuple(conditions))


def stretch_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Read when rows begin and end, and how long they stretch: `days between the first and the last visit`, `when do they start`."""
    start = next((counted.end for counted in lattice.concepts(place, "count")), place)
    lasting = [at for unit in lattice.concepts(start, "span.86400") for at in range(unit.end, unit.end + 3)]
    ends = [path.end for at in lasting for path in paths(lattice, at, *_FROM_FIRST_TO_LAST)]
    found: list[tuple[str, int, Features]] = [
        ("range", end, (("function.of", 1.0), ("measure.fits", 1.0))) for end in ends
    ]
    if "when" in lattice.names and not lattice.columns(place):
        unsaid: Features = (("default.measure", 1.0),)
        found += [("min", one.end, unsaid) for one in lattice.concepts(place, "event.start")]
        # `start and end` says once more that times are asked for.
        both = lattice.has(place - 1, "and") and lattice.has(place - 2, "event.start")
        found += [("max", one.end, () if both else unsaid) for one in lattice.concepts(place, "event.end")]
    for date in lattice.vocabulary.default_dates[:1] if found else ():
        if "when.hour" in lattice.names and not _tells_hours(date):
            # «во сколько начался концерт» asks for no day.
            continue
        for function, end, features in found:
            measure = Measure(function=function, column=date.name)
            yield said(Kind.MEASURE, place, end, features, measure=measure, column=date.place)


def cuts_a_time(lattice: Lattice, used: Iterable[Effect], intent: Intent) -> bool:
    """Tell whether one mention of time is taken for two, or for less: `May 2, 2023 to May 9, 2023` for both days, `after May` for May.

    What is compared may be said together, `2023 and 2024`, but not the two parts of `May 2023`.
    """
    times = lattice.links(LinkKind.TIME)
    effects = [*used] if times else []
    parts = [time for effect in effects if (time := _timed(effect, times)) is not None]
    compared = intent.output is Output.CHANGE or (
        bool(intent.sides) and len(set(map(_unit, intent.sides))) == 1
    )
    return any(
        (not compared and sum(whole.start <= part.start and part.end <= whole.end for part in parts) > 1)
        or any(_is_opened(whole, part, effects) for part in parts)
        for whole in times
    )


def _timed(effect: Effect, times: Iterable[Link]) -> Link | None:
    """Return the mention of time that an effect is of."""
    within = [time for time in times if effect.start <= time.start and effect.end == time.end]
    timely = effect.kind in {Kind.PERIOD, Kind.CLAUSE}
    return min(within, key=lambda time: time.start, default=None) if timely else None


def _unit(side: Side) -> str | None:
    """Return the unit of a side that is a time."""
    if side.period is not None:
        return side.period.unit
    return next((clause.part for clause in side.clauses if isinstance(clause, Condition)), None)


def _is_opened(whole: Link, part: Link, effects: Iterable[Effect]) -> bool:
    """Tell whether a time is the end of an open one, and nothing else takes the word that opens it."""
    if whole.end != part.end or whole.start >= part.start or whole.time is None:
        return False
    taken = {place for effect in effects for place in range(effect.start, effect.end)}
    return whole.time.opened in _OPENING and taken.isdisjoint(range(whole.start, part.start))
