"""Casts: DuckDB rounds where Spark cuts off, and reads texts that Spark reads otherwise."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.trees import (
    Kind,
    call,
    cast,
    double,
    infinity,
    kind_of,
    refused_where_not,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.backends.spark.trees import Translate

_NUMBER: Final = r"^\s*[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$"
_ODD_NUMBER: Final = r"(?i)inf|nan|_|0x"
_DATE: Final = r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}\s*$"
_TIME: Final = r"^\s*[0-9]{4}-[0-9]{2}-[0-9]{2}([ T][0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?)?\s*$"
_SHAPES: Final[Mapping[Kind, str]] = {
    Kind.FLOAT: _NUMBER,
    Kind.EXACT: _NUMBER,
    Kind.DATE: _DATE,
    Kind.TIMESTAMP: _TIME,
}
_ISO: Final = re.compile(
    r"\d{4}-\d{2}-\d{2}(?:[ T]\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?|\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?"
)
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
    if wanted is Kind.WHOLE:
        return cast(_rounded(made, given, node), sql_type, safe=safe)
    if wanted is Kind.TEXT:
        if given not in _WRITTEN:
            raise not_on_spark(
                f"The text of {given}", "Round it to an exact decimal first: CAST(x AS DECIMAL(18, 2))."
            )
        return cast(made, sql_type, safe=safe)
    if given is Kind.TEXT:
        return _read(node.this, made, sql_type, wanted, safe=safe)
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
    hint = "Read it as a fractional number first: CAST(CAST(x AS DOUBLE) AS BIGINT)."
    raise not_on_spark(f"A cast of {given} to {node.args['to'].sql('duckdb')}", hint)


def _read(text: exp.Expr, made: exp.Expr, sql_type: str, wanted: Kind, *, safe: bool) -> exp.Expr:
    """Return what a text says; one that only one of the two can read is an error of the query."""
    if isinstance(text, exp.Literal) and _ISO.fullmatch(text.this):
        return cast(made, sql_type)
    shape = _SHAPES.get(wanted)
    if shape is None:
        raise not_on_spark(f"A cast of texts to {sql_type}")
    fits = call("RLIKE", made.copy(), shape)
    if wanted in {Kind.FLOAT, Kind.EXACT}:
        plain = exp.Not(this=call("RLIKE", made.copy(), _ODD_NUMBER))
        known = when(fits, cast(made.copy(), sql_type, safe=safe)) if safe else cast(made.copy(), sql_type)
        if safe:
            return refused_where_not(plain, known, _unread(sql_type))
        return refused_where_not(exp.and_(fits, plain), known, _unread(sql_type))
    return refused_where_not(fits, cast(made.copy(), sql_type, safe=safe), _unread(sql_type))


def _unread(sql_type: str) -> str:
    return f"a text that DuckDB and Spark read differently as {sql_type}"


def finite(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return whether a value is a finite number; null for a null."""
    operand = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    made = go(operand)
    if kind_of(operand) in {Kind.DATE, Kind.TIMESTAMP, Kind.ZONED}:
        return when(exp.Not(this=exp.Is(this=made, expression=exp.Null())), exp.true())
    # NaN is greater than infinity.
    return exp.Paren(this=exp.LT(this=call("ABS", double(made)), expression=infinity()))
