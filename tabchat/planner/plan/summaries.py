"""What a table and its columns are: schema, summary figures, distribution, correlation, and what is odd in them."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import PlannedCall, Unplannable, query
from tabchat.planner.plan.figures import aggregates, computed, key_columns
from tabchat.planner.plan.groups import Sort, ranked
from tabchat.planner.plan.scope import scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent, Key
    from tabchat.planner.plan.call import Fields
    from tabchat.planner.plan.columns import Columns


def outliers(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the rows whose cell lies outside the fences of the rows in scope; with a measure, its figure of them."""
    if not intent.columns:
        raise Unplannable("outliers of which column?")
    odd = write.call("outlier", columns.number(intent.columns[0]))
    return _picked(intent, columns, odd, (), rule=("outliers",))


def duplicates(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the rows that repeat an earlier row; with a measure, its figure of them."""
    alike = [columns.find(name).name for name in intent.columns] or [*columns.names]
    return _picked(intent, columns, "row_number() > 1", alike, rule=())


def _picked(
    intent: Intent, columns: Columns, condition: str, within: Sequence[str], rule: tuple[str, ...]
) -> PlannedCall:
    """Look at the rows in scope only, then keep those that meet a condition on them all."""
    scope = scope_of(intent, columns)
    last: Fields = {"within": [*within], "where": condition}
    if intent.measures:
        last["select"] = [item.select for item in aggregates(intent.measures, columns)]
    elif scope.maps:
        last["columns"] = [*columns.names]
    first = scope.fields()
    steps = [first, last] if not scope.is_open or scope.maps else [{**first, **last}]
    return query(columns.table, steps if intent.measures else ranked(steps, (), intent), rule)


def missing(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the missing cells of each column: one row a column, or with filters one figure a column."""
    names = [columns.find(name).name for name in intent.columns] or [*columns.names]
    scope = scope_of(intent, columns)
    if not scope.is_open or len(names) == 1:
        select = [f"count() - count({write.name(name)}) as {write.name(f'missing_{name}')}" for name in names]
        return query(columns.table, [{**scope.fields(), "select": select}])
    cells = [exp.column(name, quoted=True) for name in names]
    counts = [exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=cell)) for cell in cells]
    statement = exp.select(
        unnested([exp.Literal.string(name) for name in names], "column"), unnested(counts, "missing")
    ).from_(exp.Table(this=exp.to_identifier(columns.table, quoted=True)))
    statement = statement.limit(intent.limit) if intent.limit else statement
    return PlannedCall(tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)})


def unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    """Return expressions as the rows of one column."""
    return exp.alias_(
        exp.func("unnest", exp.Array(expressions=list(items)), dialect="duckdb"), name, quoted=True
    )


_BINS: Final = 10
"""Bins that a plain histogram has at the most, a few more or less."""
_LISTED: Final = 12
"""Different whole numbers up to which each is counted by itself."""
_STEPS: Final = (1, 2, 5, 10)
_YEARS: Final = 3 * 366
_MONTHS: Final = 3 * 31
"""Days beyond which dates are counted by year, and by month."""


