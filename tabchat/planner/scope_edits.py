"""What a follow-up changes of the rows that are looked at: a filter replaces the one on its column, a time the time."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.compile.scope import Span, read_period
from tabchat.engine.expressions import call_name, parse_expression
from tabchat.planner import expressions as write
from tabchat.planner.catalog import last_date
from tabchat.planner.grammar import Clauses
from tabchat.planner.nodes import Node, Period
from tabchat.planner.parts import Filter, calendar_part, filter_of, functions_of
from tabchat.planner.plans import Unreadable, period_text, scope_of, time_column
from tabchat.planner.recall import column_of, filter_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.nodes import Condition
    from tabchat.planner.parts import Parts
    from tabchat.planner.scene import Scene

_PRESENT: Final = re.compile(r".* is not null")
_CONDITIONAL: Final = frozenset({"if", "count_if", "pct", "sum_if", "mean_if"})
_STRETCHES: Final = frozenset({"year", "date", "period_month", "period_quarter", "period_week"})
"""Functions whose equality with a value picks one stretch of time."""
_UPWARD: Final = (exp.GT, exp.GTE)
_DOWNWARD: Final = (exp.LT, exp.LTE)


def with_condition(parts: Parts, condition: Condition, *, too: bool) -> tuple[Parts, ...]:
    """Put a filter in the place of the one on its column; several results are different readings.

    Raises `Unreadable` when it is not clear what the new filter does to the old ones.
    """
    if condition.maps:
        raise Unreadable("a change from row to row is asked for in a question of its own")
    new = filter_of(condition.expr)
    _check_unconditional(parts, new.columns)
    name = condition.column.name if condition.column is not None else ""
    clash = [item for item in parts.filters if item.columns & new.columns and not _is_presence(item)]
    if not clash:
        return (replace(parts, filters=(*parts.filters, new)),)
    if any(item.columns != new.columns for item in clash) or len(new.columns) > 1:
        raise Unreadable(f"which part of “{filter_text(clash[0])}” is to change?")
    if condition.negated and condition.value is not None:
        return (_left_out(parts, clash, condition, name),)
    replaced = exchanged(parts, clash, new)
    if too or _opposite(clash, new):
        return (replaced, _both(parts, clash, new, name))
    return (replaced,)


def exchanged(parts: Parts, old: Sequence[Filter], *new: Filter) -> Parts:
    """Put filters where the first of the old ones stood."""
    place = min((parts.filters.index(item) for item in old), default=len(parts.filters))
    before = [item for item in parts.filters[:place] if item not in old]
    behind = [item for item in parts.filters[place:] if item not in old]
    return replace(parts, filters=(*before, *new, *behind))


def _is_presence(item: Filter) -> bool:
    return _PRESENT.fullmatch(item.expr) is not None


def _check_unconditional(parts: Parts, columns: Iterable[str]) -> None:
    """Refuse to filter by what the measure itself looks at: `percentage of orders that were returned`."""
    for entry in parts.select:
        for call in parse_expression(entry).tree.find_all(exp.Anonymous):
            if call_name(call) in _CONDITIONAL and call.expressions:
                seen = {column.name.casefold() for column in call.expressions[0].find_all(exp.Column)}
                if seen & set(columns):
                    raise Unreadable(f"the measure already looks at {', '.join(sorted(seen))}")


def _opposite(old: Sequence[Filter], new: Filter) -> bool:
    """Tell whether the new bound and the old one are two ends of a range."""
    tree = parse_expression(new.expr).tree
    trees = [parse_expression(item.expr).tree for item in old]
    if isinstance(tree, _UPWARD):
        return len(trees) == 1 and isinstance(trees[0], _DOWNWARD)
    return isinstance(tree, _DOWNWARD) and len(trees) == 1 and isinstance(trees[0], _UPWARD)


def _both(parts: Parts, old: Sequence[Filter], new: Filter, name: str) -> Parts:
    """Read the new filter beside the old one: either value, or both ends of a range."""
    if _opposite(old, new):
        return replace(parts, filters=(*parts.filters, new))
    values = [value for item in (*old, new) for value in _values(item) or ()]
    if len(old) != 1 or not all(_values(item) for item in (*old, new)):
        raise Unreadable(f"{filter_text(new)}: instead of “{filter_text(old[0])}”, or as well?")
    return exchanged(parts, old, one_of(name, values))


def one_of(name: str, values: Sequence[str]) -> Filter:
    """Return the filter that a column holds one of some texts."""
    distinct = list(dict.fromkeys(values))
    listed = ", ".join(write.text(value) for value in distinct)
    relation = f"== {listed}" if len(distinct) == 1 else f"in [{listed}]"
    return Filter(expr=f"{write.name(name)} {relation}", columns=frozenset({name.casefold()}))


def _values(item: Filter) -> list[str] | None:
    """Return the texts that a filter lets through, when it lists them."""
    tree = parse_expression(item.expr).tree
    if isinstance(tree, exp.EQ) and isinstance(tree.this, exp.Column):
        return [str(tree.expression.this)] if isinstance(tree.expression, exp.Literal) else None
    if isinstance(tree, exp.In) and isinstance(tree.this, exp.Column):
        return [str(value.this) for value in tree.expressions]
    return None


def _left_out(parts: Parts, old: Sequence[Filter], condition: Condition, name: str) -> Parts:
    """Read `without Germany` where the column is filtered already."""
    kept, new = _values(old[0]) if len(old) == 1 else None, filter_of(condition.expr)
    if kept is None:
        return replace(parts, filters=(*parts.filters, new))
    dropped = set((condition.value or "").split("\0"))
    rest = [value for value in kept if value not in dropped]
    if len(rest) == len(kept) or not rest:
        raise Unreadable(f"{filter_text(new)} goes with “{filter_text(old[0])}” in no useful way")
    return exchanged(parts, old, one_of(name, rest))


# Time


def with_periods(parts: Parts, periods: Sequence[Node], scene: Scene) -> tuple[Parts, ...]:
    """Change the time that is looked at; several results are different readings."""
    found = [node.period for node in periods if node.period is not None]
    column = _dated(parts, found, scene)
    options: tuple[Parts, ...] = (parts,)
    for period in found:
        dated = replace(period, column=column)
        options = tuple(made for option in options for made in _with_period(option, dated, column, scene))
    return options


def _dated(parts: Parts, periods: Sequence[Period], scene: Scene) -> ColumnFacts:
    named = any(period.column is not None for period in periods)
    kept = column_of(scene.table, parts.time_column) if parts.time_column and not named else None
    column = kept or time_column(scene, periods)
    if column is None:
        raise Unreadable("the table has no date column")
    if parts.period is not None and parts.time_column not in {None, column.name}:
        raise Unreadable(f"{parts.time_column} is filtered already: that date, or {column.name}?")
    return column


def _with_period(parts: Parts, period: Period, column: ColumnFacts, scene: Scene) -> tuple[Parts, ...]:
    _check_unconditional(parts, {column.name.casefold()})
    node = Node(period=period)
    row_to_row = any("prev(" in formula for _, formula in parts.map)
    fields = scope_of(Clauses(core=(), periods=(node,)), scene, whole_rows=row_to_row).fields
    where = fields.get("where")
    new = filter_of(where) if isinstance(where, str) else None
    old = [
        item for item in parts.filters if item.columns == {column.name.casefold()} and not _is_presence(item)
    ]
    if new is not None and period.recurring is not None:
        return _with_part_of_year(parts, period, new, old, column, scene)
    kept = [item for item in old if calendar_part(item) is not None and _still_means(item, period)]
    gone = [item for item in old if item not in kept]
    _check_plain_time(gone, period)
    cleared = replace(exchanged(parts, gone), period=None, time_column=None)
    if new is not None:
        return (replace(exchanged(parts, gone, new), period=None, time_column=None),)
    text = str(fields["period"])
    dated = replace(cleared, period=text, time_column=column.name)
    shifted = _same_part(parts, period, gone, column, scene)
    return (dated,) if shifted is None else (dated, replace(dated, period=shifted))


def _check_plain_time(gone: Sequence[Filter], period: Period) -> None:
    """Refuse to drop what may be no stretch of time, such as `dayname(date) == 'Monday'`."""
    for item in gone:
        if calendar_part(item) is None and functions_of(item) - _STRETCHES:
            raise Unreadable(f"{period.text} instead of “{filter_text(item)}”, or as well?")


def _still_means(item: Filter, period: Period) -> bool:
    """Tell whether `each March` still limits anything in a new time; `in April 2023` has its own month."""
    return period.level == "year" or calendar_part(item) in {"dayofweek", "hour"}


def _span(parts: Parts, column: ColumnFacts, scene: Scene) -> Span | None:
    last = last_date(scene.table, column) if parts.period is not None and column.kind.is_temporal else None
    return read_period(parts.period or "", last, "monday") if last is not None else None


def _within_year(span: Span | None) -> tuple[dt.date, dt.date] | None:
    """Return the ends of a stretch that is a part of one year, but not the whole of it."""
    if span is None or span.start is None or span.end is None or span.start.year != span.end.year:
        return None
    whole = (span.start.month, span.start.day, span.end.month, span.end.day) == (1, 1, 12, 31)
    return None if whole else (span.start, span.end)


def _same_part(
    parts: Parts, period: Period, gone: Sequence[Filter], column: ColumnFacts, scene: Scene
) -> str | None:
    """Return the part of the new year that the old period was of its own: March 2022 after March 2023."""
    old = _within_year(_span(parts, column, scene))
    if old is None or gone or period.level != "year" or period.start is None or period.end is None:
        return None
    if period.start.year != period.end.year:
        return None
    year = period.start.year
    try:
        start, end = (day.replace(year=year) for day in old)
    except ValueError:
        return None
    if (old[1] + dt.timedelta(days=1)).day == 1:
        # The last day of February is not the same in every year.
        end = (old[1] + dt.timedelta(days=1)).replace(year=year) - dt.timedelta(days=1)
    return period_text(Period(text="", start=start, end=end))


def _with_part_of_year(
    parts: Parts, period: Period, new: Filter, old: Sequence[Filter], column: ColumnFacts, scene: Scene
) -> tuple[Parts, ...]:
    """Read `and in April?`: of the year that is looked at, or of every year."""
    same = [item for item in old if calendar_part(item) == calendar_part(new)]
    ranges = [item for item in old if calendar_part(item) is None]
    span = _span(parts, column, scene)
    if period.level == "weekday":
        return (exchanged(parts, same, new),)
    if ranges:
        raise Unreadable(f"{period.text} of which year?")
    if span is None or _whole_years(span):
        others = [item for item in old if calendar_part(item) in {"month", "quarter"}]
        return (exchanged(parts, others, new),)
    inside = _within_year(span)
    number = re.search(r"== (\d+)$", period.recurring or "")
    if inside is None or number is None:
        raise Unreadable(f"{period.text} of which year?")
    mark = f"-{int(number[1]):02d}" if period.level == "month" else f"-Q{number[1]}"
    return (replace(exchanged(parts, same), period=f"{inside[0].year}{mark}", time_column=column.name),)


def _whole_years(span: Span) -> bool:
    starts = span.start is None or (span.start.month, span.start.day) == (1, 1)
    ends = span.end is None or (span.end.month, span.end.day) == (12, 31)
    return starts and ends
