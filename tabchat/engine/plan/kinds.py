"""Kinds of values: which may meet, what they become, and what to say when they may not."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Bound
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

_NARROW: Final = frozenset(
    {"TINYINT", "SMALLINT", "INTEGER", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "HUGEINT", "UHUGEINT"}
)
_SAFE_DIGITS: Final = 15
"""A decimal literal of so many digits becomes the nearest double exactly."""
_KIND_NAMES: Final[Mapping[ColumnKind, str]] = {
    ColumnKind.INTEGER: "numbers",
    ColumnKind.NUMBER: "numbers",
    ColumnKind.BOOLEAN: "a condition",
    ColumnKind.TEXT: "text",
    ColumnKind.DATE: "dates",
    ColumnKind.DATETIME: "dates with a time",
    ColumnKind.TIME: "times of day",
    ColumnKind.OTHER: "nested values",
}


def describe_kind(value: Bound) -> str:
    """Say what a value is, for a message."""
    kind = _KIND_NAMES[value.kind] if value.kind is not None else "null"
    return f"`{value.sql.name}` ({kind})" if isinstance(value.sql, exp.Column) else kind


def common_kind(values: Iterable[Bound]) -> ColumnKind | None:
    """Return the kind that holds all the values; raises `ExpressionError` when there is none."""
    kinds = {value.kind for value in values} - {None}
    if len(kinds) <= 1:
        return next(iter(kinds), None)
    for family, widest in (
        ({ColumnKind.INTEGER, ColumnKind.NUMBER}, ColumnKind.NUMBER),
        ({ColumnKind.DATE, ColumnKind.DATETIME}, ColumnKind.DATETIME),
    ):
        if kinds <= family:
            return widest
    names = " and ".join(sorted(_KIND_NAMES[kind] for kind in kinds if kind))
    raise ExpressionError(
        f"{names[0].upper()}{names[1:]} cannot share one column.", "Use values of one kind."
    )


def operand_value(value: Bound) -> Bound:
    """Return a number ready for arithmetic: whole numbers in 64 bits, all others as doubles."""
    sql = value.sql
    if value.sql_type in _NARROW:
        sql = exp.cast(sql.copy(), "BIGINT", dialect="duckdb")
    elif value.sql_type == "FLOAT" or (value.sql_type or "").startswith("DECIMAL"):
        sql = exp.cast(sql.copy(), "DOUBLE", dialect="duckdb")
    else:
        return value
    return replace(value, sql=sql, sql_type=None)


def aligned_temporal(value: Bound, kind: ColumnKind | None) -> Bound | None:
    """Return a text literal as the date or time it states when it meets `kind`, else None."""
    if not isinstance(value.literal, str) or kind is None:
        return None
    found: dt.date | dt.time
    try:
        if kind is ColumnKind.TIME:
            found, target = dt.time.fromisoformat(value.literal), ColumnKind.TIME
        elif kind.is_temporal and len(value.literal) <= len("2024-01-01"):
            found, target = dt.date.fromisoformat(value.literal), ColumnKind.DATE
        elif kind.is_temporal:
            found, target = dt.datetime.fromisoformat(value.literal), ColumnKind.DATETIME
        else:
            return None
    except ValueError:
        shape = "'09:30'" if kind is ColumnKind.TIME else "'2024-01-31'"
        raise ExpressionError(
            f"'{value.literal}' is not a {'time' if kind is ColumnKind.TIME else 'date'}.",
            f"Write it as {shape}.",
        ) from None
    if getattr(found, "tzinfo", None) is not None:
        raise ExpressionError(
            f"'{value.literal}' has a time zone.", "Leave it out: times are compared as they stand."
        )
    sql_type = {ColumnKind.TIME: "TIME", ColumnKind.DATE: "DATE"}.get(target, "TIMESTAMP")
    text = found.isoformat(sep=" ") if isinstance(found, dt.datetime) else found.isoformat()
    return Bound(sql=exp.cast(exp.Literal.string(text), sql_type, dialect="duckdb"), kind=target)


def compared(left: Bound, right: Bound) -> tuple[Bound, Bound]:
    """Return two values that can be compared; raises `ExpressionError` when they cannot."""
    left, right = aligned_temporal(left, right.kind) or left, aligned_temporal(right, left.kind) or right
    for value, other in ((left, right), (right, left)):
        if value.label == "weekday" and other.kind is ColumnKind.TEXT:
            raise ExpressionError("dayofweek() counts from Monday = 0.", "Compare dayname() with 'Monday'.")
        if value.label == "month" and other.kind is ColumnKind.TEXT:
            raise ExpressionError("month() counts from 1.", "Compare monthname() with 'January'.")
    try:
        common_kind((left, right))
    except ExpressionError:
        raise ExpressionError(
            f"{_capital(describe_kind(left))} cannot be compared with {describe_kind(right)}.",
            _comparison_hint(left, right),
        ) from None
    return _plain_literal(left, right), _plain_literal(right, left)


def _comparison_hint(left: Bound, right: Bound) -> str | None:
    for value, other in ((left, right), (right, left)):
        if isinstance(value.literal, str) and other.kind is not None and other.kind.is_numeric:
            return "Write numbers without quotes."
        if isinstance(value.literal, int | float) and other.kind is ColumnKind.TEXT:
            return f"Write text in single quotes: '{value.literal}'."
        if other.kind is ColumnKind.BOOLEAN:
            return "Compare a condition with true or false, or use it alone."
    return None


def _plain_literal(value: Bound, other: Bound) -> Bound:
    """Return a fraction as a person writes it, where the comparison comes out the same."""
    if value.kind is not ColumnKind.NUMBER or not isinstance(value.literal, float):
        return value
    exact = (other.sql_type or "").startswith("DECIMAL")
    digits = sum(character.isdigit() for character in repr(value.literal))
    if digits > _SAFE_DIGITS and not exact:
        return value
    plain = exp.Literal.number(repr(abs(value.literal)))
    return replace(value, sql=exp.Neg(this=plain) if value.literal < 0 else plain)


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
