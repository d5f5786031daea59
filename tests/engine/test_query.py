"""Running plans: results, the rows behind them, what is told about them, and SQL that can be pasted."""

import datetime as dt
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from sqlglot import exp

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import plan_for, run_plan
from tabchat.engine.result.result import Chart, Result, ResultKind
from tabchat.engine.table import Table
from tabchat.errors import PlanValidationError, QueryFailedError
from tests.engine.tables import read_example, store

D = dt.datetime
NAMES = (
    *("order", 'say "hi"', "it's", "a b", "a;--", "Сума, грн", "価格", "count", "row", "100%", "*", "x.y"),
    *("__prev_1", "layer_1", "select", "\u200b", "[a]", "{{a}}", "'; drop table t; --"),
)


@pytest.fixture(scope="module")
def prices(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, read_example("prices.csv"), "prices")


@pytest.fixture(scope="module")
def ticks(engine: DuckDBEngine, folder: Path) -> Table:
    rows = {
        "at": [
            D(2024, 3, 1, 9, 0),
            D(2024, 3, 1, 9, 30),
            D(2024, 3, 1, 15, 59),
            D(2024, 3, 1, 16, 0),
            D(2024, 3, 2, 1),
            None,
        ],
        "open": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
        "high": [9.0, 8.0, 7.0, 6.0, 5.0, 4.0],
        "close": [2.0, None, 4.0, None, 6.0, 7.0],
        "volume": [10, 20, 30, 40, 50, 60],
        "trades": [1, 1, 1, 1, 1, 1],
        "spread": [0.5, 1.5, 2.5, 3.5, 4.5, 5.5],
        "venue": ["a", "b", "a", "b", "a", "b"],
    }
    return store(engine, folder, pa.table(rows), "ticks")


def _run(engine: DuckDBEngine, table: Table, plan: dict[str, Any], **settings: Any) -> Result:
    return run_plan(engine, table, parse_plan(plan), **settings)


def test_falls_of_the_close_are_found_against_the_row_before(engine: DuckDBEngine, prices: Table) -> None:
    plan = {
        "map": {"change_pct": "(close - prev(close)) / prev(close) * 100"},
        "where": "change_pct <= -2.5",
        "sort": "change_pct asc",
    }
    result = _run(engine, prices, plan)
    frame = read_example("prices.csv").to_pandas()
    frame["change_pct"] = frame["close"].pct_change() * 100
    expected = frame[frame["change_pct"] <= -2.5].sort_values("change_pct")
    assert result.kind is ResultKind.TABLE
    assert result.frame.columns == ("date", "change_pct", "open", "high", "low", "close", "volume")
    assert [row[0] for row in result.frame.rows()] == list(expected["date"])
    assert [row[1] for row in result.frame.rows()] == pytest.approx(list(expected["change_pct"]))
    assert result.frame.row_count == result.metadata.rows == len(expected)
    assert result.focus == ("change_pct",)
    assert (result.source, result.source_row_count, result.chart) == (None, None, None)
    assert result.plan == plan


def test_a_scalar_has_one_value_and_its_source_rows(engine: DuckDBEngine, prices: Table) -> None:
    result = _run(engine, prices, {"where": "close > open", "select": "count()"})
    assert result.kind is ResultKind.SCALAR
    assert result.value == result.source_row_count == 376
    assert result.source is not None
    assert result.source.row_count == 376
    assert result.source.columns == ("row", "date", "open", "high", "low", "close", "volume")
    assert result.source.rows(1) == [(1, dt.date(2022, 1, 3), 16945.06, 17001.4, 16925.54, 16981.95, 3326905)]


def test_a_dict_names_its_values(engine: DuckDBEngine, prices: Table) -> None:
    result = _run(engine, prices, {"select": ["count()", "mean(volume)", "max(volume)"]})
    assert result.kind is ResultKind.DICT
    assert result.values == {"count": 756, "mean": pytest.approx(3526243.763227513), "max": 6758454}
    assert result.value is None


def test_groups_by_weekday_are_in_order_and_labelled(engine: DuckDBEngine, prices: Table) -> None:
    plan = {"map": {"dow": "dayofweek()", "gap": "abs(gap())"}, "group_by": "dow", "select": "mean(gap)"}
    result = _run(engine, prices, plan)
    assert result.kind is ResultKind.GROUPED
    assert [row[0] for row in result.frame.rows()] == ["Mon", "Tue", "Wed", "Thu", "Fri"]
    assert result.frame.columns == ("dow", "mean_gap")
    assert (result.group_by, result.chart) == (("dow",), Chart(category="dow", value="mean_gap"))
    assert result.source_row_count == 756
    assert result.source is not None
    assert result.source.columns[:4] == ("row", "date", "dow", "gap")
    assert result.source.rows(1)[0][2] == "Mon"


