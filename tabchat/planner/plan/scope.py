"""The rows that an intent is about, as the first fields of a plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.conditions import written
from tabchat.planner.plan.periods import period_condition, period_text
from tabchat.planner.plan.used import used_columns
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.intent import Intent, Period
    from tabchat.planner.plan.call import Fields
    from tabchat.planner.plan.columns import Columns


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


def scope_of(intent: Intent, columns: Columns, *, timeless: bool = False) -> Scope:
    """Return the filters of an intent; `timeless` leaves its periods out."""
    where = written(intent.clauses, columns)
    maps = columns.formulas(used_columns(intent))
    if timeless or not intent.periods:
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
