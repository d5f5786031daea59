"""Mentions of time → periods of the table's time, or conditions on its parts and on columns of years."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from tabchat.planner.intent import AnyOf, Condition, Operator, Period
from tabchat.planner.links.link import LinkKind
from tabchat.planner.readings.effect import Kind, clause_said, said
from tabchat.planner.readings.phrases import hop

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tabchat.planner.intent import Clause
    from tabchat.planner.links.columns import TableColumn
    from tabchat.planner.links.lattice import Lattice
    from tabchat.planner.readings.effect import Features, Item
    from tabchat.planner.words import TimeSpan


def time_items(lattice: Lattice, place: int) -> Iterator[Item]:
    """Yield a mention of time at a place, with the column that is named before it or the table's own."""
    for link in lattice.at(place, LinkKind.TIME):
        if link.time is not None:
            yield from _dated(lattice, link.time, place, None, ())
    for column, found in lattice.columns(place):
        for at, skipped in hop(lattice, column.end, 2) if found.dated or found.facts.years else ():
            for link in lattice.at(at, LinkKind.TIME):
                if link.time is not None:
                    features = (*column.features, *skipped, ("time.named", 1.0))
                    yield from _dated(lattice, link.time, place, found, features)


def _dated(
    lattice: Lattice, time: TimeSpan, start: int, named: TableColumn | None, features: Features
) -> Iterator[Item]:
    vocabulary = lattice.vocabulary
    columns = [named] if named is not None else [*vocabulary.dates[:3], *vocabulary.year_columns[:2]]
    if named is None and len(columns) > 1:
        # Which of several dates is meant is open.
        features = (*features, ("time.rivals", math.log(len(columns))))
    features = (*features, ("time", 1.0), ("time.words", float(min(4, time.end - time.start - 1))))
    periods = tuple(time.periods) or ((time.period,) if time.period is not None else ())
    for rank, column in enumerate(columns):
        more: Features = (*features, ("time.later_column", float(rank))) if rank else features
        parts = tuple(_part(column.name, part, values) for part, values in time.parts)
        fields = {"column": column.place, "clauses": parts}
        if column.dated and periods:
            dated = tuple(replace(period, column=column.name) for period in periods)
            if all(_outside(period, column) for period in dated):
                more = (*more, ("time.outside", 1.0))
            yield said(Kind.PERIOD, start, time.end, more, periods=dated, **fields)
        elif column.dated and parts:
            opened: Features = (("time.opened_part", 1.0),) if time.opened else ()
            yield said(Kind.CLAUSE, start, time.end, (*more, *opened, ("time.part", 1.0)), **fields)
        elif column.facts.years and periods and not parts:
            found = [clause for period in periods if (clause := _years(column.name, period)) is not None]
            if len(found) == len(periods):
                told = (*more, ("time.year_column", 1.0))
                if named is None and "year" not in column.groups:
                    # Years of some event, such as `founded`, that the question does not name.
                    told = (*told, ("time.year_of_event", 1.0))
                yield clause_said(start, time.end, _either(found), told, column.place)


def _outside(period: Period, column: TableColumn) -> bool:
    low, high = column.facts.low, column.facts.high
    if not column.temporal or not column.facts.exact or low is None or high is None:
        return False
    return bool(
        (period.end is not None and period.end.isoformat() < str(low)[:10])
        or (period.start is not None and period.start.isoformat() > str(high)[:10])
    )


def _part(column: str, part: str, values: tuple[int, ...]) -> Condition:
    operator = Operator.EQ if len(values) == 1 else Operator.IN
    return Condition(column=column, operator=operator, values=values, part=part)


def _years(column: str, period: Period) -> Condition | None:
    """Return a period as a condition on whole years; None where it is finer than a year."""
    start, end = period.start, period.end
    starts = start is None or (start.month, start.day) == (1, 1)
    if not starts or not (end is None or (end.month, end.day) == (12, 31)):
        return None
    if start is None:
        return Condition(column=column, operator=Operator.LE, values=(end.year,)) if end else None
    if end is None:
        return Condition(column=column, operator=Operator.GE, values=(start.year,))
    if start.year == end.year:
        return Condition(column=column, operator=Operator.EQ, values=(start.year,))
    return Condition(column=column, operator=Operator.BETWEEN, values=(start.year, end.year))


def _either(conditions: list[Condition]) -> Clause:
    if len(conditions) == 1:
        return conditions[0]
    if all(condition.operator is Operator.EQ for condition in conditions):
        values = tuple(value for condition in conditions for value in condition.values)
        return Condition(column=conditions[0].column, operator=Operator.IN, values=values)
    return AnyOf(conditions=tuple(conditions))
