"""From a query in DuckDB's dialect to one that gives the same on Spark, or a refusal that names what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import traverse_scope

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.annotation import annotated
from tabchat.engine.backends.spark.sql.rewriting import rewritten
from tabchat.engine.backends.spark.sql.unordered import (
    limits_without_order,
    needs_order,
    show_no_numbers,
    without_numbers,
)
from tabchat.engine.sql.functions import AGGREGATES
from tabchat.engine.types import ROW
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.relations import View

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


DIALECT: Final = "spark"
_MARK: Final = "__rows_"


@record
class Bottom:
    """A query whose every table is a view of Spark, and the columns of those."""

    query: exp.Query
    types: dict[str, object]
    """View → plain name of a column → its type, as DuckDB calls it."""
    is_unordered: bool
    """Whether it reads rows that have neither numbers nor an order."""
    is_ordered_by_key: bool
    """Whether it reads rows whose numbers are the keys of an order."""
    lacking: dict[str, str]
    """Columns of a type that Spark has not → that type."""


def translated(
    query: exp.Query,
    *,
    scans: Mapping[str, exp.Query],
    view_of: Callable[[exp.Expr], View | None],
    is_answer: bool = False,
) -> str:
    """Return `query` as SQL of Spark.

    `scans` are the queries that names stand for; `view_of` returns the view behind what is left then. An answer is
    exact, a look at some rows need not be: any will do. Raises `NotOnSparkError`.
    """
    bottom = _grounded(query, scans, view_of)
    try:
        qualified = qualify(
            bottom.query, schema=bottom.types, dialect="duckdb", identify=True, validate_qualify_columns=False
        )
        if bottom.lacking:
            # Columns that nobody asks for are no reason to refuse.
            qualified = pushdown_projections(qualified)
        ordered = qualified if bottom.is_unordered else in_row_order(qualified)
        if bottom.is_unordered and isinstance(ordered, exp.Query):
            if is_answer and limits_without_order(ordered):
                raise needs_order("A limit")
            ordered = without_numbers(ordered)
        elif bottom.is_ordered_by_key:
            show_no_numbers(ordered)
        typed = annotated(ordered, bottom.types)
    except SqlglotError as error:
        raise not_on_spark(f"This query ({str(error).partition(chr(10))[0]})") from error
    for column in typed.find_all(exp.Column):
        if not column.table and column.name in bottom.lacking:
            raise not_on_spark(f"The column {column.name!r}, of type {bottom.lacking[column.name]},")
    if not isinstance(typed, exp.Query):
        raise not_on_spark("This query")
    return rewritten(typed).sql(DIALECT, identify=True, comments=False)


def _grounded(
    query: exp.Query, scans: Mapping[str, exp.Query], view_of: Callable[[exp.Expr], View | None]
) -> Bottom:
    """Return the query over views of Spark alone."""
    folded = {name.casefold(): scan for name, scan in scans.items()}
    types: dict[str, object] = {}
    lacking: dict[str, str] = {}
    orders: set[bool | None] = set()
    whole = _read_again(query)
    while waiting := [
        node for node in whole.find_all(exp.Table) if node.name not in types and not _is_cte(node)
    ]:
        for node in waiting:
            named = folded.get(node.name.casefold()) if isinstance(node.this, exp.Identifier) else None
            scan = _read_again(named) if named is not None else None
            if scan is None:
                view = view_of(node.this if isinstance(node.this, exp.Func) else node)
                if view is None:
                    raise not_on_spark(f"What {node.sql('duckdb')} reads")
                types[view.name] = dict(view.types)
                lacking |= view.lacking
                orders.add(bool(view.order) if view.order is not None else None)
                scan = view.select()
            _replace(node, scan)
    return Bottom(
        query=whole,
        types=types,
        is_unordered=False in orders,
        is_ordered_by_key=True in orders,
        lacking=lacking,
    )


def _read_again(query: exp.Query) -> exp.Query:
    """Return `query` as its text is read: trees that are built by hand come in shapes that none that is read has."""
    read = parse_one(query.sql("duckdb", identify=True, comments=False), dialect="duckdb")
    if not isinstance(read, exp.Query):
        raise not_on_spark("This query")
    return read


def _replace(node: exp.Table, scan: exp.Query) -> None:
    alias = node.alias or (node.name if isinstance(node.this, exp.Identifier) else _MARK)
    inner = scan.subquery(exp.to_identifier(alias, quoted=True), copy=False)
    columns = node.args["alias"].args.get("columns") if node.args.get("alias") else None
    if columns:
        inner.args["alias"].set("columns", columns)
    for clause in ("joins", "laterals", "pivots", "sample"):
        if node.args.get(clause):
            inner.set(clause, node.args[clause])
    node.replace(inner)


def _is_cte(table: exp.Table) -> bool:
    """Return whether a CTE that is in scope bears the table's name."""
    node: exp.Expr | None = table
    while node is not None:
        with_ = node.args.get("with_")
        if with_ is not None and any(cte.alias == table.name for cte in with_.expressions):
            return True
        node = node.parent
    return False
