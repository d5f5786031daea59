"""Casts: DuckDB rounds where Spark cuts off, and reads texts that Spark reads otherwise."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.trees import (
    Kind,
    call,
    cast,
    constant_int,
    double,
    infinity,
    is_there,
    kind_of,
    number,
    refused_where_not,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_NUMBER: Final = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_WHOLE_NUMBER: Final = r"^\s*[+-]?[0-9]+\s*$"
_ODD_NUMBER: Final = r"(?i)inf|nan|_|0x"
_DATE: Final = r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}\s*$"
_TIME: Final = r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?)?\s*$"
_PERHAPS_A_NUMBER: Final = r"(?i)[0-9]|inf|nan"
_PERHAPS_A_DATE: Final = r"(?i)[0-9]|inf|epoch"
_SHAPES: Final[Mapping[Kind, tuple[str, str]]] = {
    Kind.WHOLE: (_WHOLE_NUMBER, _PERHAPS_A_NUMBER),
    Kind.FLOAT: (_NUMBER, _ODD_NUMBER),
    Kind.EXACT: (_NUMBER, _ODD_NUMBER),
    Kind.DATE: (_DATE, _PERHAPS_A_DATE),
    Kind.TIMESTAMP: (_TIME, _PERHAPS_A_DATE),
}
"""Kind → the texts that both read alike, and those beside them of which one may make something."""
_ISO: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?|\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?"
)
_SIZES: Final = 2
"""Of a decimal: its digits, and those after the point."""
_WHOLE_DIGITS: Final = 18
"""Digits that every BIGINT has room for."""
_MOST_SCALE: Final = 22
"""Powers of ten up to this one are doubles exactly."""
_WRITTEN: Final = frozenset(
    {Kind.TEXT, Kind.WHOLE, Kind.EXACT, Kind.BOOLEAN, Kind.DATE, Kind.TIMESTAMP, Kind.NULL}
)
"""Kinds that both write alike."""


def translated_cast(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a CAST or TRY_CAST of DuckDB as Spark computes the same."""
    safe = isinstance(node, exp.TryCast)
    sql_type = node.args["to"].sql("duckdb")
    wanted, given = kind_of(node), kind_of(node.this)
    made = go(node.this)
    if given is Kind.NULL or given is wanted:
        return _same_kind(made, sql_type, wanted, safe=safe)
    if given is Kind.TEXT and wanted is not Kind.TEXT:
        return _read(node.this, made, sql_type, wanted, safe=safe)
    if wanted is Kind.WHOLE:
        return cast(_rounded(made, given, node), sql_type, safe=safe)
    if wanted is Kind.TEXT:
        if given not in _WRITTEN:
            raise not_on_spark(
                f"The text of {given}", "Round it to an exact decimal first: CAST(x AS DECIMAL(18, 2))."
            )
        return cast(made, sql_type, safe=safe)
    if given is Kind.FLOAT and wanted is Kind.EXACT:
        return _scaled(made, node.args["to"], safe=safe)
    if given is Kind.UNKNOWN or wanted in {Kind.UNKNOWN, Kind.INTERVAL}:
        raise not_on_spark(f"A cast of {given} to {sql_type}")
    return cast(made, sql_type, safe=safe)


def _same_kind(made: exp.Expr, sql_type: str, wanted: Kind, *, safe: bool) -> exp.Expr:
    if wanted is Kind.UNKNOWN:
        raise not_on_spark(f"The type {sql_type}")
    return cast(made, sql_type, safe=safe)


def _rounded(made: exp.Expr, given: Kind, node: exp.Expr) -> exp.Expr:
    if given is Kind.FLOAT:
        return call("RINT", double(made))
    if given is Kind.EXACT:
        return call("ROUND", made)
    if given in {Kind.BOOLEAN, Kind.WHOLE}:
        return made
    raise not_on_spark(f"A cast of {given} to {node.args['to'].sql('duckdb')}")


def _scaled(made: exp.Expr, to: exp.DataType, *, safe: bool) -> exp.Expr:
    """Return a double as an exact decimal: DuckDB scales it as a double, where Spark goes by its shortest digits."""
    sizes = [constant_int(size.this) for size in to.expressions]
    width, scale = sizes if len(sizes) == _SIZES else (None, None)
    if width is None or scale is None or scale > _MOST_SCALE:
        raise not_on_spark(f"A cast of a floating-point number to {to.sql('duckdb')}")
    # Of a decimal that is wider, not all values have as many units as a whole number counts: an error, not a null.
    units = cast(
        call("ROUND", exp.Mul(this=double(made), expression=number(10.0**scale))),
        "BIGINT",
        safe=safe and width <= _WHOLE_DIGITS,
    )
    unit = exp.Literal.number(f"{Decimal(1).scaleb(-scale):f}BD")
    exact = exp.Mul(this=cast(units, "DECIMAL(19, 0)"), expression=unit)
    return cast(exact, to.sql("duckdb"), safe=safe)


def _read(text: exp.Expr, made: exp.Expr, sql_type: str, wanted: Kind, *, safe: bool) -> exp.Expr:
    """Return what a text says; one that only one of the two can read is an error of the query."""
    if isinstance(text, exp.Literal) and _ISO.fullmatch(text.this):
        return cast(made, sql_type)
    if wanted not in _SHAPES:
        raise not_on_spark(f"A cast of texts to {sql_type}")
    shape, perhaps = _SHAPES[wanted]
    fits = call("RLIKE", made, shape)
    read = cast(made.copy(), sql_type, safe=safe)
    if safe:
        known = exp.or_(fits, exp.Not(this=call("RLIKE", made.copy(), perhaps)))
        return refused_where_not(known, when(fits.copy(), read), _unread(sql_type))
    return refused_where_not(fits, read, _unread(sql_type))


def _unread(sql_type: str) -> str:
    return f"a text that DuckDB and Spark read differently as {sql_type}"


def finite(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return whether a value is a finite number; null for a null."""
    operand = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    made = go(operand)
    if kind_of(operand) in {Kind.DATE, Kind.TIMESTAMP, Kind.ZONED}:
        return when(is_there(made), exp.true())
    # NaN is greater than infinity.
    return exp.Paren(this=exp.LT(this=call("ABS", double(made)), expression=infinity()))
