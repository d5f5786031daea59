"""The order of rows, which DuckDB keeps as they are stored and Spark does not: it is asked for by their numbers."""

from __future__ import annotations

from typing import Final

from sqlglot import exp
from sqlglot.optimizer.scope import traverse_scope

from tabchat.engine.backends.spark.sql.unordered import needs_order
from tabchat.engine.sql.functions import AGGREGATES
from tabchat.engine.types import ROW

_ENDS_ORDER: Final = ("group", "distinct", "having", "qualify")


def in_row_order(query: exp.Expr) -> exp.Expr:
    """Order the rows of `query`, and those that a LIMIT in it takes, as they are stored, where nothing orders them.

    Only rows that are still the rows of one table are so ordered: a join, a set and groups have no order of rows.
    The query is qualified: it has no star.
    """
    for scope in traverse_scope(query):
        select = scope.expression
        if isinstance(select, exp.Select):
            _number_in_order(select)
        wanted = select is query or (isinstance(select, exp.Select) and select.args.get("limit"))
        if not wanted or not isinstance(select, exp.Select) or select.args.get("order"):
            continue
        number = _row_number(select)
        if number is not None:
            select.set("order", exp.Order(expressions=[exp.Ordered(this=number, nulls_first=False)]))
    return query


def _number_in_order(select: exp.Select) -> None:
    """Have ROW_NUMBER() over nothing count the rows as they are stored; Spark has no such window."""
    for window in [item for column in select.expressions for item in column.find_all(exp.Window)]:
        if not isinstance(window.this, exp.RowNumber) or window.args.get("order"):
            continue
        number = _row_number(select)
        if number is None:
            raise needs_order("row_number()")
        window.set("order", exp.Order(expressions=[exp.Ordered(this=number, nulls_first=False)]))


def _row_number(select: exp.Select) -> exp.Column | None:
    """Return the number of the row as `select` can order by it, after handing it up from below."""
    if any(select.args.get(name) for name in _ENDS_ORDER) or select.args.get("joins"):
        return None
    if any(_aggregates(item) for item in select.expressions):
        return None
    from_ = select.args.get("from_")
    source = from_.this if from_ is not None else None
    if isinstance(source, exp.Subquery):
        below = source.this
    elif isinstance(source, exp.Table):
        below = _cte(select, source.name)
    else:
        return None
    if not isinstance(below, exp.Select):
        return None
    if not _hands_up(below):
        return None
    return exp.column(ROW, table=source.alias_or_name, quoted=True)


def _hands_up(select: exp.Select) -> bool:
    """Have the rows of `select` bear their numbers; false where they are not rows of one table."""
    if any(item.alias_or_name == ROW for item in select.expressions):
        return not any(select.args.get(name) for name in _ENDS_ORDER) and not select.args.get("joins")
    number = _row_number(select)
    if number is None:
        return False
    select.append("expressions", exp.alias_(number, ROW, quoted=True))
    return True


def _cte(node: exp.Expr, name: str) -> exp.Expr | None:
    above: exp.Expr | None = node
    while above is not None:
        with_ = above.args.get("with_")
        for cte in with_.expressions if with_ is not None else ():
            if cte.alias == name:
                return cte.this  # type: ignore[no-any-return] # a query
        above = above.parent
    return None


def _aggregates(item: exp.Expr) -> bool:
    """Return whether an aggregate over the rows stands in a column; one over a window keeps every row."""
    if isinstance(item, exp.Query):
        return False
    if isinstance(item, exp.Window):
        # What a window runs over may be an aggregate of the rows.
        return any(_aggregates(part) for part in item.this.iter_expressions())
    return isinstance(item, exp.AggFunc) or _is_own(item) or any(map(_aggregates, item.iter_expressions()))


def _is_own(item: exp.Expr) -> bool:
    return isinstance(item, exp.Anonymous) and item.name.lower() in AGGREGATES
