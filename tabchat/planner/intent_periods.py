"""How the period and the conditions of a follow-up go together with those before: what takes whose place, and what both hold."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import shift_months
from tabchat.planner import intent_parts as parts
from tabchat.planner.intent import Condition, Intent, Operator, Period
from tabchat.planner.readings.effect import merged_clauses

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.readings.effect import Effect

EARLIER: Final = "earlier"
"""Name of a period that is told from another one: `the month before`."""
_MONTHS: Final = {**parts.MONTHS, "year": 12}
_DAYS: Final = {"day": 1, "week": 7}
_DAY: Final = dt.timedelta(days=1)
_OPPOSITE: Final = {"low": "high", "high": "low"}
_PINNED: Final = frozenset({Operator.EQ, Operator.IN, Operator.BETWEEN})


def timed(  # noqa: PLR0911 - a list of cases
    intent: Intent, effect: Effect, marks: frozenset[str]
) -> tuple[Intent, ...]:
    """Exchange the period; what was said of a part of its year goes with it, or is in doubt.

    Raises `OverflowError` for days beyond the calendar: the year before the first one.
    """
    first, *others = effect.periods
    months = [clause for clause in intent.clauses if parts.is_part(clause)]
    if any(side.period is not None for side in intent.sides):
        return ()
    if effect.name == EARLIER and first.ago is not None and (intent.periods or months):
        return () if months or others else _earlier(intent, first)
    kept = tuple(clause for clause in intent.clauses if others or not _is_outdated(clause, first))
    exchanged = replace(intent, periods=effect.periods, clauses=kept)
    dropped = (clause for clause in intent.clauses if clause not in kept)
    if parts.goes_on(marks) and any(parts.is_denied(clause, "year") for clause in dropped):
        # Without 2023, `and 2023`: that year, or all of them again.
        return exchanged, replace(intent, clauses=kept)
    if not others and (both := _joined(intent.periods, first)) not in {None, first}:
        # After January, `before April`: both bounds, or the other one.
        return exchanged, replace(exchanged, periods=(both,))
    if "too" in marks and intent.periods:
        return exchanged, replace(intent, periods=(*intent.periods, *effect.periods))
    if not intent.periods or others or not is_year(first):
        return (exchanged,)
    if months:
        return replace(exchanged, clauses=tuple(clause for clause in kept if clause not in months)), exchanged
    return exchanged, *_in_year(intent.periods, exchanged)


def in_period(  # noqa: PLR0911 - a list of cases
    intent: Intent, clause: Clause
) -> tuple[Intent, ...]:
    """Return what a month or the like makes of the period before; nothing where rows can be in both.

    After March 2023, `in April` is April 2023, and `without 2023` is all the rest.
    """
    if not isinstance(clause, Condition) or clause.part not in _MONTHS or not intent.periods:
        return ()
    both = parts.with_clauses(intent, (), clause)
    numbers = [value for value in clause.values if isinstance(value, int)]
    period, length = intent.periods[0], _MONTHS[clause.part]
    if parts.kind_of(clause) == "denied":
        ends = {end for period in intent.periods for end in (period.start, period.end)}
        inside = {0 if end is None else _number(end, clause.part) for end in ends} <= set(numbers)
        if not inside or len({end.year for end in ends if end is not None}) != 1:
            return ()
        year = _calendar(period, 12 * (period.start.year if period.start else 0), 12, "year")
        wider = () if clause.part == "year" else (replace(both, periods=(year,)),)
        return replace(both, periods=()), *wider
    if len(intent.periods) > 1 or clause.part == "year" or is_year(period) or not parts.is_listed(clause):
        return ()
    if period.start is None and period.end is None:
        return (replace(both, periods=()), both) if period.unit != "year" else ()
    if period.start is None or period.end is None or period.start.year != period.end.year:
        return ()
    first = 12 * period.start.year
    periods = (_calendar(period, first + length * (number - 1), length, clause.part) for number in numbers)
    return (replace(intent, periods=tuple(periods)),)


def _is_outdated(clause: Clause, period: Period) -> bool:
    """Tell whether what was said of a part of the calendar says nothing of the rows of a period, or denies them."""
    if not isinstance(clause, Condition) or clause.part not in _MONTHS:
        return False
    start, end = period.start, period.end
    if start is None or end is None:
        past = period.ago is not None or (period.count is not None and period.unit != "year")
        return past and (clause.part == "year" or (parts.is_listed(clause) and period.unit != "year"))
    if clause.part == "year":
        return start.year == end.year
    if parts.is_listed(clause):
        return start.year == end.year and not is_year(period)
    return (start.year, _number(start, clause.part)) == (end.year, _number(end, clause.part))


def _joined(before: Sequence[Period], period: Period) -> Period | None:
    """Return the days of one period that are in an open one, too; None where there are none, or none is open."""
    (other,) = before if len(before) == 1 else (Period(),)
    ends = [(one.start is None) + (one.end is None) for one in (period, other)]
    if 1 not in ends or 2 in ends:  # noqa: PLR2004 - a relative period has neither end
        return None
    start = max((day for day in (period.start, other.start) if day is not None), default=None)
    end = min((day for day in (period.end, other.end) if day is not None), default=None)
    if start is not None and end is not None and start > end:
        return None
    return replace(period, start=start, end=end)


def _in_year(before: Sequence[Period], exchanged: Intent) -> tuple[Intent, ...]:
    """Return the month or the quarter before in another year: after March 2023, `and for 2022` may be its March."""
    (period,), (year,) = before if len(before) == 1 else (Period(),), exchanged.periods
    if period.unit not in parts.MONTHS or period.start is None or period.end is None:
        return ()
    if year.start is not None:
        moved = _shifted(period, 12 * (year.start.year - period.start.year))
        return (replace(exchanged, periods=(moved,)),)
    if period.column is None:
        return ()
    number = (_number(period.start, period.unit),)
    same = Condition(column=period.column, operator=Operator.EQ, values=number, part=period.unit)
    return (parts.with_clauses(exchanged, (), same),)


def _earlier(intent: Intent, told: Period) -> tuple[Intent, ...]:
    """Return the month before the one of an intent; the same month a year earlier, or all of that year."""
    (period,) = intent.periods if len(intent.periods) == 1 else (None,)
    unit, ago = told.unit, told.ago
    if period is None or unit is None or ago is None:
        return ()
    if period.ago is not None:
        return (
            (replace(intent, periods=(replace(period, ago=period.ago + ago),)),)
            if unit == period.unit
            else ()
        )
    start, end = period.start, period.end
    if start is None or end is None:
        return ()
    if unit in _DAYS:
        by = dt.timedelta(days=_DAYS[unit])
        moved = replace(period, start=start - ago * by, end=end - ago * by)
        return (replace(intent, periods=(moved,)),) if end - start == by - _DAY else ()
    months = _MONTHS[unit]
    moved = _shifted(period, -months * ago)
    whole = _calendar(period, 12 * start.year + (start.month - 1) // months * months, months, unit)
    if (whole.start, whole.end) == (start, end):
        return (replace(intent, periods=(moved,)),)
    year = _shifted(whole, -months * ago)
    return (replace(intent, periods=(moved,)), replace(intent, periods=(year,))) if unit == "year" else ()


def _shifted(period: Period, months: int) -> Period:
    """Return a period some months later, whose last day stays the last one of its month."""
    start, end = period.start, period.end
    behind = None if end is None else shift_months(end + _DAY, months)
    return replace(
        period,
        start=None if start is None else shift_months(start, months),
        end=None if behind is None else behind - _DAY,
    )


def _calendar(period: Period, first: int, months: int, unit: str) -> Period:
    """Return some months from the one at place `first`, counted from the year 0 on, as the period that they are."""
    start = shift_months(dt.date.min, first - 12)
    return replace(period, start=start, end=shift_months(start, months) - _DAY, unit=unit)


def _number(day: dt.date, part: str) -> int:
    return day.year if part == "year" else (day.month - 1) // _MONTHS[part] + 1


def is_year(period: Period) -> bool:
    """Tell whether a period is whole years between two ends, or one of them."""
    return period.unit == "year" and (period.ago is not None or None not in {period.start, period.end})


def scoped(intent: Intent, clauses: tuple[Clause, ...], marks: frozenset[str]) -> tuple[Intent, ...]:
    """Exchange the conditions on the same columns; add the others."""
    named = set(map(parts.column_of, clauses))
    if any(side.period is not None and not is_year(side.period) for side in intent.sides) and any(
        map(parts.is_part, clauses)
    ):
        return ()
    if any(parts.column_of(clause) in named for side in intent.sides for clause in side.clauses):
        return ()
    if any(parts.column_of(clause) in named for measure in intent.measures for clause in measure.part):
        return _parted(intent, clauses)
    placed = set(map(parts.column_of, intent.placed))
    if not named.isdisjoint(placed):
        # Whose place is told is another question; those who are ranked stay.
        told = merged_clauses((*intent.placed, *clauses))[0] if "too" in marks else clauses
        fits = named == placed and all(map(parts.is_listed, told))
        return (replace(intent, placed=told),) if fits else ()
    intents: tuple[Intent, ...] = (intent,)
    for clause in clauses:
        intents = tuple(changed for item in intents for changed in _with(item, clause, marks))
    return intents


def _parted(intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
    """Return the share of another part, named by the same column."""
    first, *rest = intent.measures
    if [*map(parts.column_of, first.part)] != [*map(parts.column_of, clauses)]:
        return ()
    return (replace(intent, measures=(replace(first, part=clauses), *rest)),)


def _with(  # noqa: PLR0911 - a list of cases
    intent: Intent, clause: Clause, marks: frozenset[str]
) -> tuple[Intent, ...]:
    moved = in_period(intent, clause)
    if moved:
        return moved
    kind, goes_on = parts.kind_of(clause), parts.goes_on(marks)
    about = [other for other in intent.clauses if _place(other) == _place(clause)]
    same = [other for other in about if parts.kind_of(other) == kind]
    if kind == "denied":
        return (parts.with_clauses(intent, [other for other in about if _denies(clause, other)], clause),)
    exchanged = parts.with_clauses(intent, same, clause)
    if "too" in marks and same and all(map(parts.is_listed, (*same, clause))):
        return exchanged, parts.with_clauses(intent, same, parts.either((*same, clause)))
    pinned = [other for other in about if isinstance(other, Condition) and other.operator in _PINNED]
    rivals = [*pinned, *(other for other in about if parts.kind_of(other) == _OPPOSITE.get(kind))]
    if kind in _OPPOSITE and rivals:
        # Over 3000, `and under 4000`: both bounds, or the other one.
        return exchanged, parts.with_clauses(intent, (*same, *rivals), clause)
    if isinstance(clause, Condition) and clause.operator in _PINNED:
        bounds = [other for other in about if parts.kind_of(other) in _OPPOSITE]
        denied = [other for other in about if parts.is_listed(clause) and parts.is_denied(other, clause.part)]
        exchanged = parts.with_clauses(intent, (*same, *bounds, *denied), clause)
        if denied and goes_on:
            return exchanged, _less_denied(intent, clause, denied)
        if parts.is_part(clause) and any(_overlaps(clause, other) for other in same):
            return exchanged, parts.with_clauses(intent, (), clause)
    cells = [other for other in intent.clauses if parts.kind_of(other) == "cell" and not parts.is_part(other)]
    if kind == "cell" and not parts.is_part(clause) and cells and not about and goes_on:
        # Of Germany, `and Asia?`: what of the first is in the second, or the second in its place.
        return exchanged, parts.with_clauses(intent, cells, clause)
    return (exchanged,)


def _less_denied(intent: Intent, clause: Condition, denied: Sequence[Clause]) -> Intent:
    """Return what else is meant than a cell by itself: without Asia, `and Asia?` may be all; `and Europe?`, neither."""
    if any(_denies(other, clause) for other in denied):
        return parts.with_clauses(intent, denied)
    operator = Operator.NE if len(clause.values) == 1 else Operator.NOT_IN
    return parts.with_clauses(intent, (), replace(clause, operator=operator))


def _overlaps(clause: Condition, other: Clause) -> bool:
    """Tell whether months that were told by their bounds may be those of both: before March, `after January`."""
    if not isinstance(other, Condition) or other.part != clause.part:
        return False
    mine, theirs = set(clause.values), set(other.values)
    return bool(mine & theirs) and not (mine <= theirs or theirs <= mine)


def _denies(clause: Clause, other: Clause) -> bool:
    """Tell whether `other` asks for just the cells that `clause` excludes."""
    return (
        isinstance(clause, Condition)
        and isinstance(other, Condition)
        and clause.part == other.part
        and other.operator in {Operator.EQ, Operator.IN}
        and set(other.values) <= set(clause.values)
    )


def _place(clause: Clause) -> tuple[str, str | None]:
    """Return what is compared: months and quarters of one date are of the same thing."""
    part = clause.part if isinstance(clause, Condition) else None
    return parts.column_of(clause), "month" if part in parts.MONTHS else part
