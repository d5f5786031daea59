"""Control limits are the textbook's, and each rule marks the points that complete its pattern."""

import datetime as dt
import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.recipes.control.constants import LARGEST, c4, d2, d3, deviation_limits, range_limits
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of

LOAN_COSTS = [
    310,
    288,
    297,
    298,
    307,
    303,
    294,
    297,
    308,
    306,
    294,
    299,
    297,
    299,
    314,
    295,
    293,
    306,
    301,
    304,
]


def range_moments(n: int) -> tuple[float, float]:
    """Return the mean and the standard deviation of the range of n normal values (Tippett 1925)."""
    from scipy import integrate, stats

    x, step = np.linspace(-7, 7, 701, retstep=True)
    below = stats.norm.cdf(x)
    mean = float(integrate.simpson(1 - below**n - (1 - below) ** n, x=x))
    low, high = below[:, None], below[None, :]
    inside = np.triu(1 - high**n - (1 - low) ** n + np.abs(high - low) ** n)
    inside[np.diag_indices_from(inside)] /= 2
    square = 2 * float(inside.sum()) * step**2
    return mean, math.sqrt(square - mean**2)


@pytest.mark.parametrize("n", [2, 5, 10, 25])
def test_the_tabled_constants_are_the_moments_of_the_range(n: int) -> None:
    mean, deviation = range_moments(n)
    assert [d2(n), d3(n)] == pytest.approx([mean, deviation], abs=6e-4)


def test_the_constants_of_charts_are_those_of_the_manuals() -> None:
    """Montgomery, 7th ed., Appendix VI."""
    assert [round(3 / d2(n) / math.sqrt(n), 3) for n in (2, 5, 10)] == [1.881, 0.577, 0.308]
    assert [round(limit, 3) for limit in range_limits(2)] == [0, 3.267]
    assert [round(limit, 3) for limit in range_limits(5)] == [0, 2.114]
    assert [round(limit, 3) for limit in range_limits(10)] == [0.223, 1.777]
    assert [round(c4(n), 4) for n in (2, 5, 10, LARGEST)] == [0.7979, 0.9400, 0.9727, 0.9896]
    assert [round(limit, 3) for limit in deviation_limits(5)] == [0, 2.089]
    assert [round(limit, 3) for limit in deviation_limits(10)] == [0.284, 1.716]


def test_a_published_chart_of_individuals_comes_out_as_printed(bench: Bench) -> None:
    """Montgomery, 7th ed., example 6.5: costs of processing loan applications."""
    result = bench.run(
        "control_chart", {"week": list(range(1, 21)), "cost": LOAN_COSTS}, value="cost", order="week"
    )
    values = {name: value for name, value in result.values.items() if isinstance(value, (int, float))}
    assert (values["points"], values["out_of_control"]) == (20, 0)
    assert (round(values["center"], 1), round(values["spread_mean"], 2)) == (300.5, 7.79)
    assert (round(values["ucl"], 2), round(values["lcl"], 2)) == (321.22, 279.78)
    assert values["spread_ucl"] == pytest.approx(25.45, abs=0.02)


def test_points_come_in_the_order_that_is_named(bench: Bench) -> None:
    columns = {"at": [dt.date(2024, 1, 3), dt.date(2024, 1, 1), dt.date(2024, 1, 2)], "x": [3.0, 1.0, None]}
    by_date = rows_of(bench.run("control_chart", columns, value="x"))
    assert [(row["at"].day, row["x"], row["moving_range"]) for row in by_date] == [
        (1, 1.0, None),
        (3, 3.0, 2.0),
    ]
    by_row = rows_of(bench.run("control_chart", {"x": [5, 1, 4]}, value="x"))
    assert [(row["row"], row["x"], row["moving_range"]) for row in by_row] == [
        (1, 5.0, None),
        (2, 1.0, 4.0),
        (3, 4.0, 3.0),
    ]


WESTERN: dict[str, Callable[[Sequence[float]], bool]] = {
    "1": lambda z: abs(z[-1]) > 3,
    "2": lambda z: _side(z, 2, 3, 2),
    "3": lambda z: _side(z, 1, 5, 4),
    "4": lambda z: _side(z, 0, 8, 8),
}
NELSON: dict[str, Callable[[Sequence[float]], bool]] = {
    "1": lambda z: abs(z[-1]) > 3,
    "2": lambda z: _side(z, 0, 9, 9),
    "3": lambda z: len(z) >= 6 and (_monotone(z[-6:]) or _monotone([-value for value in z[-6:]])),
    "4": lambda z: len(z) >= 14 and _alternating(z[-14:]),
    "5": lambda z: _side(z, 2, 3, 2),
    "6": lambda z: _side(z, 1, 5, 4),
    "7": lambda z: len(z) >= 15 and all(abs(value) < 1 for value in z[-15:]),
    "8": lambda z: len(z) >= 8 and all(abs(value) > 1 for value in z[-8:]),
}


def _side(z: Sequence[float], beyond: float, of: int, need: int) -> bool:
    return any(
        sign * z[-1] > beyond and sum(sign * value > beyond for value in z[-of:]) >= need for sign in (1, -1)
    )


def _monotone(z: Sequence[float]) -> bool:
    return all(after > before for before, after in pairwise(z))


def _alternating(z: Sequence[float]) -> bool:
    steps = [after - before for before, after in pairwise(z)]
    return all(first * second < 0 for first, second in pairwise(steps))


