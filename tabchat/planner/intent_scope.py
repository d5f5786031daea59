"""How conditions and periods of a follow-up go together with those before: what takes whose place, and what both hold."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import month_end
from tabchat.planner.intent import AnyOf, Condition, Intent, Operator, Period

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.intent import Clause
    from tabchat.planner.readings.effect import Effect

EARLIER: Final = "earlier"
"""Name of a period that is told from another one: `the month before`."""
_KINDS: Final = {
    Operator.GT: "low",
    Operator.GE: "low",
    Operator.LT: "high",
    Operator.LE: "high",
    Operator.NE: "denied",
    Operator.NOT_IN: "denied",
    Operator.NOT_CONTAINS: "denied",
    Operator.NOT_BETWEEN: "denied",
}
_OPPOSITE: Final = {"low": "high", "high": "low"}
_LISTED: Final = frozenset({Operator.EQ, Operator.IN})
_PINNED: Final = _LISTED | {Operator.BETWEEN}
_PARTS: Final = {"month": 1, "quarter": 3}
_MONTHS: Final = {**_PARTS, "year": 12}
"""Months of a calendar part."""
_DAYS: Final = {"day": 1, "week": 7}
_YEAR: Final = 12


def timed(intent: Intent, effect: Effect, marks: frozenset[str]) -> tuple[Intent, ...]:
    """Exchange the period; what was said of a part of its year goes with it, or is in doubt."""
    first, *others = effect.periods
    parts = [clause for clause in intent.clauses if _is_part(clause)]
    if any(side.period is not None for side in intent.sides):
        return ()
    if effect.name == EARLIER and (intent.periods or parts):
        return () if parts or others else _earlier(intent, first)
    kept = tuple(clause for clause in intent.clauses if others or not _is_outdated(clause, first))
    exchanged = replace(intent, periods=effect.periods, clauses=kept)
    if "too" in marks and intent.periods:
        return exchanged, replace(intent, periods=(*intent.periods, *effect.periods))
    if not intent.periods or others or not _is_year(first):
        return (exchanged,)
    if parts:
        return replace(exchanged, clauses=tuple(clause for clause in kept if clause not in parts)), exchanged
    return exchanged, *_in_year(intent.periods, exchanged)


def scoped(intent: Intent, clauses: tuple[Clause, ...], marks: frozenset[str]) -> tuple[Intent, ...]:
    """Exchange the conditions on the same columns; add the others."""
    named = set(map(_column, clauses))
    if any(_column(clause) in named for side in intent.sides for clause in side.clauses):
        return ()
    if any(_column(clause) in named for measure in intent.measures for clause in measure.part):
        return _parted(intent, clauses)
    intents: tuple[Intent, ...] = (intent,)
    for clause in clauses:
        intents = tuple(changed for item in intents for changed in _with(item, clause, marks))
    return intents


def _parted(intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
    """Return the share of another part, named by the same column."""
    first, *rest = intent.measures
    if [*map(_column, first.part)] != [*map(_column, clauses)]:
        return ()
    return (replace(intent, measures=(replace(first, part=clauses), *rest)),)


def _with(  # noqa: PLR0911 - a list of cases
    intent: Intent, clause: Clause, marks: frozenset[str]
) -> tuple[Intent, ...]:
    moved = _in_period(intent, clause)
    if moved:
        return moved
    kind, goes_on = _kind(clause), bool(marks & {"start", "more"}) and "only" not in marks
    about = [other for other in intent.clauses if _place(other) == _place(clause)]
    same = [other for other in about if _kind(other) == kind]
    if kind == "denied":
        return (_changed(intent, [other for other in about if _denies(clause, other)], clause),)
    exchanged = _changed(intent, same, clause)
    if "too" in marks and same and all(map(_is_listed, (*same, clause))):
        return exchanged, _changed(intent, same, _either((*same, clause)))
    pinned = [other for other in about if isinstance(other, Condition) and other.operator in _PINNED]
    rivals = [*pinned, *(other for other in about if _kind(other) == _OPPOSITE.get(kind))]
    if kind in _OPPOSITE and rivals:
        # Over 3000, `and under 4000`: both bounds, or the other one.
        return exchanged, _changed(intent, (*same, *rivals), clause)
    if isinstance(clause, Condition) and clause.operator in _PINNED:
        bounds = [other for other in about if _kind(other) in _OPPOSITE]
        denied = [other for other in about if _is_listed(clause) and _is_denied(other, clause.part)]
        exchanged = _changed(intent, (*same, *bounds, *denied), clause)
        if denied and goes_on:
            return exchanged, _less_denied(intent, clause, denied)
    cells = [other for other in intent.clauses if _kind(other) == "cell" and not _is_part(other)]
    if kind == "cell" and not _is_part(clause) and cells and not about and goes_on:
        # Of Germany, `and Asia?`: what of the first is in the second, or the second in its place.
        return exchanged, _changed(intent, cells, clause)
    return (exchanged,)


def _changed(intent: Intent, dropped: Sequence[Clause], *added: Clause) -> Intent:
    kept = (clause for clause in intent.clauses if clause not in dropped)
    return replace(intent, clauses=tuple(dict.fromkeys((*kept, *added))))


def _less_denied(intent: Intent, clause: Condition, denied: Sequence[Clause]) -> Intent:
    """Return what else is meant than a cell by itself: without Asia, `and Asia?` may be all; `and Europe?`, neither."""
    if any(_denies(other, clause) for other in denied):
        return _changed(intent, denied)
    operator = Operator.NE if len(clause.values) == 1 else Operator.NOT_IN
    return _changed(intent, (), replace(clause, operator=operator))


# Periods and parts of the calendar


def _in_period(  # noqa: PLR0911 - a list of cases
    intent: Intent, clause: Clause
) -> tuple[Intent, ...]:
    """Return what a month or the like makes of the period before; nothing where rows can be in both.

    After March 2023, `in April` is April 2023, and `without 2023` is all the rest.
    """
    if not isinstance(clause, Condition) or clause.part not in _MONTHS or not intent.periods:
        return ()
    both = _changed(intent, (), clause)
    numbers = [value for value in clause.values if isinstance(value, int)]
    period, length = intent.periods[0], _MONTHS[clause.part]
    if _kind(clause) == "denied":
        ends = {end for period in intent.periods for end in (period.start, period.end)}
        inside = {0 if end is None else _number(end, clause.part) for end in ends} <= set(numbers)
        if not inside or len({end.year for end in ends if end is not None}) != 1:
            return ()
        year = _calendar(period, 12 * (period.start.year if period.start else 0), 12, "year")
        wider = () if clause.part == "year" else (replace(both, periods=(year,)),)
        return replace(both, periods=()), *wider
    if len(intent.periods) > 1 or clause.part == "year" or _is_year(period) or not _is_listed(clause):
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
        return past and (clause.part == "year" or (_is_listed(clause) and period.unit != "year"))
    if clause.part == "year":
        return start.year == end.year
    if _is_listed(clause):
        return start.year == end.year and not _is_year(period)
    return (start.year, _number(start, clause.part)) == (end.year, _number(end, clause.part))


def _in_year(before: Sequence[Period], exchanged: Intent) -> tuple[Intent, ...]:
    """Return the month or the quarter before in another year: after March 2023, `and for 2022` may be its March."""
    (period,), (year,) = before if len(before) == 1 else (Period(),), exchanged.periods
    if period.unit not in _PARTS or period.start is None or period.end is None:
        return ()
    if year.start is not None:
        moved = _shifted(period, 12 * (year.start.year - period.start.year))
        return (replace(exchanged, periods=(moved,)),)
    if period.column is None:
        return ()
    number = (_number(period.start, period.unit),)
    same = Condition(column=period.column, operator=Operator.EQ, values=number, part=period.unit)
    return (_changed(exchanged, (), same),)


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
        return (replace(intent, periods=(moved,)),) if end - start == by - dt.timedelta(days=1) else ()
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
    behind = None if end is None else end + dt.timedelta(days=1)
    return replace(
        period,
        start=None if start is None else _moved(start, months),
        end=None if behind is None else _moved(behind, months) - dt.timedelta(days=1),
    )


def _moved(day: dt.date, months: int) -> dt.date:
    year, month = divmod(12 * day.year + day.month - 1 + months, 12)
    return min(month_end(year, month + 1), dt.date(year, month + 1, 1) + dt.timedelta(days=day.day - 1))


def _calendar(period: Period, first: int, months: int, unit: str) -> Period:
    """Return some months from the one at place `first`, counted from the year 0 on, as the period that they are."""
    start = _moved(dt.date(1, 1, 1), first - 12)
    return replace(period, start=start, end=_moved(start, months) - dt.timedelta(days=1), unit=unit)


def _number(day: dt.date, part: str) -> int:
    return day.year if part == "year" else (day.month - 1) // _MONTHS[part] + 1


def _is_year(period: Period) -> bool:
    """Tell whether a period is whole years between two ends, or one of them."""
    return period.unit == "year" and (period.ago is not None or None not in {period.start, period.end})


# Conditions


def _either(clauses: Iterable[Clause]) -> Condition:
    """Return the condition that allows the cells of any of several conditions on one column."""
    conditions = [clause for clause in clauses if isinstance(clause, Condition)]
    values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
    return replace(conditions[0], operator=Operator.IN, values=values)


def _denies(clause: Clause, other: Clause) -> bool:
    """Tell whether `other` asks for just the cells that `clause` excludes."""
    return (
        isinstance(clause, Condition)
        and isinstance(other, Condition)
        and clause.part == other.part
        and other.operator in _LISTED
        and set(other.values) <= set(clause.values)
    )


def _is_denied(clause: Clause, part: str | None) -> bool:
    return isinstance(clause, Condition) and clause.part == part and _kind(clause) == "denied"


def _is_listed(clause: Clause) -> bool:
    return isinstance(clause, Condition) and clause.operator in _LISTED


def _is_part(clause: Clause) -> bool:
    """Tell whether a condition is that rows are of a month or a quarter of all years."""
    return isinstance(clause, Condition) and clause.part in _PARTS and clause.operator in _LISTED


def _column(clause: Clause) -> str:
    """Return the column of a condition, the first one of alternatives."""
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column


def _place(clause: Clause) -> tuple[str, str | None]:
    """Return what is compared: months and quarters of one date are of the same thing."""
    part = clause.part if isinstance(clause, Condition) else None
    return _column(clause), "month" if part in _PARTS else part


def _kind(clause: Clause) -> str:
    """Return what conditions that take one another's place share: lower bounds do not replace upper ones."""
    return "any" if isinstance(clause, AnyOf) else _KINDS.get(clause.operator, "cell")
