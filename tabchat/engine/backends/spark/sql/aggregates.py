"""Aggregates whose definitions differ between DuckDB and Spark, written so that they agree."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from sqlglot import exp, parse_one

from tabchat.engine.backends.spark.errors import not_on_spark
from tabchat.engine.backends.spark.sql.trees import NUMBERS, Kind, call, cast, double, kind_of, when

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from tabchat.engine.backends.spark.sql.trees import Translate

_SKEWNESS: Final = (
    "CASE WHEN COUNT(x) >= 3 THEN NULLIF(SKEWNESS(x), DOUBLE('NaN')) "
    "* SQRT(CAST(COUNT(x) AS DOUBLE) * (COUNT(x) - 1)) / (COUNT(x) - 2) END"
)
"""G1 of g1, which Spark gives."""
_KURTOSIS: Final = (
    "CASE WHEN COUNT(x) >= 4 THEN (CAST(COUNT(x) AS DOUBLE) - 1) / ((CAST(COUNT(x) AS DOUBLE) - 2) * (COUNT(x) - 3)) "
    "* ((COUNT(x) + 1) * NULLIF(KURTOSIS(x), DOUBLE('NaN')) + 6) END"
)
"""G2 of g2, which Spark gives."""
_MAD: Final = (
    "TRANSFORM(TRANSFORM(ARRAY(ARRAY_SORT(COLLECT_LIST(x))), a -> ARRAY_SORT(TRANSFORM(a, v -> ABS(v - "
    "(a[CAST((SIZE(a) - 1) DIV 2 AS INT)] + a[CAST(SIZE(a) DIV 2 AS INT)]) / 2)))), "
    "a -> CASE WHEN SIZE(a) > 0 THEN (a[CAST((SIZE(a) - 1) DIV 2 AS INT)] + a[CAST(SIZE(a) DIV 2 AS INT)]) / 2 END)[0]"
)


_PAIRS: Final = "CASE WHEN REGR_COUNT(x, y) > 0 THEN COALESCE({}(x, y), DOUBLE('NaN')) END"
"""What is undefined of rows that there are is not a number, where Spark gives null."""


def _filled(text: str, **given: exp.Expr) -> exp.Expr:
    """Return Spark's SQL `text` with every name that is given replaced."""
    tree = parse_one(text, dialect="spark")
    for hole in [node for node in tree.find_all(exp.Column) if node.name in given and not node.table]:
        hole.replace(given[hole.name].copy())
    return exp.Paren(this=tree)


def _given(x: exp.Expr, condition: exp.Expr | None) -> exp.Expr:
    return x if condition is None else when(condition, x)


def _shape(text: str) -> Callable[[exp.Expr, exp.Expr | None, Translate], exp.Expr]:
    def build(node: exp.Expr, condition: exp.Expr | None, go: Translate) -> exp.Expr:
        return _filled(text, x=_given(double(go(_argument(node))), condition))

    return build


def _of_pairs(name: str) -> Callable[[exp.Expr, exp.Expr | None, Translate], exp.Expr]:
    def build(node: exp.Expr, condition: exp.Expr | None, go: Translate) -> exp.Expr:
        x, y = double(go(node.this)), double(go(node.args["expression"]))
        return _filled(_PAIRS.format(name), x=_given(x, condition), y=y)

    return build


def _argument(node: exp.Expr) -> exp.Expr:
    found = node.expressions[0] if isinstance(node, exp.Anonymous) else node.this
    return found if isinstance(found, exp.Expr) else node


def _outermost(node: exp.Expr, condition: exp.Expr | None, go: Translate) -> exp.Expr:
    """Return the value of the row with the first or last key; a key of several is a struct, nulls where they are to be."""
    ordered, name = node.this, type(node).__name__.lower()
    if not isinstance(ordered, exp.Order):
        raise not_on_spark(f"{name}() without an order", f"Say by what: {name.upper()}(x ORDER BY y).")
    directions = {bool(key.args.get("desc")) for key in ordered.expressions}
    if len(directions) > 1:
        raise not_on_spark(f"{name}() by keys of different directions")
    descending = directions == {True}
    parts: list[exp.Expr] = []
    for key in ordered.expressions:
        value = go(key.this)
        nulls_low = bool(key.args.get("nulls_first")) is not descending
        missing = exp.Is(this=value.copy(), expression=exp.Null())
        parts += [exp.Not(this=missing) if nulls_low else missing, value]
    key = call("STRUCT", *parts)
    is_greatest = descending is isinstance(node, exp.First)
    return call("MAX_BY" if is_greatest else "MIN_BY", go(ordered.this), _given(key, condition))


