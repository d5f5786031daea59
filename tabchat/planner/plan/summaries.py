"""What a table and its columns are: schema, summary figures, correlation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ColumnKind
from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import PlannedCall, Unplannable, query
from tabchat.planner.plan.keys import computed, key_columns
from tabchat.planner.plan.scope import scope_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.columns import Columns

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
    names = _unnested([exp.Literal.string(column.name) for column in found], "column")
    if intent.measures:
        listed = exp.select(names).subquery("listed")
        counted = exp.select(exp.alias_(exp.Count(this=exp.Star()), "columns", quoted=True)).from_(listed)
        return PlannedCall(tool="run_sql", arguments={"sql": counted.sql("duckdb", identify=True)})
    cells = [exp.column(column.name, quoted=True) for column in found]
    statement = exp.select(
        names,
        _unnested([exp.Literal.string(column.kind.value) for column in found], "type"),
        _unnested([exp.Count(this=cell) for cell in cells], "filled"),
        _unnested([exp.Count(this=exp.Distinct(expressions=[cell.copy()])) for cell in cells], "distinct"),
    ).from_(exp.Table(this=exp.to_identifier(columns.table, quoted=True)))
    return PlannedCall(tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)})


def _unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    return exp.alias_(
        exp.func("unnest", exp.Array(expressions=list(items)), dialect="duckdb"), name, quoted=True
    )


def profile(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan what is usually asked of columns of their kinds; a whole table is described."""
    scope = scope_of(intent, columns)
    if not intent.columns and scope.is_open and not intent.keys:
        return schema(intent, columns)
    names = intent.columns or columns.names
    keys = key_columns(intent.keys, columns)
    select = []
    for name in names:
        column = columns.find(name)
        behind = "" if len(names) == 1 else f"_{name}"
        select += [
            f"{formula.format(c=write.name(name))} as {write.name(label + behind)}"
            for label, formula in _figures(column, columns).items()
        ]
    step = {
        **scope.fields(maps=computed(keys)),
        "group_by": [key.name for key in keys],
        "select": select,
    }
    return query(columns.table, [step])


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
