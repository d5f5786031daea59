"""The sense of an intent: what is left of it without what makes no difference to its figures.

Two readings of one sense answer a question alike, so they do not rival each other and only one of them is offered.
"""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from tabchat.engine.months import month_end, span_of
from tabchat.planner.intent import (
    BOUNDING,
    COUNT,
    MONTH_DAY,
    AnyOf,
    Condition,
    Key,
    Measure,
    Operator,
    Order,
    Output,
    Period,
    plain_conditions,
)
from tabchat.planner.words import calendar

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from tabchat.planner.intent import Clause, Intent
    from tabchat.planner.links import Vocabulary

_MONTHS: Final = {"month": 1, "quarter": 3}
"""Part of the calendar → its months."""
_PARTS: Final = ((*_MONTHS, MONTH_DAY), ("day",))
"""Parts of a year, and then of a month."""
_OF_ONE: Final = frozenset({"sum", "mean", "median", "min", "max"})
"""Functions of one row that give its cell."""
_BOUNDS: Final = (Operator.GE, Operator.LE)
_STRETCHES: Final = {Operator.EQ, Operator.BETWEEN}
_LISTS: Final = {Operator.IN: Operator.EQ, Operator.NOT_IN: Operator.NE}
"""Operators over several values → the same over one."""
_STATED: Final = {Operator.PRESENT: Operator.EQ, Operator.MISSING: Operator.NE}
"""What is said of a date → what says so of the state that is its twin."""


def sense_of(intent: Intent, vocabulary: Vocabulary) -> Intent:
    """Return an intent whose conditions and figures stand in one order, whose periods are one stretch and name their date.

    Figures are the same with a picture and without; rows are told by all their columns in it, and what no two rows share is counted as rows.
    """
    periods, clauses = _dated(intent, vocabulary)
    by_measure = any(order.column is None for order in intent.orders) or bool(intent.having)
    measures = tuple(_measure(measure, vocabulary) for measure in intent.measures)
    # Of two figures none goes: an order or a bound behind them tells them by their places.
    measures = measures if len(set(measures)) == len(measures) else intent.measures
    found = replace(
        intent,
        keys=tuple(_key(key, vocabulary) for key in intent.keys),
        limit_keys=tuple(_key(key, vocabulary) for key in intent.limit_keys),
        clauses=_sorted(_stated(one, vocabulary) for one in _telling(clauses, intent, vocabulary)),
        periods=periods,
        measures=measures if by_measure or len(measures) == 1 else tuple(sorted(measures, key=repr)),
        chart=None,
    )
    found = _of_single_rows(found, vocabulary)
    if (
        found.output in {Output.ROWS, Output.VALUES}
        and len(found.columns) == 1
        and found.columns[0] in vocabulary.unique
    ):
        return replace(found, output=Output.ROWS, columns=())
    if found.output is Output.ROWS and len(found.columns) == 1 and not (found.limit or found.orders):
        return replace(found, output=Output.VALUES)
    return _head(found, vocabulary)


def _of_single_rows(intent: Intent, vocabulary: Vocabulary) -> Intent:
    """Return the number of rows for that of groups of one row each: `how many clubs had at least 15 wins`, a row for each club."""
    if intent.output is not Output.VALUE or len(intent.keys) != 1 or intent.measures != (COUNT,):
        return intent
    (key,) = intent.keys
    if key != Key(column=key.column) or key.column not in vocabulary.unique:
        return intent
    clauses = list(intent.clauses)
    for one in intent.having:
        name = one.measure.column
        if name is None or one.measure != Measure(function=one.measure.function, column=name):
            return intent
        if one.measure.function not in _OF_ONE or vocabulary.by_name[name].facts.figures is not None:
            return intent
        clauses.append(Condition(column=name, operator=one.operator, values=one.values))
    return replace(intent, keys=(), having=(), clauses=_sorted(clauses))


