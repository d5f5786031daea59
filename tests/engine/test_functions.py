"""The function registry: each function's values, checked against pandas or by hand, and its documentation."""

from __future__ import annotations

import datetime as dt
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.functions import ALIASES, FUNCTIONS, describe_functions, find_function
from tabchat.engine.functions.signature import function
from tabchat.engine.functions.templates import template
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.table import Table
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.tables import read_example, store

D = dt.datetime

MIXED = pa.table(
    {
        "at": [D(2024, 3, 31, 9, 30), D(2024, 12, 30, 0, 0), None, D(2023, 1, 1, 23, 59)],
        "name": ["Ängström", "it's", None, " pad "],
        "a": pa.array([4, -3, None, 0], pa.int32()),
        "b": [2.0, -0.5, 1.0, None],
        "f": pa.array([0.1, 0.2, None, 0.3], pa.float32()),
        "ok": [True, False, None, True],
    }
)


@pytest.fixture(scope="module")
def mixed(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, MIXED, "mixed")


@pytest.fixture(scope="module")
def prices(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("prices.csv"), "prices")


def _column(engine: DuckDBEngine, table: Table, expression: str) -> list[Any]:
    plan = {"map": {"result": expression}, "columns": "result"}
    return [row[0] for row in run_plan(engine, table, parse_plan(plan)).frame.rows()]


