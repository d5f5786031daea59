"""Months and weekdays that SQL gives as numbers are told by name, each as the function behind it counts them."""

import calendar
import datetime as dt
from pathlib import Path

import pytest

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.result.calendar_numbers import calendar_numbers
from tabchat.engine.sql.query import run_sql
from tests.engine.frames import make_result, make_table

DAYS = "SELECT DATE '2023-12-20' + i::INT AS day, i AS x FROM range(40) t(i)"


@pytest.mark.parametrize(
    "call",
    [
        "month(day)",
        "extract(month FROM day)",
        "date_part('month', day)",
        "dayofweek(day)",
        "weekday(day)",
        "extract(dow FROM day)",
        "date_part('dow', day)::INT",
        "isodow(day)",
        "extract('isodow' FROM day)",
    ],
)
def test_a_number_has_the_name_that_the_calendar_gives_its_day(
    folder: Path, engine: DuckDBEngine, call: str
) -> None:
    table = make_table(folder, engine, "t", DAYS)
    result = run_sql(engine, {"t": table}, f"SELECT day, {call} AS number FROM t")
    names = calendar_numbers(result)["number"]
    is_month = "mon" in call
    for day, number in result.frame.rows():
        assert isinstance(day, dt.date)
        assert isinstance(number, int)
        wanted = calendar.month_name[day.month] if is_month else calendar.day_name[day.weekday()]
        assert names[number] == wanted


def test_a_name_given_within_the_query_is_followed(folder: Path, engine: DuckDBEngine) -> None:
    table = make_table(folder, engine, "t", DAYS)
    sql = (
        "WITH m AS (SELECT month(day) AS k, sum(x) AS s FROM t GROUP BY 1) SELECT k, s, k + 1 AS next FROM m"
    )
    assert set(calendar_numbers(run_sql(engine, {"t": table}, sql))) == {"k"}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM t",
        "SELECT year(day), x FROM t",
        "SELECT monthname(day) FROM t",
        "SELECT x AS month FROM t",
        "SELECT max(month(day)) + 1 FROM t",
        "SELECT *, month(day) FROM t",
        "SELECT k FROM (SELECT month(day) AS k FROM t) UNION ALL SELECT isodow(day) FROM t",
        "SELECT k FROM (SELECT a.k FROM (SELECT month(day) AS k FROM t) a, (SELECT isodow(day) AS k FROM t) b)",
    ],
)
def test_other_numbers_are_none(folder: Path, engine: DuckDBEngine, sql: str) -> None:
    table = make_table(folder, engine, "t", DAYS)
    assert calendar_numbers(run_sql(engine, {"t": table}, sql)) == {}


def test_a_result_without_sql_has_none(engine: DuckDBEngine) -> None:
    from dataclasses import replace

    made = replace(make_result(engine, "SELECT 3 AS month"), sql="")
    assert calendar_numbers(made) == {}
