"""A measurement's statistics are those of NumPy and pandas."""

import math
from collections.abc import Mapping

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.result.result import Result
from tabchat.engine.types import Value
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of


def told(result: Result) -> Mapping[str, Value]:
    """Return the values of a result that is one row."""
    return result.values  # noqa: PD011 - a result, no frame


VALUES = st.none() | st.floats(-1e6, 1e6, allow_nan=False).map(lambda x: round(x, 3)) | st.just(math.nan)


@settings(deadline=None, max_examples=examples(15))
@given(rows=st.lists(st.tuples(st.sampled_from(["a", "b", None]), VALUES), min_size=1, max_size=50))
def test_each_group_is_described_as_numpy_does(
    bench: Bench, rows: list[tuple[str | None, float | None]]
) -> None:
    table = pa.table(
        {"g": pa.array([g for g, _ in rows], pa.string()), "x": pa.array([x for _, x in rows], pa.float64())}
    )
    result = bench.run("measurement_statistics", table, value="x", by="g", percentiles=[10, 50])
    frame = pd.DataFrame(rows, columns=["g", "x"]).astype({"x": float})
    found = {row["g"]: row for row in rows_of(result)}
    assert len(found) == frame["g"].nunique(dropna=False)
    for g, group in frame.groupby("g", dropna=False):
        row = found[None if not isinstance(g, str) else g]
        values = group["x"].dropna().to_numpy()
        assert (row["n"], row["missing"]) == (len(values), len(group) - len(values))
        if not len(values):
            assert (row["mean"], row["p50"], row["outliers"]) == (None, None, 0)
            continue
        q1, q3 = np.percentile(values, [25, 75])
        low, high = q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)
        assert row["mean"] == pytest.approx(math.fsum(values) / len(values), rel=1e-12, abs=1e-9)
        assert (row["min"], row["max"]) == (values.min(), values.max())
        assert [row["p10"], row["p50"]] == pytest.approx(
            list(np.percentile(values, [10, 50])), rel=1e-9, abs=1e-9
        )
        assert [row["low_fence"], row["high_fence"]] == pytest.approx([low, high], rel=1e-9, abs=1e-6)
        assert row["outliers"] == ((values < row["low_fence"]) | (values > row["high_fence"])).sum()
        if len(values) > 1:
            assert row["sd"] == pytest.approx(values.std(ddof=1), rel=1e-7, abs=1e-9)
        else:
            assert row["sd"] is None


def test_the_textbook_outliers_are_found(bench: Bench) -> None:
    result = bench.run("measurement_statistics", {"x": [2, 3, 3, 4, 4, 5, 5, 6, 30]}, value="x")
    assert result.kind == "dict"
    assert (told(result)["p25"], told(result)["p75"], told(result)["outliers"]) == (3, 5, 1)
    assert (told(result)["low_fence"], told(result)["high_fence"]) == (0, 8)


def test_an_expression_is_measured_like_a_column(bench: Bench) -> None:
    result = bench.run("measurement_statistics", {"price": [1.5, 2.0], "n": [2, 3]}, value="price * n")
    assert told(result)["mean"] == 4.5


def test_no_rows_have_no_mean(bench: Bench) -> None:
    result = bench.run("measurement_statistics", {"x": [1.0]}, value="x", where="x > 2")
    assert (told(result)["n"], told(result)["mean"], told(result)["outliers"]) == (0, None, 0)


@pytest.mark.parametrize("percentiles", [[101], [-1]])
def test_percentiles_lie_between_0_and_100(bench: Bench, percentiles: list[int]) -> None:
    with pytest.raises(PlanValidationError, match="between 0 and 100"):
        bench.run("measurement_statistics", {"x": [1.0]}, value="x", percentiles=percentiles)
