"""From a query in DuckDB's dialect to one that gives the same on Spark, or a refusal that names what does not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse_one
from sqlglot.errors import SqlglotError
from sqlglot.optimizer.pushdown_projections import pushdown_projections
from sqlglot.optimizer.qualify import qualify

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.annotation import annotated
from tabchat.engine.backends.spark.sql.rewriting import rewritten
from tabchat.engine.backends.spark.sql.row_order import in_row_order
from tabchat.engine.backends.spark.sql.unordered import (
    limits_without_order,
    needs_order,
    show_no_numbers,
    without_numbers,
)
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.relations import View

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
