"""Queries over the columns of another query, told apart by their places: two may have one name."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from sqlglot import exp

    from tabchat.engine.types import Schema

Replacement: TypeAlias = "Callable[[exp.Expr], exp.Expr]"


def base_type(sql_type: str) -> str:
    """Return a type's name without its parameters: `DECIMAL` for `DECIMAL(18,2)`."""
    return sql_type.partition("(")[0].strip()


def cast_to(sql_type: str) -> Replacement:
    """Return the replacement that casts a column to a DuckDB type."""

    def cast(column: exp.Expr) -> exp.Expr:
        from sqlglot import exp

        return exp.Cast(this=column, to=_type(sql_type).copy())

    return cast


@lru_cache
def _type(sql_type: str) -> exp.DataType:
    from sqlglot import exp

    return exp.DataType.build(sql_type, dialect="duckdb")


def project(
    query: exp.Query, schema: Schema, build: Callable[[Sequence[exp.Column]], Sequence[exp.Expr]]
) -> exp.Select:
    """Return a query over the rows of `query`, in their order; `build` makes its columns from theirs."""
    from sqlglot import exp

    places = [exp.to_identifier(f"c{index}", quoted=True) for index in range(len(schema))]
    rows = query.subquery()
    rows.set("alias", exp.TableAlias(this=exp.to_identifier("rows", quoted=True), columns=places))
    return exp.select(*build([exp.column(place.copy()) for place in places])).from_(rows)


def replace_columns(query: exp.Query, schema: Schema, replacements: Mapping[int, Replacement]) -> exp.Query:
    """Return `query` with the columns at some places replaced, names kept."""
    if not replacements:
        return query
    from sqlglot import exp

    def build(columns: Sequence[exp.Column]) -> list[exp.Expr]:
        return [
            exp.alias_(replacements[index](column) if index in replacements else column, name, quoted=True)
            for index, (column, name) in enumerate(zip(columns, (item.name for item in schema), strict=True))
        ]

    return project(query, schema, build)
