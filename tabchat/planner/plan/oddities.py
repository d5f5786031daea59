"""What is odd in a table, as one query: missing cells, outliers, repeated rows, and of each how many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.planner.plan.call import PlannedCall, Unplannable
from tabchat.planner.plan.scope import scope_of
from tabchat.planner.plan.summaries import unnested

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tabchat.engine.facts.records import ColumnFacts
    from tabchat.planner.intent import Intent
    from tabchat.planner.plan.columns import Columns

_REACH: Final = "1.5"
"""Interquartile ranges beyond a quartile where outliers begin (Tukey 1977), as in the function `outlier`."""
_CELLS: Final = "cells"
_FENCES: Final = "fences"
"""What the table and its bounds are called in the query, whatever their columns and the table are called."""
_QUARTILES: Final = ("0.25", "0.75")


def oddities(intent: Intent, columns: Columns) -> PlannedCall:
    """Plan one row for each kind of oddity that there is in a column, or in the rows as such: how many cells or rows."""
    if not scope_of(intent, columns).is_open:
        raise Unplannable("what is odd is looked for in whole columns")
    found = [columns.find(name) for name in intent.columns or columns.names]
    table = exp.to_identifier(columns.table, quoted=True)
    measured = [column for column in found if _is_measured(column, columns)]
    findings: list[tuple[str, str | None, exp.Expr]] = [
        *(("missing", column.name, _missing(column)) for column in found),
        *(("outlier", column.name, _beyond(column, place)) for place, column in enumerate(measured)),
    ]
    if not intent.columns and not any(column.unique for column in found):
        findings.append(("repeated row", None, _repeated(table)))
    kinds, names, counts = zip(*findings, strict=True)
    counted = exp.select(
        unnested([exp.Literal.string(kind) for kind in kinds], "finding"),
        unnested([exp.null() if name is None else exp.Literal.string(name) for name in names], "column"),
        unnested(counts, "count"),
    ).from_(exp.alias_(exp.Table(this=table.copy()), _CELLS, table=True))
    if measured:
        counted = counted.join(_fences(table, measured), join_type="cross")
    number = exp.column("count", quoted=True)
    statement = exp.select("*").from_(counted.subquery("found")).where(number > 0)
    return PlannedCall(
        tool="run_sql", arguments={"sql": statement.sql("duckdb", identify=True)}, rule=("outliers",)
    )


def _is_measured(column: ColumnFacts, columns: Columns) -> bool:
    number = column.kind.is_numeric and columns.is_number(column.name)
    return number and not (column.years or column.numbers_rows or column.unique)


def _missing(column: ColumnFacts) -> exp.Expr:
    cell = exp.column(column.name, table=_CELLS, quoted=True)
    return exp.Sub(this=exp.Count(this=exp.Star()), expression=exp.Count(this=cell))


def _beyond(column: ColumnFacts, place: int) -> exp.Expr:
    low, high = (exp.column(f"{end}_{place}", table=_FENCES, quoted=True) for end in ("low", "high"))
    cell = exp.column(column.name, table=_CELLS, quoted=True)
    return exp.CountIf(
        this=exp.or_(exp.LT(this=cell, expression=low), exp.GT(this=cell.copy(), expression=high))
    )


def _fences(table: exp.Identifier, measured: Sequence[ColumnFacts]) -> exp.Expr:
    """Return the one row of the bounds beyond which cells of `measured` lie far out."""
    return exp.select(*_bounds(measured)).from_(exp.Table(this=table.copy())).subquery(_FENCES)


def _bounds(measured: Sequence[ColumnFacts]) -> Iterator[exp.Expr]:
    for place, column in enumerate(measured):
        cell = exp.cast(exp.column(column.name, quoted=True), "DOUBLE")
        low, high = (
            exp.func("quantile_cont", cell.copy(), exp.Literal.number(part), dialect="duckdb")
            for part in _QUARTILES
        )
        reach = exp.Mul(
            this=exp.Literal.number(_REACH),
            expression=exp.Paren(this=exp.Sub(this=high.copy(), expression=low.copy())),
        )
        yield exp.alias_(exp.Sub(this=low, expression=reach), f"low_{place}", quoted=True)
        yield exp.alias_(exp.Add(this=high, expression=reach.copy()), f"high_{place}", quoted=True)


def _repeated(table: exp.Identifier) -> exp.Expr:
    different = exp.select("*").distinct().from_(exp.Table(this=table.copy())).subquery("different")
    counted = exp.select(exp.Count(this=exp.Star())).from_(different)
    return exp.Sub(this=exp.Count(this=exp.Star()), expression=counted.subquery())
