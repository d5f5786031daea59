"""Totals of a long result's columns, which any changed cell changes.

Of text, dates and whole numbers a sum of hashes (MD5, of which 64 bits are added), which does not depend on the order
of rows, and of all these columns together one of whole rows. Fractions differ in their last digits from run to run,
so of them the sum, and the sum of logarithms, in which each counts by how much it changes relative to itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.types import ColumnKind, json_value

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.result.result import Frame
    from tabchat.engine.types import Column, JsonValue

WHOLE = "whole rows"
"""Name of the totals over all columns that hold no fractions."""


def totals_of(frame: Frame) -> Mapping[str, Mapping[str, JsonValue]]:
    """Return column → totals of a frame, read in one pass of the engine."""
    columns = [column for column in frame.schema if frame.columns.count(column.name) == 1]
    exact = [column for column in columns if column.kind is not ColumnKind.NUMBER]
    cells: list[tuple[str, str, exp.Expr]] = []
    for column in columns:
        cells += [(column.name, what, value) for what, value in _totals(column).items()]
    if exact:
        cells.append(
            (WHOLE, "hash", _hash(exp.func("concat_ws", exp.Literal.string("\x1f"), *map(_text, exact))))
        )
    query = exp.select(
        *(exp.alias_(value, f"t{index}", quoted=True) for index, (_, _, value) in enumerate(cells))
    ).from_(frame.query.copy().subquery("frame"))
    (row,) = frame.engine.rows(query)
    found: dict[str, dict[str, JsonValue]] = {}
    for (name, what, _), value in zip(cells, row, strict=True):
        found.setdefault(name, {})[what] = str(value) if what == "hash" else json_value(value)
    return found


def _totals(column: Column) -> Mapping[str, exp.Expr]:
    cell = exp.column(column.name, quoted=True)
    missing = exp.func("count_if", exp.Is(this=cell.copy(), expression=exp.Null()))
    if column.kind is ColumnKind.NUMBER:
        number = exp.cast(cell, "DOUBLE", dialect="duckdb")
        size = exp.func("nullif", exp.func("abs", number.copy()), exp.Literal.number(0))
        below = exp.func("count_if", exp.LT(this=number.copy(), expression=exp.Literal.number(0)))
        return {
            "sum": exp.func("sum", number),
            "sum of logarithms": exp.func("sum", exp.func("ln", size, dialect="duckdb")),
            "below zero": below,
            "missing": missing,
        }
    if column.kind is ColumnKind.INTEGER:
        return {"sum": exp.func("sum", cell), "hash": _hash(_text(column)), "missing": missing}
    return {"hash": _hash(_text(column)), "missing": missing}


def _text(column: Column) -> exp.Expr:
    text = exp.cast(exp.column(column.name, quoted=True), "VARCHAR", dialect="duckdb")
    return exp.func("coalesce", text, exp.Literal.string("\x00"))


def _hash(text: exp.Expr) -> exp.Expr:
    number = exp.cast(exp.Anonymous(this="md5_number_lower", expressions=[text]), "HUGEINT", dialect="duckdb")
    return exp.func("sum", number)
