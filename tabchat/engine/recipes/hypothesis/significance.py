"""The figures of hypothesis tests: statistic, degrees of freedom, exact p-value, effect size, interval.

Distributions and rank tests are SciPy's. Where counts, means and variances say all that a test needs, they are all
that it is given, so that a table of any size stays in the engine. Effect sizes:

- Cohen's d (1988, "Statistical Power Analysis for the Behavioral Sciences"): the difference in standard deviations:
  the pooled one for Student's test, the root of the mean variance for Welch's, that of the differences for pairs.
- Eta squared: the share of the variance between groups. Cramér's V (1946, "Mathematical Methods of Statistics").
- Rank-biserial correlation (Kerby 2014, "The simple difference formula", Comprehensive Psychology 3): how much oftener
  a value of the first group is the larger one than the smaller one.

The interval of a correlation is Fisher's (1921, Metron 1), through the inverse hyperbolic tangent.
"""

from __future__ import annotations

import math
import warnings
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tabchat.errors import PlanError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Sequence

Figures = dict[str, "float | int"]

_PAIRS: Final = 3
"""Fewest pairs of a correlation with a p-value."""
_FEW_PAIRS: Final = 9
"""Most pairs of a rank correlation all of whose orders, 362,880 at most, are looked at, as in R; Student's t is near enough for more."""


@record
class Sample:
    """What a t-test or an analysis of variance needs of a group."""

    n: int
    mean: float
    variance: float
    """Of a sample: divided by n - 1."""


@record
class Question:
    """What is asked beside the values."""

    alternative: str = "two-sided"
    """Or `less` or `greater`: what the first value, group or column is expected to be."""
    confidence: float = 0.95


def scipy_stats() -> Any:
    """Return `scipy.stats`; raises `PlanError` with the extra to install where it is absent."""
    try:
        return import_module("scipy.stats")
    except ImportError as error:
        message = "Hypothesis tests are computed by SciPy, which is not installed."
        raise PlanError(message, hint="Install the extra: pip install 'tabchat[stats]'.") from error


def one_sample(sample: Sample, expected: float, question: Question) -> Figures:
    """Return Student's t-test of a mean against an expected one."""
    difference = sample.mean - expected
    error = math.sqrt(sample.variance / sample.n)
    figures = _t(difference, error, sample.n - 1, question)
    return figures | {"cohens_d": difference / math.sqrt(sample.variance)}


def two_samples(first: Sample, second: Sample, question: Question, *, pooled: bool) -> Figures:
    """Return Student's t-test of two means where `pooled`, else Welch's (Biometrika 34, 1947), which is for any variances."""
    difference = first.mean - second.mean
    if pooled:
        df: float = first.n + second.n - 2
        variance = ((first.n - 1) * first.variance + (second.n - 1) * second.variance) / df
        error = math.sqrt(variance * (1 / first.n + 1 / second.n))
    else:
        parts = [sample.variance / sample.n for sample in (first, second)]
        error = math.sqrt(sum(parts))
        df = sum(parts) ** 2 / sum(
            part**2 / (sample.n - 1) for part, sample in zip(parts, (first, second), strict=True)
        )
        variance = (first.variance + second.variance) / 2
    return _t(difference, error, df, question) | {"cohens_d": difference / math.sqrt(variance)}


def _t(difference: float, error: float, df: float, question: Question) -> Figures:
    stats = scipy_stats()
    t = difference / error
    match question.alternative:
        case "less":
            p, reach = stats.t.cdf(t, df), stats.t.ppf(question.confidence, df) * error
            low, high = -math.inf, difference + reach
        case "greater":
            p, reach = stats.t.sf(t, df), stats.t.ppf(question.confidence, df) * error
            low, high = difference - reach, math.inf
        case _:
            p, reach = 2 * stats.t.sf(abs(t), df), stats.t.ppf((1 + question.confidence) / 2, df) * error
            low, high = difference - reach, difference + reach
    found: Figures = {"statistic": t, "df": df, "p_value": float(p), "difference": difference}
    ends = {"low": float(low), "high": float(high)}
    return found | {name: end for name, end in ends.items() if math.isfinite(end)}


def analysis_of_variance(samples: Sequence[Sample]) -> Figures:
    """Return Fisher's one-way analysis of variance."""
    n, groups = sum(sample.n for sample in samples), len(samples)
    mean = math.fsum(sample.n * sample.mean for sample in samples) / n
    between = math.fsum(sample.n * (sample.mean - mean) ** 2 for sample in samples)
    within = math.fsum((sample.n - 1) * sample.variance for sample in samples)
    f = (between / (groups - 1)) / (within / (n - groups))
    return {
        "statistic": f,
        "df": groups - 1,
        "df_within": n - groups,
        "p_value": float(scipy_stats().f.sf(f, groups - 1, n - groups)),
        "eta_squared": between / (between + within),
    }