def test_labels_filter_and_sort_as_numbers_and_show_with_columns_given(
    engine: DuckDBEngine, prices: Table
) -> None:
    plan = {
        "map": {"m": "month()"},
        "where": "m in [2, 11]",
        "sort": "m desc",
        "limit": 1,
        "columns": ["m", "date"],
    }
    assert _run(engine, prices, plan).frame.rows() == [("Nov", dt.date(2022, 11, 1))]


def test_labels_survive_steps_and_aggregates_that_pick_a_value(engine: DuckDBEngine, prices: Table) -> None:
    plan = {
        "steps": [
            {"map": {"dow": "dayofweek()"}, "group_by": "dow"},
            {"where": "dow > 2", "sort": "dow desc"},
            {"select": ["first(dow)", "min(dow)", "sum(dow)"]},
        ]
    }
    assert _run(engine, prices, plan).values == {"first": "Fri", "min": "Thu", "sum": 7}


def test_an_automatic_count_counts_its_source_rows_without_keeping_them(
    engine: DuckDBEngine, ticks: Table
) -> None:
    result = _run(engine, ticks, {"where": "volume > 10", "group_by": "venue"})
    assert result.frame.rows() == [("a", 2), ("b", 3)]
    assert (result.source, result.source_row_count) == (None, 5)


@pytest.mark.parametrize(
    "plan, count",
    [
        ({"where": "volume > 999", "group_by": "venue", "select": "count()"}, 0),
        ({"group_by": "venue", "select": "count()", "having": "count() > 99"}, 6),
        ({"group_by": "venue", "select": "count()", "having": "count() > 2", "limit": 1}, 6),
        ({"where": "volume > 20", "select": "mean(volume)"}, 4),
    ],
)
def test_source_rows_are_those_before_aggregation_whatever_is_left_of_the_groups(
    engine: DuckDBEngine, ticks: Table, plan: dict[str, Any], count: int
) -> None:
    result = _run(engine, ticks, plan)
    assert result.source is not None
    assert result.source_row_count == result.source.row_count == len(result.source.rows()) == count