def distribution(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan how many rows each value, bin or calendar unit has, and their share."""
    if not intent.keys:
        raise Unplannable("the distribution of which column?")
    key = _key(intent.keys[0], columns)
    keys = key_columns((key,), columns)
    count = columns.fresh("count", [item.name for item in keys])
    share = columns.fresh("share", [item.name for item in keys])
    step = {
        **scope_of(intent, columns).fields(maps=computed(keys)),
        "group_by": [item.name for item in keys],
        "select": [f"count() as {write.name(count)}", f"share() as {write.name(share)}"],
    }
    sorts = [Sort(what=write.name(count), descending=order.descending) for order in intent.orders]
    if not sorts and not _has_order(key, columns):
        sorts = [Sort(what=write.name(count), descending=True)]
    return query(columns.table, ranked([step], sorts, intent), _rule(key))


def _rule(key: Key) -> tuple[str, ...]:
    if key.width is not None:
        return ("bins", write.number(round(key.width, 12)))
    return ("calendar", key.unit) if key.unit is not None else ("values",)


def _has_order(key: Key, columns: Columns) -> bool:
    """Tell whether the groups have an order of their own, as numbers and dates have."""
    return key.unit is not None or key.column is None or columns.is_number(key.column)


def _key(key: Key, columns: Columns) -> Key:
    """Return the key with the unit or the width that parts its cells into a few dozen groups at the most."""
    if key.column is None:
        return key
    column = columns.find(key.column)
    if column.kind.is_temporal:
        return replace(key, unit=_unit(column))
    few = column.integral and column.distinct is not None and column.distinct <= _LISTED
    if not columns.is_number(column.name) or column.years or few:
        return key
    return replace(key, width=_width(column))


def _unit(column: ColumnFacts) -> str:
    low, high = column.low, column.high
    if not isinstance(low, dt.date) or not isinstance(high, dt.date):
        raise Unplannable(f"{column.name} has no dates")
    days = high.toordinal() - low.toordinal()
    return "year" if days > _YEARS else "month" if days > _MONTHS else "day"


def _width(column: ColumnFacts) -> float:
    low, high = column.low, column.high
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        raise Unplannable(f"the range of {column.name} is not known before its cells are read")
    if low >= high:
        raise Unplannable(f"{column.name} has one value only")
    return nice_width(float(low), float(high))


def nice_width(low: float, high: float) -> float:
    """Return the smallest of 1, 2, 5 × 10^n that needs no more than `_BINS` bins for the length of a range."""
    rough = (high - low) / _BINS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((step for step in _STEPS if step * power >= rough * (1 - 1e-9)), _STEPS[-1])
    return float(f"{step * power:.12g}")


_NUMBERS: Final = {
    "count": "count({c})",
    "min": "min({c})",
    "q1": "percentile({c}, 0.25)",
    "median": "median({c})",
    "q3": "percentile({c}, 0.75)",
    "max": "max({c})",
    "mean": "mean({c})",
    "std": "std({c})",
}
_DATES: Final = {
    "count": "count({c})",
    "different": "count_distinct({c})",
    "first": "min({c})",
    "last": "max({c})",
}
_TEXTS: Final = {"count": "count({c})", "different": "count_distinct({c})", "most_frequent": "mode({c})"}
_FLAGS: Final = {"count": "count({c})", "percent_true": "count_if({c}) / nullif(count({c}), 0) * 100"}


def schema(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan a list of the columns with their kinds, or with a measure the number of them."""
    found = [columns.find(name) for name in columns.names]
    names = unnested([exp.Literal.string(column.name) for column in found], "column")
    if intent.measures:
        listed = exp.select(names).subquery("listed")
        counted = exp.select(exp.alias_(exp.Count(this=exp.Star()), "columns", quoted=True)).from_(listed)
        return PlannedCall(tool="run_sql", arguments={"sql": counted.sql("duckdb", identify=True)})
    cells = [exp.column(column.name, quoted=True) for column in found]
    statement = exp.select(
        names,
        unnested([exp.Literal.string(column.kind.value) for column in found], "type"),
        unnested([exp.Count(this=cell) for cell in cells], "filled"),
        unnested([exp.Count(this=exp.Distinct(expressions=[cell.copy()])) for cell in cells], "distinct"),
    ).from_(exp.Table(this=exp.to_identifier(columns.table, quoted=True)))
    return PlannedCall(tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)})


def profile(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan what is usually asked of columns of their kinds; a whole table is described."""
    scope = scope_of(intent, columns)
    if not intent.columns and scope.is_open:
        return schema(intent, columns)
    names = intent.columns or columns.names
    select = []
    for name in names:
        column = columns.find(name)
        behind = "" if len(names) == 1 else f"_{name}"
        select += [
            f"{formula.format(c=write.name(name))} as {write.name(label + behind)}"
            for label, formula in _figures(column, columns).items()
        ]
    return query(columns.table, [{**scope.fields(), "select": select}])


def _figures(column: ColumnFacts, columns: Columns) -> Mapping[str, str]:
    if column.kind is ColumnKind.BOOLEAN:
        return _FLAGS
    if column.kind.is_temporal or column.years or column.numbers_rows:
        return _DATES
    return _NUMBERS if columns.is_number(column.name) else _TEXTS


def correlation(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan Pearson's correlation of two columns."""
    if len(intent.columns) != 2:  # noqa: PLR2004 - a correlation is of two
        raise Unplannable("the correlation of which two columns?")
    one, two = (columns.number(name) for name in intent.columns)
    keys = key_columns(intent.keys, columns)
    step = {
        **scope_of(intent, columns).fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": [f"{write.call('correlation', one, two)} as correlation"],
    }
    return query(columns.table, [step])