def _telling(clauses: Sequence[Clause], intent: Intent, vocabulary: Vocabulary) -> Iterator[Clause]:
    """Yield the clauses less those that what is computed of a derived column asks for anyway: that it can be computed."""
    whole: set[str | None] = set()
    if (
        intent.output in {Output.VALUE, Output.GROUPS}
        and len({measure.column for measure in intent.measures}) == 1
    ):
        whole = {measure.column for measure in intent.measures if measure.function != "count"}
    elif intent.output is Output.ROWS and intent.limit:
        whole = {order.column for order in intent.orders}
    columns = (vocabulary.by_name[name] for name in whole if name is not None and name in vocabulary.by_name)
    operands = {name for column in columns for name in column.facts.operands}
    # What is compared is there.
    operands |= {one.column for one in plain_conditions(clauses) if one.operator in BOUNDING and not one.part}
    for clause in clauses:
        if not (
            isinstance(clause, Condition)
            and clause.operator is Operator.PRESENT
            and clause.column in operands
        ):
            yield clause


def _stated(clause: Clause, vocabulary: Vocabulary) -> Clause:
    """Return what a state says for what its date does: `closed_at is present`, where all these are `closed`."""
    if not isinstance(clause, Condition) or clause.operator not in _STATED:
        return clause
    twin = vocabulary.twins.get(clause.column)
    return clause if twin is None else replace(twin, operator=_STATED[clause.operator])


def _key(key: Key, vocabulary: Vocabulary) -> Key:
    """Return the column of years for a year that no date tells, that of dates for a day of it, and the first date unnamed."""
    if key.unit is not None and vocabulary.dates and key.column == vocabulary.dates[0].name:
        key = replace(key, column=None)
    if key == Key(unit="year") and not vocabulary.dates and vocabulary.year_columns:
        return Key(column=vocabulary.year_columns[0].name)
    if key == Key(unit="day") and vocabulary.dates and type(vocabulary.dates[0].facts.low) is dt.date:
        return Key(column=vocabulary.dates[0].name)
    return key


def _head(intent: Intent, vocabulary: Vocabulary) -> Intent:
    """Return the first rows of the file for the earliest ones, where the file is in the order of their dates."""
    if intent.output is not Output.ROWS or not intent.limit or len(intent.orders) != 1:
        return intent
    (order,) = intent.orders
    column = vocabulary.by_name.get(order.column or "")
    facts = column.facts if column is not None and column.temporal else None
    whole = not (intent.clauses or intent.periods or intent.limit_keys or intent.offset)
    # Of rows of one date the first come, and ties come along: only where each has its own are both the same.
    if facts is None or not whole or not facts.exact or not facts.ascending:
        return intent
    if (order.descending or intent.with_ties) and not facts.unique:
        return intent
    return replace(intent, output=Output.HEAD, orders=(Order(descending=order.descending),), columns=())


def _measure(measure: Measure, vocabulary: Vocabulary) -> Measure:
    if measure.function == "count_distinct" and measure.column in vocabulary.unique:
        return COUNT
    if not measure.part:
        return measure
    return replace(measure, part=_sorted(_stated(one, vocabulary) for one in measure.part))


def _sorted(clauses: Iterable[Clause]) -> tuple[Clause, ...]:
    return tuple(sorted(_joined(map(_clause, clauses)), key=repr))


def _joined(clauses: Iterable[Clause]) -> Iterator[Clause]:
    """Yield clauses, a lower and an upper bound of one column as one."""
    bounds: dict[tuple[str, str | None], dict[Operator, Condition]] = {}
    for clause in clauses:
        if isinstance(clause, Condition) and clause.operator in _BOUNDS and clause.other is None:
            sides = bounds.setdefault((clause.column, clause.part), {})
            if clause.operator in sides:
                yield clause
            sides.setdefault(clause.operator, clause)
        else:
            yield clause
    for sides in bounds.values():
        if len(sides) == len(_BOUNDS):
            low, high = (sides[operator] for operator in _BOUNDS)
            yield replace(low, operator=Operator.BETWEEN, values=(*low.values, *high.values))
        else:
            yield from sides.values()


