"""Operators of the plan language: what each takes, what it gives, and its SQL."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Protocol

from sqlglot import exp

from tabchat.engine.functions.signature import Bound
from tabchat.engine.functions.templates import fill, operand
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.plan.kinds import aligned_temporal, common_kind, compared, describe_kind, operand_value
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

_COMPARISONS: Final = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)


class ValueBinder(Protocol):
    """What an operator needs: the meaning of its operands."""

    def value(self, node: exp.Expr) -> Bound:
        """Bind one operand."""


def _side(node: exp.Expr, value: Bound) -> exp.Expr:
    """Return an operand's SQL, in brackets unless the way it was written already binds tighter."""
    written_plainly = isinstance(node, (exp.Binary, exp.Unary, exp.Between, exp.In)) and not isinstance(
        node, exp.Paren
    )
    return value.sql.copy() if written_plainly else operand(value.sql)


def _numbers(binder: ValueBinder, node: exp.Expr) -> tuple[Bound, Bound]:
    left, right = binder.value(node.this), binder.value(node.args["expression"])
    for value in (left, right):
        if value.kind is not None and not value.kind.is_numeric:
            hint = "Join texts with `||` or concat()." if value.kind is ColumnKind.TEXT else None
            raise ExpressionError(f"Arithmetic takes numbers, not {describe_kind(value)}.", hint)
    return operand_value(left), operand_value(right)


def _unit(left: Bound, right: Bound) -> str | None:
    return left.unit if left.unit == right.unit or right.literal is not None else None


def _sum_or_difference(binder: ValueBinder, node: exp.Expr) -> Bound:
    left, right = binder.value(node.this), binder.value(node.args["expression"])
    if any(value.kind is not None and value.kind.is_temporal for value in (left, right)):
        return _date_arithmetic(node, left, right)
    left, right = _numbers(binder, node)
    sql = type(node)(this=_side(node.this, left), expression=_side(node.args["expression"], right))
    return _number(sql, left, right, unit=_unit(left, right))


def _date_arithmetic(node: exp.Expr, left: Bound, right: Bound) -> Bound:
    """Return days between two dates, or a date some days before or after one."""
    if isinstance(node, exp.Sub):
        right = aligned_temporal(right, left.kind) or right
        left = aligned_temporal(left, right.kind) or left
    kinds = (left.kind, right.kind)
    temporal = [kind is not None and kind.is_temporal for kind in kinds]
    if all(temporal) and isinstance(node, exp.Sub):
        if kinds == (ColumnKind.DATE, ColumnKind.DATE):
            sql = fill("DATE_DIFF('day', :b, :a)", a=left, b=right)
            return Bound(sql=sql, kind=ColumnKind.INTEGER, unit="days")
        sql = fill("(EPOCH(:a) - EPOCH(:b)) / 86400", a=left, b=right)
        return Bound(sql=exp.Paren(this=sql), kind=ColumnKind.NUMBER, unit="days")
    date, days = (left, right) if temporal[0] else (right, left)
    if days.kind is not ColumnKind.INTEGER or (isinstance(node, exp.Sub) and not temporal[0]):
        raise ExpressionError(
            "A date takes a whole number of days, or another date to subtract.", "Such as date + 7."
        )
    shape = (
        ":date + TO_DAYS(CAST(:days AS INT))"
        if isinstance(node, exp.Add)
        else ":date - TO_DAYS(CAST(:days AS INT))"
    )
    sql = fill(shape, date=date, days=days)
    if date.kind is ColumnKind.DATE:
        return Bound(sql=exp.cast(sql, "DATE", dialect="duckdb"), kind=ColumnKind.DATE)
    return Bound(sql=exp.Paren(this=sql), kind=date.kind)


def _number(sql: exp.Expr, *values: Bound, unit: str | None = None) -> Bound:
    return Bound(sql=sql, kind=common_kind(values) or ColumnKind.NUMBER, finite=_whole(values), unit=unit)


def _whole(values: Iterable[Bound]) -> bool:
    return all(value.kind is ColumnKind.INTEGER for value in values)


def _product(binder: ValueBinder, node: exp.Expr) -> Bound:
    left, right = _numbers(binder, node)
    sql = exp.Mul(this=_side(node.this, left), expression=_side(node.args["expression"], right))
    return _number(sql, left, right)


def _quotient(binder: ValueBinder, node: exp.Expr) -> Bound:
    left, right = _numbers(binder, node)
    sql = exp.Div(this=_side(node.this, left), expression=_divisor(node.args["expression"], right))
    return Bound(sql=sql, kind=ColumnKind.NUMBER, finite=False)


