"""Parts of an intent that a follow-up changes: what is shown of the same rows, and how conditions and periods go together."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import month_end
from tabchat.planner.intent import AnyOf, Condition, Intent, Operator, Output, Period

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from tabchat.planner.intent import Clause

COUNTED: Final = frozenset({Output.VALUE, Output.GROUPS, Output.COMPARISON, Output.CHANGE})
"""Outputs that compute a figure."""
_KINDS: Final = {
    Operator.GT: "low",
    Operator.GE: "low",
    Operator.LT: "high",
    Operator.LE: "high",
    Operator.NE: "denied",
    Operator.NOT_IN: "denied",
}
_MONTHS: Final = {"month": 1, "quarter": 3}
"""Months of a calendar part."""


def scope_of(intent: Intent) -> Intent:
    """Return a figure yet to be named over the rows that an intent is about."""
    return Intent(output=Output.VALUE, clauses=intent.clauses, periods=intent.periods)


def _is_cut(intent: Intent) -> bool:
    """Tell whether the rows behind an intent are more, or others, than its conditions say."""
    return intent.limit is not None or bool(intent.having) or bool(intent.sides)


def values_of(intent: Intent, column: str) -> tuple[Intent, ...]:
    """Return which cells of a column are among the rows before: `which cities?`."""
    return () if _is_cut(intent) else (replace(scope_of(intent), output=Output.VALUES, columns=(column,)),)


def _rows(intent: Intent) -> tuple[Intent, ...]:
    """Return the rows behind a figure; those of groups that a limit chose are no condition."""
    if intent.output not in COUNTED or _is_cut(intent):
        return ()
    return (replace(scope_of(intent), output=Output.ROWS),)


def _items(intent: Intent) -> tuple[Intent, ...]:
    """Return what was counted; after groups nobody knows whether `them` are the groups or their rows."""
    if intent.output is not Output.VALUE:
        return ()
    counted = [measure.column for measure in intent.measures if measure.function == "count_distinct"]
    if counted and len(intent.measures) == 1:
        return values_of(intent, str(counted[0]))
    return _rows(intent)


def _shared(intent: Intent) -> tuple[Intent, ...]:
    if not intent.measures:
        return ()
    first, *rest = intent.measures
    if intent.keys:
        return (replace(intent, measures=(replace(first, share=True), *rest)),)
    if not intent.clauses:
        return ()
    return (replace(intent, measures=(replace(first, part=intent.clauses), *rest), clauses=()),)


def parted(intent: Intent, clauses: tuple[Clause, ...]) -> tuple[Intent, ...]:
    """Return the share of another part, named by the same column."""
    first, *rest = intent.measures
    if [*map(column_of, first.part)] != [*map(column_of, clauses)]:
        return ()
    return (replace(intent, measures=(replace(first, part=clauses), *rest)),)


def _reversed(intent: Intent) -> tuple[Intent, ...]:
    """Return the other order; of the top 5 the other way round, nobody knows whether the other 5 are meant."""
    if not intent.orders or intent.limit is not None:
        return ()
    orders = tuple(replace(order, descending=not order.descending) for order in intent.orders)
    return (replace(intent, orders=orders),)


MARKED: Final[Mapping[str, Callable[[Intent], tuple[Intent, ...]]]] = {
    "unfiltered": lambda intent: (replace(intent, clauses=(), periods=()),),
    "rows": _rows,
    "items": _items,
    "share": _shared,
    "reverse": _reversed,
}
"""What a mark makes of an intent."""


def in_year(period: Period, year: Period) -> Period | None:
    """Return the month or the quarter of `period` in another year, where `year` is a whole one."""
    if year.unit != "year" or year.start is None or period.unit not in _MONTHS or period.start is None:
        return None
    return _unit(period, year.start.year, period.start.month)


def moved(periods: tuple[Period, ...], clause: Condition) -> tuple[Period, ...] | None:
    """Return a month of a year as another month of it: after March 2023, `in April` is April 2023."""
    (period,) = periods if len(periods) == 1 else (None,)
    if period is None or period.start is None or period.unit != clause.part or len(clause.values) != 1:
        return None
    place = clause.values[0]
    if clause.operator is not Operator.EQ or not isinstance(place, int):
        return None
    return (_unit(period, period.start.year, (place - 1) * _MONTHS[str(clause.part)] + 1),)


def _unit(period: Period, year: int, month: int) -> Period:
    last = month + _MONTHS[str(period.unit)] - 1
    return replace(period, start=dt.date(year, month, 1), end=month_end(year, last))


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
    return isinstance(clause, Condition) and clause.part in _MONTHS


def column_of(clause: Clause) -> str:
    """Return the column of a condition, the first one of alternatives."""
    return clause.conditions[0].column if isinstance(clause, AnyOf) else clause.column


def kind_of(clause: Clause) -> str:
    """Return what conditions that take one another's place share: lower bounds do not replace upper ones."""
    if isinstance(clause, AnyOf):
        return "any"
    return clause.part or _KINDS.get(clause.operator, "cell")
