"""Handing rows from one step of a plan to the next."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.compile.group import named
from tabchat.engine.compile.layers import ordering
from tabchat.engine.compile.queries import aggregation, ended, from_rows
from tabchat.engine.compile.step import BEHIND, HELPER, LAYER, with_sql_name
from tabchat.engine.plan.relation import OrderKey, Relation, find_field
from tabchat.engine.types import ROW

if TYPE_CHECKING:
    from tabchat.engine.compile.layers import Names
    from tabchat.engine.compile.step import Step
    from tabchat.engine.plan.relation import Order


def hand_on(step: Step, layers: list[tuple[str, exp.Select]], names: Names) -> Relation:
    """Add the layers of a step to `layers` and return its rows as the next step reads them.

    Sorted and aggregated rows are in the order that they were given; other rows keep the order they had,
    for display and for row functions alike.
    """
    layers += step.rows.ctes
    source, condition, behind = step.rows.current, step.rows.condition, step.before.behind
    if step.aggregation is not None:
        source, condition = names.fresh(LAYER), step.having
        behind = behind or names.fresh(HELPER, BEHIND)
        layers.append((source, aggregation(step, behind)))
    order, shown, carried = _carried_order(step, names)
    if behind is not None:
        carried.append(exp.column(behind, quoted=True))
    columns = [named(item.column(), item.name) for item in step.fields]
    keys = step.order or (step.before.shown if step.aggregation is None else ())
    rows = from_rows([*columns, *carried], source, condition)
    select = rows if step.limit is None else ended(rows, ordering(keys, source), step.limit)
    name = names.fresh(LAYER)
    layers.append((name, select))
    fields = tuple(with_sql_name(item) for item in step.fields)
    time = step.before.time
    if time is None or find_field(fields, time) is None:
        time = next((item.name for item in fields if item.kind is not None and item.kind.is_temporal), None)
    has_row = step.aggregation is None and step.before.has_row
    return Relation(
        name=name, fields=fields, order=order, shown=shown, has_row=has_row, time=time, behind=behind
    )


def _carried_order(step: Step, names: Names) -> tuple[Order, Order, list[exp.Expr]]:
    """Return the orders for row functions and for display after a step, and the columns that carry them."""
    row = exp.column(ROW, quoted=True)
    carried: list[exp.Expr] = [row] if step.aggregation is None and step.before.has_row else []
    if step.order or step.aggregation is not None:
        name = names.fresh(HELPER, "order")
        keys = [key.ordered() for key in step.order]
        number = exp.Window(this=exp.RowNumber(), order=exp.Order(expressions=keys) if keys else None)
        key = OrderKey(sql_name=name)
        return (key,), (key,), [*carried, named(number, name)]
    known = {ROW: ROW}
    for key in (*step.before.order, *step.before.shown):
        if key.sql_name not in known:
            known[key.sql_name] = names.fresh(HELPER, "order")
            carried.append(named(exp.column(key.sql_name, quoted=True), known[key.sql_name]))
    order, shown = (
        tuple(OrderKey(sql_name=known[key.sql_name], descending=key.descending) for key in keys)
        for keys in (step.before.order, step.before.shown)
    )
    return order, shown, carried
