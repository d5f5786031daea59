"""Casts between kinds of columns: exact, or refused with the number of cells that do not fit.

Text is read as a person writes plain values: numbers with a point and without separators, ISO dates, dates as
`31.12.2024`. Blank text becomes missing. Fractions are not rounded away; the time of day of a datetime is.
"""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.templates import fill
from tabchat.engine.plan.advice import quoted
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import Column

KIND_OF: Final[Mapping[str, ColumnKind]] = MappingProxyType(
    {
        "int": ColumnKind.INTEGER,
        "float": ColumnKind.NUMBER,
        "text": ColumnKind.TEXT,
        "date": ColumnKind.DATE,
        "datetime": ColumnKind.DATETIME,
        "bool": ColumnKind.BOOLEAN,
    }
)
"""Type of a cast → kind of the column."""

_INTEGER: Final = r"^[+-]?[0-9]+(\.0*)?$"
_FLOAT: Final = r"^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$"
_TRUE: Final = "'true', 't', 'yes', 'y', '1', 'так', 'да'"
_FALSE: Final = "'false', 'f', 'no', 'n', '0', 'ні', 'нет'"

_DAYS: Final = "'%Y-%m-%d', '%Y/%m/%d', '%d.%m.%Y'"
_TIMES: Final = (
    "'%Y-%m-%d %H:%M:%S.%f', '%Y-%m-%dT%H:%M:%S.%f', '%Y-%m-%d %H:%M:%S', '%Y-%m-%dT%H:%M:%S', "
    "'%Y-%m-%d %H:%M', '%Y-%m-%dT%H:%M', '%d.%m.%Y %H:%M:%S', '%d.%m.%Y %H:%M'"
)

_WHOLE: Final = (
    "CASE WHEN ISFINITE(CAST(:x AS DOUBLE)) AND CAST(:x AS DOUBLE) = TRUNC(CAST(:x AS DOUBLE))"
    " THEN TRY_CAST(:x AS BIGINT) END"
)

_FROM_TEXT: Final[Mapping[ColumnKind, str]] = MappingProxyType(
    {
        ColumnKind.INTEGER: f"CASE WHEN REGEXP_MATCHES(:t, '{_INTEGER}') THEN TRY_CAST(:t AS BIGINT) END",
        ColumnKind.NUMBER: f"CASE WHEN REGEXP_MATCHES(:t, '{_FLOAT}') AND ISFINITE(TRY_CAST(:t AS DOUBLE))"
        " THEN TRY_CAST(:t AS DOUBLE) END",
        ColumnKind.DATE: f"CAST(TRY_STRPTIME(:t, [{_DAYS}]) AS DATE)",
        ColumnKind.DATETIME: f"TRY_STRPTIME(:t, [{_TIMES}, {_DAYS}])",
        ColumnKind.BOOLEAN: f"CASE WHEN LOWER(:t) IN ({_TRUE}) THEN TRUE WHEN LOWER(:t) IN ({_FALSE}) THEN FALSE END",
    }
)

_BETWEEN: Final[Mapping[tuple[ColumnKind, ColumnKind], str]] = MappingProxyType(
    {
        (ColumnKind.NUMBER, ColumnKind.INTEGER): _WHOLE,
        (ColumnKind.BOOLEAN, ColumnKind.INTEGER): "CAST(:x AS BIGINT)",
        (ColumnKind.INTEGER, ColumnKind.NUMBER): "CASE WHEN CAST(CAST(:x AS DOUBLE) AS HUGEINT) = :x"
        " THEN CAST(:x AS DOUBLE) END",
        (ColumnKind.BOOLEAN, ColumnKind.NUMBER): "CAST(CAST(:x AS INTEGER) AS DOUBLE)",
        (ColumnKind.DATETIME, ColumnKind.DATE): "CAST(:x AS DATE)",
        (ColumnKind.DATE, ColumnKind.DATETIME): "CAST(:x AS TIMESTAMP)",
        (ColumnKind.INTEGER, ColumnKind.BOOLEAN): "CASE WHEN :x = 0 THEN FALSE WHEN :x = 1 THEN TRUE END",
        (ColumnKind.NUMBER, ColumnKind.BOOLEAN): "CASE WHEN :x = 0 THEN FALSE WHEN :x = 1 THEN TRUE END",
    }
)


def converted(column: Column, kind: ColumnKind) -> tuple[exp.Expr, exp.Expr] | None:
    """Return the cells of `column` as `kind`, null for those that are not, and the condition that a cell is not.

    None where no cell of the one kind is a cell of the other.
    """
    x = exp.column(column.name, quoted=True)
    if kind is ColumnKind.TEXT:
        return exp.cast(x, "VARCHAR", dialect="duckdb"), exp.false()
    if column.kind is ColumnKind.TEXT:
        text = fill("TRIM(:x)", x=x)
        value = fill(_FROM_TEXT[kind], t=text)
        return value, fill("(:v) IS NULL AND :t <> ''", v=value, t=text)
    shape = _BETWEEN.get((column.kind, kind))
    if shape is None:
        return None
    value = fill(shape, x=x)
    return value, fill("(:v) IS NULL AND NOT :x IS NULL", v=value, x=x)


def cast_hint(column: Column, kind: ColumnKind) -> str:
    """Say how to go on when some cells do not fit."""
    if column.kind is ColumnKind.NUMBER and kind is ColumnKind.INTEGER:
        rounded = {"operation": "update", "set": {column.name: f"round({quoted(column.name)})"}}
        return f"Round them first: {json.dumps(rounded, ensure_ascii=False)}."
    if column.kind is ColumnKind.INTEGER and kind is ColumnKind.NUMBER:
        return "They have more digits than a float holds; keep them whole, or make them text."
    return "Correct them first with replace_values, or with update."
