"""Keys of an intent → the columns that a plan groups by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import Unplannable
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Key
    from tabchat.planner.plan.columns import Columns

_UNITS: Final = {
    "year": "year({t})",
    "quarter": "period_quarter({t})",
    "month": "period_month({t})",
    "week": "period_week({t})",
    "day": "date({t})",
    "hour": "period_hour({t})",
    "month_name": "monthname({t})",
    "quarter_name": "right(period_quarter({t}), 2)",
    "weekday": "dayname({t})",
    "hour_of_day": "hour({t})",
    "decade": "floor(bucket(year({t}), 10))",
}
"""Calendar unit → formula over the date column `{t}`."""
_RANKS: Final = {"month_name": "month({t})", "weekday": "dayofweek({t})"}
"""Units whose names are not in the order of the calendar → what is."""
_OF_CLOCK: Final = frozenset({"hour", "hour_of_day"})
_NAMES: Final = {"month_name": "month", "quarter_name": "quarter", "hour_of_day": "hour"}
STEPS: Final = frozenset({"year", "quarter", "month", "week", "day", "hour", "decade"})
"""Units that follow each other in time."""


@record
class KeyColumn:
    """One key as a column of a plan."""

    key: Key
    name: str
    formula: str | None = None
    """What computes it; None for a column of the table."""
    rank: str | None = None
    """An expression over a row that puts the groups into the order of the calendar."""
    is_step: bool = False
    """True for a unit that follows another in time."""

    @property
    def present(self) -> str:
        """The condition that the group has a name."""
        return f"{write.name(self.name)} is not null"


def key_columns(keys: Iterable[Key], columns: Columns) -> tuple[KeyColumn, ...]:
    """Write keys, each under a name of its own; a key that is named twice counts once."""
    found: list[KeyColumn] = []
    for key in dict.fromkeys(keys):
        made = _key_column(key, columns, [item.name for item in found])
        if made.formula is not None or made.name not in {item.name for item in found}:
            found.append(made)
    return tuple(found)


def computed(keys: Iterable[KeyColumn]) -> dict[str, str]:
    """Return the keys that are computed, name to formula."""
    return {key.name: key.formula for key in keys if key.formula is not None}


def _key_column(key: Key, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.every:
        raise Unplannable("a plan groups the rows that are there; units without rows are in none")
    if key.width is not None:
        return _binned(key, columns, taken)
    if key.unit is None:
        if key.column is None:
            raise Unplannable("a group needs a column or a calendar unit")
        column = columns.find(key.column)
        return KeyColumn(key=key, name=column.name, is_step=column.kind.is_temporal or column.years)
    column = columns.time(key.column)
    if not column.kind.is_temporal:
        return _of_years(key, column, columns, taken)
    if key.unit not in _UNITS:
        raise Unplannable(f"there is no calendar unit {key.unit}")
    if key.unit in _OF_CLOCK and column.kind is not ColumnKind.DATETIME:
        raise Unplannable(f"{column.name} has no time of day")
    cell = write.name(column.name)
    rank = _RANKS.get(key.unit)
    return KeyColumn(
        key=key,
        name=columns.fresh(_NAMES.get(key.unit, key.unit), taken),
        formula=_UNITS[key.unit].format(t=cell),
        rank=rank.format(t=cell) if rank is not None else None,
        is_step=key.unit in STEPS,
    )


def _of_years(key: Key, column: ColumnFacts, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.unit == "year":
        return KeyColumn(key=key, name=column.name, is_step=True)
    if key.unit != "decade":
        raise Unplannable(f"{column.name} has years only, no months or days")
    formula = write.call("floor", write.call("bucket", write.name(column.name), "10"))
    return KeyColumn(key=key, name=columns.fresh("decade", taken), formula=formula, is_step=True)


def _binned(key: Key, columns: Columns, taken: Iterable[str]) -> KeyColumn:
    if key.column is None or key.width is None or key.width <= 0:
        raise Unplannable("bins need a column of numbers and a width above 0")
    formula = write.call("bucket", columns.number(key.column), write.number(key.width))
    return KeyColumn(key=key, name=columns.fresh(f"{key.column}_from", taken), formula=formula)
