"""What a table and its columns are: schema, summary figures, distribution, correlation, and what is odd in them."""

from __future__ import annotations

import datetime as dt
import math
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.expressions import PlannedCall, Unplannable, query
from tabchat.planner.plan.figures import aggregates, computed, key_columns
from tabchat.planner.plan.groups import Sort, ranked
from tabchat.planner.plan.scope import scope_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent, Key
    from tabchat.planner.plan.columns import Columns
    from tabchat.planner.plan.expressions import Fields

_BINS: Final = 10
"""Bins that a plain histogram has at the most, a few more or less."""
_LISTED: Final = 12
"""Different whole numbers up to which each is counted by itself."""
_STEPS: Final = (1, 2, 5, 10)
_YEARS: Final = 3 * 366
_MONTHS: Final = 3 * 31
"""Days beyond which dates are counted by year, and by month."""
_REACH: Final = "1.5"
"""Interquartile ranges beyond a quartile where outliers begin (Tukey 1977), as in the function `outlier`."""
_QUARTILES: Final = ("0.25", "0.75")
_CELLS: Final = "cells"
_FENCES: Final = "fences"
"""What the table and its bounds are called in the query, whatever their columns and the table are called."""
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


def outliers(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the rows whose cell lies outside the fences of the rows in scope; with a measure, its figure of them."""
    if not intent.columns:
        raise Unplannable("outliers of which column?")
    odd = write.call("outlier", columns.number(intent.columns[0]))
    return _picked(intent, columns, {"where": odd}, rule=("outliers",))


def duplicates(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the rows that repeat an earlier row; with a measure, its figure of them."""
    alike = [columns.find(name).name for name in intent.columns] or [*columns.names]
    return _picked(intent, columns, {"within": [*alike], "where": "row_number() > 1"})


def _picked(intent: Intent, columns: Columns, condition: Fields, rule: tuple[str, ...] = ()) -> PlannedCall:
    """Look at the rows in scope only, then keep those that meet a condition on them all."""
    scope = scope_of(intent, columns)
    last = dict(condition)
    if intent.measures:
        last["select"] = [item.select for item in aggregates(intent.measures, columns)]
    elif scope.maps:
        last["columns"] = [*columns.names]
    first = scope.fields()
    steps = [first, last] if not scope.is_open or scope.maps else [{**first, **last}]
    return query(columns.table, steps if intent.measures else ranked(steps, (), intent), rule)


def distribution(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan how many rows each value, bin or calendar unit has, and their share."""
    if not intent.keys:
        raise Unplannable("the distribution of which column?")
    key = _divided(intent.keys[0], columns)
    keys = key_columns((key,), columns)
    count, share = (columns.fresh(name, [item.name for item in keys]) for name in ("count", "share"))
    step = {
        **scope_of(intent, columns).fields(maps=computed(keys)),
        "group_by": [item.name for item in keys],
        "select": [f"count() as {write.name(count)}", f"share() as {write.name(share)}"],
    }
    sorts = [Sort(what=write.name(count), descending=order.descending) for order in intent.orders]
    has_order = key.unit is not None or key.column is None or columns.is_number(key.column)
    if not sorts and not has_order:
        sorts = [Sort(what=write.name(count), descending=True)]
    rule = ("values",) if key.unit is None else ("calendar", key.unit)
    rule = rule if key.width is None else ("bins", write.number(round(key.width, 12)))
    return query(columns.table, ranked([step], sorts, intent), rule)


def _divided(key: Key, columns: Columns) -> Key:
    """Return the key with the unit or the width that parts its cells into a few dozen groups at the most."""
    if key.column is None:
        return key
    column = columns.find(key.column)
    low, high = column.low, column.high
    if column.kind.is_temporal:
        if not isinstance(low, dt.date) or not isinstance(high, dt.date):
            raise Unplannable(f"{column.name} has no dates")
        days = high.toordinal() - low.toordinal()
        return replace(key, unit="year" if days > _YEARS else "month" if days > _MONTHS else "day")
    few = column.integral and column.distinct is not None and column.distinct <= _LISTED
    if not columns.is_number(column.name) or column.years or few:
        return key
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        raise Unplannable(f"the range of {column.name} is not known before its cells are read")
    if low >= high:
        raise Unplannable(f"{column.name} has one value only")
    return replace(key, width=nice_width(float(low), float(high)))


def nice_width(low: float, high: float) -> float:
    """Return the smallest of 1, 2, 5 × 10^n that needs no more than `_BINS` bins for the length of a range."""
    rough = (high - low) / _BINS
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((step for step in _STEPS if step * power >= rough * (1 - 1e-9)), _STEPS[-1])
    return float(f"{step * power:.12g}")


def profile(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan what is usually asked of columns of their kinds; a whole table is described."""
    scope = scope_of(intent, columns)
    if not intent.columns and scope.is_open:
        return schema(intent, columns)
    names = intent.columns or columns.names
    select = [
        f"{formula.format(c=write.name(name))} as {write.name(label if len(names) == 1 else f'{label}_{name}')}"
        for name in names
        for label, formula in _figures(columns.find(name), columns).items()
    ]
    return query(columns.table, [{**scope.fields(), "select": [*select]}])


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


# What is told of each column is written in SQL, as one row a column.


def schema(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan a list of the columns with their kinds, or with a measure the number of them."""
    found = [columns.find(name) for name in columns.names]
    names = _texts((column.name for column in found), "column")
    if intent.measures:
        counted = exp.alias_(exp.Count(this=exp.Star()), "columns", quoted=True)
        return _sql(exp.select(counted).from_(exp.select(names).subquery("listed")))
    kinds = _texts((column.kind.value for column in found), "type")
    cells = [exp.column(column.name, quoted=True) for column in found]
    filled = [exp.Count(this=cell) for cell in cells]
    distinct = [exp.Count(this=exp.Distinct(expressions=[cell.copy()])) for cell in cells]
    listed = exp.select(names, kinds, _unnested(filled, "filled"), _unnested(distinct, "distinct"))
    return _sql(listed.from_(_table(columns)))


def missing(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the missing cells of each column: one row a column, or with filters one figure a column."""
    names = [columns.find(name).name for name in intent.columns] or [*columns.names]
    scope = scope_of(intent, columns)
    if not scope.is_open or len(names) == 1:
        select = [f"count() - count({write.name(name)}) as {write.name(f'missing_{name}')}" for name in names]
        return query(columns.table, [{**scope.fields(), "select": [*select]}])
    counts = [_missing(exp.column(name, quoted=True)) for name in names]
    statement = exp.select(_texts(names, "column"), _unnested(counts, "missing")).from_(_table(columns))
    return _sql(statement.limit(intent.limit) if intent.limit else statement)


def oddities(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan one row for each kind of oddity that there is in a column, or in the rows as such: how many cells or rows."""
    if not scope_of(intent, columns).is_open:
        raise Unplannable("what is odd is looked for in whole columns")
    found = [columns.find(name) for name in intent.columns or columns.names]
    measured = [
        column
        for column in found
        if column.kind.is_numeric and not (column.years or column.numbers_rows or column.unique)
    ]
    findings: list[tuple[str, str | None, exp.Expr]] = [
        *(
            ("missing", item.name, _missing(exp.column(item.name, table=_CELLS, quoted=True)))
            for item in found
        ),
        *(("outlier", item.name, _beyond(item, place)) for place, item in enumerate(measured)),
    ]
    if not intent.columns and not any(column.unique for column in found):
        findings.append(("repeated row", None, _repeated(columns)))
    kinds, names, counts = zip(*findings, strict=True)
    counted = exp.select(_texts(kinds, "finding"), _texts(names, "column"), _unnested(counts, "count")).from_(
        exp.alias_(_table(columns), _CELLS, table=True)
    )
    if measured:
        fences = exp.select(*_bounds(measured)).from_(_table(columns)).subquery(_FENCES)
        counted = counted.join(fences, join_type="cross")
    number = exp.column("count", quoted=True)
    return _sql(exp.select("*").from_(counted.subquery("found")).where(number > 0), rule=("outliers",))


def _beyond(column: ColumnFacts, place: int) -> exp.Expr:
    low, high = (exp.column(f"{end}_{place}", table=_FENCES, quoted=True) for end in ("low", "high"))
    cell = exp.column(column.name, table=_CELLS, quoted=True)
    return exp.CountIf(this=exp.or_(cell < low, cell > high))


def _bounds(measured: Sequence[ColumnFacts]) -> Iterator[exp.Expr]:
    """Yield the bounds beyond which cells of `measured` lie far out."""
    for place, column in enumerate(measured):
        cell = exp.cast(exp.column(column.name, quoted=True), "DOUBLE")
        low, high = (
            exp.func("quantile_cont", cell.copy(), exp.Literal.number(part), dialect="duckdb")
            for part in _QUARTILES
        )
        reach = exp.Literal.number(_REACH) * (high - low)
        yield exp.alias_(exp.Sub(this=low, expression=reach), f"low_{place}", quoted=True)
        yield exp.alias_(exp.Add(this=high, expression=reach.copy()), f"high_{place}", quoted=True)


def _repeated(columns: Columns) -> exp.Expr:
    different = exp.select("*").distinct().from_(_table(columns)).subquery("different")
    counted = exp.select(exp.Count(this=exp.Star())).from_(different)
    return exp.Count(this=exp.Star()) - counted.subquery()


def _missing(cell: exp.Expr) -> exp.Expr:
    return exp.Count(this=exp.Star()) - exp.Count(this=cell)


def _table(columns: Columns) -> exp.Table:
    return exp.Table(this=exp.to_identifier(columns.table, quoted=True))


def _texts(texts: Iterable[str | None], name: str) -> exp.Expr:
    return _unnested([exp.null() if text is None else exp.Literal.string(text) for text in texts], name)


def _unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    """Return expressions as the rows of one column."""
    rows = exp.func("unnest", exp.Array(expressions=[*items]), dialect="duckdb")
    return exp.alias_(rows, name, quoted=True)


def _sql(statement: exp.Select, rule: tuple[str, ...] = ()) -> PlannedCall:
    return PlannedCall(tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)}, rule=rule)
