"""Which values a column takes, and as what: types stay as they are where they can hold the new cells exactly."""

from __future__ import annotations

from decimal import Decimal
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions import Bound
from tabchat.engine.functions.templates import double
from tabchat.engine.plan.advice import quoted
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.kinds import aligned_temporal, describe_kind
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.edits.operations import Scalar
    from tabchat.engine.types import Column

_BITS: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {
        **{
            name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            for name, bits in (("TINYINT", 8), ("SMALLINT", 16))
        },
        **{
            name: (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
            for name, bits in (("INTEGER", 32), ("BIGINT", 64))
        },
        **{name: (0, 2**bits - 1) for name, bits in (("UTINYINT", 8), ("USMALLINT", 16))},
        **{name: (0, 2**bits - 1) for name, bits in (("UINTEGER", 32), ("UBIGINT", 64))},
    }
)
"""Least and greatest number of each whole-number type."""

_HOLDS: Final[Mapping[ColumnKind, str]] = MappingProxyType(
    {
        ColumnKind.INTEGER: "whole numbers",
        ColumnKind.NUMBER: "numbers",
        ColumnKind.BOOLEAN: "true and false",
        ColumnKind.TEXT: "text",
        ColumnKind.DATE: "dates",
        ColumnKind.DATETIME: "dates with a time",
        ColumnKind.TIME: "times of day",
        ColumnKind.OTHER: "nested values",
    }
)

EXACT_DOUBLE: Final = 2**53
"""Whole numbers up to this one are held exactly by a double."""


def scalar(value: Scalar) -> Bound:
    """Return a JSON scalar as a written value."""
    match value:
        case None:
            return Bound(sql=exp.Null(), kind=None)
        case bool():
            return Bound(sql=exp.convert(value), kind=ColumnKind.BOOLEAN)
        case int():
            return Bound(sql=exp.convert(value), kind=ColumnKind.INTEGER, literal=value)
        case float():
            sql = double(abs(value))
            return Bound(sql=exp.Neg(this=sql) if value < 0 else sql, kind=ColumnKind.NUMBER, literal=value)
        case str():
            return Bound(sql=exp.Literal.string(value), kind=ColumnKind.TEXT, literal=value)


def assigned(value: Bound, column: Column) -> Bound:
    """Return `value` as a cell of `column`; raises `ExpressionError` for one of another kind.

    A written number takes the column's own type where that holds it exactly; a wider value widens the column.
    """
    value = aligned_temporal(value, column.kind) or value
    if value.kind is None:
        return value
    both_numeric = value.kind.is_numeric and column.kind.is_numeric
    both_temporal = value.kind.is_temporal and column.kind.is_temporal
    if not (value.kind is column.kind or both_numeric or both_temporal):
        raise ExpressionError(
            f"Column {quoted(column.name)} holds {_HOLDS[column.kind]}, not {describe_kind(value)}.",
            _assignment_hint(value, column),
        )
    if isinstance(value.literal, (int, float)) and _fits(value.literal, column.sql_type):
        number = exp.Literal.string(_plain(value.literal))
        sql = exp.cast(number, column.sql_type, dialect="duckdb")
        return Bound(sql=sql, kind=column.kind, literal=value.literal, unit=value.unit)
    return value


def _assignment_hint(value: Bound, column: Column) -> str | None:
    if column.kind is ColumnKind.TEXT and isinstance(value.literal, (int, float)):
        return f"Write it as text: '{_plain(value.literal)}'."
    if column.kind is ColumnKind.TEXT:
        return "Make it text with concat(x), or cast the column first."
    if value.kind is ColumnKind.TEXT and column.kind.is_numeric:
        return "Write numbers without quotes, or cast the column to text first."
    return "Cast the column first."


def _fits(literal: float, sql_type: str) -> bool:
    """Tell whether a column of that type holds the written number exactly."""
    if sql_type in _BITS:
        least, greatest = _BITS[sql_type]
        return literal == int(literal) and least <= literal <= greatest
    if sql_type.startswith("DECIMAL("):
        width, scale = (int(part) for part in sql_type.removeprefix("DECIMAL(").rstrip(")").split(","))
        number = Decimal(_plain(literal))
        return number == round(number, scale) and abs(number) < 10 ** (width - scale)
    return sql_type == "FLOAT"


def _plain(number: float) -> str:
    """Return a number as a person writes it, whole ones without a point."""
    if isinstance(number, int) or (number == int(number) and abs(number) < EXACT_DOUBLE):
        return str(int(number))
    return repr(number)


def loses_digits(column: Column, value: Bound) -> bool:
    """Tell whether a whole-number column would become doubles, which hold no more than 15 digits exactly."""
    return column.kind is ColumnKind.INTEGER and value.kind is ColumnKind.NUMBER
