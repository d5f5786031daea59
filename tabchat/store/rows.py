"""Frames to Parquet and back: the few types that Parquet has no form for are cast on the way, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.result import Frame

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from tabchat.engine.types import Engine, Schema

_STORED_AS: Final[Mapping[str, str]] = {
    "HUGEINT": "DECIMAL(38, 0)",
    "UHUGEINT": "DECIMAL(38, 0)",
    "BIGNUM": "TEXT",
    "BIT": "TEXT",
    "UNION": "TEXT",
    "TIME WITH TIME ZONE": "TEXT",
    "TIMESTAMP_S": "TIMESTAMP",
}
"""What DuckDB would else write as a float, in another zone, or not at all."""

_RESTORED: Final = frozenset(_STORED_AS) - {"UNION"}


def storable(frame: Frame) -> exp.Query:
    """Return the query of `frame` with every column in a type that Parquet keeps exactly."""
    stored = {index: _STORED_AS[base] for index, base in _bases(frame.schema) if base in _STORED_AS}
    return _cast(frame.query, frame.schema, stored) if stored else frame.query


def kept_frame(engine: Engine, path: Path, schema: Schema, row_count: int) -> Frame:
    """Return the rows of a kept file as a frame with the types it had."""
    scan = exp.select("*").from_(exp.func("read_parquet", exp.Literal.string(str(path))))
    restored = {index: schema[index].sql_type for index, base in _bases(schema) if base in _RESTORED}
    query = _cast(scan, schema, restored) if restored else scan
    return Frame(engine=engine, query=query, schema=schema, row_count=row_count)


def _bases(schema: Schema) -> list[tuple[int, str]]:
    return [(index, column.sql_type.partition("(")[0].strip()) for index, column in enumerate(schema)]


def _cast(query: exp.Query, schema: Schema, types: Mapping[int, str]) -> exp.Select:
    # Columns are told apart by their place, for two may have one name.
    places = [exp.to_identifier(f"c{index}", quoted=True) for index in range(len(schema))]
    kept = query.subquery()
    kept.set("alias", exp.TableAlias(this=exp.to_identifier("kept", quoted=True), columns=places))
    return exp.select(
        *(
            exp.alias_(_typed(exp.column(place.copy()), types.get(index)), column.name, quoted=True)
            for index, (place, column) in enumerate(zip(places, schema, strict=True))
        )
    ).from_(kept)


def _typed(column: exp.Expression, sql_type: str | None) -> exp.Expression:
    if sql_type is None:
        return column
    return exp.Cast(this=column, to=exp.DataType.build(sql_type, dialect="duckdb"))
