"""Rows that occur more than once, and columns by their missing cells."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.planner.plans import Draft, Unreadable, query
from tabchat.planner.shapes.base import no_extras

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.shapes.base import Question


def _rows(question: Question) -> Draft | None:
    """Answer with each repeated row, once, and how often it occurs."""
    if not no_extras(question) or any(node.column is not None for node in question.nodes("E")):
        return None
    names = [column.name for column in question.scene.table.columns]
    times = "times"
    while times in {name.casefold() for name in names}:
        times += "_"
    fields = {
        "group_by": [*names],
        "select": f"count() as {times}",
        "having": f"{times} > 1",
        "sort": f"{times} desc",
    }
    return Draft(
        tool="run_query",
        arguments=query(question.table, fields),
        shape="list",
        read_as=("rows that occur more than once, each once, with how often",),
    )


def _gaps(question: Question) -> Draft | None:
    """Read `columns with missing values`: the columns that have some, and how many."""
    if not no_extras(question):
        return None
    return _missing(question, exp.column("missing", quoted=True) > 0, "columns that have missing cells")


def _most_gaps(question: Question) -> Draft | None:
    """Read `which column has the most missing values`, with ties."""
    if not no_extras(question):
        return None
    if not question.node("S").has("super.max"):
        raise Unreadable("the columns with the fewest missing cells are those without any")
    most = exp.select(exp.Max(this=exp.column("missing", quoted=True))).from_(_counts(question)).subquery()
    return _missing(
        question, exp.column("missing", quoted=True).eq(most), "columns with the most missing cells"
    )


def _missing(question: Question, condition: exp.Expr, read_as: str) -> Draft:
    statement = (
        exp.select(exp.column("column", quoted=True), exp.column("missing", quoted=True))
        .from_(_counts(question))
        .where(condition)
        .order_by(exp.column("missing", quoted=True).desc(), exp.column("column", quoted=True))
    )
    return Draft(
        tool="run_sql",
        arguments={"sql": statement.sql("duckdb", identify=True)},
        shape="missing",
        read_as=(read_as,),
        details={"key": "column", "measure": "missing"},
    )


def _counts(question: Question) -> exp.Subquery:
    """Return one row for each column, with its missing cells."""
    columns = [exp.column(exp.to_identifier(item.name, quoted=True)) for item in question.scene.table.columns]
    names = [exp.Literal.string(item.name) for item in question.scene.table.columns]
    missing = [exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=cell)) for cell in columns]
    return (
        exp.select(_unnested(names, "column"), _unnested(missing, "missing"))
        .from_(exp.Table(this=exp.to_identifier(question.table, quoted=True)))
        .subquery("counted")
    )


def _unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    return exp.alias_(exp.func("unnest", exp.Array(expressions=items), dialect="duckdb"), name, quoted=True)


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[LWe]+[de]*d[Ee]*|Ed|dE", _rows),
    (r"[WL]*cn|[WL]*cen", _gaps),
    (r"[WL]*cSn|[WL]*Sncg?", _most_gaps),
)
"""Patterns over the whole core, and what answers them."""