def _remainder(binder: ValueBinder, node: exp.Expr) -> Bound:
    left, right = _numbers(binder, node)
    sql = exp.Mod(this=_side(node.this, left), expression=_divisor(node.args["expression"], right))
    return _number(sql, left, right)


def _whole_quotient(binder: ValueBinder, node: exp.Expr) -> Bound:
    left, right = _numbers(binder, node)
    quotient = exp.Div(this=operand(left.sql), expression=_divisor(node.args["expression"], right))
    return Bound(sql=exp.func("FLOOR", quotient, dialect="duckdb"), kind=ColumnKind.NUMBER, finite=False)


def _divisor(node: exp.Expr, value: Bound) -> exp.Expr:
    """Return a divisor that is null instead of zero."""
    if isinstance(value.literal, int | float) and value.literal:
        return _side(node, value)
    return fill("NULLIF(:x, 0)", x=value)


def _power(binder: ValueBinder, node: exp.Expr) -> Bound:
    # As in Python, ** binds tighter than a sign on its left and chains from the right.
    if isinstance(node.this, exp.Neg):
        inner = exp.Pow(this=node.this.this.copy(), expression=node.args["expression"].copy())
        return _negated(binder, exp.Neg(this=inner))
    if isinstance(node.this, exp.Pow):
        tail = exp.Pow(this=node.this.args["expression"].copy(), expression=node.args["expression"].copy())
        return _power(binder, exp.Pow(this=node.this.this.copy(), expression=tail))
    left, right = _numbers(binder, node)
    if isinstance(right.literal, int):
        sql = fill("POWER(:x, :y)", x=left, y=right)
    else:
        sql = fill("CASE WHEN ISFINITE(POWER(:x, :y)) THEN POWER(:x, :y) END", x=left, y=right)
    return Bound(sql=sql, kind=ColumnKind.NUMBER, finite=False)


def _negated(binder: ValueBinder, node: exp.Expr) -> Bound:
    value = binder.value(node.this)
    if value.kind is not None and not value.kind.is_numeric:
        raise ExpressionError(f"A minus sign takes a number, not {describe_kind(value)}.")
    value = operand_value(value) if value.literal is None else value
    literal = -value.literal if isinstance(value.literal, int | float) else None
    return Bound(
        sql=exp.Neg(this=_side(node.this, value)),
        kind=value.kind,
        literal=literal,
        finite=value.finite,
        unit=value.unit,
    )


def _comparison(binder: ValueBinder, node: exp.Expr) -> Bound:
    operands, signs = _chain(node)
    if len(signs) == 1:
        return _pair(binder, signs[0], *operands)
    pairs = [
        _pair(binder, sign, left, right)
        for sign, left, right in zip(signs, operands, operands[1:], strict=False)
    ]
    return Bound(sql=exp.Paren(this=exp.and_(*(pair.sql for pair in pairs))), kind=ColumnKind.BOOLEAN)


def _chain(node: exp.Expr) -> tuple[list[exp.Expr], list[type[exp.Expr]]]:
    """Return the operands and signs of `a < b <= c`, however the parser grouped them."""
    operands: list[exp.Expr] = []
    signs: list[type[exp.Expr]] = []
    for side in (node.this, node.args["expression"]):
        if isinstance(side, _COMPARISONS):
            inner_operands, inner_signs = _chain(side)
            operands += inner_operands
            signs += inner_signs
        else:
            operands.append(side)
        if side is node.this:
            signs.append(type(node))
    return operands, signs


def _pair(binder: ValueBinder, sign: type[exp.Expr], left_node: exp.Expr, right_node: exp.Expr) -> Bound:
    if isinstance(left_node, exp.Null) or isinstance(right_node, exp.Null):
        raise ExpressionError("Nothing equals null.", "Write `x is null` or `x is not null`.")
    left, right = compared(binder.value(left_node), binder.value(right_node))
    return Bound(
        sql=sign(this=_side(left_node, left), expression=_side(right_node, right)), kind=ColumnKind.BOOLEAN
    )


def _condition(value: Bound, where: str) -> None:
    if value.kind not in {None, ColumnKind.BOOLEAN}:
        raise ExpressionError(f"{where} takes a condition, not {describe_kind(value)}.", "Such as x > 0.")


def _joined(binder: ValueBinder, node: exp.Expr) -> Bound:
    sides = [node.this, node.args["expression"]]
    values = [binder.value(side) for side in sides]
    word = "and" if isinstance(node, exp.And) else "or"
    for value in values:
        _condition(value, f"`{word}`")
    left, right = (_side(side, value) for side, value in zip(sides, values, strict=True))
    return Bound(sql=type(node)(this=left, expression=right), kind=ColumnKind.BOOLEAN)


