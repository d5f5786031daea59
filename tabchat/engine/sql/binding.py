"""Tying the names of a checked query to tables: each reference becomes a subquery of that table's visible columns.

What the engine then runs can reach nothing else. A name that is left to the engine's own rules of scope would
be: where these differ from the checker's, a query could read a table whole.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.plan.relation import visible_rows
from tabchat.engine.sql.policy import DIALECT, check_sql, names_a_cte
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.engine.table import Table

_CTE_PREFIX: Final = "__cte_"


@record
class CheckedSql:
    """A SELECT that may run, and the tables that it reads, by the names that it uses."""

    query: exp.Query
    tables: Mapping[str, Table]


def read_sql(sql: str, tables: Mapping[str, Table]) -> CheckedSql:
    """Check `sql` against `tables`; a table whose own name is not its key in `tables` is called by its own.

    Raises `SqlRefusedError`.
    """
    query = check_sql(sql, tables)
    used: dict[str, Table] = {}
    for node in [node for node in query.find_all(exp.Table) if not stays(node)]:
        table = tables[node.name]
        if table.name != node.name:
            if not node.alias:
                _set_alias(node, node.name)
            node.set("this", exp.to_identifier(table.name))
        used[table.name] = table
    return CheckedSql(query=query, tables=dict(sorted(used.items())))


def bind_tables(query: exp.Query, tables: Mapping[str, Table]) -> exp.Query:
    """Return `query` with every table narrowed to its visible columns, so that `*` never shows more.

    The engine folds the case of ASCII letters only; columns in other scripts are
    spelled here as their table spells them.
    """
    bound = query.copy()
    references = [node for node in bound.find_all(exp.Table) if not stays(node)]
    _name_queries(bound, query)
    _rename_ctes(bound, tables)
    for table in references:
        narrowed = exp.Subquery(this=visible_rows(tables[table.name]))
        if not table.alias:
            _set_alias(table, table.name)
        for clause, value in table.args.items():
            if value and clause != "this":
                narrowed.set(clause, value)
        table.replace(narrowed)
    _spell_columns(bound, tables)
    return bound


def _name_queries(bound: exp.Query, query: exp.Query) -> None:
    """Let an output column that is a query, and has no name, be called as it was written."""
    if not isinstance(bound, exp.Select):
        return
    for column, written in zip(list(bound.expressions), query.expressions, strict=True):
        if not column.alias and not column.is_star and column.find(exp.Query):
            column.replace(exp.alias_(column.copy(), written.sql(DIALECT), quoted=True))


def stays(table: exp.Table) -> bool:
    """Return whether `table` stands for no stored table: a table function, or a CTE."""
    return isinstance(table.this, exp.Func) or names_a_cte(table)


def _rename_ctes(bound: exp.Query, tables: Mapping[str, Table]) -> None:
    """Give CTEs names that no table has, so that none of them is taken for a table, nor a table for one of them."""
    references = [node for node in bound.find_all(exp.Table) if names_a_cte(node)]
    ctes = list(bound.find_all(exp.CTE))
    fresh = _fresh_names([cte.alias.casefold() for cte in ctes], tables)
    for node in references:
        if not node.alias:
            _set_alias(node, node.name)
        node.set("this", exp.to_identifier(fresh[node.name.casefold()], quoted=True))
    for cte in ctes:
        cte.args["alias"].set("this", exp.to_identifier(fresh[cte.alias.casefold()], quoted=True))


def _fresh_names(names: Sequence[str], tables: Mapping[str, Table]) -> dict[str, str]:
    taken = {name.casefold() for name in tables}
    free = (name for number in itertools.count() if (name := f"{_CTE_PREFIX}{number}") not in taken)
    return dict(zip(dict.fromkeys(names), free, strict=False))


def _set_alias(node: exp.Table, name: str) -> None:
    alias = node.args.get("alias") or exp.TableAlias()
    alias.set("this", exp.to_identifier(name, quoted=True))
    node.set("alias", alias)


def _spell_columns(bound: exp.Query, tables: Mapping[str, Table]) -> None:
    names = [column.name for table in tables.values() for column in table.schema]
    exact = set(names) | {node.alias for node in bound.find_all(exp.Alias)}
    exact |= {name for node in bound.find_all(exp.TableAlias) for name in map(str, node.columns)}
    folded = {name.casefold(): name for name in reversed(names) if not name.isascii()}
    for column in bound.find_all(exp.Column):
        spelled = folded.get(column.name.casefold())
        if spelled is not None and column.name not in exact:
            column.set("this", exp.to_identifier(spelled, quoted=True))
