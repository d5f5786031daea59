"""Statistics of the plan language against pandas, SciPy and hand formulas, over whole tables and by group."""

import math
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.table import Table
from tests.engine.tables import read_example, store

Part = pd.DataFrame


@pytest.fixture(scope="module")
def sales(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("sales.csv"), "sales")


def _scipy(name: str) -> Any:
    return getattr(pytest.importorskip("scipy.stats"), name)


REFERENCES: dict[str, Callable[[Part], Any]] = {
    "skewness(revenue)": lambda p: p["revenue"].skew(),
    "skew(revenue)": lambda p: _scipy("skew")(p["revenue"], bias=False),
    "kurtosis(revenue)": lambda p: p["revenue"].kurt(),
    "kurt(revenue)": lambda p: _scipy("kurtosis")(p["revenue"], bias=False),
    "std_pop(revenue)": lambda p: p["revenue"].std(ddof=0),
    "var_pop(revenue)": lambda p: p["revenue"].var(ddof=0),
    "iqr(revenue)": lambda p: _scipy("iqr")(p["revenue"]),
    "mad(revenue)": lambda p: _scipy("median_abs_deviation")(p["revenue"]),
    "covariance(quantity, revenue)": lambda p: p["quantity"].cov(p["revenue"]),
    "regr_slope(revenue, quantity)": lambda p: _scipy("linregress")(p["quantity"], p["revenue"]).slope,
    "regr_intercept(revenue, quantity)": lambda p: (
        _scipy("linregress")(p["quantity"], p["revenue"]).intercept
    ),
    "regr_r2(revenue, quantity)": lambda p: _scipy("linregress")(p["quantity"], p["revenue"]).rvalue ** 2,
}


@pytest.mark.parametrize("expression", REFERENCES)
def test_a_statistic_equals_the_one_of_pandas_or_scipy(
    engine: DuckDBEngine, sales: Table, expression: str
) -> None:
    frame = pd.DataFrame(read_example("sales.csv").to_pandas())
    whole = run_plan(engine, sales, parse_plan({"select": expression})).value
    assert whole == pytest.approx(REFERENCES[expression](frame), rel=1e-9)
    plan = parse_plan({"group_by": "region", "select": f"{expression} as value"})
    grouped = {row[0]: row[1] for row in run_plan(engine, sales, plan).frame.rows()}
    assert grouped == {
        region: pytest.approx(REFERENCES[expression](part), rel=1e-9)
        for region, part in frame.groupby("region")
    }


def test_a_statistic_in_sql_terms_is_found_by_hand(engine: DuckDBEngine, folder: Path) -> None:
    table = store(engine, folder, pa.table({"x": [1.0, 2.0, 4.0, 9.0], "y": [2.0, 1.0, 5.0, 8.0]}), "hand")
    m2, m3, m4 = (sum((v - 4) ** power for v in (1, 2, 4, 9)) / 4 for power in (2, 3, 4))
    expected = {
        "skewness(x)": math.sqrt(4 * 3) / 2 * m3 / m2**1.5,
        "kurtosis(x)": 3 / (2 * 1) * (5 * m4 / m2**2 - 9),
        "std_pop(x)": math.sqrt(38 / 4),
        "var_pop(x)": 38 / 4,
        "iqr(x)": 5.25 - 1.75,
        "mad(x)": 1.5,
        "covariance(x, y)": (-3 * -2 + -2 * -3 + 0 + 5 * 4) / 3,
        "regr_slope(y, x)": 32 / 38,
        "regr_intercept(y, x)": 4 - 32 / 38 * 4,
        "regr_r2(y, x)": 32**2 / (38 * 30),
    }
    for expression, value in expected.items():
        found = run_plan(engine, table, parse_plan({"select": expression})).value
        assert found == pytest.approx(value), expression


@pytest.mark.parametrize("offset", [0.0, 1e3, 1e6])
def test_a_large_mean_takes_no_digits_that_are_shown(
    engine: DuckDBEngine, folder: Path, offset: float
) -> None:
    values = np.random.default_rng(0).gamma(2, 1, 1000) + offset
    table = store(engine, folder, pa.table({"x": values}), f"offset_{int(offset)}")
    for name in ("skew", "kurt"):
        found = run_plan(engine, table, parse_plan({"select": f"{name}(x)"})).value
        assert found == pytest.approx(getattr(pd.Series(values), name)(), rel=1e-7)


CONSTANT = pa.table({"x": [3.0, 3.0, 3.0, 3.0, None], "y": [1.0, 2.0, 3.0, 4.0, 9.0]})


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("skewness(x)", None),
        ("kurtosis(x)", None),
        ("std_pop(x)", 0.0),
        ("iqr(x)", 0.0),
        ("mad(x)", 0.0),
        ("covariance(x, y)", 0.0),
        ("regr_slope(y, x)", None),
        ("regr_intercept(y, x)", None),
        ("regr_r2(y, x)", None),
        ("regr_slope(x, y)", 0.0),
        ("regr_intercept(x, y)", 3.0),
        ("regr_r2(x, y)", None),
    ],
)
def test_what_does_not_vary_has_no_shape_and_no_slope(
    engine: DuckDBEngine, folder: Path, expression: str, expected: float | None
) -> None:
    table = store(engine, folder, CONSTANT, "constant")
    assert run_plan(engine, table, parse_plan({"select": expression})).value == expected


def test_exact_numbers_are_interpolated_and_not_rounded_to_their_decimals(
    engine: DuckDBEngine, folder: Path
) -> None:
    cells = pa.array(
        [Decimal("1.25"), Decimal("2.50"), Decimal("4.01"), Decimal("4.02")], pa.decimal128(9, 2)
    )
    table = store(engine, folder, pa.table({"x": cells}), "exact")
    plan = {"select": ["median(x)", "percentile(x, 0.75)", "iqr(x)", "mad(x)", "median(x + 0.01)"]}
    (values,) = run_plan(engine, table, parse_plan(plan)).frame.rows()
    assert values == pytest.approx((3.255, 4.0125, 4.0125 - 2.1875, 0.76, 3.265))


def test_a_z_score_is_the_distance_from_the_mean_in_sample_deviations(
    engine: DuckDBEngine, folder: Path
) -> None:
    values = pd.Series([1.0, 2.0, None, 9.0])
    table = store(engine, folder, pa.table({"x": pa.array(values, from_pandas=True)}), "scores")
    plan = parse_plan({"map": {"z": "zscore(x)", "flat": "zscore(x * 0)"}, "columns": ["z", "flat"]})
    found = [row[0] for row in run_plan(engine, table, plan).frame.rows()]
    expected = (values - values.mean()) / values.std()
    assert found == [None if math.isnan(z) else pytest.approx(z) for z in expected]
    assert {row[1] for row in run_plan(engine, table, plan).frame.rows()} == {None}


def test_a_missing_number_is_none_and_so_is_nan(engine: DuckDBEngine, folder: Path) -> None:
    table = store(engine, folder, pa.table({"x": [1.0, None, math.nan], "n": [1, None, 3]}), "missing")
    plan = parse_plan({"map": {"a": "isnan(x)", "b": "isna(n)"}, "columns": ["a", "b"]})
    assert run_plan(engine, table, plan).frame.rows() == [(False, False), (True, True), (True, False)]
    assert run_plan(engine, table, parse_plan({"select": "count_if(isnan(x))"})).value == 2
