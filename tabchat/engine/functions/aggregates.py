"""Aggregates: one value of many rows. Nulls are left out; over no values the answer is null, a count 0."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from sqlglot import exp

from tabchat.engine.functions.rows import whole_sum
from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import Filling, fill, template
from tabchat.engine.plan.expressions import ExpressionError
from tabchat.engine.types import ColumnKind

if TYPE_CHECKING:
    from tabchat.engine.functions.signature import Arguments, BuildContext, Builder

_aggregate: Final = partial(function, "aggregates", aggregate=True)
_FLOATS: Final = frozenset(("DOUBLE", "FLOAT"))


def _count(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments.get("x")
    if x is None:
        return fill("COUNT(*)")
    if x.kind is ColumnKind.BOOLEAN and not isinstance(x.sql, exp.Column):
        raise ExpressionError(
            "count() of a condition counts the rows where it is false too.",
            "count_if(condition) counts the rows where it is true; pct(condition) is their percentage.",
        )
    return fill("COUNT(:x)", x=x)


def _sum(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    if x.kind is ColumnKind.NUMBER and not (x.sql_type or "").startswith("DECIMAL"):
        # Kahan's summation: adding ten million floats one by one would be wrong in digits that are shown.
        return fill("FSUM(:x)", x=x)
    return whole_sum(context, x, fill("SUM(:x)", x=x))


def _interpolated(text: str) -> Builder:
    """Build what may lie between two values: the engine rounds it to the decimals of an exact type."""

    def build(_context: BuildContext, arguments: Arguments) -> exp.Expr:
        x = arguments["x"]
        may_be_exact = x.kind is ColumnKind.NUMBER and x.sql_type not in _FLOATS
        fillings: dict[str, Filling] = {**arguments}
        fillings["x"] = fill("CAST(:x AS DOUBLE)", x=x) if may_be_exact else x
        return fill(text, **fillings)

    return build


def _share(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments.get("x")
    part = fill("COUNT(*)") if x is None else fill("SUM(:x)", x=x)
    everything = exp.Window(this=exp.Sum(this=part.copy()))
    return fill(":part * 100 / NULLIF(:everything, 0)", part=part, everything=everything)


def _mode(_context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    if x.sql.find(exp.Column) is None:
        # The engine would take a constant for the parameter of an ordered-set aggregate.
        raise ExpressionError("mode() is given a constant.", "Name a column: mode(x).")
    return fill("MODE(:x ORDER BY :x)", x=x)


def _at_end(last: bool) -> Builder:  # noqa: FBT001 - names the end
    def build(context: BuildContext, arguments: Arguments) -> exp.Expr:
        x = arguments["x"].sql
        order = [
            exp.Ordered(this=key.this.copy(), desc=bool(key.args.get("desc")) is not last, nulls_first=last)
            for key in context.row_order()
        ]
        argument = exp.Order(this=x.copy(), expressions=order) if order else x.copy()
        return fill("FIRST(:x) FILTER (WHERE NOT :y IS NULL)", x=argument, y=x)

    return build


AGGREGATES: Final[tuple[Function, ...]] = (
    _aggregate("count(x: any = rows) -> integer", "Rows; with an argument, the rows that have it.", _count),
    _aggregate(
        "count_distinct(x: any) -> integer",
        "Different values.",
        template("COUNT(DISTINCT :x)"),
        aliases=("nunique",),
    ),
    _aggregate(
        "count_if(condition: condition) -> integer",
        "Rows that meet the condition.",
        template("COUNT(*) FILTER (WHERE :condition)"),
    ),
    _aggregate(
        "pct(condition: condition) -> number",
        "Percentage, 0 to 100, of all the rows that meet the condition.",
        template("100 * COUNT(*) FILTER (WHERE :condition) / NULLIF(COUNT(*), 0)"),
        unit="%",
    ),
    _aggregate("sum(x: number) -> same", "Sum.", _sum, unit="same", finite=False),
    _aggregate(
        "share(x: number = rows) -> number",
        "Percentage, 0 to 100, of the total over all groups: of the sum of x, or of the rows.",
        _share,
        unit="%",
    ),
    _aggregate(
        "mean(x: number) -> number",
        "Arithmetic mean.",
        template("FAVG(:x)"),
        unit="same",
        aliases=("avg", "average"),
    ),
    _aggregate("median(x: number) -> number", "Middle value.", _interpolated("MEDIAN(:x)"), unit="same"),
    _aggregate("min(x: orderable) -> same", "Smallest value.", template("MIN(:x)"), picks=True),
    _aggregate("max(x: orderable) -> same", "Largest value.", template("MAX(:x)"), picks=True),
    _aggregate(
        "std(x: number) -> number",
        "Sample standard deviation; null for fewer than two values.",
        template("STDDEV_SAMP(:x)"),
        unit="same",
        aliases=("stddev",),
    ),
    _aggregate(
        "var(x: number) -> number",
        "Sample variance; null for fewer than two values.",
        template("VAR_SAMP(:x)"),
        aliases=("variance",),
    ),
    _aggregate(
        "percentile(x: number, p: fraction) -> number",
        "The value that the fraction p of the values lies below, interpolated: percentile(x, 0.9).",
        _interpolated("QUANTILE_CONT(:x, :p)"),
        unit="same",
        aliases=("quantile",),
    ),
    _aggregate(
        "correlation(a: number, b: number) -> number",
        "Pearson's correlation, -1 to 1; null where one of them does not vary.",
        template("CASE WHEN ISFINITE(CORR(:a, :b)) THEN CORR(:a, :b) END"),
        aliases=("corr",),
    ),
    _aggregate("first(x: any) -> same", "First value in row order.", _at_end(last=False), picks=True),
    _aggregate("last(x: any) -> same", "Last value in row order.", _at_end(last=True), picks=True),
    _aggregate(
        "mode(x: orderable) -> same", "Most frequent value; of several the smallest.", _mode, picks=True
    ),
)
