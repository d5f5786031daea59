"""How many rows of the tables each row of a SELECT stands for: a hidden count, beside the aggregates of the same scan.

The count is that of the groups as they are made, before HAVING and LIMIT leave any out. It is there only for shapes in
which no row of a table can come up twice: one source after another, without joins, unions or functions that make rows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.sql.functions import COLLECTING
from tabchat.engine.sql.policy import DIALECT, called_functions, names_a_cte
from tabchat.engine.sql.shape import Block
from tabchat.engine.sql.spelled import makes_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

GROUP_ROWS: Final = "__group_rows__"
"""Hidden column that counts the rows behind each row."""

_FILTERS: Final = frozenset({"from_", "with_", "where", "having", "qualify", "limit", "offset", "sample"})
"""Clauses from which no cell gets into a row."""


def with_group_rows(bound: exp.Query) -> exp.Select | None:
    """Return a bound query with the hidden count behind its columns; nothing where that cannot be told by its shape."""
    if not isinstance(bound, exp.Select) or not _is_plain(bound):
        return None
    query = bound.copy()
    chain = _to_aggregate(query)
    if chain is None:
        return None
    *above, core = chain
    core.select(exp.alias_(exp.Count(this=exp.Star()), GROUP_ROWS, quoted=True), copy=False)
    for select in above:
        if not any(projection.is_star for projection in select.expressions):
            select.select(exp.column(GROUP_ROWS, quoted=True), copy=False)
    return query


def rows_stand_apart(query: exp.Query) -> bool:
    """Return whether no two rows of `query` stand for the same row of its tables."""
    return isinstance(query, exp.Select) and _is_plain(query) and _stands_apart(query)


def _is_plain(query: exp.Query) -> bool:
    sql = query.sql(DIALECT, identify=True)
    collects = not COLLECTING.isdisjoint(called_functions(sql))
    return not collects and not makes_rows(sql) and query.find(exp.Columns, exp.Pivot, exp.Values) is None


def _to_aggregate(select: exp.Select) -> list[exp.Select] | None:
    """Return the SELECTs from `select` down to the one that aggregates, each of which alone reads the next."""
    if select.args.get("distinct") or not _reads_one(select):
        return None
    if Block(select).is_aggregate:
        return [select] if _stands_apart(select) else None
    source = _source(select)
    if not isinstance(source, exp.Select) or not _hands_on(select):
        return None
    rest = _to_aggregate(source)
    return [select, *rest] if rest is not None else None


def _hands_on(select: exp.Select) -> bool:
    """Return whether a column more in the source of `select` changes nothing but what a `*` shows."""
    source = select.args["from_"].this
    names = {source.alias_or_name.casefold()}
    if isinstance(source, exp.Table) and _references(source) > 1:
        return False
    stars = sum(projection.is_star for projection in select.expressions)
    structs = any(
        not column.table and column.name.casefold() in names for column in select.find_all(exp.Column)
    )
    return stars <= 1 and not structs and not source.alias_column_names


def _references(table: exp.Table) -> int:
    """Return how often the CTE that `table` names is read."""
    root = table.root()
    return sum(node.name == table.name for node in root.find_all(exp.Table))


def _stands_apart(select: exp.Select) -> bool:
    """Return whether every row of the tables is in no more than one row of `select`."""
    group = select.args.get("group")
    if not _reads_one(select) or (group is not None and _is_inner(select) and _has_sets(group)):
        return False
    source = _source(select)
    if isinstance(source, exp.Table):
        return True
    return isinstance(source, exp.Select) and _stands_apart(source)


def _is_inner(select: exp.Select) -> bool:
    return select.parent is not None


def _has_sets(group: exp.Expr) -> bool:
    return group.find(exp.Cube, exp.Rollup, exp.GroupingSets) is not None or any(
        group.args.get(name) for name in ("cube", "rollup", "grouping_sets")
    )


def _reads_one(select: exp.Select) -> bool:
    """Return whether `select` reads one source, and cells of no other get into its rows."""
    if any(select.args.get(name) for name in ("joins", "laterals")) or select.args.get("from_") is None:
        return False
    return all(_is_independent(query) for query in _embedded(select))


def _source(select: exp.Select) -> exp.Select | exp.Table | None:
    """Return what `select` reads: a stored table, or the SELECT behind a subquery or the only CTE of its name."""
    source = select.args["from_"].this
    if any(source.args.get(name) for name in ("joins", "laterals", "pivots")):
        return None
    while isinstance(source, exp.Subquery):
        source = source.this
        if isinstance(source, exp.Select):
            return source
    if not isinstance(source, exp.Table) or isinstance(source.this, exp.Func):
        return None
    if not names_a_cte(source):
        return source
    named = [
        cte.this for cte in source.root().find_all(exp.CTE) if cte.alias.casefold() == source.name.casefold()
    ]
    return named[0] if len(named) == 1 and isinstance(named[0], exp.Select) else None


def _embedded(select: exp.Select) -> Iterator[exp.Query]:
    """Yield the outermost queries whose cells get into rows of `select`."""
    for name, value in select.args.items():
        if name not in _FILTERS:
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, exp.Expr):
                    yield from _queries_in(part)


def _queries_in(node: exp.Expr) -> Iterator[exp.Query]:
    if isinstance(node, exp.Query) and not isinstance(node, exp.Subquery):
        yield node
        return
    for child in node.iter_expressions():
        yield from _queries_in(child)


def _is_independent(query: exp.Query) -> bool:
    """Return whether `query` gives the same in every row: all its columns are of what it reads itself."""
    if not isinstance(query, exp.Select) or query.args.get("from_") is None:
        return False
    named, source = query.args["from_"].this, _source(query)
    if not isinstance(source, exp.Select) or any(item.is_star for item in source.expressions):
        return False
    names = {item.alias_or_name.casefold() for item in source.expressions}
    aliases = {"", named.alias_or_name.casefold()}
    return all(
        column.name.casefold() in names and column.table.casefold() in aliases
        for clause, value in query.args.items()
        if clause not in {"from_", "with_"}
        for part in (value if isinstance(value, list) else [value])
        if isinstance(part, exp.Expr)
        for column in part.find_all(exp.Column)
    )
