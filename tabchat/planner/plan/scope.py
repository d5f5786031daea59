"""The rows that an intent is about: periods and conditions as the first fields of a plan."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from tabchat.engine.months import span_of
from tabchat.engine.plan.periods import ScopeError, read_period
from tabchat.planner.intent import used_columns
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable
from tabchat.planner.plan.conditions import written
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent, Period
    from tabchat.planner.plan.call import Fields
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
        return f"last_{period.count}_{unit}s"
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
    if column.span is not None:
        return _spelled(period, column)
    if not column.kind.is_temporal:
        raise Unplannable(f"{column.name} has years only, no months or days")
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


def _spelled(period: Period, column: ColumnFacts) -> str:
    """Write a period as the texts that name its months or quarters, none of which it may cut."""
    if not column.complete:
        raise Unplannable(f"the texts of {column.name} are not all known")
    spans = {text: span for text in column.texts if (span := span_of(text)) is not None}
    last = max(end for _, end in spans.values())
    try:
        said = read_period(period_text(period), last, "monday")
    except ScopeError as error:
        raise Unplannable(error.message) from error
    start, end = said.start or dt.date.min, said.end or dt.date.max
    within = {text: span for text, span in spans.items() if span[0] <= end and start <= span[1]}
    if not within:
        raise Unplannable(f"{column.name} names nothing of that period")
    if any(first < start or end < final for first, final in within.values()):
        raise Unplannable(f"{column.name} has whole {column.span}s only")
    texts = [write.text(text) for text in sorted(within, key=within.__getitem__)]
    name = write.name(column.name)
    return f"{name} == {texts[0]}" if len(texts) == 1 else f"{name} in [{', '.join(texts)}]"


@record
class Scope:
    """Filters of a plan, and the columns that it reads anew before it computes with them."""

    maps: Mapping[str, str]
    where: tuple[str, ...] = ()
    """All of them hold."""
    period: str | None = None
    time_column: str | None = None

    def fields(self, *, maps: Mapping[str, str] | None = None, where: Sequence[str] = ()) -> Fields:
        """Return the fields of a step, with more computed columns and more conditions."""
        conditions = [*self.where, *where]
        return {
            "period": self.period,
            "time_column": self.time_column,
            "map": {**self.maps, **(maps or {})},
            "where": write.joined(conditions) if conditions else None,
        }

    @property
    def is_open(self) -> bool:
        """Whether all the rows are meant."""
        return not self.where and self.period is None


def scope_of(intent: Intent, columns: Columns) -> Scope:
    """Return the filters of an intent."""
    where = written(intent.clauses, columns)
    maps = columns.formulas(used_columns(intent))
    if not intent.periods:
        return Scope(maps=maps, where=tuple(where), time_column=_row_order(intent, columns))
    single = intent.periods[0] if len(intent.periods) == 1 else None
    column = columns.time(single.column) if single is not None else None
    if single is None or column is None or not column.kind.is_temporal:
        where += period_conditions(intent.periods, columns)
        return Scope(maps=maps, where=tuple(where), time_column=_row_order(intent, columns))
    return Scope(
        maps=maps,
        where=tuple(where),
        period=period_text(single),
        time_column=_unless_first(column.name, columns),
    )


def period_conditions(periods: Sequence[Period], columns: Columns) -> list[str]:
    """Write periods as conditions that all must hold: one for each date column, which lies in any of its periods."""
    by_column: dict[str, list[str]] = {}
    for period in periods:
        name = columns.time(period.column).name
        by_column.setdefault(name, []).append(period_condition(period, columns))
    return [write.any_of(conditions) for conditions in by_column.values()]


def _row_order(intent: Intent, columns: Columns) -> str | None:
    """Return the date column that rows are ordered by, where the intent names another than the engine takes."""
    named = [key.column for key in intent.keys if key.unit is not None]
    named += [period.column for period in intent.periods]
    for name in named:
        if name is not None and columns.find(name).kind.is_temporal:
            return _unless_first(name, columns)
    return None


def _unless_first(name: str, columns: Columns) -> str | None:
    return name if columns.first_date is None or columns.first_date.name != name else None
