"""Statistics that analysts ask for by name, each by the definition that pandas, or else SciPy, uses by default.

| function | definition | the same in |
|---|---|---|
| `skewness` | G1, adjusted for bias: √(n(n-1))/(n-2) · m3/m2^1.5 | pandas `skew`, SciPy `skew(bias=False)` |
| `kurtosis` | G2, excess over the normal's 3, adjusted for bias | pandas `kurt`, SciPy `kurtosis(bias=False)` |
| `std_pop`, `var_pop` | divided by n; `std` and `var` are those of a sample, by n-1 | NumPy `std`, `var` |
| `iqr` | percentile 0.75 minus percentile 0.25, linear between order statistics (type 7) | SciPy `iqr` |
| `mad` | median distance from the median, not scaled to a normal's deviation | SciPy `median_abs_deviation` |
| `covariance` | of a sample, divided by n-1 | pandas `cov` |
| `regr_*` | least squares of y on x over the rows that have both | SciPy `linregress` |
| `zscore` | distance from the mean in sample standard deviations | pandas `(x - x.mean()) / x.std()` |

Sources: D. N. Joanes and C. A. Gill, "Comparing measures of sample skewness and kurtosis", The Statistician 47
(1998), for G1 and G2; R. J. Hyndman and Y. Fan, "Sample quantiles in statistical packages", The American
Statistician 50 (1996), for the types of percentiles.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from tabchat.engine.functions.signature import Function, function
from tabchat.engine.functions.templates import fill, template, whole

if TYPE_CHECKING:
    from sqlglot import exp

    from tabchat.engine.functions.signature import Arguments, BuildContext, Builder

_statistic: Final = partial(function, "statistics", aggregate=True)


def finite(text: str) -> Builder:
    """Return a builder of `text` that gives null where it is no finite number."""
    return template(f"CASE WHEN ISFINITE({text}) THEN {text} END")


def _zscore(context: BuildContext, arguments: Arguments) -> exp.Expr:
    x = arguments["x"]
    mean = whole(context, "mean", "AVG(:x)", x=x)
    deviation = whole(context, "deviation", "STDDEV_SAMP(:x)", x=x)
    return fill("(:x - :mean) / NULLIF(:deviation, 0)", x=x, mean=mean, deviation=deviation)


STATISTICS: Final[tuple[Function, ...]] = (
    _statistic(
        "skewness(x: number) -> number",
        "Skewness, adjusted for bias; null for fewer than three values, and where x does not vary.",
        template("SKEWNESS(:x)"),
        aliases=("skew",),
    ),
    _statistic(
        "kurtosis(x: number) -> number",
        "Kurtosis above that of a normal distribution, adjusted for bias; null for fewer than four values, and where "
        "x does not vary.",
        template("KURTOSIS(:x)"),
        aliases=("kurt",),
    ),
    _statistic(
        "std_pop(x: number) -> number",
        "Standard deviation of a population: std() with n in place of n - 1.",
        template("STDDEV_POP(:x)"),
        unit="same",
        aliases=("stddev_pop",),
    ),
    _statistic(
        "var_pop(x: number) -> number",
        "Variance of a population: var() with n in place of n - 1.",
        template("VAR_POP(:x)"),
    ),
    _statistic(
        "iqr(x: number) -> number",
        "Interquartile range: percentile(x, 0.75) minus percentile(x, 0.25).",
        template("QUANTILE_CONT(CAST(:x AS DOUBLE), 0.75) - QUANTILE_CONT(CAST(:x AS DOUBLE), 0.25)"),
        unit="same",
    ),
    _statistic(
        "mad(x: number) -> number",
        "Median of the distances from the median, without a factor.",
        template("MAD(CAST(:x AS DOUBLE))"),
        unit="same",
    ),
    _statistic(
        "covariance(a: number, b: number) -> number",
        "Sample covariance; null for fewer than two rows that have both.",
        template("COVAR_SAMP(:a, :b)"),
        aliases=("cov", "covar_samp"),
    ),
    _statistic(
        "regr_slope(y: number, x: number) -> number",
        "Slope of the least-squares line of y on x; null where x does not vary.",
        finite("REGR_SLOPE(:y, :x)"),
    ),
    _statistic(
        "regr_intercept(y: number, x: number) -> number",
        "Value of the least-squares line of y on x at x = 0; null where x does not vary.",
        template("CASE WHEN ISFINITE(REGR_SLOPE(:y, :x)) THEN REGR_INTERCEPT(:y, :x) END"),
    ),
    _statistic(
        "regr_r2(y: number, x: number) -> number",
        "Share of the variance of y, 0 to 1, that its least-squares line on x accounts for; null where x or y does not "
        "vary.",
        template("CASE WHEN ISFINITE(CORR(:y, :x)) THEN POWER(CORR(:y, :x), 2) END"),
    ),
    function(
        "statistics",
        "zscore(x: number) -> number",
        "Distance of x from the mean of all rows, in sample standard deviations; null where x does not vary.",
        _zscore,
        row_order=True,
    ),
)
