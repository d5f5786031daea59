"""Clauses → the fields of a `QueryPlan`, and the line that says how the question was read."""

from __future__ import annotations

import datetime as dt
import itertools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tabchat.planner import expressions as write
from tabchat.planner.catalog import last_date
from tabchat.planner.decades import decade_formula
from tabchat.planner.nodes import OPEN_SCOPE, Period
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.grammar import Clauses
    from tabchat.planner.nodes import Condition, Key, Measure
    from tabchat.planner.scene import Scene
    from tabchat.values import JsonValue


class Unreadable(Exception):  # noqa: N818 - says what a reading is, not that the program failed
    """A reading that cannot be computed from this table; the message says why."""


@record
class Draft:
    """One reading: the tool call that answers it, and how it is read back."""

    tool: str
    arguments: Mapping[str, JsonValue]
    shape: str
    """The kind of answer, which chooses the sentence: `measure`, `argmax`, `list` …"""
    read_as: tuple[str, ...]
    language: str = "en"
    """Language of the question, which the sentence is written in."""
    scope: tuple[str, ...] = ()
    """The filters among them."""
    details: Mapping[str, str] = field(default_factory=dict)
    """What the sentence needs besides the result, such as the names of the measure and the key."""
    rule: tuple[str, ...] = ()
    """A rule that the answer follows and states: its name, then the figures in its wording."""

    @property
    def interpretation(self) -> str:
        """The one-line `read as`."""
        return " · ".join(part for part in self.read_as if part)


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Scope:
    """The rows that a question is about."""

    fields: Mapping[str, JsonValue]
    """`period`, `time_column`, `map` and `where`."""
    read_as: tuple[str, ...]
    condition: str | None = None
    """`where` alone."""


def time_column(scene: Scene, periods: Sequence[Period] = ()) -> ColumnFacts | None:
    """Return the date column that a question means: the one that it names, else that on which rows begin.

    Raises `Unreadable` when the table has several and neither tells one.
    """
    named = {period.column.index: period.column for period in periods if period.column is not None}
    named = named or {column.index: column for column in scene.dates}
    if len(named) == 1:
        return next(iter(named.values()))
    temporal = [column for column in scene.table.columns if column.kind.is_temporal]
    first = scene.evidence.first_date() if len(temporal) > 1 and not named else None
    if first is not None:
        return first
    if len(named) > 1 or len(temporal) > 1:
        names = ", ".join(column.name for column in temporal)
        raise Unreadable(f"which date is meant: {names}?")
    return temporal[0] if temporal else scene.year_column


def scope_of(clauses: Clauses, scene: Scene, *, whole_rows: bool = False) -> Scope:
    """Return the filters of a question as fields of a plan.

    With `whole_rows`, or when a filter looks at the row before, the period is a filter like the others, so that
    the first row of the period still has a row before it.
    """
    found = [node.period for node in clauses.periods if node.period is not None]
    kept = [node.condition for node in clauses.conditions if node.condition is not None]
    _check_clear(kept)
    _check_agree(kept)
    maps = dict(pair for condition in kept for pair in condition.maps)
    fields: dict[str, JsonValue] = {}
    where = [condition.expr for condition in kept]
    read_as = [condition.text for condition in kept]
    if found:
        column = time_column(scene, found)
        if column is None:
            raise Unreadable("the table has no date column")
        for item in found:
            _check_covered(item, column, scene)
        _check_together(found)
        wheres, period = _timed(found, column, scene)
        if period is not None and (maps or whole_rows):
            wheres, period = [*wheres, _period_filter(period, column, scene)], None
        where += wheres
        told = f" ({column.name})" if _has_several_dates(scene) else ""
        read_as += [f"period {item.text}{told}" for item in found]
        if period is not None:
            fields["period"] = period
            fields["time_column"] = column.name
    if maps:
        fields["map"] = dict(maps)
    if where:
        fields["where"] = joined(where)
    return Scope(fields=fields, read_as=tuple(read_as), condition=joined(where) if where else None)


