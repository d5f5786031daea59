"""Functions and operators of one row whose edges differ between DuckDB and Spark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.calendar import moved
from tabchat.engine.backends.spark.sql.trees import (
    Kind,
    by_name,
    call,
    cast,
    constant_int,
    double,
    infinity,
    is_there,
    items_of,
    kind_of,
    not_a_number,
    number,
    when,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_ALIKE: Final = (
    *(exp.Mul, exp.Mod, exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NullSafeEQ, exp.NullSafeNEQ),
    *(exp.In, exp.Between, exp.Greatest, exp.Least, exp.Coalesce, exp.Nullif),
)
"""What compares its operands, or puts them together."""
_COMPARED: Final = frozenset({"this", "expression", "expressions", "low", "high"})
_INTEGRAL: Final = 2.0**52
"""From here on every double is a whole number."""
_MOST_PLACES: Final = 22
"""Powers of ten up to this one are doubles exactly."""


def _operator(node: exp.Expr, go: Translate) -> exp.Expr:
    return moved(node, go) or _alike(node, go)


def _alike(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a node whose operands are of one type: beside a 32-bit float, whole numbers and decimals are such floats, too."""
    parts = {name: items_of(value) for name, value in node.args.items() if name in _COMPARED}
    narrow = _is_narrow([item for items in parts.values() for item in items])
    made = {
        name: [_narrowed(item, go) if narrow else go(item) for item in items] for name, items in parts.items()
    }
    given = {
        name: made[name] if isinstance(node.args[name], list) else made[name][0]
        for name in made
        if made[name]
    }
    rest = {
        name: go(value) if isinstance(value, exp.Expr) else value
        for name, value in node.args.items()
        if name not in given
    }
    return type(node)(**given, **rest)


def _is_narrow(operands: list[exp.Expr]) -> bool:
    types = [item.type.this if item.type is not None else None for item in operands]
    return exp.DataType.Type.FLOAT in types and exp.DataType.Type.DOUBLE not in types


def _narrowed(item: exp.Expr, go: Translate) -> exp.Expr:
    return cast(go(item), "FLOAT") if kind_of(item) in {Kind.WHOLE, Kind.EXACT} else go(item)


def _divided(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a quotient, always a fractional number; by zero it is infinite, or no number."""
    below = node.args["expression"]
    left, right = double(go(node.this)), double(go(below))
    quotient: exp.Expr = exp.Div(this=left, expression=right)
    if not isinstance(below.unnest(), exp.Nullif) and not (
        isinstance(below.unnest(), exp.Literal) and float(below.unnest().this)
    ):
        by_zero = exp.Mul(this=left.copy(), expression=infinity())
        quotient = when(exp.EQ(this=right.copy(), expression=number(0.0)), by_zero, quotient)
    return cast(quotient, "FLOAT") if _is_narrow([node.this, below]) else quotient


def _whole_quotient(node: exp.Expr, go: Translate) -> exp.Expr:
    if {kind_of(node.this), kind_of(node.args["expression"])} != {Kind.WHOLE}:
        raise not_on_spark("// of fractional numbers", "Take floor(x / y).")
    return exp.IntDiv(this=go(node.this), expression=go(node.args["expression"]))


def _to_whole(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        made = go(node.this)
        if kind_of(node.this) is not Kind.FLOAT:
            return call(name, made)
        # Spark's own gives a whole number, which a large double does not fit into.
        near = exp.LT(this=call("ABS", made), expression=number(_INTEGRAL))
        return when(near, double(call(name, made.copy())), made.copy())

    return build


def _logarithm(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    """Return the translation of a logarithm: of zero it is negative infinity, of less no number."""

    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        operand = node.this
        if isinstance(node, exp.Log) and (base := node.args.get("expression")) is not None:
            if node.this.name != "10":
                raise not_on_spark("A logarithm to that base", "Take ln(x) / ln(base).")
            operand = base
        made = double(go(operand))
        zero = number(0.0)
        return exp.Case(
            ifs=[
                exp.If(this=exp.LT(this=made.copy(), expression=zero), true=not_a_number()),
                exp.If(this=exp.EQ(this=made.copy(), expression=zero.copy()), true=exp.Neg(this=infinity())),
            ],
            default=call(name, made),
        )

    return build


def _sign(node: exp.Expr, go: Translate) -> exp.Expr:
    made = double(go(node.this))
    return when(call("ISNAN", made), number(0.0), call("SIGN", made.copy()))


def _not_a_number(node: exp.Expr, go: Translate) -> exp.Expr:
    made = go(node.this)
    return when(is_there(made), call("ISNAN", made.copy()))


def _rounded(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return a number to some decimals; a double is scaled and rounded as a double, as DuckDB does, and not as its digits say."""
    digits = node.args.get("decimals")
    made = go(node.this)
    if digits is None:
        return call("ROUND", made)
    if kind_of(node.this) is not Kind.FLOAT:
        return call("ROUND", made, go(digits))
    places = constant_int(digits)
    if places is None or abs(places) > _MOST_PLACES:
        raise not_on_spark("round() to a number of decimals that is not constant")
    scale = number(10.0 ** abs(places))
    up, down = (exp.Mul, exp.Div) if places >= 0 else (exp.Div, exp.Mul)
    value = double(made)
    near = down(this=call("ROUND", up(this=value, expression=scale)), expression=scale.copy())
    beyond = value.copy() if places >= 0 else when(is_there(value), number(0.0))
    found = when(exp.LT(this=call("ABS", near), expression=infinity()), near.copy(), beyond)
    return cast(found, "FLOAT") if node.this.is_type(exp.DataType.Type.FLOAT) else found


def element_of_list(node: exp.Expr, go: Translate) -> exp.Expr:
    """Return an element of a constant list, by its place from 1."""
    given, place = node.expressions
    items = given.this if isinstance(given, exp.Cast) else given
    if not isinstance(items, exp.Array) or not all(
        isinstance(item, exp.Literal) for item in items.expressions
    ):
        raise not_on_spark("list_extract() of a list that is not constant")
    return call(
        "ELEMENT_AT", call("ARRAY", *(item.copy() for item in items.expressions)), call("INT", go(place))
    )


SCALARS: Final[Mapping[type[exp.Expr], Callable[[exp.Expr, Translate], exp.Expr]]] = {
    exp.Add: _operator,
    exp.Sub: _operator,
    **dict.fromkeys(_ALIKE, _alike),
    exp.Div: _divided,
    exp.IntDiv: _whole_quotient,
    exp.Floor: _to_whole("FLOOR"),
    exp.Ceil: _to_whole("CEIL"),
    exp.Ln: _logarithm("LN"),
    exp.Log: _logarithm("LOG10"),
    exp.Sqrt: by_name("SQRT", doubles=True),
    exp.Exp: by_name("EXP", doubles=True),
    exp.Pow: by_name("POWER", doubles=True),
    exp.Sign: _sign,
    exp.Abs: by_name("ABS"),
    exp.Round: _rounded,
    exp.IsNan: _not_a_number,
}