@settings(deadline=None, max_examples=examples(15))
@given(
    values=st.one_of(
        st.lists(st.integers(-9, 9), min_size=2, max_size=40),
        st.lists(st.sampled_from([-5, -4, 0, 4, 5, 40]), min_size=15, max_size=40),
        st.integers(14, 30).map(lambda n: [(-1) ** k * (5 + k) for k in range(n)]),
        st.integers(6, 30).map(lambda n: list(range(n))),
    ),
    rules=st.sampled_from(["western_electric", "nelson"]),
)
def test_every_rule_marks_what_its_words_say(bench: Bench, values: list[int], rules: str) -> None:
    result = bench.run("control_chart", {"x": values}, value="x", rules=rules)
    center, sigma = result.values["center"], result.values["sigma"]
    assert isinstance(center, float)
    assert isinstance(sigma, float)
    spread = result.values["spread_ucl"]
    assert isinstance(spread, float)
    reference = WESTERN if rules == "western_electric" else NELSON
    z = [(value - center) / sigma if sigma else 0.0 for value in values]
    broken = 0
    for place, row in enumerate(rows_of(result)):
        expected = [name for name, broke in reference.items() if sigma and broke(z[: place + 1])]
        if place and abs(values[place] - values[place - 1]) > spread:
            expected.append("R")
        if not sigma and rules == "nelson" and reference["3"]([*map(float, values[: place + 1])]):
            expected.append("3")
        assert (row["rules"] or "").split(", ") == (expected or [""])
        broken += bool(expected)
    assert result.values["out_of_control"] == broken


def subgroups(sizes: Sequence[int]) -> dict[str, Any]:
    values = [((7 * k * k + 3 * k) % 23) / 2 for k in range(sum(sizes))]
    return {"batch": [number for number, size in enumerate(sizes) for _ in range(size)], "x": values}


def test_subgroups_of_one_size_are_charted_by_their_ranges(bench: Bench) -> None:
    columns = subgroups([4] * 6)
    result = bench.run("control_chart", columns, value="x", subgroup="batch")
    groups = np.array(columns["x"]).reshape(6, 4)
    ranges = groups.max(axis=1) - groups.min(axis=1)
    half = 3 / (2.059 * 2) * ranges.mean()
    found = rows_of(result)
    assert [row["mean"] for row in found] == pytest.approx(list(groups.mean(axis=1)))
    assert [row["range"] for row in found] == list(ranges)
    assert [found[0]["lcl"], found[0]["ucl"]] == pytest.approx(
        [groups.mean() - half, groups.mean() + half], rel=1e-3
    )
    assert result.values["spread_ucl"] == pytest.approx(2.282 * ranges.mean(), rel=1e-3)


def test_subgroups_of_several_sizes_have_limits_of_their_own(bench: Bench) -> None:
    columns = subgroups([3, 5, 4, 1])
    result = bench.run("control_chart", columns, value="x", subgroup="batch")
    values, starts = np.array(columns["x"]), [0, 3, 8, 12]
    groups = np.split(values, starts[1:])
    pooled = math.sqrt(
        sum(((group - group.mean()) ** 2).sum() for group in groups) / sum(len(g) - 1 for g in groups)
    )
    for row, group in zip(rows_of(result), groups, strict=True):
        assert row["n"] == len(group)
        assert row["ucl"] == pytest.approx(values.mean() + 3 * pooled / math.sqrt(len(group)))
    assert "lcl" not in result.values


def test_equal_subgroups_by_their_deviations_use_c4(bench: Bench) -> None:
    columns = subgroups([5] * 4)
    result = bench.run("control_chart", columns, value="x", subgroup="batch", chart="xbar_s")
    groups = np.array(columns["x"]).reshape(4, 5)
    deviation = groups.std(axis=1, ddof=1).mean()
    assert rows_of(result)[0]["ucl"] == pytest.approx(groups.mean() + 1.427 * deviation, rel=1e-3)


@pytest.mark.parametrize(
    "given_,sizes,words",
    [
        ({"chart": "xbar_r"}, [2, 3], "one size"),
        ({}, [1, 1, 1], "no subgroup has a spread"),
        ({"chart": "individuals"}, [2, 2], "no subgroups"),
    ],
)
def test_a_chart_that_the_subgroups_do_not_allow_is_refused(
    bench: Bench, given_: dict[str, Any], sizes: list[int], words: str
) -> None:
    with pytest.raises(PlanValidationError, match=words):
        bench.run("control_chart", subgroups(sizes), value="x", subgroup="batch", **given_)


@pytest.mark.parametrize("values", [[], [5.0], [5.0, 5.0, 5.0]])
def test_points_that_do_not_vary_break_no_rule(bench: Bench, values: list[float]) -> None:
    import pyarrow as pa

    result = bench.run("control_chart", pa.table({"x": pa.array(values, pa.float64())}), value="x")
    assert (result.values["points"], result.values["out_of_control"]) == (len(values), 0)


def test_points_without_a_value_are_told(bench: Bench) -> None:
    columns = {"x": [1.0, None, 3.0, 2.0], "batch": ["a", "a", "a", "b"]}
    found = [
        bench.run("control_chart", columns, value="x"),
        bench.run("control_chart", columns, value="x", subgroup="batch"),
        bench.run("process_capability", columns, value="x", usl="4"),
    ]
    notes = [result.metadata.notes[0] for result in found]
    assert notes == ["1 row has no value of x, and went into no figure"] * 3