def test_an_aggregation_reads_the_table_once(
    engine: DuckDBEngine, ticks: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    queries: list[str] = []
    real = type(engine).materialise

    def materialise(self: DuckDBEngine, query: exp.Query) -> exp.Select:
        queries.append(query.sql())
        return real(self, query)

    read = type(engine).rows

    def rows(self: DuckDBEngine, query: exp.Query) -> Any:
        queries.append(query.sql())
        return read(self, query)

    monkeypatch.setattr(type(engine), "materialise", materialise)
    monkeypatch.setattr(type(engine), "rows", rows)
    _run(engine, ticks, {"group_by": "venue", "select": "sum(volume)", "sort": "sum_volume desc", "limit": 1})
    assert sum('"ticks"' in query for query in queries) == 1


def test_a_mean_over_nothing_is_null(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(engine, ticks, {"where": "volume > 999", "select": ["mean(volume)", "count()"]})
    assert result.values == {"mean": None, "count": 0}
    assert result.source_row_count == 0


def test_the_bare_table_is_its_own_result(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(engine, ticks, {"columns": ["volume", "venue"], "title": "All of it"})
    assert result.frame.row_count == 6
    assert result.frame.rows(2) == [(10, "a"), (20, "b")]
    assert "kept" not in result.frame.query.sql()


def test_rows_keep_their_order_in_the_file_unless_sorted(engine: DuckDBEngine, ticks: Table) -> None:
    plain = _run(engine, ticks, {"where": "volume != 20"})
    windowed = _run(engine, ticks, {"map": {"before": "prev(volume)"}, "where": "volume != 20"})
    place = plain.frame.columns.index("volume")
    assert [row[place] for row in plain.frame.rows()] == [10, 30, 40, 50, 60]
    place = windowed.frame.columns.index("volume")
    assert [row[place] for row in windowed.frame.rows()] == [10, 30, 40, 50, 60]


def test_ties_are_broken_by_the_order_of_the_file(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(engine, ticks, {"sort": ["venue desc"], "columns": ["venue", "volume"], "limit": 5})
    assert result.frame.rows() == [("b", 20), ("b", 40), ("b", 60), ("a", 10), ("a", 30)]


def test_row_functions_follow_the_chosen_date_column(engine: DuckDBEngine, folder: Path) -> None:
    rows = {
        "shipped": [dt.date(2024, 1, 1), dt.date(2024, 1, 2), dt.date(2024, 1, 3)],
        "ordered": [dt.date(2024, 1, 3), dt.date(2024, 1, 2), dt.date(2024, 1, 1)],
        "n": [1, 2, 3],
    }
    table = store(engine, folder, pa.table(rows), "dates")
    plan = {"map": {"before": "prev(n)", "d": "day()"}, "columns": ["n", "before", "d"]}
    assert _run(engine, table, plan).frame.rows() == [(1, None, 1), (2, 1, 2), (3, 2, 3)]
    plan["time_column"] = "ordered"
    assert _run(engine, table, plan).frame.rows() == [(1, 2, 3), (2, 3, 2), (3, None, 1)]


def test_a_column_may_be_replaced_and_later_ones_see_the_new_one(engine: DuckDBEngine, ticks: Table) -> None:
    plan = {
        "map": {"Volume": "volume / 10", "more": "volume + 1", "volume_before": "prev(VOLUME)"},
        "where": "volume > 1",
        "columns": ["Volume", "more", "volume_before"],
        "limit": 2,
    }
    assert _run(engine, ticks, plan).frame.rows() == [(2.0, 3.0, 1.0), (3.0, 4.0, 2.0)]


def test_calculated_infinities_are_null_for_what_follows(engine: DuckDBEngine, ticks: Table) -> None:
    plan = {
        "map": {"big": "1e300 * volume * 1e10", "next_one": "coalesce(big, 0)", "text": "concat(big)"},
        "limit": 1,
    }
    result = _run(engine, ticks, plan | {"columns": ["big", "next_one", "text"]})
    assert result.frame.rows() == [(None, 0.0, "")]


# Scope


@pytest.mark.parametrize(
    "period, volumes",
    [
        ("2024-03-01", [10, 20, 30, 40]),
        ("2024", [10, 20, 30, 40, 50]),
        ("2024-03-02:", [50]),
        (":2024-03-01", [10, 20, 30, 40]),
        ("2023", []),
        ("2024:9999-12-31", [10, 20, 30, 40, 50]),
        (":9999-12-31", [10, 20, 30, 40, 50, 60]),
        ("last_1_days", [50]),
        ("last_2_days", [10, 20, 30, 40, 50]),
        ("last_month", []),
    ],
)
def test_a_period_keeps_whole_days(
    engine: DuckDBEngine, ticks: Table, period: str, volumes: list[int]
) -> None:
    result = _run(engine, ticks, {"period": period, "columns": "volume"})
    assert [row[0] for row in result.frame.rows()] == volumes


def test_the_dates_of_a_relative_period_are_told(engine: DuckDBEngine, ticks: Table, prices: Table) -> None:
    plan = {"period": "last_7_days", "select": "count()"}
    assert _run(engine, ticks, plan).metadata.notes == (
        "Period last_7_days: 2024-02-25 to 2024-03-02 (the data ends on 2024-03-02)",
    )
    steps = {"steps": [{"period": "last_year"}, {"select": ["min(date)", "max(date)"]}]}
    result = _run(engine, prices, steps)
    assert result.values == {"min": dt.date(2023, 1, 2), "max": dt.date(2023, 12, 29)}
    assert result.metadata.notes == (
        "Period last_year: 2023-01-01 to 2023-12-31 (the data ends on 2024-11-25)",
    )


def test_a_relative_period_without_any_date_is_empty_and_says_so(engine: DuckDBEngine, folder: Path) -> None:
    table = store(engine, folder, pa.table({"d": pa.array([None, None], pa.date32())}), "undated")
    result = _run(engine, table, {"period": "last_month", "select": "count()"})
    assert result.value == 0
    assert result.metadata.notes[0].endswith("(the data has no dates)")


@pytest.mark.parametrize(
    "session, volumes",
    [
        ({"from": "09:30", "to": "16:00"}, [20, 30]),
        ({"from": "16:00", "to": "09:30"}, [10, 40, 50]),
        ({"from": "15:00", "to": "24:00"}, [30, 40]),
        ({"from": "00:00", "to": "09:30"}, [10, 50]),
        ("RTH", [20, 30]),
    ],
)
def test_a_session_keeps_its_hours_and_may_wrap_midnight(
    engine: DuckDBEngine, ticks: Table, session: str | Mapping[str, str], volumes: list[int]
) -> None:
    plan = {"session": session, "columns": "volume"}
    result = _run(engine, ticks, plan, sessions={"rth": ("09:30", "16:00")})
    assert [row[0] for row in result.frame.rows()] == volumes
    assert result.metadata.session is not None
    assert result.metadata.notes[0].startswith(f"Session {result.metadata.session}: from ")


def test_an_unknown_session_is_a_warning(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(engine, ticks, {"session": "lunch", "select": "count()"})
    assert result.value == 6
    assert result.metadata.warnings == ("Unknown session 'lunch', using all data",)
    assert result.metadata.session is None


@pytest.mark.parametrize("kind", [pa.date32(), pa.timestamp("us")])
def test_a_session_is_skipped_when_the_data_has_no_time_of_day(
    engine: DuckDBEngine, folder: Path, kind: pa.DataType
) -> None:
    days = pa.array([dt.date(2024, 1, 1), None], pa.date32()).cast(kind)
    table = store(engine, folder, pa.table({"day": days}), "days")
    result = _run(engine, table, {"session": {"from": "09:30", "to": "16:00"}, "select": "count()"})
    assert result.value == 2
    assert result.metadata.notes == ("Session 09:30-16:00 skipped: the data has no time of day",)
    assert result.metadata.session is None


def test_a_session_reads_a_column_of_times_beside_a_date(engine: DuckDBEngine, folder: Path) -> None:
    rows = {"day": [dt.date(2024, 1, 1)] * 2, "clock": [dt.time(9), dt.time(10)], "n": [1, 2]}
    table = store(engine, folder, pa.table(rows), "clocked")
    result = _run(engine, table, {"session": {"from": "9:30", "to": "16:00"}, "map": {"m": "n + 1"}})
    assert result.frame.columns == ("day", "clock", "m", "n")
    assert result.frame.rows() == [(dt.date(2024, 1, 1), dt.time(10), 3, 2)]


def test_resampling_gathers_each_column_by_its_rule_and_says_which(
    engine: DuckDBEngine, ticks: Table
) -> None:
    result = _run(engine, ticks, {"from": "daily"})
    assert result.frame.columns == ("at", "open", "high", "close", "volume", "trades", "spread")
    assert result.frame.rows() == [
        (dt.date(2024, 3, 1), 1.0, 9.0, 4.0, 100, 4, 2.0),
        (dt.date(2024, 3, 2), 5.0, 5.0, 6.0, 50, 1, 4.5),
    ]
    assert result.metadata.timeframe == "daily"
    assert result.metadata.notes == (
        (
            "Resampled to daily by at: open first; high max; close last; volume sum; trades sum; spread mean;"
            " left out: venue"
        ),
    )


@pytest.mark.parametrize(
    "timeframe, starts",
    [
        (
            "1m",
            [
                D(2024, 3, 1, 9),
                D(2024, 3, 1, 9, 30),
                D(2024, 3, 1, 15, 59),
                D(2024, 3, 1, 16),
                D(2024, 3, 2, 1),
            ],
        ),
        (
            "15m",
            [
                D(2024, 3, 1, 9),
                D(2024, 3, 1, 9, 30),
                D(2024, 3, 1, 15, 45),
                D(2024, 3, 1, 16),
                D(2024, 3, 2, 1),
            ],
        ),
        ("1h", [D(2024, 3, 1, 9), D(2024, 3, 1, 15), D(2024, 3, 1, 16), D(2024, 3, 2, 1)]),
        ("4h", [D(2024, 3, 1, 8), D(2024, 3, 1, 12), D(2024, 3, 1, 16), D(2024, 3, 2, 0)]),
        ("weekly", [dt.date(2024, 2, 26)]),
        ("monthly", [dt.date(2024, 3, 1)]),
        ("quarterly", [dt.date(2024, 1, 1)]),
        ("yearly", [dt.date(2024, 1, 1)]),
    ],
)
def test_bars_begin_on_the_calendar_and_the_clock(
    engine: DuckDBEngine, ticks: Table, timeframe: str, starts: list[Any]
) -> None:
    result = _run(engine, ticks, {"resample": timeframe, "columns": "at"})
    assert [row[0] for row in result.frame.rows()] == starts


def test_weekly_bars_may_begin_on_sunday(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(engine, ticks, {"resample": "weekly", "columns": "at"}, week_start="sunday")
    assert result.frame.rows() == [(dt.date(2024, 2, 25),)]


def test_hourly_bars_of_daily_data_are_daily_with_a_warning(engine: DuckDBEngine, prices: Table) -> None:
    result = _run(engine, prices, {"resample": "1h", "select": "count()"})
    assert result.value == 756
    assert result.metadata.warnings == ("`date` has no time of day, so `1h` is read as daily",)
    assert result.metadata.timeframe == "daily"


def test_row_functions_and_source_rows_after_resampling_are_about_bars(
    engine: DuckDBEngine, prices: Table
) -> None:
    plan = {"resample": "monthly", "map": {"c": "change_pct()"}, "where": "c > 5", "select": "count()"}
    result = _run(engine, prices, plan)
    frame = read_example("prices.csv").to_pandas()
    frame["date"] = frame["date"].astype("datetime64[ns]")
    monthly = frame.set_index("date")["close"].resample("MS").last().pct_change() * 100
    assert result.value == (monthly > 5).sum()
    assert result.source is not None
    assert result.source.columns == ("date", "c", "open", "high", "low", "close", "volume")


# Steps


def test_each_step_reads_what_the_one_before_gave(engine: DuckDBEngine, prices: Table) -> None:
    plan = {
        "steps": [
            {
                "map": {"m": "period_month()"},
                "group_by": "m",
                "select": "sum(volume)",
                "sort": "sum_volume desc",
                "limit": 3,
            },
            {
                "map": {
                    "share": "sum_volume / total(sum_volume) * 100",
                    "gap_to_next": "sum_volume - next(sum_volume)",
                }
            },
        ]
    }
    frame = read_example("prices.csv").to_pandas()
    months = frame["date"].astype(str).str.slice(0, 7)
    top = frame["volume"].groupby(months).sum().sort_values(ascending=False).head(3)
    result = _run(engine, prices, plan)
    assert result.kind is ResultKind.TABLE
    rows = [dict(zip(result.frame.columns, row, strict=True)) for row in result.frame.rows()]
    assert [row["m"] for row in rows] == list(top.index)
    assert [row["share"] for row in rows] == pytest.approx(list(top / top.sum() * 100))
    assert [row["gap_to_next"] for row in rows] == [*(-top.diff().dropna()).astype(int), None]


def test_rows_that_pass_through_steps_keep_their_numbers_and_their_dates_order(
    engine: DuckDBEngine, folder: Path
) -> None:
    rows = {"d": [dt.date(2024, 1, day) for day in (3, 2, 1)], "n": [30, 20, 10], "row": [7, 8, 9]}
    table = store(engine, folder, pa.table(rows), "backwards")
    plan: dict[str, Any] = {"steps": [{"where": "n < 30", "columns": "n"}, {"map": {"before": "prev(n)"}}]}
    assert _run(engine, table, plan).frame.rows() == [(10, 20), (None, 10)]
    plan["steps"].append({"select": "sum(n)"})
    result = _run(engine, table, plan)
    assert result.source is not None
    assert result.source.columns == ("row", "before", "n")
    assert result.source.rows() == [(2, 10, 20), (3, None, 10)]
    plan = {"steps": [{"limit": 2}, {"select": "sum(n)"}]}
    source = _run(engine, table, plan).source
    assert source is not None
    assert source.columns == ("file_row", "d", "n", "row")
    assert [row[0] for row in source.rows()] == [1, 2]


def test_an_aggregate_in_the_middle_is_not_dropped(engine: DuckDBEngine, ticks: Table) -> None:
    plan = {"steps": [{"select": ["mean(volume)", "count()"]}, {"map": {"twice": "mean * 2"}}]}
    assert _run(engine, ticks, plan).frame.rows() == [(70.0, 35.0, 6)]
    plan = {
        "steps": [
            {"group_by": "venue", "having": "sum(volume) > 90", "columns": "venue"},
            {"map": {"up": "upper(venue)"}, "where": "up != 'A'"},
        ]
    }
    assert _run(engine, ticks, plan).frame.rows() == [("B", "b")]


# Names and SQL


@pytest.mark.parametrize("name", NAMES)
def test_any_column_name_works_everywhere(engine: DuckDBEngine, folder: Path, name: str) -> None:
    rows = pa.table({name: [3, 1, 1], "other": [1, 2, 3]})
    table = store(engine, folder, rows, "hostile")
    written = '"' + name.replace('"', '""') + '"'
    plan = {
        "map": {"twice": f"{written} * 2", f"new {name}": f"prev({written})"},
        "where": f"{written} >= 1 and `{name.replace('`', '``')}` < 9",
        "sort": [f"{name} desc", "other"],
    }
    result = _run(engine, table, plan)
    assert result.frame.rows() == [(6, None, 3, 1), (2, 3, 1, 2), (2, 1, 1, 3)]
    grouped = _run(
        engine, table, {"group_by": name, "select": f"sum({written}) as total", "sort": "total desc"}
    )
    assert grouped.frame.rows() == [(3, 3), (1, 2)]
    assert grouped.source_row_count == 3
    assert grouped.source is not None
    assert len(grouped.source.rows()) == 3


PASTED: tuple[dict[str, Any], ...] = (
    {
        "map": {"c": "change_pct()", "r": "rsi(5)"},
        "where": "c < -2",
        "sort": "c",
        "columns": ["date", "c", "r"],
    },
    {
        "map": {"m": "month()"},
        "group_by": "m",
        "select": ["mean(close)", "count()"],
        "having": "count() > 60",
    },
    {"select": ["count()", "mean(close)"]},
    {"period": "last_90_days", "resample": "weekly", "map": {"up": "streak(close > prev(close))"}},
    {"steps": [{"resample": "monthly"}, {"map": {"c": "change_pct()"}, "sort": "c desc", "limit": 3}]},
    {"limit": 3},
)


@pytest.mark.parametrize("plan", PASTED)
def test_the_sql_that_is_shown_gives_the_same_rows_in_any_duckdb(
    engine: DuckDBEngine, prices: Table, plan: dict[str, Any]
) -> None:
    result = _run(engine, prices, plan)
    with duckdb.connect() as plain:
        plain.execute(f"CREATE TABLE prices AS FROM '{prices.source}'")
        assert plain.execute(result.sql).fetchall() == result.frame.rows()
    assert "source_rows" not in result.sql


def test_the_sql_of_a_simple_question_is_simple(engine: DuckDBEngine, prices: Table) -> None:
    result = _run(engine, prices, {"where": "close > 17000.5", "group_by": "volume", "select": "mean(close)"})
    assert result.sql.split() == [
        "SELECT",
        '"volume",',
        'FAVG("close")',
        "AS",
        '"mean_close"',
        "FROM",
        '"prices"',
        "WHERE",
        '"close"',
        ">",
        "17000.5",
        "GROUP",
        "BY",
        '"volume"',
        "ORDER",
        "BY",
        '"volume"',
        "ASC",
    ]


# Checking and failing


def test_errors_of_shape_and_of_meaning_are_reported_together(prices: Table) -> None:
    with pytest.raises(PlanValidationError) as caught:
        plan_for({"wher": "x", "select": "mean(clsoe)"}, prices.schema)
    assert [issue.step for issue in caught.value.issues] == ["wher", "select"]
    assert plan_for({"select": "count()"}, prices.schema) == parse_plan({"select": "count()"})


def test_nothing_runs_before_the_plan_is_found_sound(
    engine: DuckDBEngine, prices: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_arguments: object) -> None:
        raise AssertionError

    monkeypatch.setattr(type(engine), "rows", refuse)
    monkeypatch.setattr(type(engine), "materialise", refuse)
    with pytest.raises(PlanValidationError):
        _run(engine, prices, {"period": "last_month", "where": "clsoe > 1"})


def test_a_number_that_does_not_fit_is_a_clear_failure(engine: DuckDBEngine, folder: Path) -> None:
    table = store(engine, folder, pa.table({"n": [2**62]}), "big")
    with pytest.raises(QueryFailedError, match="Overflow"):
        _run(engine, table, {"map": {"x": "n * 4"}})


def test_units_of_the_source_reach_the_result(engine: DuckDBEngine, ticks: Table) -> None:
    result = _run(
        engine, ticks, {"map": {"moved": "pct_change(open)"}, "select": ["mean(moved)", "pct(open > 2)"]}
    )
    assert [column.unit for column in result.frame.schema] == ["%", "%"]