def _check_clear(kept: Sequence[Condition]) -> None:
    """Refuse filters of which it is open how far they reach, or whether they are filters."""
    if len(kept) > 1 and any(item.link == "or" and item.column is None for item in kept):
        raise Unreadable("which of the conditions does “or” stand between?")
    if len({item.expr for item in kept}) < len(kept):
        raise Unreadable("one filter is said twice: is one of its words meant otherwise?")
    timed = [item for item in kept if item.timed]
    if timed:
        raise Unreadable(f"{timed[0].text}, or a time?")
    open_ones = [item for item in kept if item.link == OPEN_SCOPE]
    if open_ones:
        raise Unreadable(f"is {open_ones[0].text} refused as well, or asked for?")


def _check_agree(conditions: Sequence[Condition]) -> None:
    """Refuse two cells of one column that no row can have both: the question means something else by them."""
    wanted: dict[int, str] = {}
    for item in conditions:
        if item.column is None or item.value is None or item.negated:
            continue
        if wanted.setdefault(item.column.index, item.value) != item.value:
            raise Unreadable(
                f"no row has two different cells of {item.column.name}: together, or each of them?"
            )


def _check_covered(period: Period, column: ColumnFacts, scene: Scene) -> None:
    """Refuse a time that lies wholly outside the data: there is nothing to answer from."""
    low, high = scene.table.extremes(column)
    first, last = _day(low), _day(high)
    if isinstance(low, int) and isinstance(high, int):
        first, last = dt.date(low, 1, 1), dt.date(high, 12, 31)
    if first is None or last is None:
        return
    after = period.start is not None and period.start > last
    before = period.end is not None and period.end < first
    if after or before:
        raise Unreadable(f"{period.text} lies outside the data, which runs from {first} to {last}")


def _check_together(periods: Sequence[Period]) -> None:
    """Refuse times that no row can lie in all of: `in June, in July 2023`, `last quarter` beside an earlier year."""
    if len(periods) > 1 and any(item.relative or item.anchored for item in periods if not item.recurring):
        fixed = [item for item in periods if not item.recurring]
        if len(fixed) > 1:
            raise Unreadable(f"{fixed[0].text} and {fixed[1].text}: which of the two times is meant?")
        if fixed[0].level != "year" and any(
            item.level in {"month", "quarter"} for item in periods if item.recurring
        ):
            raise Unreadable(f"{fixed[0].text} and a part of every year: which of the two times is meant?")
    if any(item.opened for item in periods if item.recurring):
        raise Unreadable("which year is meant?")
    months = {item.recurring for item in periods if item.recurring and item.level == "month"}
    spans = [item for item in periods if item.start is not None and item.end is not None]
    for one, two in itertools.combinations(spans, 2):
        if one.start > two.end or two.start > one.end:  # type: ignore[operator]
            raise Unreadable(f"{one.text} and {two.text} have no day in common")
    short = [item for item in periods if item.recurring is None and item.level == "month"]
    if months and short:
        raise Unreadable(f"{short[0].text} and another month: which of the two times is meant?")


def _day(value: object) -> dt.date | None:
    return value.date() if isinstance(value, dt.datetime) else value if isinstance(value, dt.date) else None


def joined(conditions: Sequence[str]) -> str:
    """Write conditions that all must hold."""
    if len(conditions) == 1:
        return conditions[0]
    return " and ".join(f"({part})" if " " in part else part for part in conditions)


def _timed(periods: Sequence[Period], column: ColumnFacts, scene: Scene) -> tuple[list[str], str | None]:
    where: list[str] = []
    period: str | None = None
    for item in periods:
        condition, text = _one_period(item, column, scene)
        if text is not None and period is None:
            period = text
        elif text is not None:
            where.append(day_range(item, column))
        elif condition is not None:
            where.append(condition)
    return where, period


def _one_period(period: Period, column: ColumnFacts, scene: Scene) -> tuple[str | None, str | None]:
    """Return (condition, period text) of one period; one of the two is set."""
    if not column.kind.is_temporal:
        return _year_condition(period, column, scene), None
    if period.ends and period.start is None:
        return " or ".join(f"({day_range(end, column)})" for end in period.ends), None
    if period.recurring is not None:
        return period.recurring.replace("{t}", write.name(column.name)), None
    if period.relative is not None:
        return None, period.relative
    if period.anchored is not None:
        last = last_date(scene.table, column)
        if last is None:
            raise Unreadable(f"{column.name} has no dates")
        start = _unit_start(last, period.anchored)
        return None, f"{start.isoformat()}:{last.isoformat()}"
    return None, period_text(period)