def _not(binder: ValueBinder, node: exp.Expr) -> Bound:
    value = binder.value(node.this)
    _condition(value, "`not`")
    return Bound(sql=exp.Not(this=_side(node.this, value)), kind=ColumnKind.BOOLEAN)


def _in(binder: ValueBinder, node: exp.Expr) -> Bound:
    if node.args.get("field") is not None or not node.expressions:
        raise ExpressionError("`in` takes a list of values.", "Such as region in ['Asia', 'Europe'].")
    wanted = binder.value(node.this)
    items = []
    for item in node.expressions:
        if isinstance(item, exp.Null):
            raise ExpressionError("A list cannot hold null.", "Add `or x is null`.")
        wanted, value = compared(wanted, binder.value(item))
        items.append(value.sql.copy())
    return Bound(sql=exp.In(this=_side(node.this, wanted), expressions=items), kind=ColumnKind.BOOLEAN)


def _between(binder: ValueBinder, node: exp.Expr) -> Bound:
    value, low = compared(binder.value(node.this), binder.value(node.args["low"]))
    value, high = compared(value, binder.value(node.args["high"]))
    compared(low, high)
    sql = exp.Between(this=_side(node.this, value), low=operand(low.sql), high=operand(high.sql))
    return Bound(sql=sql, kind=ColumnKind.BOOLEAN)


def _is(binder: ValueBinder, node: exp.Expr) -> Bound:
    value = binder.value(node.this)
    right = node.args["expression"]
    if not isinstance(right, exp.Null | exp.Boolean):
        raise ExpressionError("`is` takes null, true or false.", "Compare values with `==`.")
    if isinstance(right, exp.Boolean):
        _condition(value, "`is true`")
    return Bound(sql=exp.Is(this=_side(node.this, value), expression=right.copy()), kind=ColumnKind.BOOLEAN)


def _like(binder: ValueBinder, node: exp.Expr) -> Bound:
    sides = [node.this, node.args["expression"]]
    values = [binder.value(side) for side in sides]
    for value in values:
        if value.kind not in {None, ColumnKind.TEXT}:
            raise ExpressionError(f"`like` takes text, not {describe_kind(value)}.")
    left, right = (_side(side, value) for side, value in zip(sides, values, strict=True))
    sql: exp.Expr = type(node)(this=left, expression=right)
    if node.args.get("negate"):
        sql = exp.Not(this=sql)
    return Bound(sql=sql, kind=ColumnKind.BOOLEAN)


def _text_join(binder: ValueBinder, node: exp.Expr) -> Bound:
    sides = [node.this, node.args["expression"]]
    values = [binder.value(side) for side in sides]
    for value in values:
        if value.kind not in {None, ColumnKind.TEXT}:
            raise ExpressionError(
                f"`||` joins texts, not {describe_kind(value)}.", "Use concat() for other values."
            )
    left, right = (_side(side, value) for side, value in zip(sides, values, strict=True))
    return Bound(sql=exp.DPipe(this=left, expression=right, safe=True), kind=ColumnKind.TEXT)


def _case(binder: ValueBinder, node: exp.Expr) -> Bound:
    subject = node.args.get("this")
    branches, results = [], []
    for branch in node.args["ifs"]:
        if subject is not None:
            condition = _pair(binder, exp.EQ, subject, branch.this)
        else:
            condition = binder.value(branch.this)
            _condition(condition, "`when`")
        result = binder.value(branch.args["true"])
        results.append(result)
        branches.append(exp.If(this=condition.sql.copy(), true=result.sql.copy()))
    default = node.args.get("default")
    if default is not None:
        results.append(binder.value(default))
    sql = exp.Case(ifs=branches, default=results[-1].sql.copy() if default is not None else None)
    finite = all(result.finite for result in results)
    return Bound(sql=sql, kind=common_kind(results), finite=finite)


OPERATORS: Final[Mapping[type[exp.Expr], Callable[[ValueBinder, exp.Expr], Bound]]] = MappingProxyType(
    {
        exp.Add: _sum_or_difference,
        exp.Sub: _sum_or_difference,
        exp.Mul: _product,
        exp.Div: _quotient,
        exp.IntDiv: _whole_quotient,
        exp.Mod: _remainder,
        exp.Pow: _power,
        exp.Neg: _negated,
        **dict.fromkeys(_COMPARISONS, _comparison),
        exp.And: _joined,
        exp.Or: _joined,
        exp.Not: _not,
        exp.In: _in,
        exp.Between: _between,
        exp.Is: _is,
        exp.Like: _like,
        exp.ILike: _like,
        exp.DPipe: _text_join,
        exp.Case: _case,
    }
)
"""Node of the parsed expression → its meaning. Whatever is not here is refused."""
