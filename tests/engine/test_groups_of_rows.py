"""Row functions in groups (`within`), periods that hang on the last date, outliers and rows of the file."""

import datetime as dt
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.periods import read_period
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.result.result import Result
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.tables import store

SCHEMA = pa.schema([("g", pa.string()), ("h", pa.int64()), ("x", pa.float64())])
RECORDS = st.lists(
    st.fixed_dictionaries(
        {
            "g": st.none() | st.sampled_from("abc"),
            "h": st.integers(0, 1),
            "x": st.none() | st.sampled_from([-1.5, 0.0, 0.25, 2.0, 2.5, 40.0]),
        }
    ),
    min_size=1,
    max_size=20,
)
SETTINGS = settings(
    deadline=None,
    max_examples=examples(20),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def _run(engine: DuckDBEngine, folder: Path, records: list[dict[str, Any]], plan: dict[str, Any]) -> Result:
    schema = SCHEMA if "g" in records[0] else None
    table = store(engine, folder, pa.Table.from_pylist(records, schema=schema))
    return run_plan(engine, table, parse_plan(plan))


def _column(result: Result, name: str) -> list[Any]:
    place = result.frame.columns.index(name)
    return [row[place] for row in result.frame.rows()]


@SETTINGS
@given(records=RECORDS, keys=st.sampled_from([["g"], ["g", "h"]]))
def test_row_functions_start_anew_in_each_group(
    engine: DuckDBEngine, folder: Path, records: list[dict[str, Any]], keys: list[str]
) -> None:
    plan = {
        "within": keys,
        "map": {
            "place": "row_number()",
            "best": "rank(x, 'desc')",
            "before": "prev(x)",
            "so_far": "cummax(x)",
            "all": "total(h)",
            "moving": "rolling_sum(h, 2)",
            "wild": "outlier(x)",
        },
    }
    result = _run(engine, folder, records, plan)

    frame = pd.DataFrame(records, columns=["g", "h", "x"]).astype({"x": "float64"})
    groups = frame.groupby(keys, dropna=False)
    low, high = (groups["x"].transform("quantile", p) for p in (0.25, 0.75))
    reach = 1.5 * (high - low)
    expected = {
        "place": groups.cumcount() + 1,
        "best": groups["x"].rank(method="min", ascending=False),
        "before": groups["x"].shift(),
        "so_far": groups["x"].cummax(),
        "all": groups["h"].transform("sum"),
        "moving": groups["h"].transform(lambda h: h.rolling(2).sum()),
        "wild": (frame["x"] < low - reach) | (frame["x"] > high + reach),
    }
    for name, column in expected.items():
        assert _column(result, name) == [None if pd.isna(cell) else cell for cell in column], name


@SETTINGS
@given(records=RECORDS)
def test_the_first_rows_of_each_group(
    engine: DuckDBEngine, folder: Path, records: list[dict[str, Any]]
) -> None:
    plan = {"steps": [{"sort": ["h", "x desc"]}, {"within": "h", "where": "row_number() <= 2"}]}
    result = _run(engine, folder, records, plan)

    frame = pd.DataFrame(records, columns=["g", "h", "x"]).astype({"x": "float64"})
    ordered = frame.sort_values(["h", "x"], ascending=[True, False], kind="stable")
    best = ordered.groupby("h").head(2)
    assert _column(result, "h") == best["h"].tolist()
    assert _column(result, "x") == [None if pd.isna(cell) else cell for cell in best["x"]]


def test_groups_must_be_columns_that_are_there(engine: DuckDBEngine, folder: Path) -> None:
    with pytest.raises(PlanValidationError) as caught:
        _run(engine, folder, [{"g": "a", "h": 1, "x": 1.0}], {"within": ["y", "k"], "map": {"k": "h"}})

    assert [(issue.step, issue.expression) for issue in caught.value.issues] == [
        ("within", "y"),
        ("within", "k"),
    ]
    assert "earlier one of `steps`" in str(caught.value.issues[1].hint)


LAST = dt.date(2024, 5, 15)
"""A Wednesday."""


@pytest.mark.parametrize(
    "period,start,end",
    [
        ("this_year", "2024-01-01", "2024-12-31"),
        ("this_quarter", "2024-04-01", "2024-06-30"),
        ("this_month", "2024-05-01", "2024-05-31"),
        ("this_week", "2024-05-13", "2024-05-19"),
        ("this_day", "2024-05-15", "2024-05-15"),
        ("today", "2024-05-15", "2024-05-15"),
        ("yesterday", "2024-05-14", "2024-05-14"),
        ("last_day", "2024-05-15", "2024-05-15"),
        ("last_week", "2024-05-06", "2024-05-12"),
        ("last_quarter", "2024-01-01", "2024-03-31"),
        ("last_3_months", "2024-02-16", "2024-05-15"),
        ("last_30_days", "2024-04-16", "2024-05-15"),
        ("previous_3_months", "2024-02-01", "2024-04-30"),
        ("previous_2_weeks", "2024-04-29", "2024-05-12"),
        ("previous_year", "2023-01-01", "2023-12-31"),
        ("12_months_ago", "2023-05-01", "2023-05-31"),
        ("4_quarters_ago", "2023-04-01", "2023-06-30"),
        ("2_weeks_ago", "2024-04-29", "2024-05-05"),
        ("1_years_ago", "2023-01-01", "2023-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
    ],
)
def test_a_period_names_days_and_rows_alike(
    engine: DuckDBEngine, folder: Path, period: str, start: str, end: str
) -> None:
    days = [{"day": LAST - dt.timedelta(days=ago)} for ago in range(900)]
    expected = sum(start <= str(row["day"]) <= end for row in days)

    span = read_period(period, LAST, "monday")

    assert (str(span.start), str(span.end)) == (start, end)
    for plan in (
        {"period": period, "select": "count()"},
        {"where": f"in_period('{period}')", "select": "count()"},
        {
            "map": {"inside": f"in_period('{period}', day)"},
            "where": "day > '1900-01-01'",
            "select": "count_if(inside)",
        },
    ):
        assert _run(engine, folder, days, plan).value == expected


@pytest.mark.parametrize("period", ["this_2_months", "last_0_days", "previous_0_months", "someday"])
def test_a_period_without_meaning_is_refused(engine: DuckDBEngine, folder: Path, period: str) -> None:
    for plan in ({"period": period}, {"where": f"in_period('{period}')"}):
        with pytest.raises(PlanValidationError):
            _run(engine, folder, [{"day": LAST}], plan)


def test_rows_know_their_place_in_the_file(engine: DuckDBEngine, folder: Path) -> None:
    days = [{"day": LAST - dt.timedelta(days=ago)} for ago in (1, 3, 2)]
    result = _run(engine, folder, days, {"map": {"row": "file_row()"}, "sort": "day"})

    assert _column(result, "row") == [2, 3, 1]
    with pytest.raises(PlanValidationError, match="stand in no file"):
        _run(engine, folder, days, {"steps": [{"group_by": "day"}, {"map": {"row": "file_row()"}}]})


def test_hours_are_grouped_by_day_and_hour(engine: DuckDBEngine, folder: Path) -> None:
    times = [
        {"at": dt.datetime.fromisoformat(f"2024-05-0{day} 09:{minute:02d}")}
        for day, minute in ((1, 5), (1, 50), (2, 5))
    ]
    result = _run(engine, folder, times, {"map": {"hour": "period_hour(at)"}, "group_by": "hour"})

    assert result.frame.rows() == [
        (dt.datetime.fromisoformat("2024-05-01 09:00"), 2),
        (dt.datetime.fromisoformat("2024-05-02 09:00"), 1),
    ]
