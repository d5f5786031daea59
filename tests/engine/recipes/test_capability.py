"""Capability indices are what their definitions say, on the values of each group."""

import math
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of

VALUES = st.lists(st.integers(0, 100).map(lambda x: x / 4), min_size=2, max_size=30)


@cache
def shared_variance() -> float:
    """Return the covariance of the distances of a standard normal value from two others, by integration."""
    x, step = np.linspace(-9, 9, 2401, retstep=True)
    density = np.exp(-x * x / 2) / math.sqrt(2 * math.pi) * step
    # Given the value between them, the two distances are independent.
    distance = (np.abs(x[:, None] - x[None, :]) * density).sum(axis=1)
    return float((distance**2 * density).sum()) - 4 / math.pi


def mean_range_variance(n: int) -> float:
    """Return the variance of the mean moving range of n standard normal values."""
    return ((n - 1) * (2 - 4 / math.pi) + 2 * (n - 2) * shared_variance()) / (n - 1) ** 2


@settings(deadline=None, max_examples=examples(15))
@given(groups=st.dictionaries(st.sampled_from("abc"), VALUES, min_size=1), lsl=st.none() | st.integers(0, 8))
def test_every_index_is_its_definition(bench: Bench, groups: dict[str, list[float]], lsl: int | None) -> None:
    table = pa.table(
        {
            "g": [g for g, values in groups.items() for _ in values],
            "x": [x for values in groups.values() for x in values],
        }
    )
    limits: dict[str, Any] = {"usl": 20} if lsl is None else {"usl": 20, "lsl": lsl}
    found = {
        row["g"]: row for row in rows_of(bench.run("process_capability", table, value="x", by="g", **limits))
    }
    for g, given_values in groups.items():
        row, values = found[g], np.array(given_values)
        n, mean = len(values), values.mean()
        overall, within = values.std(ddof=1), np.abs(np.diff(values)).mean() / 1.128
        sides = [20 - mean] if lsl is None else [20 - mean, mean - lsl]
        assert row["n"] == n
        assert row["outside"] == (values > 20).sum() + (0 if lsl is None else (values < lsl).sum())
        if not overall:
            assert (row["cpk"], row["ppk"], row["ppk_low"]) == (None, None, None)
            continue
        ppk = min(sides) / (3 * overall)
        reach = 1.959963984540054 * math.sqrt(1 / (9 * n) + ppk**2 / (2 * (n - 1)))
        assert row["cpk"] == pytest.approx(min(sides) / (3 * within), rel=1e-9)
        assert row["ppk"] == pytest.approx(ppk, rel=1e-9)
        assert [row["ppk_low"], row["ppk_high"]] == pytest.approx([ppk - reach, ppk + reach], rel=1e-9)
        cpk, variance = row["cpk"], mean_range_variance(n)
        reach = 1.959963984540054 * math.sqrt(1 / (9 * n) + cpk**2 * variance * math.pi / 4)
        assert cpk - row["cpk_low"] == pytest.approx(reach, rel=1e-4)
        assert row["cpk_high"] - cpk == pytest.approx(reach, rel=1e-4)
        if lsl is None:
            assert (row["cp"], row["pp"]) == (None, None)
        else:
            assert row["cp"] == pytest.approx((20 - lsl) / (6 * within), rel=1e-9)
            assert row["pp"] == pytest.approx((20 - lsl) / (6 * overall), rel=1e-9)


def test_a_centred_process_of_six_sigma_within_limits_has_cp_1(bench: Bench) -> None:
    """Values 9, 10, 11 by turns: a moving range of 1 and 2, so that sigma is 4/3 / 1.128."""
    result = bench.run(
        "process_capability", {"x": [9, 10, 11] * 10}, value="x", lsl=10 - 3.546, usl=10 + 3.546
    )
    moving = (20 * 1 + 9 * 2) / 29
    assert result.values["cp"] == pytest.approx(2 * 3.546 / (6 * moving / 1.128))
    assert result.values["cp"] == result.values["cpk"]


def test_subgroups_pool_their_variances(bench: Bench) -> None:
    batches, values = [1, 1, 1, 2, 2, None], [1.0, 2.0, 3.0, 10.0, 14.0, 12.0]
    result = bench.run("process_capability", {"b": batches, "x": values}, value="x", usl=20, subgroup="b")
    # Rows without a subgroup are a subgroup of their own.
    assert result.values["sd_within"] == pytest.approx(math.sqrt((2 + 8) / (2 + 1)))
    # Bissell's interval with the three degrees of freedom of the pooled deviation.
    cpk = (20 - 7) / (3 * math.sqrt(10 / 3))
    reach = 1.959963984540054 * math.sqrt(1 / (9 * 6) + cpk**2 / (2 * 3))
    ends = [result.values["cpk_low"], result.values["cpk_high"]]
    assert ends == pytest.approx([cpk - reach, cpk + reach])


def test_limits_are_taken_from_columns_that_hold_one_in_each_group(bench: Bench) -> None:
    columns = {
        "step": ["a", "a", "b", "b"],
        "x": [1, 3, 10, 30],
        "low": [0, 0, 5, 5],
        "high": [4, 4, None, None],
    }
    found = rows_of(bench.run("process_capability", columns, value="x", lsl="low", usl="high", by="step"))
    assert {row["step"]: (row["lsl"], row["usl"]) for row in found} == {"a": (0, 4), "b": (5, None)}
    with pytest.raises(PlanValidationError, match="several limits"):
        bench.run("process_capability", columns, value="x", lsl="low", usl="high")


@pytest.mark.parametrize(
    "limits,words", [({}, "no limit"), ({"lsl": 3, "usl": 3}, "not below"), ({"lsl": "lo"}, "no column `lo`")]
)
def test_limits_that_cannot_be_are_refused(bench: Bench, limits: dict[str, Any], words: str) -> None:
    with pytest.raises(PlanValidationError, match=words):
        bench.run("process_capability", {"x": [1.0, 2.0]}, value="x", **limits)