def chi_square(counts: Sequence[Sequence[int]]) -> tuple[Figures, list[list[float]]]:
    """Return Pearson's test of independence, and the counts that are expected without any dependence.

    With Yates's correction (1934) for a table of 2 × 2, as in SciPy and R.
    """
    found = scipy_stats().chi2_contingency(counts)
    n = sum(map(sum, counts))
    plain = scipy_stats().chi2_contingency(counts, correction=False).statistic
    smaller = min(len(counts), len(counts[0])) - 1
    figures: Figures = {
        "statistic": float(found.statistic),
        "df": int(found.dof),
        "p_value": float(found.pvalue),
        "n": n,
        "cramers_v": math.sqrt(float(plain) / (n * smaller)),
    }
    return figures, [[float(cell) for cell in row] for row in found.expected_freq]


def mann_whitney(first: Any, second: Any, question: Question) -> Figures:
    """Return the rank-sum test of two groups: exact for small ones without ties, else with ties counted in."""
    found = scipy_stats().mannwhitneyu(first, second, alternative=question.alternative)
    u = float(found.statistic)
    return {
        "statistic": u,
        "p_value": float(found.pvalue),
        "rank_biserial": 2 * u / (len(first) * len(second)) - 1,
    }


def shapiro_wilk(values: Any) -> Figures:
    """Return the test of normality; its statistic W is 1 for a perfectly normal sample."""
    found = scipy_stats().shapiro(values)
    return {"statistic": float(found.statistic), "p_value": float(found.pvalue)}


def kolmogorov_smirnov(first: Any, second: Any, question: Question) -> Figures:
    """Return the test whether two samples have one distribution; the statistic is the largest distance, 0 to 1."""
    found = scipy_stats().ks_2samp(first, second, alternative=question.alternative)
    return {"statistic": float(found.statistic), "p_value": float(found.pvalue)}


def kolmogorov_smirnov_normal(values: Any, mean: float, deviation: float, question: Question) -> Figures:
    """Return the test whether a sample comes from the normal distribution that is named."""
    found = scipy_stats().ks_1samp(
        values, scipy_stats().norm(mean, deviation).cdf, alternative=question.alternative
    )
    return {"statistic": float(found.statistic), "p_value": float(found.pvalue)}


def pearson(coefficient: float, n: int, question: Question) -> Figures:
    """Return the test of a linear correlation that is known from the sums of `n` pairs."""
    stats = scipy_stats()
    # Beta-distributed without a correlation; Student 1908, Biometrika 6.
    half = stats.beta(n / 2 - 1, n / 2 - 1, loc=-1, scale=2)
    match question.alternative:
        case "less":
            p = half.cdf(coefficient)
        case "greater":
            p = half.sf(coefficient)
        case _:
            p = min(1.0, 2 * half.sf(abs(coefficient)))
    figures: Figures = {"pearson_r": coefficient, "n": n, "p_value": float(p)}
    if question.alternative == "two-sided" and n > _PAIRS and abs(coefficient) < 1:
        reach = stats.norm.ppf((1 + question.confidence) / 2) / math.sqrt(n - _PAIRS)
        centre = math.atanh(coefficient)
        figures |= {"low": math.tanh(centre - reach), "high": math.tanh(centre + reach)}
    return figures


def rank_correlation(first: Any, second: Any, question: Question, *, kendall: bool) -> Figures:
    """Return Spearman's rho, or Kendall's tau-b, with its test: exact for a few pairs, where Student's t is far off."""
    stats = scipy_stats()
    call, name = (stats.kendalltau, "kendall_tau") if kendall else (stats.spearmanr, "spearman_rho")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # a column that does not vary gives no number, which is told
        found = call(first, second, alternative=question.alternative)
    p = found.pvalue
    if not kendall and len(first) <= _FEW_PAIRS and math.isfinite(found.statistic):
        p = _permuted(stats.rankdata(first), stats.rankdata(second), question)
    return {name: float(found.statistic), "n": len(first), "p_value": float(p)}


def _permuted(first: Any, second: Any, question: Question) -> float:
    """Return the part of all orders of a few ranks that are as far from no correlation as theirs."""
    both = question.alternative == "two-sided"
    deviations = second - second.mean()

    def statistic(ranks: Any, axis: int) -> Any:
        covariance = (ranks * deviations).sum(axis=axis)
        return abs(covariance) if both else covariance

    found = scipy_stats().permutation_test(
        (first,),
        statistic,
        permutation_type="pairings",
        n_resamples=math.inf,
        vectorized=True,
        alternative="greater" if both else question.alternative,
    )
    return float(found.pvalue)