def _value(engine: DuckDBEngine, table: Table, expression: str) -> Any:
    return run_plan(engine, table, parse_plan({"select": expression})).value


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("a + b", [6.0, -3.5, None, None]),
        ("a / b", [2.0, 6.0, None, None]),
        ("b / a", [0.5, 1 / 6, None, None]),
        ("1 / 4", [0.25] * 4),
        ("a % 3", [1, 0, None, 0]),
        ("a % 0", [None] * 4),
        ("7 // a", [1.0, -3.0, None, None]),
        ("a ** 2", [16.0, 9.0, None, 0.0]),
        ("-a ** 2", [-16.0, -9.0, None, 0.0]),
        ("2 ** 3 ** 2", [512.0] * 4),
        ("a ** 0.5", [2.0, None, None, 0.0]),
        ("a ** -1", [0.25, -1 / 3, None, None]),
        ("0.1 + 0.2", [0.1 + 0.2] * 4),
        ("0.1 + 0.2 == 0.30000000000000004", [True] * 4),
        ("0.1 + 0.2 == 0.3", [False] * 4),
        ("a * 0.1", [0.4, -3 * 0.1, None, 0.0]),
        ("(a - 1) * 2 - -a", [10, -11, None, -2]),
        ("a * a * a * a * a * a * a * 1000000", [16384000000, -2187000000, None, 0]),
        ("f + 0", [pytest.approx(0.1), pytest.approx(0.2), None, pytest.approx(0.3)]),
        ("1 < a < 5", [True, False, None, False]),
        ("a == 4 == ok", None),
        ("(a == 4) == ok", [True, True, None, False]),
        ("not 1 < a < 5", [False, True, None, True]),
        ("a between -3 and 0", [False, True, None, True]),
        ("a not between -3 and 0", [True, False, None, False]),
        ("a in [4, 0.0]", [True, False, None, True]),
        ("a not in (4)", [False, True, None, True]),
        ("a is null", [False, False, True, False]),
        ("a is not null", [True, True, False, True]),
        ("ok is true", [True, False, False, True]),
        ("ok is not true", [False, True, True, False]),
        ("ok and b > 0", [True, False, None, None]),
        ("ok or b > 0", [True, False, True, True]),
        ("name like '%s'", [False, True, None, False]),
        ("name not like '%s'", [True, False, None, True]),
        ("name ilike 'IT%'", [False, True, None, False]),
        ("name || '!'", ["Ängström!", "it's!", None, " pad !"]),
        ("name == 'it''s'", [False, True, None, False]),
        ("case when a > 0 then 'plus' when a < 0 then 'minus' end", ["plus", "minus", None, None]),
        ("case a when 4 then 1 else 2.5 end", [1.0, 2.5, 2.5, 2.5]),
        ("abs(a)", [4, 3, None, 0]),
        ("abs(b)", [2.0, 0.5, 1.0, None]),
        ("round(b)", [2.0, -1.0, 1.0, None]),
        ("round(1234.5678, -2)", [1200.0] * 4),
        ("floor(b)", [2, -1, 1, None]),
        ("ceil(b)", [2, 0, 1, None]),
        ("log(b)", [pytest.approx(0.6931471805599453), None, 0.0, None]),
        ("log10(a * 25)", [2.0, None, None, None]),
        ("exp(b - b)", [1.0, 1.0, 1.0, None]),
        ("exp(1000 * a)", [None, 0.0, None, 1.0]),
        ("sqrt(a)", [2.0, None, None, 0.0]),
        ("power(a, 0.5)", [2.0, None, None, 0.0]),
        ("sign(a)", [1, -1, None, 0]),
        ("if(a > 0, b, 0)", [2.0, 0.0, 0.0, 0.0]),
        ("if(a > 0, b)", [2.0, None, None, None]),
        ("coalesce(a, b, 9)", [4.0, -3.0, 1.0, 0.0]),
        ("nullif(a, 4)", [None, -3, None, 0]),
        ("is_null(name)", [False, False, True, False]),
        ("greatest(a, b)", [4.0, -0.5, 1.0, 0.0]),
        ("least(a, b)", [2.0, -3.0, 1.0, 0.0]),
        ("bucket(a, 2.5)", [2.5, -5.0, None, 0.0]),
        ("lower(name)", ["ängström", "it's", None, " pad "]),
        ("upper(name)", ["ÄNGSTRÖM", "IT'S", None, " PAD "]),
        ("trim(name)", ["Ängström", "it's", None, "pad"]),
        ("length(name)", [8, 4, None, 5]),
        ("contains(name, 's')", [True, True, None, False]),
        ("icontains(name, 'S')", [True, True, None, False]),
        ("starts_with(name, 'it')", [False, True, None, False]),
        ("ends_with(name, 'm')", [True, False, None, False]),
        ("matches(name, '^[a-z]')", [False, True, None, False]),
        ("replace(name, ' ', '_')", ["Ängström", "it's", None, "_pad_"]),
        ("left(name, 2)", ["Än", "it", None, " p"]),
        ("right(name, 2)", ["öm", "'s", None, "d "]),
        ("substring(name, 2, 3)", ["ngs", "t's", None, "pad"]),
        ("concat(a, '-', ok)", ["4-true", "-3-false", "-", "0-true"]),
        ("dayname()", ["Sunday", "Monday", None, "Sunday"]),
        ("dayofweek()", ["Sun", "Mon", None, "Sun"]),
        ("dayofweek() + 0", [6, 0, None, 6]),
        ("month()", ["Mar", "Dec", None, "Jan"]),
        ("monthname()", ["March", "December", None, "January"]),
        ("year()", [2024, 2024, None, 2023]),
        ("quarter()", [1, 4, None, 1]),
        ("week()", [13, 1, None, 52]),
        ("day()", [31, 30, None, 1]),
        ("dayofyear()", [91, 365, None, 1]),
        ("hour()", ["09:00", "00:00", None, "23:00"]),
        ("minute()", [30, 0, None, 59]),
        ("date()", [dt.date(2024, 3, 31), dt.date(2024, 12, 30), None, dt.date(2023, 1, 1)]),
        ("time()", [dt.time(9, 30), dt.time(0), None, dt.time(23, 59)]),
        ("period_month()", ["2024-03", "2024-12", None, "2023-01"]),
        ("period_quarter()", ["2024-Q1", "2024-Q4", None, "2023-Q1"]),
        ("period_week()", [dt.date(2024, 3, 25), dt.date(2024, 12, 30), None, dt.date(2022, 12, 26)]),
        ("is_weekend()", [True, False, None, True]),
        ("days_between(at, '2024-12-31')", [275, 1, None, 730]),
        (
            "at - '2024-12-30'",
            [pytest.approx(-273.6041666666667), 0.0, None, pytest.approx(-728.0006944444445)],
        ),
        ("date() - date('2024-12-30')", [-274, 0, None, -729]),
        ("date() + 1", [dt.date(2024, 4, 1), dt.date(2024, 12, 31), None, dt.date(2023, 1, 2)]),
        ("at - 1", [D(2024, 3, 30, 9, 30), D(2024, 12, 29), None, D(2022, 12, 31, 23, 59)]),
        ("at >= '2024-12-30'", [False, True, None, False]),
        ("at == '2024-03-31 09:30'", [True, False, None, False]),
        ("time() < '09:31'", [True, True, None, False]),
        ("prev(a)", [0, 4, -3, None]),
        ("row_number()", [2, 3, 4, 1]),
    ],
)
def test_a_function_of_one_row(
    engine: DuckDBEngine, mixed: Table, expression: str, expected: list[Any] | None
) -> None:
    if expected is None:
        with pytest.raises(PlanValidationError):
            _column(engine, mixed, expression)
        return
    found = _column(engine, mixed, expression)
    assert found == expected
    assert [type(value) for value in found] == [
        type(value.expected) if hasattr(value, "expected") else type(value) for value in expected
    ]


