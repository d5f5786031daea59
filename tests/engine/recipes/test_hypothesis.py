"""Hypothesis tests against SciPy on the values themselves, against hand formulas, and against published figures."""

import itertools
import math
import sys
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tabchat.engine.result.result import Result, ResultKind
from tabchat.errors import PlanError, PlanValidationError
from tests.engine.recipes.running import Bench, rows_of

stats = pytest.importorskip("scipy.stats")

SIDES = ("two-sided", "less", "greater")


def trial(n: int = 60, shift: float = 0.6) -> pd.DataFrame:
    """Return a drug and a placebo group with a before and an after, some values missing."""
    chance = np.random.default_rng(7)
    frame = pd.DataFrame(
        {
            "arm": np.where(chance.random(n) < 0.45, "drug", "placebo"),
            "clinic": chance.choice(["A", "B", "C"], n),
            "before": chance.normal(10, 2, n).round(2),
            "grade": chance.choice(["low", "mid", "high"], n, p=[0.5, 0.3, 0.2]),
        }
    )
    frame["after"] = (
        frame["before"] * 0.7 + 3 + shift * (frame["arm"] == "drug") + chance.normal(0, 1, n)
    ).round(2)
    frame.loc[[3, 11], "after"] = np.nan
    frame.loc[5, "arm"] = None
    return frame


FRAME = trial()
TABLE = pa.Table.from_pandas(FRAME, preserve_index=False)
DRUG, PLACEBO = (FRAME.loc[FRAME["arm"] == arm, "after"].dropna().to_numpy() for arm in ("drug", "placebo"))
PAIRED = FRAME[["before", "after"]].dropna()


def figures(result: Result) -> dict[str, Any]:
    return dict(result.values)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("test, equal", [("t", True), ("welch", False)])
def test_two_means(bench: Bench, test: str, equal: bool, side: str) -> None:
    result = bench.run("hypothesis_test", TABLE, test=test, value="after", by="arm", alternative=side)
    found, expected = figures(result), stats.ttest_ind(DRUG, PLACEBO, equal_var=equal, alternative=side)
    assert found["statistic"] == pytest.approx(expected.statistic)
    assert found["p_value"] == pytest.approx(expected.pvalue, rel=1e-9)
    assert found["df"] == pytest.approx(expected.df)
    interval = expected.confidence_interval(0.95)
    ends = {"low": interval.low, "high": interval.high}
    assert {name: found[name] for name in ends if name in found} == {
        name: pytest.approx(end) for name, end in ends.items() if math.isfinite(end)
    }


def test_groups_are_told_with_n_mean_sd_and_median_the_first_named_first(bench: Bench) -> None:
    result = bench.run(
        "hypothesis_test", TABLE, test="welch", value="after", by="arm", groups=["placebo", "drug"]
    )
    assert result.kind is ResultKind.GROUPED
    assert rows_of(result) == [
        {
            "arm": name,
            "n": len(values),
            "mean": pytest.approx(values.mean()),
            "sd": pytest.approx(values.std(ddof=1)),
            "median": pytest.approx(np.median(values)),
        }
        for name, values in (("placebo", PLACEBO), ("drug", DRUG))
    ]
    assert figures(result)["difference"] == pytest.approx(PLACEBO.mean() - DRUG.mean())
    assert result.source_row_count == 59
    assert result.source is not None
    assert len(result.source.rows()) == 59


def test_effect_sizes_of_two_means_by_hand(bench: Bench) -> None:
    pooled = math.sqrt(
        ((len(DRUG) - 1) * DRUG.var(ddof=1) + (len(PLACEBO) - 1) * PLACEBO.var(ddof=1))
        / (len(DRUG) + len(PLACEBO) - 2)
    )
    averaged = math.sqrt((DRUG.var(ddof=1) + PLACEBO.var(ddof=1)) / 2)
    for test, deviation in (("t", pooled), ("welch", averaged)):
        found = figures(bench.run("hypothesis_test", TABLE, test=test, value="after", by="arm"))
        assert found["cohens_d"] == pytest.approx((DRUG.mean() - PLACEBO.mean()) / deviation)


