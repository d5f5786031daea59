"""Rates are exact and their intervals are Wilson's."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.recipes.ratio import wilson_interval
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of


@pytest.mark.parametrize(
    "successes,n,low,high",
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_the_interval_is_the_published_one(successes: int, n: int, low: float, high: float) -> None:
    """R. G. Newcombe 1998, Statistics in Medicine 17, 857-872, table I, method 3."""
    found = wilson_interval(n, successes, 0.95)
    assert [round(end, 4) for end in found] == [low, high]


@settings(deadline=None, max_examples=examples(15))
@given(
    counts=st.dictionaries(
        st.sampled_from(["a", "b", "c", None]),
        st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 3)),
        min_size=1,
    ),
    confidence=st.sampled_from([0.8, 0.95, 0.999]),
)
def test_each_group_has_its_counts_and_the_reference_interval(
    bench: Bench, counts: dict[str | None, tuple[int, int, int]], confidence: float
) -> None:
    groups = [g for g, (k, f, u) in counts.items() for _ in range(k + f + u)]
    result = [r for k, f, u in counts.values() for r in ["pass"] * k + ["fail"] * f + [None] * u]
    if not groups:
        return
    import pyarrow as pa
    from statsmodels.stats.proportion import proportion_confint

    table = pa.table({"g": pa.array(groups, pa.string()), "result": pa.array(result, pa.string())})
    found = bench.run("analyze_ratio", table, success="result = 'pass'", by="g", confidence=confidence)
    told = {row["g"]: row for row in rows_of(found)}
    assert told.keys() == {g for g, (k, f, _) in counts.items() if k + f}
    for g, row in told.items():
        k, f, _ = counts[g]
        low, high = proportion_confint(k, k + f, alpha=1 - confidence, method="wilson")
        assert (row["success"], row["n"]) == (k, k + f)
        assert row["rate"] == pytest.approx(100 * k / (k + f), rel=1e-14)
        assert row["low"] == pytest.approx(100 * max(low, 0), abs=1e-9)
        assert row["high"] == pytest.approx(100 * min(high, 1), abs=1e-9)
        assert 0 <= row["low"] <= row["rate"] <= row["high"] <= 100
    assert [row["rate"] for row in told.values()] == sorted((r["rate"] for r in told.values()), reverse=True)
    assert found.source_row_count == len(groups)
    assert found.values["n"] == sum(k + f for k, f, _ in counts.values())


def test_without_groups_there_is_one_row(bench: Bench) -> None:
    found = bench.run("analyze_ratio", {"ok": [True, True, False, None]}, success="ok")
    assert found.kind == "dict"
    assert (found.values["n"], found.values["success"], found.source_row_count) == (3, 2, 4)
    assert any("1 row was left out" in note for note in found.metadata.notes)


def test_a_group_column_that_is_called_like_a_result_keeps_its_name(bench: Bench) -> None:
    found = bench.run("analyze_ratio", {"rate": ["x", "y"], "ok": [True, False]}, success="ok", by="rate")
    assert found.frame.columns == ("rate", "n", "success", "rate_2", "low", "high")


def test_everything_that_is_wrong_is_told_at_once(bench: Bench) -> None:
    with pytest.raises(PlanValidationError) as caught:
        bench.run("analyze_ratio", {"station": ["a"], "n": [1]}, success="n", by="staton", where="m > 1")
    told = {issue.step: issue for issue in caught.value.issues}
    assert told.keys() == {"success", "by", "where"}
    assert "station" in str(told["by"].hint)
    assert "takes a condition" in told["success"].message


def test_rows_are_kept_by_condition_and_period(bench: Bench) -> None:
    import datetime as dt

    days = [dt.date(2023, 12, 31), dt.date(2024, 1, 1), dt.date(2024, 5, 1), dt.date(2025, 1, 1)]
    columns = {"day": days, "ok": [True, True, False, True], "x": [1, 1, 1, 1]}
    found = bench.run("analyze_ratio", columns, success="ok", period="2024", where="x = 1")
    assert (found.values["n"], found.values["success"]) == (2, 1)
    assert found.source is not None
    assert [row[1] for row in found.source.rows()] == days[1:3]


def test_the_rate_of_no_rows_is_missing_rather_than_no_number(bench: Bench) -> None:
    found = bench.run("analyze_ratio", {"ok": [True]}, success="ok", where="not ok")
    assert (found.values["n"], found.values["rate"], found.values["low"]) == (0, None, None)