def _series(prices: pd.DataFrame, name: str = "close") -> pd.Series[Any]:
    return prices[name].astype(float)


def _wilder(values: pd.Series[Any], n: int) -> pd.Series[Any]:
    """Smooth as Wilder did by hand: the mean of the first n values, then one step at a time."""
    smoothed = pd.Series(np.nan, index=values.index)
    there = values.dropna().index
    state = float(values.loc[there[:n]].mean())
    smoothed.loc[there[n - 1]] = state
    for place in there[n:]:
        state += (float(values[place]) - state) / n
        smoothed[place] = state
    return smoothed


def _true_range(prices: pd.DataFrame) -> pd.Series[Any]:
    before = prices["close"].shift()
    parts = [prices["high"] - prices["low"], (prices["high"] - before).abs(), (prices["low"] - before).abs()]
    return pd.concat(parts, axis=1).max(axis=1)


def _rsi(prices: pd.DataFrame, n: int) -> pd.Series[Any]:
    change = prices["close"].diff()
    gains, losses = _wilder(change.clip(lower=0), n), _wilder(-change.clip(upper=0), n)
    return 100 - 100 / (1 + gains / losses)


def _macd(prices: pd.DataFrame) -> pd.Series[Any]:
    fast, slow = (_series(prices).ewm(span=span, adjust=False).mean() for span in (12, 26))
    return fast - slow


def _bands(prices: pd.DataFrame) -> tuple[pd.Series[Any], pd.Series[Any]]:
    windows = _series(prices).rolling(20)
    return windows.mean(), windows.std(ddof=0)


REFERENCES: dict[str, Any] = {
    "prev(close, 3)": lambda p: p["close"].shift(3),
    "next(close)": lambda p: p["close"].shift(-1),
    "diff(close, 2)": lambda p: p["close"].diff(2),
    "pct_change(close)": lambda p: p["close"].pct_change() * 100,
    "rolling_mean(close, 7)": lambda p: _series(p).rolling(7).mean(),
    "sma(close, 7)": lambda p: _series(p).rolling(7).mean(),
    "rolling_sum(volume, 7)": lambda p: _series(p, "volume").rolling(7).sum(),
    "rolling_max(high, 7)": lambda p: _series(p, "high").rolling(7).max(),
    "rolling_min(low, 7)": lambda p: _series(p, "low").rolling(7).min(),
    "rolling_std(close, 7)": lambda p: _series(p).rolling(7).std(),
    "rolling_count(close > open, 7)": lambda p: (p["close"] > p["open"]).astype(float).rolling(7).sum(),
    "ema(close, 1)": _series,
    "ema(close, 12)": lambda p: _series(p).ewm(span=12, adjust=False).mean(),
    "ema(close, 5000)": lambda p: _series(p).ewm(span=5000, adjust=False).mean(),
    "cumsum(volume)": lambda p: p["volume"].cumsum(),
    "cummax(close)": lambda p: p["close"].cummax(),
    "cummin(close)": lambda p: p["close"].cummin(),
    "close / total(close)": lambda p: p["close"] / p["close"].sum(),
    "rank(close)": lambda p: p["close"].rank(method="min"),
    "rank(close, 'desc')": lambda p: p["close"].rank(method="min", ascending=False),
    "rolling_mean(close - prev(close), 5)": lambda p: p["close"].diff().rolling(5).mean(),
    "change()": lambda p: p["close"].diff(),
    "change_pct()": lambda p: p["close"].pct_change() * 100,
    "change(high)": lambda p: p["high"].diff(),
    "gap()": lambda p: p["open"] - p["close"].shift(),
    "gap_pct()": lambda p: (p["open"] / p["close"].shift() - 1) * 100,
    "range()": lambda p: p["high"] - p["low"],
    "range_pct()": lambda p: (p["high"] - p["low"]) / p["open"] * 100,
    "body()": lambda p: (p["close"] - p["open"]).abs(),
    "body_pct()": lambda p: (p["close"] / p["open"] - 1) * 100,
    "upper_wick()": lambda p: p["high"] - p[["open", "close"]].max(axis=1),
    "lower_wick()": lambda p: p[["open", "close"]].min(axis=1) - p["low"],
    "typical_price()": lambda p: (p["high"] + p["low"] + p["close"]) / 3,
    "true_range()": _true_range,
    "atr()": lambda p: _wilder(_true_range(p), 14),
    "atr(5)": lambda p: _wilder(_true_range(p), 5),
    "rsi()": lambda p: _rsi(p, 14),
    "rsi(5)": lambda p: _rsi(p, 5),
    "rsi(close, 5)": lambda p: _rsi(p, 5),
    "macd()": _macd,
    "macd_signal()": lambda p: _macd(p).ewm(span=9, adjust=False).mean(),
    "macd_histogram()": lambda p: _macd(p) - _macd(p).ewm(span=9, adjust=False).mean(),
    "bbands_middle()": lambda p: _bands(p)[0],
    "bbands_upper()": lambda p: _bands(p)[0] + 2 * _bands(p)[1],
    "bbands_lower(20, 1.5)": lambda p: _bands(p)[0] - 1.5 * _bands(p)[1],
    "bbands_width()": lambda p: 400 * _bands(p)[1] / _bands(p)[0],
}


