"""Columns of a recipe's queries: keys, measures and sums over fields, and names that are still free."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlglot import exp

from tabchat.engine.compile.queries import labelled
from tabchat.engine.functions.templates import fill
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from tabchat.engine.plan.relation import Field


def free_names(taken: Collection[str], *wanted: str) -> Mapping[str, str]:
    """Return wanted name → the same name, with a number behind it where `taken` holds it already."""
    folded = {name.casefold() for name in taken}
    found: dict[str, str] = {}
    for name in wanted:
        made, number = name, 1
        while made.casefold() in folded:
            number += 1
            made = f"{name}_{number}"
        folded.add(made.casefold())
        found[name] = made
    return found


def keys_of(fields: Sequence[Field]) -> list[exp.Expr]:
    """Return the columns that rows are grouped by, as people read them and under the names they know."""
    return [exp.alias_(labelled(field.column(), field.label), field.name, quoted=True) for field in fields]


def measured(field: Field) -> exp.Expr:
    """Return a number column as finite doubles; what is not finite is missing."""
    column = field.column()
    double = column if field.sql_type == "DOUBLE" else exp.cast(column, "DOUBLE", dialect="duckdb")
    if _is_exact(field):
        return double
    return fill("CASE WHEN ISFINITE(:x) THEN :y END", x=column, y=double)


def summed(field: Field, condition: exp.Expr | None = None) -> exp.Expr:
    """Return the sum of a number column: exact for whole numbers and decimals, compensated for doubles.

    Doubles are added with Kahan's summation (Kahan 1965, CACM 8, "Further remarks on reducing truncation
    errors"). `condition` says which rows are added; over none the sum is null.
    """
    column: exp.Expr = field.column()
    if _is_exact(field):
        shape = "CAST(SUM(:x) AS BIGINT)" if field.kind is ColumnKind.INTEGER else "SUM(:x)"
        filtered = shape.replace("SUM(:x)", "SUM(:x) FILTER (WHERE :c)")
    else:
        column = measured(field)
        shape, filtered = "FSUM(:x)", "FSUM(:x) FILTER (WHERE :c)"
    return fill(shape, x=column) if condition is None else fill(filtered, x=column, c=condition)


def size_of(field: Field) -> exp.Expr:
    """Return the sum of the absolute values of a number column: what the error of its sum is measured by."""
    return fill("COALESCE(SUM(ABS(:x)), 0)", x=measured(field))


def _is_exact(field: Field) -> bool:
    return field.kind is ColumnKind.INTEGER or (field.sql_type or "").startswith("DECIMAL")


def quoted(name: str) -> exp.Column:
    """Return a reference to a column of a result."""
    return exp.column(name, quoted=True)


def alias(value: exp.Expr, name: str) -> exp.Expr:
    """Return `value` under `name`."""
    return exp.alias_(value, name, quoted=True)
