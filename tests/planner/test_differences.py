"""One column of amounts less another, or in parts of it, as SQL computes it."""

from pathlib import Path

import duckdb
import pytest

from tabchat.planner.intent import Measure, all_conditions
from tests.planner.asking import Asker
from tests.planner.tables import table_of

_DEPARTMENTS = ("Legal", "Sales", "IT", "Support")
_ROWS = [
    f"{department},2024-{month:02d},{4000 + 711 * n + 97 * month},{3000 + 1213 * month - 350 * n}"
    for n, department in enumerate(_DEPARTMENTS)
    for month in range(1, 13)
]
_BY_DEPARTMENT = "select department, {figure} from t group by 1 order by 1"

_OVER = "select department, sum(actual) - sum(planned) from t group by 1 having sum(actual) > sum(planned) order by 1"


def _budget(folder: Path, rows: list[str] | None = None) -> Path:
    return table_of(folder, "budget", "department,month,planned,actual", rows or _ROWS)


@pytest.mark.parametrize(
    "question, sql",
    [
        (
            "difference between actual and planned by department",
            _BY_DEPARTMENT.format(figure="sum(actual) - sum(planned)"),
        ),
        (
            "difference between planned and actual by department",
            _BY_DEPARTMENT.format(figure="sum(planned) - sum(actual)"),
        ),
        (
            "ratio of actual to planned by department",
            _BY_DEPARTMENT.format(figure="sum(actual) / sum(planned)"),
        ),
        ("total actual minus planned", "select sum(actual) - sum(planned) from t"),
        ("difference between total actual and total planned", "select sum(actual) - sum(planned) from t"),
        ("actual divided by planned", "select sum(actual) / sum(planned) from t"),
        (
            "actual as a percentage of planned by department",
            _BY_DEPARTMENT.format(figure="100 * sum(actual) / sum(planned)"),
        ),
        ("what percentage of planned is actual", "select 100 * sum(actual) / sum(planned) from t"),
        ("departments whose total actual is above total planned", _OVER),
        (
            "total actual minus planned in March 2024",
            "select sum(actual) - sum(planned) from t where month = '2024-03'",
        ),
    ],
)
def test_it_is_computed_as_sql_does(asker: Asker, tmp_path: Path, question: str, sql: str) -> None:
    file = _budget(tmp_path)
    reading = asker.interpreter(file).read(question)
    found = asker.answer(file, asker.call(file, reading.candidates[0].intent)).rows
    connection = duckdb.connect()
    connection.execute(f"create table t as from '{file}'")

    assert reading.certain
    assert sorted(tuple(map(_cell, row)) for row in found) == [
        tuple(map(_cell, row)) for row in connection.execute(sql).fetchall()
    ]


def _cell(value: object) -> object:
    return value if isinstance(value, str) else pytest.approx(float(str(value)))


def test_what_some_rows_lack_is_offered(asker: Asker, tmp_path: Path) -> None:
    rows = [row if n % 5 else row.rpartition(",")[0] + "," for n, row in enumerate(_ROWS)]
    reading = asker.interpreter(_budget(tmp_path, rows)).read("total actual minus planned")

    assert not reading.certain
    assert reading.candidates[0].intent.measures == (
        Measure(function="sum", column="actual", less="planned"),
    )


def test_what_went_over_a_plan_did_so_in_all_or_in_a_month(asker: Asker, tmp_path: Path) -> None:
    reading = asker.interpreter(_budget(tmp_path)).read("departments over budget")
    offered = [candidate.intent for candidate in reading.candidates[:3]]

    assert not reading.certain
    assert [one.measure.less for intent in offered for one in intent.having] == ["planned"]
    assert any(clause.other == "planned" for intent in offered for clause in all_conditions(intent))


def test_the_biggest_difference_may_be_of_either_sign(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(_budget(tmp_path)).read
    reading = read("department with the biggest difference between actual and planned")
    offered = [candidate.intent for candidate in reading.candidates[:3]]

    assert not reading.certain
    assert {order.descending for intent in offered for order in intent.orders} == {True, False}


@pytest.mark.parametrize(
    "question",
    [
        "which department has the biggest difference between actual and planned",
        "total actual in the first quarter of 2024 in 2024",
    ],
)
def test_what_may_be_meant_otherwise_is_not_certain(asker: Asker, tmp_path: Path, question: str) -> None:
    assert not asker.interpreter(_budget(tmp_path)).read(question).certain


def test_a_bare_top_behind_a_superlative_says_how_many(asker: Asker, tmp_path: Path) -> None:
    reading = asker.interpreter(_budget(tmp_path)).read("rows with the lowest actual, top 3")
    intent = reading.candidates[0].intent

    assert (intent.limit, [(order.column, order.descending) for order in intent.orders]) == (
        3,
        [("actual", False)],
    )


def test_a_courtesy_is_a_state_where_cells_are_called_so(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('Dock', 'Roof')[n % 2]},{n * 7 % 31},{('ok', 'fault')[n % 3 == 0]}" for n in range(60)]
    read = asker.interpreter(table_of(tmp_path, "gauges", "gauge_no,station,level,status", rows)).read
    asked, opened = read("average level where status is ok"), read("ok, average level by station")

    assert [clause.values for clause in asked.candidates[0].intent.clauses] == [("ok",)]  # type: ignore[union-attr]
    assert opened.candidates[0].intent.clauses == ()


@pytest.mark.parametrize("other, unit", [("weight", " kg"), ("share", "%")])
def test_what_is_of_another_unit_is_not_taken_away(
    asker: Asker, tmp_path: Path, other: str, unit: str
) -> None:
    rows = [f"L{n},€{100 + n * 7},{10 + n % 9}{unit}" for n in range(40)]
    read = asker.interpreter(table_of(tmp_path, "lots", f"lot,cost,{other}", rows)).read

    assert all(
        measure.less is None
        for candidate in read(f"total cost minus {other}").candidates
        for measure in candidate.intent.measures
    )