@pytest.mark.parametrize("side", SIDES)
def test_a_mean_against_an_expected_one_and_pairs(bench: Bench, side: str) -> None:
    one = figures(
        bench.run("hypothesis_test", TABLE, test="one_sample_t", value="before", mean=9.5, alternative=side)
    )
    expected = stats.ttest_1samp(FRAME["before"], 9.5, alternative=side)
    assert (one["statistic"], one["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (one["n"], one["df"]) == (60, 59)
    assert one["cohens_d"] == pytest.approx((FRAME["before"].mean() - 9.5) / FRAME["before"].std())
    pairs = figures(
        bench.run("hypothesis_test", TABLE, test="paired_t", value="before", other="after", alternative=side)
    )
    expected = stats.ttest_rel(PAIRED["before"], PAIRED["after"], alternative=side)
    assert (pairs["statistic"], pairs["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (pairs["n"], pairs["df"]) == (58, 57)
    assert pairs["mean"] - pairs["mean_other"] == pytest.approx(pairs["difference"])


def test_an_analysis_of_variance(bench: Bench) -> None:
    groups = [part.dropna().to_numpy() for _, part in FRAME.groupby("clinic")["after"]]
    result = bench.run("hypothesis_test", TABLE, test="anova", value="after", by="clinic")
    expected, found = stats.f_oneway(*groups), figures(result)
    assert (found["statistic"], found["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found["df"], found["df_within"]) == (2, 55)
    everything = np.concatenate(groups)
    between = sum(len(group) * (group.mean() - everything.mean()) ** 2 for group in groups)
    assert found["eta_squared"] == pytest.approx(between / ((everything - everything.mean()) ** 2).sum())
    assert [row["n"] for row in rows_of(result)] == list(map(len, groups))


@pytest.mark.parametrize("side", SIDES)
def test_ranks_and_distributions_of_two_groups(bench: Bench, side: str) -> None:
    found = figures(
        bench.run("hypothesis_test", TABLE, test="mann_whitney", value="after", by="arm", alternative=side)
    )
    expected = stats.mannwhitneyu(DRUG, PLACEBO, alternative=side)
    assert (found["statistic"], found["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    larger = sum(np.sign(one - other) for one in DRUG for other in PLACEBO)
    assert found["rank_biserial"] == pytest.approx(larger / (len(DRUG) * len(PLACEBO)))
    found = figures(
        bench.run(
            "hypothesis_test", TABLE, test="kolmogorov_smirnov", value="after", by="arm", alternative=side
        )
    )
    expected = stats.ks_2samp(DRUG, PLACEBO, alternative=side)
    assert (found["statistic"], found["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))


def test_distributions_of_two_columns_and_of_a_named_normal(bench: Bench) -> None:
    two = figures(
        bench.run("hypothesis_test", TABLE, test="kolmogorov_smirnov", value="before", other="after")
    )
    expected = stats.ks_2samp(FRAME["before"], FRAME["after"].dropna())
    assert (two["statistic"], two["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (two["n"], two["n_other"]) == (60, 58)
    one = figures(
        bench.run("hypothesis_test", TABLE, test="kolmogorov_smirnov", value="before", mean=10, sd=2)
    )
    expected = stats.ks_1samp(FRAME["before"], stats.norm(10, 2).cdf)
    assert (one["statistic"], one["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))


def test_normality(bench: Bench) -> None:
    found = figures(bench.run("hypothesis_test", TABLE, test="shapiro_wilk", value="after"))
    expected = stats.shapiro(FRAME["after"].dropna())
    assert (found["statistic"], found["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert found["n"] == 58


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "test, name, reference",
    [
        ("pearson", "pearson_r", stats.pearsonr),
        ("spearman", "spearman_rho", stats.spearmanr),
        ("kendall", "kendall_tau", stats.kendalltau),
    ],
)
def test_a_correlation(bench: Bench, test: str, name: str, reference: Any, side: str) -> None:
    found = figures(
        bench.run("hypothesis_test", TABLE, test=test, value="before", other="after", alternative=side)
    )
    expected = reference(PAIRED["before"], PAIRED["after"], alternative=side)
    assert found[name] == pytest.approx(expected.statistic)
    assert found["p_value"] == pytest.approx(expected.pvalue, rel=1e-6)
    assert found["n"] == 58
    if test == "pearson" and side == "two-sided":
        interval = expected.confidence_interval(0.95)
        assert (found["low"], found["high"]) == pytest.approx((interval.low, interval.high))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(
    "first, second",
    [
        ([1, 2, 3, 4], [1, 2, 5, 9]),
        ([1, 2, 3, 4, 5], [1, 2, 5, 4, 9]),
        ([1, 1, 2, 3, 3, 4], [2, 2, 1, 5, 3, 3]),
        ([7, 6, 5, 4, 3, 2, 1], [1, 3, 2, 4, 4, 6, 5]),
    ],
)
def test_a_rank_correlation_of_few_pairs_has_the_exact_p_of_all_their_orders(
    bench: Bench, first: list[int], second: list[int], side: str
) -> None:
    table = pa.table({"a": first, "b": second})
    found = figures(
        bench.run("hypothesis_test", table, test="spearman", value="a", other="b", alternative=side)
    )
    rho = stats.spearmanr(first, second).statistic
    assert found["spearman_rho"] == pytest.approx(rho)
    rhos = [stats.spearmanr(first, order).statistic for order in set(itertools.permutations(second))]
    far = {"two-sided": lambda r: abs(r) >= abs(rho) - 1e-9, "less": lambda r: r <= rho + 1e-9}
    as_far = sum(map(far.get(side, lambda r: r >= rho - 1e-9), rhos))
    assert found["p_value"] == pytest.approx(as_far / len(rhos))


@pytest.mark.parametrize("test", ["shapiro_wilk", "spearman", "kendall"])
def test_a_column_that_does_not_vary_is_refused(bench: Bench, test: str) -> None:
    other: dict[str, Any] = {} if test == "shapiro_wilk" else {"other": "b"}
    with pytest.raises(PlanValidationError, match="do not vary enough"):
        bench.run(
            "hypothesis_test", pa.table({"a": [5] * 4, "b": [1, 2, 3, 4]}), test=test, value="a", **other
        )


def test_independence(bench: Bench) -> None:
    result = bench.run("hypothesis_test", TABLE, test="chi_square", value="clinic", other="grade")
    counts = pd.crosstab(FRAME["clinic"], FRAME["grade"])
    expected, found = stats.chi2_contingency(counts), figures(result)
    assert (found["statistic"], found["p_value"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (found["df"], found["n"]) == (4, 60)
    assert found["cramers_v"] == pytest.approx(math.sqrt(expected.statistic / (60 * 2)))
    cells = {(row["clinic"], row["grade"]): row for row in rows_of(result)}
    for place, clinic in enumerate(counts.index):
        for other, grade in enumerate(counts.columns):
            if counts.loc[clinic, grade]:
                cell = cells.pop((clinic, grade))
                assert cell["observed"] == counts.loc[clinic, grade]
                assert cell["expected"] == pytest.approx(expected.expected_freq[place][other])
    assert not cells
    assert "expected counts are below 5: the p-value is rough." in result.metadata.warnings[0]


def test_a_table_of_two_by_two_is_corrected_as_scipy_does(bench: Bench) -> None:
    rows = pa.table({"a": ["x"] * 30 + ["y"] * 30, "b": (["p"] * 20 + ["q"] * 10) + (["p"] * 9 + ["q"] * 21)})
    found = figures(bench.run("hypothesis_test", rows, test="chi_square", value="a", other="b"))
    assert found["p_value"] == pytest.approx(stats.chi2_contingency([[20, 10], [9, 21]]).pvalue)
    plain = 60 * (20 * 21 - 10 * 9) ** 2 / (30 * 30 * 29 * 31)
    assert found["cramers_v"] == pytest.approx(math.sqrt(plain / 60))


def test_students_own_sleep_data(bench: Bench) -> None:
    """Published: t = 4.0621, df = 9, p = 0.002833 (Student 1908; R's documentation of `sleep`)."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    found = figures(
        bench.run("hypothesis_test", {"a": second, "b": first}, test="paired_t", value="a", other="b")
    )
    assert found["statistic"] == pytest.approx(4.0621, abs=5e-5)
    assert found["p_value"] == pytest.approx(0.002833, abs=5e-7)


def test_a_tiny_p_value_stays_what_it_is(bench: Bench) -> None:
    chance = np.random.default_rng(0)
    x = chance.normal(size=400)
    found = figures(
        bench.run(
            "hypothesis_test",
            {"x": x, "y": x + chance.normal(size=400)},
            test="pearson",
            value="x",
            other="y",
        )
    )
    assert 0 < found["p_value"] < 1e-40


BAD: list[tuple[dict[str, Any], str, str]] = [
    ({"test": "z", "value": "after"}, "test", "There is no test `z`."),
    ({"test": "t", "value": "after"}, "by", "The test t compares groups."),
    ({"test": "pearson", "value": "after"}, "other", "The test pearson takes two columns."),
    ({"test": "one_sample_t", "value": "after"}, "mean", "The test one_sample_t needs the mean that is expected."),
    ({"test": "t", "value": "after", "by": "clinic"}, "by", "`clinic` has 3 groups with values; the test t compares two."),
    ({"test": "t", "value": "after", "by": "arm", "groups": ["drug", "none"]}, "groups",
     "No row with a value has `none` in `arm`."),
    ({"test": "t", "value": "grade", "by": "arm"}, "value", "`value` takes numbers, and `grade` gives text values."),
    ({"test": "shapiro_wilk", "value": "after", "by": "arm"}, "by", "The test shapiro_wilk compares no groups."),
    ({"test": "anova", "value": "after", "by": "arm", "alternative": "less"}, "alternative", "The test anova has no direction."),
    ({"test": "t", "value": "after", "by": "arm", "alternative": "more"}, "alternative", "There is no alternative `more`."),
    ({"test": "kolmogorov_smirnov", "value": "after"}, "by", "The test kolmogorov_smirnov compares groups."),
    ({"test": "kolmogorov_smirnov", "value": "after", "mean": 1, "sd": 0}, "sd", "A standard deviation is above zero."),
    ({"test": "pearson", "value": "after * 0", "other": "before"}, "value",
     "The values of `after * 0` do not vary enough for the test pearson."),
    ({"test": "t", "value": "after * 0", "by": "arm"}, "value", "The values of `after * 0` do not vary enough for the test t."),
    ({"test": "chi_square", "value": "arm", "other": "arm", "where": "arm = 'drug'"}, "value",
     "The values of `arm` do not vary enough for the test chi_square."),
    ({"test": "pearson", "value": "after", "other": "before", "where": "after > 1000"}, "value",
     "There are 0 values without a gap; the test pearson needs 3."),
]  # fmt: skip


@pytest.mark.parametrize("arguments, step, message", BAD, ids=lambda value: str(value)[:60])
def test_what_cannot_be_tested_is_said(
    bench: Bench, arguments: dict[str, Any], step: str, message: str
) -> None:
    with pytest.raises(PlanValidationError) as caught:
        bench.run("hypothesis_test", TABLE, **arguments)
    assert [(issue.step, issue.message) for issue in caught.value.issues] == [(step, message)]


def test_too_many_values_for_shapiro_are_said(bench: Bench) -> None:
    with pytest.raises(PlanValidationError, match="known for up to 5,000"):
        bench.run("hypothesis_test", {"x": np.arange(5001.0)}, test="shapiro_wilk", value="x")


def test_without_scipy_the_extra_is_named(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "scipy.stats", None)
    with pytest.raises(PlanError) as caught:
        bench.run("hypothesis_test", TABLE, test="t", value="after", by="arm")
    assert caught.value.message == "Hypothesis tests are computed by SciPy, which is not installed."
    assert caught.value.hint == "Install the extra: pip install 'tabchat[stats]'."
