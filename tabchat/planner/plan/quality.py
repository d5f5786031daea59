"""What is odd in a table: outliers, repeated rows, missing cells."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.planner.plan import expressions as write
from tabchat.planner.plan.call import PlannedCall, Unplannable, query
from tabchat.planner.plan.groups import Sort, ranked
from tabchat.planner.plan.measures import aggregates
from tabchat.planner.plan.scope import scope_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.call import Fields
    from tabchat.planner.plan.columns import Columns


def outliers(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the rows whose cell lies outside the fences of the rows in scope; with a measure, its figure of them."""
    if not intent.columns:
        raise Unplannable("outliers of which column?")
    odd = write.call("outlier", columns.number(intent.columns[0]))
    within = [
        columns.find(key.column).name for key in intent.keys if key.column is not None and key.unit is None
    ]
    return _picked(intent, columns, odd, within, rule=("outliers",))


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
    sorts = [
        Sort(what=write.name(columns.find(order.column).name), descending=order.descending)
        for order in intent.orders
        if order.column is not None
    ]
    return query(columns.table, steps if intent.measures else ranked(steps, sorts, intent), rule)


def missing(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan the missing cells of each column: one row a column, or with filters one figure a column."""
    names = [columns.find(name).name for name in intent.columns] or [*columns.names]
    scope = scope_of(intent, columns)
    if not scope.is_open or len(names) == 1:
        select = [f"count() - count({write.name(name)}) as {write.name(f'missing_{name}')}" for name in names]
        return query(columns.table, [{**scope.fields(), "select": select}])
    counted = _counts(columns.table, names)
    count = exp.column("missing", quoted=True)
    statement = exp.select(exp.column("column", quoted=True), count).from_(counted)
    if intent.orders:
        statement = statement.order_by(
            exp.Ordered(this=count.copy(), desc=intent.orders[0].descending),
            exp.column("column", quoted=True),
        )
    if intent.having or intent.limit:
        statement = statement.where(count.copy() > 0)
    if intent.limit:
        place = exp.Window(
            this=exp.Rank() if intent.with_ties else exp.RowNumber(),
            order=exp.Order(
                expressions=[
                    exp.Ordered(this=count.copy(), desc=not intent.orders or intent.orders[0].descending)
                ]
            ),
        )
        statement = statement.qualify(place <= intent.limit)
    return PlannedCall(tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)})


def _counts(table: str, names: Sequence[str]) -> exp.Subquery:
    """Return one row for each column, with its missing cells."""
    cells = [exp.column(exp.to_identifier(name, quoted=True)) for name in names]
    counts = [exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=cell)) for cell in cells]
    return (
        exp.select(
            _unnested([exp.Literal.string(name) for name in names], "column"), _unnested(counts, "missing")
        )
        .from_(exp.Table(this=exp.to_identifier(table, quoted=True)))
        .subquery("counted")
    )


def _unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    return exp.alias_(
        exp.func("unnest", exp.Array(expressions=list(items)), dialect="duckdb"), name, quoted=True
    )