def _clause(clause: Clause) -> Clause:
    if isinstance(clause, AnyOf):
        return replace(clause, conditions=tuple(sorted(clause.conditions, key=repr)))
    single = _LISTS.get(clause.operator)
    if single is None:
        return clause
    values = tuple(sorted(set(clause.values), key=repr))
    return replace(clause, operator=single if len(values) == 1 else clause.operator, values=values)


def _dated(intent: Intent, vocabulary: Vocabulary) -> tuple[tuple[Period, ...], tuple[Clause, ...]]:
    """Return the periods, each with its date, and the clauses; `March` and `2024` are one period: March 2024."""
    first = vocabulary.dates[0].name if vocabulary.dates else None
    periods = [replace(period, column=period.column or first) for period in intent.periods]
    clauses = list(intent.clauses)
    if not periods:
        periods, clauses = _spelled(clauses, vocabulary)
    if len(periods) != 1:
        return tuple(periods), tuple(clauses)
    for parts in _PARTS:
        for clause in clauses:
            within = _within(periods[0], clause, parts)
            if within is not None:
                periods[0] = within
                clauses.remove(clause)
                break
    only = periods[0]
    # The unit says only in which words an absolute period was named.
    return (replace(only, unit=None) if only.start or only.end else only,), tuple(clauses)


def _spelled(clauses: Sequence[Clause], vocabulary: Vocabulary) -> tuple[list[Period], list[Clause]]:
    """Return the one cell of a column of months that is asked for as the period that it names."""
    for clause in clauses:
        if isinstance(clause, Condition) and clause.operator is Operator.EQ and clause.part is None:
            column, text = vocabulary.by_name[clause.column], next(iter(clause.values), None)
            span = span_of(text) if column.facts.span is not None and isinstance(text, str) else None
            if span is not None:
                period = Period(start=span[0], end=span[1], column=column.name)
                return [period], [other for other in clauses if other is not clause]
    return [], [*clauses]


def _within(period: Period, clause: Clause, parts: Collection[str]) -> Period | None:
    """Return the months of a whole year, or the days of a whole month, that a clause says, if they follow each other."""
    if not isinstance(clause, Condition) or clause.column != period.column or clause.part not in parts:
        return None
    if clause.part == MONTH_DAY:
        return _days_of_year(period, clause)
    starts = _starts(period, clause.part or "")
    numbers = sorted({value for value in clause.values if isinstance(value, int)})
    listed = clause.operator in {Operator.EQ, Operator.IN} and numbers
    if not starts or not listed or numbers != [*range(numbers[0], numbers[-1] + 1)]:
        return None
    first, last = numbers[0], numbers[-1]
    if first < 1 or last > len(starts):
        return None
    end = period.end if last == len(starts) else starts[last] - dt.timedelta(days=1)
    return Period(start=starts[first - 1], end=end, column=period.column)


def _days_of_year(period: Period, clause: Condition) -> Period | None:
    """Return the days that a condition says of a period that is a whole year."""
    if not _starts(period, "month") or period.start is None or clause.operator not in _STRETCHES:
        return None
    numbers = [value for value in clause.values if isinstance(value, int)]
    days = [calendar.day(period.start.year, *divmod(number, 100)) for number in numbers]
    if not days or days[0] is None or days[-1] is None:
        return None
    return Period(start=days[0].start, end=days[-1].end, column=period.column)


def _starts(period: Period, part: str) -> list[dt.date]:
    """Return where the months or quarters of a whole year, or the days of a whole month, begin."""
    start, end = period.start, period.end
    if start is None or end is None or start.day != 1:
        return []
    if part == "day":
        last = month_end(start.year, start.month)
        return [start.replace(day=day + 1) for day in range(last.day)] if end == last else []
    is_year = (start, end) == (dt.date(start.year, 1, 1), dt.date(start.year, 12, 31))
    return [start.replace(month=month) for month in range(1, 13, _MONTHS[part])] if is_year else []