@pytest.mark.parametrize("expression", REFERENCES)
def test_a_function_of_many_rows_agrees_with_pandas(
    engine: DuckDBEngine, prices: Table, expression: str
) -> None:
    frame = read_example("prices.csv").to_pandas()
    expected = REFERENCES[expression](frame).astype(float).to_numpy()
    found = np.array(
        [np.nan if value is None else float(value) for value in _column(engine, prices, expression)]
    )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-7)


values = st.lists(st.none() | st.floats(-1e6, 1e6), max_size=40)


@settings(deadline=None, max_examples=examples(20))
@given(values, st.sampled_from([2, 4, 10, 60]))
def test_ema_weighs_values_after_a_gap_as_pandas_documents(
    engine: DuckDBEngine, folder: Path, cells: list[float | None], span: int
) -> None:
    table = store(engine, folder, pa.table({"x": pa.array(cells, pa.float64())}))
    expected = pd.Series(cells, dtype=float).ewm(span=span, adjust=False).mean().to_numpy()
    found = np.array(
        [np.nan if v is None else v for v in _column(engine, table, f"ema(x, {span})")], dtype=float
    )
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-6)


def test_ema_over_many_blocks_of_rows_neither_overflows_nor_forgets(
    engine: DuckDBEngine, folder: Path
) -> None:
    generator = np.random.default_rng(7)
    series = pd.Series(generator.normal(size=20_000)).mask(generator.random(20_000) < 0.2)
    table = store(engine, folder, pa.table({"x": pa.array(series, from_pandas=True)}))
    found = np.array([np.nan if v is None else v for v in _column(engine, table, "ema(x, 4)")], dtype=float)
    np.testing.assert_allclose(
        found, series.ewm(span=4, adjust=False).mean().to_numpy(), rtol=1e-9, atol=1e-14
    )


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("streak(up)", [1, 2, 0, 1, 0, 1]),
        ("cumsum(n)", [1, 3, None, 7, 8, 10]),
        ("fill_forward(n)", [1, 2, 2, 4, 1, 2]),
        ("rising(n)", [False, True, False, False, False, True]),
        ("rising(n, 2)", [False, False, False, False, False, False]),
        ("falling(n)", [False, False, False, False, True, False]),
        ("crossover(n, 1.5)", [False, True, False, False, False, True]),
        ("crossunder(n, 1.5)", [False, False, False, False, True, False]),
        ("crossover(n, m)", [False, True, False, False, False, True]),
        ("rolling_count(n, 2)", [None, 2, 1, 1, 2, 2]),
        ("rolling_mean(n, 2)", [None, 1.5, None, None, 2.5, 1.5]),
        ("rank(n)", [1, 3, None, 5, 1, 3]),
        ("streak(streak(up) > 1)", [0, 1, 0, 0, 0, 0]),
    ],
)
def test_patterns_by_hand(engine: DuckDBEngine, folder: Path, expression: str, expected: list[Any]) -> None:
    rows = {"up": [True, True, None, True, False, True], "n": [1, 2, None, 4, 1, 2], "m": [1, 1, 1, 1, 2, 1]}
    table = store(engine, folder, pa.table(rows), "patterns")
    assert _column(engine, table, expression) == expected


