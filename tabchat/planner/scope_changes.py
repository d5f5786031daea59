"""How conditions and periods of a follow-up go together with those before: what replaces what, and what is in doubt."""

from __future__ import annotations

import calendar
import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.planner.intent import AnyOf, Condition, Operator, Period

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.planner.intent import Clause

_LOW: Final = frozenset({Operator.GT, Operator.GE})
_HIGH: Final = frozenset({Operator.LT, Operator.LE})
_DENIED: Final = frozenset({Operator.NE, Operator.NOT_IN})
_QUARTERS: Final = {"month": 1, "quarter": 3}
"""Months of a calendar part."""


def in_year(period: Period, year: Period) -> Period | None:
    """Return the month, the quarter, the day of `period` in another year, where `year` is a whole one."""
    if year.unit != "year" or year.start is None or period.unit not in _QUARTERS or period.start is None:
        return None
    return _unit(period, year.start.year, period.start.month)


def moved(periods: tuple[Period, ...], clause: Condition) -> tuple[Period, ...] | None:
    """Return a month of a year as another month of it: after March 2023, `in April` is April 2023."""
    months = _QUARTERS[str(clause.part)]
    (period,) = periods if len(periods) == 1 else (None,)
    if period is None or period.start is None or period.unit != clause.part or len(clause.values) != 1:
        return None
    place = clause.values[0]
    if clause.operator is not Operator.EQ or not isinstance(place, int):
        return None
    return (_unit(period, period.start.year, (place - 1) * months + 1),)


def _unit(period: Period, year: int, month: int) -> Period:
    last = month + _QUARTERS[str(period.unit)] - 1
    end = dt.date(year, last, calendar.monthrange(year, last)[1])
    return replace(period, start=dt.date(year, month, 1), end=end)


def either(clauses: Iterable[Clause]) -> Condition:
    """Return the condition that allows the cells of any of several conditions on one column."""
    conditions = [clause for clause in clauses if isinstance(clause, Condition)]
    values = tuple(dict.fromkeys(value for condition in conditions for value in condition.values))
    return Condition(column=conditions[0].column, operator=Operator.IN, values=values)


def denies(clause: Clause, other: Clause) -> bool:
    """Tell whether `other` asks for just the cells that `clause` excludes."""
    return (
        isinstance(clause, Condition)
        and isinstance(other, Condition)
        and clause.column == other.column
        and clause.part == other.part
        and other.operator in {Operator.EQ, Operator.IN}
        and set(other.values) <= set(clause.values)
    )


def is_part(clause: Clause) -> bool:
    """Tell whether a condition is on a month or a quarter of all years."""
    return isinstance(clause, Condition) and clause.part in _QUARTERS


def column_of(clause: Clause) -> str:
    """Return the column of a condition, the first one of alternatives."""
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column


def kind_of(clause: Clause) -> str:
    """Return what conditions that take one another's place share: lower bounds do not replace upper ones."""
    if isinstance(clause, AnyOf):
        return "any"
    if clause.part is not None:
        return clause.part
    if clause.operator in _DENIED:
        return "denied"
    return "low" if clause.operator in _LOW else "high" if clause.operator in _HIGH else "cell"
