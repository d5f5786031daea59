"""The table as such: its columns, missing cells, repeated rows, its last rows. Written as SQL where plans cannot say it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.planner.plans import Draft, time_column
from tabchat.planner.shapes.base import no_extras
from tabchat.planner.shapes.ranks import ranked_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from tabchat.planner.shapes.base import Question


def _sql(statement: exp.Query, shape: str, read_as: str, details: dict[str, str] | None = None) -> Draft:
    text = statement.sql("duckdb", identify=True)
    return Draft(
        tool="run_sql", arguments={"sql": text}, shape=shape, read_as=(read_as,), details=details or {}
    )


def _table(question: Question) -> exp.Table:
    return exp.Table(this=exp.to_identifier(question.table, quoted=True))


def _cell(name: str) -> exp.Column:
    return exp.column(exp.to_identifier(name, quoted=True))


def _unnested(items: Sequence[exp.Expr], name: str) -> exp.Expr:
    return exp.alias_(
        exp.func("unnest", exp.Array(expressions=list(items)), dialect="duckdb"), name, quoted=True
    )


def _texts(values: Sequence[str]) -> list[exp.Expr]:
    return [exp.Literal.string(value) for value in values]


def _columns(question: Question) -> Draft | None:
    """List every column with its type, how many cells are filled, and how many differ."""
    if not no_extras(question):
        return None
    columns = question.scene.table.columns
    filled = [exp.Count(this=_cell(column.name)) for column in columns]
    distinct = [exp.Count(this=exp.Distinct(expressions=[_cell(column.name)])) for column in columns]
    statement = exp.select(
        _unnested(_texts([column.name for column in columns]), "column"),
        _unnested(_texts([column.kind.value for column in columns]), "type"),
        _unnested(filled, "filled"),
        _unnested(distinct, "distinct"),
    ).from_(_table(question))
    return _sql(statement, "schema", "columns of the table", {"key": "column"})


def _column_count(question: Question) -> Draft | None:
    if not no_extras(question):
        return None
    names = _unnested(_texts([column.name for column in question.scene.table.columns]), "column")
    inner = exp.select(names).subquery("listed")
    statement = exp.select(exp.alias_(exp.Count(this=exp.Star()), "columns", quoted=True)).from_(inner)
    return _sql(statement, "count", "number of columns")


def _missing_by_column(question: Question) -> Draft | None:
    if not no_extras(question):
        return None
    columns = question.scene.table.columns
    missing = [
        exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=_cell(column.name)))
        for column in columns
    ]
    statement = exp.select(
        _unnested(_texts([column.name for column in columns]), "column"), _unnested(missing, "missing")
    ).from_(_table(question))
    return _sql(statement, "missing", "missing cells by column", {"key": "column", "measure": "missing"})


def _duplicates(question: Question) -> Draft | None:
    """Count the rows that repeat an earlier row."""
    if not no_extras(question):
        return None
    groups = (
        exp.select(exp.alias_(exp.Count(this=exp.Star()), "times", quoted=True))
        .from_(_table(question))
        .group_by(*(_cell(column.name) for column in question.scene.table.columns))
        .subquery("kept")
    )
    repeated = exp.func(
        "coalesce",
        exp.Sum(this=exp.Sub(this=_cell("times"), expression=exp.Literal.number(1))),
        exp.Literal.number(0),
    )
    whole = exp.cast(repeated, "BIGINT", dialect="duckdb")
    statement = exp.select(exp.alias_(whole, "duplicates", quoted=True)).from_(groups)
    return _sql(statement, "count", "rows that repeat an earlier row")


def _last_rows(question: Question) -> Draft | None:
    """Show the last rows of the file, in its order."""
    tail = question.has("h") and question.node("h").has("tail")
    if not tail and not (question.has("F") and question.node("F").has("rel.last", "rel.past")):
        return None
    if question.has("E") and not question.node("E").has("rows") and time_column(question.scene) is not None:
        return None
    number = question.number() or (1 if question.has("F") and not question.plural_rows() else 5)
    dated = question.has("E") and not question.node("E").has("rows") and time_column(question.scene)
    if dated:
        return ranked_rows(question, dated, number, descending=True)
    if not no_extras(question):
        return None
    skipped = max(0, question.scene.table.row_count - number)
    statement = exp.select("*").from_(_table(question)).limit(number).offset(skipped)
    return _sql(statement, "preview", f"last {number} rows of the file")


SHAPES: Final[tuple[tuple[str, Callable[[Question], Draft | None]], ...]] = (
    (r"[WL]*ct?e?|[WL]*s[ct]*", _columns),
    (r"W?Kce?|W?Kc", _column_count),
    (r"[WLK]*ng?c|[WL]*Kng?c", _missing_by_column),
    (r"[WL]*Kd[Ee]*|[WL]*KEd|K?d", _duplicates),
    (r"[WL]*FN?E?|hN?E?", _last_rows),
)