def _period_filter(period: str, column: ColumnFacts, scene: Scene) -> str:
    """Write a period of the plan language as a condition."""
    from tabchat.engine.compile.scope import read_period

    last = last_date(scene.table, column)
    if last is None:
        raise Unreadable(f"{column.name} has no dates")
    span = read_period(period, last, "monday")
    return day_range(Period(text=period, start=span.start, end=span.end), column)


def _unit_start(day: dt.date, unit: str) -> dt.date:
    starts = {
        "year": dt.date(day.year, 1, 1),
        "quarter": dt.date(day.year, (day.month - 1) // 3 * 3 + 1, 1),
        "month": dt.date(day.year, day.month, 1),
        "week": day - dt.timedelta(days=day.weekday()),
        "day": day,
    }
    return starts[unit]


def period_text(period: Period) -> str:
    """Write a stretch of days in the plan language, as short as it can be said."""
    start, end = period.start, period.end
    if start is not None and end is not None:
        if start == dt.date(start.year, 1, 1) and end == dt.date(start.year, 12, 31):
            return str(start.year)
        if start.day == 1 and (start.year, start.month) == (end.year, end.month) and _is_month_end(end):
            return f"{start.year:04d}-{start.month:02d}"
    return f"{start.isoformat() if start else ''}:{end.isoformat() if end else ''}"


def _is_month_end(day: dt.date) -> bool:
    return (day + dt.timedelta(days=1)).day == 1


def day_range(period: Period, column: ColumnFacts) -> str:
    """Write a stretch of days as a condition; the end is included whatever the time of day."""
    subject = write.name(column.name)
    if not column.kind.is_temporal:
        return _year_range(period, subject)
    if period.recurring is not None:
        return period.recurring.replace("{t}", subject)
    parts = []
    if period.start is not None:
        parts.append(f"{subject} >= {write.day(period.start)}")
    if period.end is not None:
        parts.append(f"{subject} < {write.day(period.end + dt.timedelta(days=1))}")
    return " and ".join(parts)


_WHOLE_YEARS: Final = frozenset({"year", "decade"})


def _year_range(period: Period, subject: str) -> str:
    if period.level not in _WHOLE_YEARS:
        raise Unreadable("the table has years only, no months or days")
    parts = []
    if period.start is not None and period.end is not None and period.start.year == period.end.year:
        return f"{subject} == {period.start.year}"
    if period.start is not None:
        parts.append(f"{subject} >= {period.start.year}")
    if period.end is not None:
        parts.append(f"{subject} <= {period.end.year}")
    return " and ".join(parts)


def _year_condition(period: Period, column: ColumnFacts, scene: Scene) -> str:
    subject = write.name(column.name)
    if period.ends and period.start is None:
        return " or ".join(f"({_year_range(end, subject)})" for end in period.ends)
    if period.level not in _WHOLE_YEARS or period.recurring is not None:
        raise Unreadable("the table has years only, no months or days")
    if period.relative is None and period.anchored is None:
        return _year_range(period, subject)
    _, high = scene.table.extremes(column)
    if not isinstance(high, int | float):
        raise Unreadable(f"{column.name} has no years")
    last = int(high)
    if period.anchored is not None:
        return f"{subject} == {last}"
    counted = (period.relative or "").split("_")
    if counted[1].isdigit():
        return f"{subject} > {last - int(counted[1])} and {subject} <= {last}"
    return f"{subject} == {last - 1}"


# Groups and measures

_UNIT_FUNCTIONS: Final = {
    "year": "year",
    "quarter": "period_quarter",
    "month": "period_month",
    "week": "period_week",
    "day": "date",
    "weekday": "dayname",
    "hour": "hour",
}


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Grouping:
    """What rows are grouped by, as fields of a plan."""

    names: tuple[str, ...]
    maps: Mapping[str, str]
    read_as: str
    sort: tuple[str, ...] = ()
    """The order of the groups, where that of their names is not it."""


def grouping_of(keys: Sequence[Key], clauses: Clauses, scene: Scene) -> Grouping:
    """Return the grouping columns, computed ones included."""
    names: list[str] = []
    maps: dict[str, str] = {}
    shown: list[str] = []
    for key in keys:
        name, formula = _key_column(key, clauses, scene)
        if name in names:
            continue
        names.append(name)
        shown.append(_key_text(key, name, clauses, scene) if formula else name)
        if formula:
            maps[name] = formula
    sort: tuple[str, ...] = ()
    if any(key.unit == "weekday" for key in keys):
        # Monday comes before Friday, whatever their letters say.
        maps |= {
            f"{name}_number": formula.replace("dayname(", "dayofweek(")
            for name, formula in maps.items()
            if formula.startswith("dayname(")
        }
        sort = tuple(
            f"min({name}_number) asc" if f"{name}_number" in maps else f"{write.name(name)} asc"
            for name in names
        )
    return Grouping(
        names=tuple(names), maps=maps, read_as=f"by {', '.join(shown)}" if shown else "", sort=sort
    )


def _key_text(key: Key, name: str, clauses: Clauses, scene: Scene) -> str:
    """Return how a computed key is told: with its date, where a table has several."""
    column = key.column or time_column(
        scene, [node.period for node in clauses.periods if node.period is not None]
    )
    told = key.unit or name
    return f"{told} ({column.name})" if column is not None and _has_several_dates(scene) else told


def _has_several_dates(scene: Scene) -> bool:
    return sum(column.kind.is_temporal for column in scene.table.columns) > 1


def _key_column(key: Key, clauses: Clauses, scene: Scene) -> tuple[str, str | None]:
    if key.column is not None and key.unit is None:
        if key.column.kind.value == "datetime":
            return _free_name("day", scene), write.call("date", write.name(key.column.name))
        return key.column.name, None
    column = key.column or time_column(
        scene, [node.period for node in clauses.periods if node.period is not None]
    )
    unit = key.unit or "day"
    if unit == "decade" and column is not None:
        return _free_name(unit, scene), decade_formula(column)
    if column is None:
        raise Unreadable(f"the table has no date column to group by {unit}")
    if not column.kind.is_temporal:
        if unit != "year":
            raise Unreadable("the table has years only, no months or days")
        return column.name, None
    if unit == "hour" and column.kind.value != "datetime":
        raise Unreadable(f"{column.name} has no time of day")
    return _free_name(unit, scene), write.call(_UNIT_FUNCTIONS[unit], write.name(column.name))


def _free_name(name: str, scene: Scene) -> str:
    taken = {column.name.casefold() for column in scene.table.columns}
    while name in taken:
        name = f"{name}_"
    return name


@dataclass(frozen=True, kw_only=True, eq=False, repr=False)
class Selected:
    """One measure as an aggregate of a plan."""

    expr: str
    name: str
    """Name of the result's column."""
    read_as: str

    @property
    def select(self) -> str:
        """The entry of `select`."""
        return f"{self.expr} as {write.name(self.name)}"


_READ_AS: Final = {
    "sum": "sum of {c}",
    "mean": "mean of {c}",
    "median": "median of {c}",
    "min": "minimum of {c}",
    "max": "maximum of {c}",
    "std": "standard deviation of {c}",
    "var": "variance of {c}",
    "count": "number of rows",
    "count_distinct": "different {c}",
}


def selected(measure: Measure) -> Selected:
    """Return a measure as an aggregate."""
    if measure.column is None:
        return Selected(expr="count()", name="count", read_as=_READ_AS["count"])
    name = measure.column.name
    if measure.parameter is not None:
        percent = write.number(round(measure.parameter * 100, 6))
        return Selected(
            expr=write.call("percentile", write.name(name), write.number(measure.parameter)),
            name=f"p{percent}_{name}",
            read_as=f"{percent}th percentile of {name}",
        )
    return Selected(
        expr=write.call(measure.function, write.name(name)),
        name=f"{measure.function}_{name}",
        read_as=_READ_AS[measure.function].format(c=name),
    )


def query(table: str, fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the arguments of `run_query`: only what is set, lists of one as the one."""
    order = (
        "period",
        "time_column",
        "map",
        "where",
        "group_by",
        "select",
        "having",
        "sort",
        "limit",
        "columns",
    )
    arguments: dict[str, JsonValue] = {"table": table}
    for name in order:
        value = fields.get(name)
        if value in (None, (), [], {}):
            continue
        arguments[name] = value
    if "steps" in fields:
        arguments["steps"] = fields["steps"]
    return arguments