COMPOSED: Final[Mapping[type[exp.Expr] | str, Callable[[exp.Expr, exp.Expr | None, Translate], exp.Expr]]] = {
    exp.Skewness: _shape(_SKEWNESS),
    exp.Kurtosis: _shape(_KURTOSIS),
    "MAD": _shape(_MAD),
    exp.Corr: _of_pairs("CORR"),
    exp.RegrSlope: _of_pairs("REGR_SLOPE"),
    exp.First: _outermost,
    exp.Last: _outermost,
}
"""Aggregates that become more than one call, so that a FILTER goes into them."""

WINDOWED: Final = (exp.Corr, exp.RegrSlope)
"""Those of which each call can be over a window."""


def _float(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        return call(name, double(go(_argument(node))))

    return build


def _average(node: exp.Expr, go: Translate) -> exp.Expr:
    distinct = isinstance(node.this, exp.Distinct)
    operand = node.this.expressions[0] if distinct else node.this
    if kind_of(operand) not in NUMBERS | {Kind.UNKNOWN}:
        raise not_on_spark(f"The average of {kind_of(operand)}")
    value = double(go(operand))
    return exp.Avg(this=exp.Distinct(expressions=[value]) if distinct else value)


def _sum(node: exp.Expr, go: Translate) -> exp.Expr:
    made = go(node.this)
    return exp.Sum(this=call("INT", made) if kind_of(node.this) is Kind.BOOLEAN else made)


def _percentile(node: exp.Expr, go: Translate) -> exp.Expr:
    operand = node.this
    if kind_of(operand) not in NUMBERS | {Kind.UNKNOWN}:
        raise not_on_spark(f"A percentile of {kind_of(operand)}")
    part = node.args.get("expression")
    if isinstance(part, exp.Order):
        # Of WITHIN GROUP, which is written so.
        if any(key.args.get("desc") for key in part.expressions):
            raise not_on_spark("A percentile of a descending order", "Take that of 1 - p, ascending.")
        part = part.this
    found = call("PERCENTILE", double(go(operand)), exp.Literal.number("0.5") if part is None else go(part))
    return cast(found, "FLOAT") if operand.is_type(exp.DataType.Type.FLOAT) else found


def _mode(node: exp.Expr, go: Translate) -> exp.Expr:
    ordered = node.this
    if not isinstance(ordered, exp.Order) or [key.this for key in ordered.expressions] != [ordered.this]:
        raise not_on_spark("mode() without an order", "Say which of several: MODE(x ORDER BY x).")
    return call("MODE", go(ordered.this), exp.true())


def _pair(name: str) -> Callable[[exp.Expr, Translate], exp.Expr]:
    def build(node: exp.Expr, go: Translate) -> exp.Expr:
        return call(name, double(go(node.this)), double(go(node.args["expression"])))

    return build


def _extreme(node: exp.Expr, go: Translate) -> exp.Expr:
    if node.expressions:
        raise not_on_spark(f"{type(node).__name__.lower()}() of several values of a group")
    return type(node)(this=go(node.this))


SIMPLE: Final[Mapping[type[exp.Expr] | str, Callable[[exp.Expr, Translate], exp.Expr]]] = {
    "FSUM": _float("SUM"),
    "FAVG": _float("AVG"),
    exp.Avg: _average,
    exp.Sum: _sum,
    exp.Min: _extreme,
    exp.Max: _extreme,
    exp.Median: _percentile,
    exp.PercentileCont: _percentile,
    exp.Mode: _mode,
    exp.Stddev: _float("STDDEV_SAMP"),
    exp.StddevSamp: _float("STDDEV_SAMP"),
    exp.StddevPop: _float("STDDEV_POP"),
    exp.Variance: _float("VAR_SAMP"),
    exp.VariancePop: _float("VAR_POP"),
    exp.CovarSamp: _pair("COVAR_SAMP"),
    exp.CovarPop: _pair("COVAR_POP"),
    exp.RegrIntercept: _pair("REGR_INTERCEPT"),
}
"""Aggregates that stay one call."""
