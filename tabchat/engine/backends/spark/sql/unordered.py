"""Queries over rows that nobody numbered: what needs their order is refused, and ties are settled by all columns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.types import ROW
from tabchat.errors import NotOnSparkError

if TYPE_CHECKING:
    from collections.abc import Iterator

ROW_NAMES: Final = frozenset({"row", "file_row", "source_row"})
"""What the numbers of rows are called where they are shown."""
_HINT: Final = "Name the column that orders the rows: --order-by COLUMN."


def needs_order(what: str) -> NotOnSparkError:
    """Return the refusal of `what`, for which the rows of a table would need an order."""
    message = f"{what} needs a row order, and the rows of this table have none."
    return NotOnSparkError(message, hint=_HINT, plain=message)


def without_numbers(query: exp.Query) -> exp.Query:
    """Return a qualified query that asks for no number of a row; raises `NotOnSparkError` where one decides.

    A number that is only shown is null. In an ORDER BY of the whole, all columns stand for it: rows that are equal in
    all of them are the same wherever they stand.
    """
    for select in query.find_all(exp.Select):
        order = select.args.get("order")
        keys = order.expressions if order is not None else []
        kept = [key for key in keys if not _is_number(key.this)]
        if len(kept) < len(keys):
            known = {key.this.name for key in kept}
            kept += [
                exp.Ordered(this=exp.column(name, quoted=True), nulls_first=False)
                for name in _shown(select)
                if name not in known
            ]
            select.set("order", exp.Order(expressions=kept) if kept else None)
    show_no_numbers(query)
    for column in query.find_all(exp.Column):
        if column.name == ROW and not _is_handed_on(column, query):
            raise needs_order("This")
    return query


def show_no_numbers(query: exp.Expr) -> None:
    """Make every number of a row that is only shown null."""
    for select in query.find_all(exp.Select):
        for item in select.expressions:
            if _is_number(item.unalias()) and (select is query or item.alias_or_name in ROW_NAMES):
                null = exp.Cast(this=exp.Null(), to=exp.DataType.build("BIGINT"))
                item.replace(exp.alias_(null, item.alias_or_name, quoted=True))


def _is_handed_on(column: exp.Column, query: exp.Query) -> bool:
    """Return whether a number is only handed from one SELECT to the next, under its name."""
    item = column.parent
    return isinstance(item, exp.Alias) and item.alias == ROW and item.parent is not query


def limits_without_order(query: exp.Query) -> bool:
    """Return whether a LIMIT takes some rows of which nothing says the order."""
    return any(
        select.args.get("limit") is not None and not select.args.get("order")
        for select in query.find_all(exp.Select, exp.SetOperation)
    )


def _is_number(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and node.name == ROW


def _shown(select: exp.Select) -> Iterator[str]:
    return (item.alias_or_name for item in select.expressions if not _is_number(item.unalias()))
