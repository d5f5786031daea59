"""Outliers of a column: the rows beyond Tukey's fences, 1.5 × IQR outside the quartiles (Tukey 1977)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.planner.plans import Draft, Unreadable, scope_of
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable

    from tabchat.planner.catalog import ColumnFacts
    from tabchat.planner.plans import Scope
    from tabchat.planner.shapes.base import Question

_REACH: Final = 1.5
"""Lengths of the interquartile range beyond which a value is an outlier."""


def _column(question: Question) -> ColumnFacts:
    columns = [node.column for node in question.nodes("C") if node.column is not None]
    if not columns:
        columns = [
            column
            for column in question.scene.table.columns
            if column.kind.is_numeric
            and not question.scene.is_year(column)
            and not question.scene.is_identifier(column)
        ]
    if len(columns) != 1:
        raise Unreadable("outliers of which column?")
    return columns[0]


def _rows(question: Question) -> Draft | None:
    """Answer with the rows whose value is an outlier."""
    return _outliers(question, counted=False)


def _count(question: Question) -> Draft | None:
    """Answer with how many rows are outliers."""
    return _outliers(question, counted=True)


def _outliers(question: Question, *, counted: bool) -> Draft | None:
    if question.clauses.keys:
        raise Unreadable("outliers of each group, or of all the rows?")
    if not no_extras(question, "conditions", "periods"):
        return None
    column = _column(question)
    scope = scope_of(question.clauses, question.scene, whole_rows=True)
    if "map" in scope.fields:
        return None
    kept, fences, beyond = _parts(question, column)
    wanted = [exp.alias_(exp.Count(this=exp.Star()), "outliers", quoted=True)] if counted else [exp.Star()]
    statement = (
        exp.select(*wanted)
        .from_(_table(kept))
        .where(beyond)
        .with_(exp.to_identifier(kept, quoted=True), as_=_scoped(question, scope))
        .with_(exp.to_identifier(fences, quoted=True), as_=_fences(kept, column))
    )
    return Draft(
        tool="run_sql",
        arguments={"sql": statement.sql("duckdb", identify=True)},
        scope=scope.read_as,
        shape="count" if counted else "list",
        read_as=(f"{'number of outliers' if counted else 'outliers'} of {column.name}", *scope.read_as),
        rule=("outliers",),
    )


def _parts(question: Question, column: ColumnFacts) -> tuple[str, str, exp.Expr]:
    """Return the names of the rows and of the fences, and the condition that lies between them."""
    kept, fences = f"{question.table}_kept", f"{question.table}_fences"
    cell = exp.column(exp.to_identifier(column.name, quoted=True))

    def edge(name: str) -> exp.Expr:
        return exp.select(exp.column(exp.to_identifier(name, quoted=True))).from_(_table(fences)).subquery()

    return kept, fences, exp.or_(cell < edge("low"), cell.copy() > edge("high"))


def _fences(kept: str, column: ColumnFacts) -> exp.Select:
    first, third = (_quartile(column, fraction) for fraction in (0.25, 0.75))
    reach = exp.Literal.number(_REACH) * exp.paren(third.copy() - first.copy())
    low = exp.alias_(first - reach, "low", quoted=True)
    high = exp.alias_(third + reach.copy(), "high", quoted=True)
    return exp.select(low, high).from_(_table(kept))


def _quartile(column: ColumnFacts, fraction: float) -> exp.Expr:
    cell = exp.cast(exp.column(exp.to_identifier(column.name, quoted=True)), "DOUBLE", dialect="duckdb")
    return exp.func("quantile_cont", cell, exp.Literal.number(fraction), dialect="duckdb")


def _scoped(question: Question, scope: Scope) -> exp.Select:
    """Return the rows that the filters of the question keep, as a query."""
    if not scope.condition:
        return exp.select("*").from_(_table(question.table))
    from tabchat.engine.compile import compile_plan
    from tabchat.engine.plan import QueryPlan
    from tabchat.engine.types import Column

    columns = question.scene.table.columns
    schema = tuple(Column(name=item.name, kind=item.kind, sql_type="", unit=item.unit) for item in columns)
    return compile_plan(QueryPlan(where=scope.condition), schema, relation=question.table).display


def _table(name: str) -> exp.Table:
    return exp.Table(this=exp.to_identifier(name, quoted=True))


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*Ke?u[Ee]*C?[Ee]*|[WL]*uK[Ee]*C?", _count),
    (r"[WLeP]*[EU]?u[Ee]*C?[Ee]*|[WL]*E?C?u", _rows),
)
"""Patterns over the whole core, and what answers them."""
