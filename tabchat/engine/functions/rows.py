"""Functions of a row among its neighbours: lag, running totals and patterns.

The neighbours are in row order: by the date column, then as in the file.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, offset, whole, window
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, Bound, BuildContext, Builder
    from tabchat.engine.plan.relation import Field


def previous(context: BuildContext, x: Bound | exp.Expr, n: int = 1) -> exp.Column:
    """Keep x of n rows before."""
    return (
        offset(context, "prev", "LAG(:x, :n)", x=x, n=n) if n > 1 else offset(context, "prev", "LAG(:x)", x=x)
    )


def whole_sum(context: BuildContext, x: Bound | Field, total: exp.Expr) -> exp.Expr:
    """Return a sum of x as a plain integer where x holds whole numbers: the engine sums them up in 128 bits."""
    return fill(f"CAST(:total AS {context.whole})", total=total) if x.kind is ColumnKind.INTEGER else total


def _prev(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return previous(context, arguments["x"], _count(arguments, "n"))


def _next(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return offset(context, "next", "LEAD(:x, :n)", x=arguments["x"], n=_count(arguments, "n"))


def _diff(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    return fill(":x - :before", x=x, before=previous(context, x, _count(arguments, "n")))


def _pct_change(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    return percent_of_change(x, previous(context, x, _count(arguments, "n")))


def percent_of_change(now: Bound | exp.Expr, before: Bound | exp.Expr) -> exp.Expr:
    """Return 100 × (now - before) / before; null where before is zero."""
    return fill("(:now - :before) / NULLIF(:before, 0) * 100", now=now, before=before)


def _running(name: str, call: str) -> Builder:
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        x = arguments["x"]
        so_far = window(context, name, call, x=x)
        shape = "CASE WHEN NOT :x IS NULL THEN :so_far END"
        return fill(shape, x=x, so_far=whole_sum(context, x, so_far) if name == "cumsum" else so_far)

    return build


def _row_number(context: BuildContext, _arguments: Arguments) -> exp.Expr:
    return offset(context, "row_number", "ROW_NUMBER()")


def _file_row(context: BuildContext, _arguments: Arguments) -> exp.Expr:
    return context.file_row()


def _fill_forward(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return window(context, "filled", "LAST_VALUE(:x IGNORE NULLS)", x=arguments["x"])


def streak(context: BuildContext, condition: Bound | exp.Expr) -> exp.Column:
    """Keep the number of rows in a row, up to this one, for which the condition is true."""
    block = window(context, "block", "SUM(CASE WHEN :c THEN 0 ELSE 1 END)", c=condition)
    total = window(context, "streak", "SUM(CASE WHEN :c THEN 1 ELSE 0 END)", c=condition, by=[block])
    return context.keep("streak", fill("CAST(:total AS BIGINT)", total=total))


def _streak(context: BuildContext, arguments: Arguments) -> exp.Expr:
    return streak(context, arguments["condition"])


def _rank(context: BuildContext, arguments: Arguments) -> exp.Expr:
    direction = arguments["direction"].literal
    if direction not in {"asc", "desc"}:
        raise ExpressionError(f"rank() has no direction '{direction}'.", "Use 'asc' or 'desc'.")
    descending = direction == "desc"
    x = arguments["x"].sql
    order = exp.Order(expressions=[exp.Ordered(this=x.copy(), desc=descending, nulls_first=False)])
    place = context.keep("rank", exp.Window(this=exp.Rank(), order=order))
    return fill("CASE WHEN NOT :x IS NULL THEN :place END", x=x, place=place)


def _cross(over: str, under: str) -> Builder:
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        a, b = arguments["a"], arguments["b"]
        return fill(
            f"COALESCE(:a {over} :b AND :a_before {under} :b_before, FALSE)",
            a=a,
            b=b,
            a_before=previous(context, a),
            b_before=previous(context, b) if b.literal is None else b,
        )

    return build


def _moving(sign: str) -> Builder:
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        x, n = arguments["x"], _count(arguments, "n")
        moved = fill(f"COALESCE(:x {sign} :before, FALSE)", x=x, before=previous(context, x))
        return fill(":run >= :n", run=streak(context, context.keep("moved", moved)), n=n)

    return build


_REACH: Final = 1.5
"""Interquartile ranges beyond a quartile where outliers begin (Tukey 1977)."""


def _outlier(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    low, high = (
        whole(context, "quartile", "QUANTILE_CONT(CAST(:x AS DOUBLE), :p)", x=x, p=p) for p in (0.25, 0.75)
    )
    return fill(
        "COALESCE(:x < :low - :reach * (:high - :low) OR :x > :high + :reach * (:high - :low), FALSE)",
        x=x,
        low=low,
        high=high,
        reach=_REACH,
    )


def _total(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    return whole_sum(context, x, whole(context, "total", "SUM(:x)", x=x))


def _count(arguments: Arguments, name: str) -> int:
    return int(arguments[name].literal or 0)


_lag: Final = partial(function, "lag", row_order=True)
_cumulative: Final = partial(function, "cumulative", row_order=True)
_pattern: Final = partial(function, "pattern", row_order=True)

ROWS: Final[tuple[Function, ...]] = (
    _lag(
        "prev(x: any, n: count = 1) -> same",
        "x of the row n before; null in the first n rows.",
        _prev,
        picks=True,
        aliases=("lag",),
    ),
    _lag(
        "next(x: any, n: count = 1) -> same",
        "x of the row n after; null in the last n rows.",
        _next,
        picks=True,
        aliases=("lead",),
    ),
    _lag(
        "diff(x: number, n: count = 1) -> same",
        "x minus x of the row n before.",
        _diff,
        unit="same",
        finite=False,
    ),
    _lag(
        "pct_change(x: number, n: count = 1) -> number",
        "Change of x since the row n before, in percent.",
        _pct_change,
        unit="%",
        finite=False,
    ),
    _lag(
        "fill_forward(x: any) -> same",
        "x, or where it is missing the last x before it.",
        _fill_forward,
        picks=True,
        aliases=("ffill",),
    ),
    _lag("row_number() -> integer", "Place of the row in row order, from 1.", _row_number),
    _lag("file_row() -> integer", "Number of the row in the file, from 1.", _file_row),
    _cumulative(
        "cumsum(x: number) -> same",
        "Sum of x up to this row; null where x is.",
        _running("cumsum", "SUM(:x)"),
        unit="same",
        finite=False,
    ),
    _cumulative(
        "cummax(x: orderable) -> same",
        "Largest x up to this row; null where x is.",
        _running("cummax", "MAX(:x)"),
        picks=True,
    ),
    _cumulative(
        "cummin(x: orderable) -> same",
        "Smallest x up to this row; null where x is.",
        _running("cummin", "MIN(:x)"),
        picks=True,
    ),
    _cumulative(
        "total(x: number) -> same",
        "Sum of x over all the rows, the same on each; x / total(x) is the share of a row.",
        _total,
        unit="same",
        finite=False,
    ),
    _pattern(
        "streak(condition: condition) -> integer",
        "How many rows in a row, up to this one, meet the condition; 0 where it is not met.",
        _streak,
    ),
    _pattern(
        "rank(x: orderable, direction: word = asc) -> integer",
        "Place of x among all the rows, or those of its group in `within`: 1 is the smallest, or with 'desc' the largest; ties share the better place.",
        _rank,
    ),
    _pattern(
        "outlier(x: number) -> boolean",
        "True where x lies more than 1.5 interquartile ranges outside the quartiles of all the rows (Tukey 1977).",
        _outlier,
    ),
    _pattern(
        "crossover(a: number, b: number) -> boolean",
        "True where a is above b and was not in the row before.",
        _cross(">", "<="),
    ),
    _pattern(
        "crossunder(a: number, b: number) -> boolean",
        "True where a is below b and was not in the row before.",
        _cross("<", ">="),
    ),
    _pattern(
        "rising(x: number, n: count = 1) -> boolean",
        "True where x rose in each of the last n rows.",
        _moving(">"),
    ),
    _pattern(
        "falling(x: number, n: count = 1) -> boolean",
        "True where x fell in each of the last n rows.",
        _moving("<"),
    ),
)
