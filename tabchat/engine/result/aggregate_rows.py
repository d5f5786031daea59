"""Whether the rows of a result are aggregates, which sum up others, or rows of a table as they are."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.result.result import ResultKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sqlglot import exp

    from tabchat.engine.types import JsonValue

_SPREADING: Final = frozenset({"unnest", "generate_series", "range", "generate_subscripts"})
"""Functions that make rows of one value, so that what `list` collected is rows again."""


def holds_aggregates(kind: ResultKind, plan: Mapping[str, JsonValue] | None, sql: str) -> bool:
    """Return whether every row of a result of `kind`, computed by `plan` or `sql`, is an aggregate.

    So are the rows of a scalar, a dict and a grouped result; of a table those of a plan with an earlier step
    that aggregates, of a control chart of subgroup means, and of SQL all of whose outermost SELECTs aggregate or
    read nothing but such SELECTs. What `unnest` spreads over rows is none.
    """
    if plan is not None:
        return kind is not ResultKind.TABLE or _aggregates_on_the_way(plan)
    if not sql:
        return kind is not ResultKind.TABLE
    return not spreads(sql) and (
        kind is not ResultKind.TABLE or _gives_aggregates(_query_of(sql), frozenset())
    )


def spreads(sql: str) -> bool:
    """Return whether `sql` makes rows of the values of one cell."""
    from tabchat.engine.sql.policy import called_functions

    return not _SPREADING.isdisjoint(called_functions(sql))


def _aggregates_on_the_way(plan: Mapping[str, JsonValue]) -> bool:
    if "recipe" in plan:
        return plan["recipe"] == "control_chart" and plan.get("subgroup") is not None
    steps = plan.get("steps")
    before = steps[:-1] if isinstance(steps, (list, tuple)) else ()
    return any(isinstance(step, dict) and (step.get("group_by") or step.get("select")) for step in before)


def _query_of(sql: str) -> exp.Expr:
    from sqlglot import parse_one

    from tabchat.engine.sql.policy import DIALECT

    return parse_one(sql, dialect=DIALECT)


def _gives_aggregates(query: exp.Expr, known: frozenset[str]) -> bool:
    """Return whether the rows of `query` are aggregates; so are those of the CTEs called `known`."""
    from sqlglot import exp

    from tabchat.engine.sql.shape import Block

    if not isinstance(query, exp.Query):
        return False
    for cte in query.ctes:
        name = frozenset({cte.alias.casefold()})
        known = known | name if _gives_aggregates(cte.this, known - name) else known - name
    match query:
        case exp.SetOperation():
            return all(_gives_aggregates(side, known) for side in (query.left, query.right))
        case exp.Subquery():
            return _gives_aggregates(query.this, known)
        case exp.Select():
            sources = list(_sources(query))
            read = bool(sources) and all(_gives_rows(source, known) for source in sources)
            return Block(query).is_aggregate or read
        case _:
            return False


def _sources(select: exp.Select) -> Iterator[exp.Expr]:
    if from_ := select.args.get("from_"):
        yield from_.this
    yield from (join.this for join in select.args.get("joins") or ())
    yield from select.args.get("laterals") or ()


def _gives_rows(source: exp.Expr, known: frozenset[str]) -> bool:
    from sqlglot import exp

    if isinstance(source, exp.Table):
        nested = [join.this for join in source.args.get("joins") or ()]
        is_known = isinstance(source.this, exp.Identifier) and source.name.casefold() in known
        return is_known and not source.db and all(_gives_rows(one, known) for one in nested)
    return isinstance(source, exp.Subquery) and _gives_aggregates(source, known)
