"""Queries that replace some columns of another query, told apart by their places."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeAlias

from sqlglot import exp

if TYPE_CHECKING:
    from tabchat.engine.types import Schema

Replacement: TypeAlias = Callable[[exp.Expression], exp.Expression]


def base_type(sql_type: str) -> str:
    """Return a type's name without its parameters: `DECIMAL` for `DECIMAL(18,2)`."""
    return sql_type.partition("(")[0].strip()


def cast_to(sql_type: str) -> Replacement:
    """Return the replacement that casts a column to a DuckDB type."""
    target = exp.DataType.build(sql_type, dialect="duckdb")
    return lambda column: exp.Cast(this=column, to=target.copy())


def replace_columns(query: exp.Query, schema: Schema, replacements: Mapping[int, Replacement]) -> exp.Query:
    """Return `query` with the columns at some places replaced, names and row order kept.

    Names are not used to tell columns apart, for two may have the same one.
    """
    if not replacements:
        return query
    places = [exp.to_identifier(f"c{index}", quoted=True) for index in range(len(schema))]
    rows = query.subquery()
    rows.set("alias", exp.TableAlias(this=exp.to_identifier("rows", quoted=True), columns=places))
    return exp.select(
        *(
            exp.alias_(
                replacements[index](exp.column(place.copy()))
                if index in replacements
                else exp.column(place.copy()),
                column.name,
                quoted=True,
            )
            for index, (place, column) in enumerate(zip(places, schema, strict=True))
        )
    ).from_(rows)