@pytest.mark.parametrize(
    "expression, expected",
    [
        ("count()", 4),
        ("count(*)", 4),
        ("count(a)", 3),
        ("count(ok)", 3),
        ("count_distinct(ok)", 2),
        ("count_if(a > -1)", 2),
        ("pct(a > -1)", 50.0),
        ("sum(a)", 1),
        ("sum(b)", 2.5),
        ("share()", 100.0),
        ("mean(a)", 1 / 3),
        ("avg(a)", 1 / 3),
        ("median(b)", 1.0),
        ("min(name)", " pad "),
        ("max(at)", D(2024, 12, 30)),
        ("std(b)", pytest.approx(1.2583057392117916)),
        ("var(b)", pytest.approx(1.5833333333333333)),
        ("percentile(b, 0.9)", pytest.approx(1.8)),
        ("correlation(a, b)", pytest.approx(1.0)),
        ("correlation(b, b * 0)", None),
        ("std_pop(b)", pytest.approx(1.0274023338281626)),
        ("var_pop(b)", pytest.approx(1.0555555555555556)),
        ("iqr(b)", pytest.approx(1.25)),
        ("mad(b)", 1.0),
        ("first(a)", 0),
        ("last(a)", -3),
        ("last(name)", "it's"),
        ("mode(a)", -3),
        ("mode(dayofweek(at))", "Sun"),
        ("sum(a) / count()", 0.25),
        ("sum(a * 2) / nullif(sum(a) - 1, 0)", None),
        ("round(mean(b), 1)", 0.8),
    ],
)
def test_an_aggregate_over_a_small_table(
    engine: DuckDBEngine, mixed: Table, expression: str, expected: object
) -> None:
    found = _value(engine, mixed, expression)
    assert found == expected
    if not hasattr(expected, "expected"):
        assert type(found) is type(expected)


@pytest.mark.parametrize("name", [name for name, item in FUNCTIONS.items() if item.aggregate])
def test_an_aggregate_over_no_rows_is_null_or_a_count_of_zero(
    engine: DuckDBEngine, mixed: Table, name: str
) -> None:
    found = FUNCTIONS[name]
    arguments = {"condition": "ok", "fraction": "0.5", "number": "b"}
    written = ", ".join(arguments.get(item.accepts, "a") for item in found.parameters if item.default is None)
    plan = {"where": "a > 100", "select": f"{name}({written})"}
    result = run_plan(engine, mixed, parse_plan(plan))
    assert result.value == (0 if found.returns == "integer" else None)
    assert result.source_row_count == 0


def test_sums_of_whole_numbers_stay_whole_numbers(engine: DuckDBEngine, mixed: Table) -> None:
    plan = parse_plan({"select": ["sum(a)", "count()", "mean(a)"]})
    assert [column.sql_type for column in run_plan(engine, mixed, plan).frame.schema] == [
        "BIGINT",
        "BIGINT",
        "DOUBLE",
    ]


def test_weeks_may_begin_on_sunday(engine: DuckDBEngine, mixed: Table) -> None:
    plan = parse_plan({"map": {"week_of": "period_week()"}, "columns": "week_of"})
    found = run_plan(engine, mixed, plan, week_start="sunday").frame.rows()
    assert [row[0] for row in found] == [
        dt.date(2024, 3, 31),
        dt.date(2024, 12, 29),
        None,
        dt.date(2023, 1, 1),
    ]


def test_every_function_is_documented_once_with_its_spellings() -> None:
    text = describe_functions()
    for name, item in FUNCTIONS.items():
        assert item.name == name
        assert text.count(f"  {item.signature}: ") == 1
        assert item.description.endswith(".")
    assert "  rolling_mean(x: number, n: count) -> number: " in text
    assert "Also avg, average." in text
    assert [line for line in text.splitlines() if not line.startswith(" ")] == [
        *(
            "core:",
            "text:",
            "lag:",
            "cumulative:",
            "pattern:",
            "window:",
            "time:",
            "aggregates:",
            "statistics:",
            "ohlc:",
        )
    ]


def test_names_and_aliases_are_found_whatever_their_case() -> None:
    assert find_function("AVG") is FUNCTIONS["mean"]
    assert find_function("nope") is None
    assert not set(ALIASES) & set(FUNCTIONS)


@pytest.mark.parametrize("signature", ["f x", "f(x) -> number", "f(x: nonsense) -> number"])
def test_a_signature_that_cannot_be_read_is_a_programming_error(signature: str) -> None:
    with pytest.raises(ValueError, match=r"f|x"):
        function("core", signature, "Broken.", template(":x"))
