"""SQL shapes with named holes: parsed once, filled with trees, never with text."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, Final, TypeAlias

from sqlglot import exp, parse_one

from tabchat.engine.functions.signature import Bound

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tabchat.engine.functions.signature import Arguments, BuildContext, Builder

Filling: TypeAlias = "Bound | exp.Expr | int | float | str"

_COMPOUND: Final = (exp.Binary, exp.Unary, exp.Between, exp.In, exp.Interval)
_HOLE: Final = re.compile(r":[a-z]\w*")
_TIGHT: Final = (exp.Binary, exp.Unary, exp.Between, exp.In)


def fill(template: str, **fillings: Filling) -> exp.Expr:
    """Return `template` with every `:name` replaced by a copy of its filling, bracketed where it must be."""
    tree = _parsed(template).copy()
    if _is_hole(tree):
        return _as_expression(fillings[_hole_name(tree)])
    for hole in [column for column in tree.find_all(exp.Column) if _is_hole(column)]:
        filling = _as_expression(fillings[_hole_name(hole)])
        tight = isinstance(hole.parent, _TIGHT) and isinstance(filling, _COMPOUND)
        hole.replace(exp.Paren(this=filling) if tight else filling)
    return tree


def _is_hole(node: exp.Expr) -> bool:
    return isinstance(node, exp.Column) and node.name.startswith(":")


def _hole_name(node: exp.Expr) -> str:
    return node.name.removeprefix(":")


def template(text: str) -> Builder:
    """Return a builder that fills `text` with the function's arguments."""

    def build(_context: BuildContext, arguments: Arguments) -> exp.Expr:
        return fill(text, **arguments)

    return build


def operand(sql: exp.Expr) -> exp.Expr:
    """Return a copy of `sql` that can stand on either side of an operator."""
    return exp.Paren(this=sql.copy()) if isinstance(sql, _COMPOUND) else sql.copy()


def window(
    context: BuildContext,
    name: str,
    text: str,
    *,
    by: Sequence[exp.Expr] = (),
    last: int | None = None,
    **fillings: Filling,
) -> exp.Column:
    """Keep `text` computed over the rows up to this one, in row order.

    `last` limits the frame to that many rows, this one included; `by` starts anew at each of its values.
    """
    start = exp.Literal.number(last - 1) if last is not None else "UNBOUNDED"
    spec = exp.WindowSpec(kind="ROWS", start=start, start_side="PRECEDING", end="CURRENT ROW")
    return _over(context, name, fill(text, **fillings), by=by, spec=spec)


def offset(context: BuildContext, name: str, text: str, **fillings: Filling) -> exp.Column:
    """Keep a function of the row's place (LAG, LEAD, ROW_NUMBER), which takes no frame."""
    return _over(context, name, fill(text, **fillings))


def whole(context: BuildContext, name: str, text: str, **fillings: Filling) -> exp.Column:
    """Keep `text` computed over all the rows."""
    return context.keep(name, exp.Window(this=fill(text, **fillings)))


def _over(
    context: BuildContext,
    name: str,
    call: exp.Expr,
    *,
    by: Sequence[exp.Expr] = (),
    spec: exp.WindowSpec | None = None,
) -> exp.Column:
    order = context.row_order()
    over = exp.Window(
        this=call,
        partition_by=[part.copy() for part in by] or None,
        order=exp.Order(expressions=order) if order else None,
        spec=spec,
    )
    return context.keep(name, over)


def _as_expression(filling: Filling) -> exp.Expr:
    if isinstance(filling, Bound):
        return filling.sql.copy()
    if isinstance(filling, exp.Expr):
        return filling.copy()
    return double(filling) if isinstance(filling, float) else exp.convert(filling)


def double(value: float) -> exp.Expr:
    """Return a literal that the engine takes for a double, not for an exact decimal that could overflow."""
    text = repr(abs(value))
    literal = exp.Literal.number(text if "e" in text else f"{text}e0")
    return exp.Neg(this=literal) if value < 0 else literal


@cache
def _parsed(text: str) -> exp.Expr:
    # As quoted names, holes may be called like any word of SQL.
    return parse_one(_HOLE.sub(r'"\g<0>"', text), dialect="duckdb")
