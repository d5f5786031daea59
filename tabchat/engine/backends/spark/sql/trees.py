"""Small trees of Spark's SQL: calls, casts, and what kind of value an operand has."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.types import spark_type

if TYPE_CHECKING:
    from collections.abc import Callable

    Translate: TypeAlias = Callable[[exp.Expr], exp.Expr]

_WHOLE: Final = exp.DataType.INTEGER_TYPES
_FLOATS: Final = {exp.DataType.Type.DOUBLE, exp.DataType.Type.FLOAT}
_TIMESTAMPS: Final = {
    exp.DataType.Type.TIMESTAMP,
    exp.DataType.Type.TIMESTAMPNTZ,
    exp.DataType.Type.DATETIME,
    exp.DataType.Type.TIMESTAMP_S,
    exp.DataType.Type.TIMESTAMP_MS,
}
_ZONED: Final = {exp.DataType.Type.TIMESTAMPTZ, exp.DataType.Type.TIMESTAMPLTZ}


class Kind(StrEnum):
    """What a value is, as far as DuckDB and Spark treat it differently."""

    WHOLE = "whole numbers"
    FLOAT = "floating-point numbers"
    EXACT = "exact decimals"
    TEXT = "texts"
    BOOLEAN = "truth values"
    DATE = "dates"
    TIMESTAMP = "times"
    ZONED = "times with a zone"
    CLOCK = "times of day"
    INTERVAL = "intervals"
    NULL = "nulls"
    UNKNOWN = "values of a type that is not known"


def kind_of(node: exp.Expr) -> Kind:  # noqa: PLR0911 - one return for each kind
    """Return what kind of value a node of the query gives, by its annotated type."""
    if isinstance(node, exp.Paren):
        return kind_of(node.this)
    if isinstance(node, exp.Null):
        return Kind.NULL
    found = node.type.this if node.type is not None else None
    if isinstance(node, (exp.Interval, exp.ToDays)) or found is exp.DataType.Type.INTERVAL:
        return Kind.INTERVAL
    if found in _WHOLE:
        return Kind.WHOLE
    if found in _FLOATS:
        return Kind.FLOAT
    if found in exp.DataType.REAL_TYPES:
        return Kind.EXACT
    if found in exp.DataType.TEXT_TYPES:
        return Kind.TEXT
    if found in _TIMESTAMPS:
        return Kind.TIMESTAMP
    if found in _ZONED:
        return Kind.ZONED
    simple = {
        exp.DataType.Type.BOOLEAN: Kind.BOOLEAN,
        exp.DataType.Type.DATE: Kind.DATE,
        exp.DataType.Type.TIME: Kind.CLOCK,
        exp.DataType.Type.NULL: Kind.NULL,
    }
    return simple.get(found, Kind.UNKNOWN) if found is not None else Kind.UNKNOWN


NUMBERS: Final = frozenset({Kind.WHOLE, Kind.FLOAT, Kind.EXACT, Kind.NULL})
TEMPORAL: Final = frozenset({Kind.DATE, Kind.TIMESTAMP, Kind.ZONED})


def call(name: str, *arguments: exp.Expr | str | int) -> exp.Expr:
    """Return the call of a function by Spark's own name; a text is a literal."""
    return exp.Anonymous(this=name, expressions=[_operand(item) for item in arguments])


def _operand(item: exp.Expr | str | int) -> exp.Expr:
    if isinstance(item, str):
        return exp.Literal.string(item)
    return exp.Literal.number(item) if isinstance(item, int) else item


def cast(node: exp.Expr, sql_type: str, *, safe: bool = False) -> exp.Expr:
    """Return `node` in the type that DuckDB calls `sql_type`; null where it cannot be, when `safe`."""
    wanted = spark_type(sql_type)
    if wanted is None:
        raise not_on_spark(f"The type {sql_type}")
    to = exp.DataType(this=exp.DataType.Type.USERDEFINED, kind=wanted)
    # Without `safe`, a TryCast is written as a plain cast.
    return exp.TryCast(this=node, to=to, safe=True) if safe else exp.Cast(this=node, to=to)


def double(node: exp.Expr) -> exp.Expr:
    """Return `node` as a double."""
    return cast(node, "DOUBLE")


def number(value: float | str) -> exp.Expr:
    """Return a literal that Spark takes for a double."""
    return exp.Literal.number(f"{value}D")


INFINITY: Final = "Infinity"


def infinity() -> exp.Expr:
    """Return positive infinity."""
    return double(exp.Literal.string(INFINITY))


def not_a_number() -> exp.Expr:
    """Return NaN."""
    return double(exp.Literal.string("NaN"))


def is_there(node: exp.Expr) -> exp.Expr:
    """Return whether a value is not null."""
    return exp.Not(this=exp.Is(this=node, expression=exp.Null()))


def constant_int(node: exp.Expr) -> int | None:
    """Return the whole number that a node is written as, nothing for any other."""
    sign, inner = (-1, node.this) if isinstance(node, exp.Neg) else (1, node)
    return sign * int(inner.name) if isinstance(inner, exp.Literal) and inner.is_int else None


def paren(node: exp.Expr) -> exp.Expr:
    """Return `node` in brackets."""
    return exp.Paren(this=node)


def binary(kind: type[exp.Binary], left: exp.Expr, right: exp.Expr) -> exp.Expr:
    """Return two operands, each in brackets where it needs them, with an operator between them."""
    sides = [paren(item) if isinstance(item, (exp.Binary, exp.Unary)) else item for item in (left, right)]
    return kind(this=sides[0], expression=sides[1])


def when(condition: exp.Expr, value: exp.Expr, otherwise: exp.Expr | None = None) -> exp.Expr:
    """Return `value` where the condition holds, and `otherwise` or null elsewhere."""
    return exp.Case(ifs=[exp.If(this=condition, true=value)], default=otherwise)


def refused_where_not(condition: exp.Expr, value: exp.Expr, message: str) -> exp.Expr:
    """Return `value` where the condition holds or is null, and an error of the query elsewhere."""
    failing = exp.Not(this=paren(condition))
    return when(failing, call("RAISE_ERROR", message), value)


def micros(node: exp.Expr) -> exp.Expr:
    """Return the microseconds since 1970 of a date or a time."""
    return call("UNIX_MICROS", cast(node, "TIMESTAMP WITH TIME ZONE"))


def by_name(name: str, *, doubles: bool = False) -> Callable[[exp.Expr, Translate], exp.Expr]:
    """Return the translation of a call whose arguments are taken in order, as doubles where they are to be."""

    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        made = [go(item) for key in node.arg_types for item in items_of(node.args.get(key))]
        return call(name, *(double(item) if doubles else item for item in made))

    return build


def items_of(value: object) -> list[exp.Expr]:
    """Return the operands in an argument of a node: one, several or none."""
    if isinstance(value, exp.Expr):
        return [value]
    return [item for item in value if isinstance(item, exp.Expr)] if isinstance(value, list) else []
