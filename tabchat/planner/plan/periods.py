"""Periods of an intent → the `period` of a plan, or a condition on a date column or a column of years."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable

if TYPE_CHECKING:
    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Period
    from tabchat.planner.plan.columns import Columns

_DAY = dt.timedelta(days=1)


def is_relative(period: Period) -> bool:
    """Tell whether a period hangs on the last date of the data."""
    return period.ago is not None or period.count is not None


def relative_text(period: Period) -> str:
    """Write a relative period in the plan language."""
    unit = period.unit or "day"
    if period.count is not None:
        if period.count < 1:
            raise Unplannable("a period of no length holds nothing")
        return f"last_{period.count}_days" if unit == "day" else f"previous_{period.count}_{unit}s"
    if period.ago == 0:
        return f"this_{unit}"
    if period.ago == 1:
        return "yesterday" if unit == "day" else f"last_{unit}"
    return f"{period.ago}_{unit}s_ago"


def absolute_text(period: Period) -> str:
    """Write a stretch of days in the plan language, as short as it can be said."""
    start, end = period.start, period.end
    if start is not None and end is not None:
        if start > end:
            raise Unplannable(f"the period from {start} to {end} ends before it starts")
        if start == dt.date(start.year, 1, 1) and end == dt.date(start.year, 12, 31):
            return f"{start.year:04d}"
        if start.day == 1 and (start.year, start.month) == (end.year, end.month) and _is_month_end(end):
            return f"{start.year:04d}-{start.month:02d}"
        if start == end:
            return start.isoformat()
    return f"{start.isoformat() if start else ''}:{end.isoformat() if end else ''}"


def _is_month_end(day: dt.date) -> bool:
    return day == dt.date.max or (day + _DAY).day == 1


def period_text(period: Period) -> str:
    """Write a period as the `period` of a plan takes it."""
    if is_relative(period):
        return relative_text(period)
    if period.start is None and period.end is None:
        raise Unplannable("a period needs a beginning or an end")
    return absolute_text(period)


def period_condition(period: Period, columns: Columns) -> str:
    """Write a period as a condition; a relative one looks at all the rows, as `in_period` does."""
    column = columns.time(period.column)
    if not column.kind.is_temporal:
        return _years(period, column)
    text = period_text(period)
    name = write.name(column.name)
    if is_relative(period):
        return write.call("in_period", write.text(text), name)
    parts = []
    if period.start is not None:
        parts.append(f"{name} >= {write.literal(period.start)}")
    if period.end is not None and period.end < dt.date.max:
        parts.append(f"{name} < {write.literal(period.end + _DAY)}")
    return " and ".join(parts) or f"{name} is not null"


def _years(period: Period, column: ColumnFacts) -> str:
    """Write a period of whole years as a condition on a column of years."""
    name = write.name(column.name)
    if is_relative(period):
        return _relative_years(period, column)
    start, end = period.start, period.end
    whole = (start is None or (start.month, start.day) == (1, 1)) and (
        end is None or (end.month, end.day) == (12, 31)
    )
    if not whole or (start is None and end is None):
        raise Unplannable(f"{column.name} has years only, no months or days")
    if start is not None and end is not None and start.year == end.year:
        return f"{name} == {start.year}"
    parts = [f"{name} >= {start.year}"] if start is not None else []
    parts += [f"{name} <= {end.year}"] if end is not None else []
    return " and ".join(parts)


def _relative_years(period: Period, column: ColumnFacts) -> str:
    name, last = write.name(column.name), column.high
    if (period.unit or "day") != "year":
        raise Unplannable(f"{column.name} has years only, no months or days")
    if period.ago == 0 and period.count is None:
        return f"{write.call('rank', name, write.text('desc'))} == 1"
    if not column.exact or not isinstance(last, int):
        raise Unplannable(f"the last year of {column.name} is not known before all rows are read")
    if period.count is not None:
        return f"{name} >= {last - period.count} and {name} < {last}"
    return f"{name} == {last - (period.ago or 0)}"
