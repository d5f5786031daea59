"""Frames to Parquet and back: the few types that Parquet has no form for are cast on the way, both ways."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tabchat.engine.result.result import Frame
from tabchat.record import later

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from sqlglot import exp

    from tabchat.engine.result.result import Held
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
    from tabchat.engine.projection import base_type, cast_to, replace_columns

    stored = {
        index: cast_to(_STORED_AS[base_type(column.sql_type)])
        for index, column in enumerate(frame.schema)
        if base_type(column.sql_type) in _STORED_AS
    }
    return replace_columns(frame.query, frame.schema, stored)


def kept_frame(engine: Engine, path: Path, schema: Schema, row_count: int, held: Held | None = None) -> Frame:
    """Return the rows of a kept file as a frame with the types it had; `held` are the same rows, where they are few."""
    query = later(lambda: _restored(path, schema))
    frame = Frame(engine=engine, query=query, schema=schema, row_count=row_count)
    return frame if held is None else frame.holding(held)


def _restored(path: Path, schema: Schema) -> exp.Query:
    from sqlglot import exp

    from tabchat.engine.projection import base_type, cast_to, replace_columns

    scan = exp.select("*").from_(exp.func("read_parquet", exp.Literal.string(str(path))))
    restored = {
        index: cast_to(column.sql_type)
        for index, column in enumerate(schema)
        if base_type(column.sql_type) in _RESTORED
    }
    return replace_columns(scan, schema, restored)
