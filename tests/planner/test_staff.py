"""Plain questions about people who work somewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

STAFF = [
    f"E{n:03d},{('Laura', 'Tom', 'Nina', 'Omar', 'Jane')[n % 5]} {('Hill', 'Ford', 'King', 'Bell')[n % 4]}{n},"
    f"{('Engineering', 'Sales', 'Finance')[n % 3]},{2010 + n % 13}-0{1 + n % 9}-11,{28000 + n * 977 % 40000},"
    f"{('yes', 'no')[n % 2]},{('London', 'Leeds')[n // 2 % 2]}"
    for n in range(48)
]


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    header = "Emp ID,Full Name,Department,Start Date,Annual Salary (£),Remote,Office"
    return table_of(tmp_path, "staff", header, STAFF)


@pytest.mark.parametrize(
    "question, told",
    [
        ("how many people work in sales", "number of rows · Department = Sales"),
        ("how many people work in London", "number of rows · Office = London"),
        ("total payroll", "sum of “Annual Salary (£)”"),
    ],
)
def test_where_people_work_is_no_amount(asker: Asker, staff: Path, question: str, told: str) -> None:
    reader = asker.interpreter(staff)
    found = reader.read(question)

    assert found.certain, found.candidates[:2]
    assert read_as(found.candidates[0].intent, reader.facts, "en") == told


def test_the_longest_service_is_the_earliest_start_and_no_salary(asker: Asker, staff: Path) -> None:
    orders = [one.intent.orders for one in asker.interpreter(staff).read("longest serving employee").offered]

    assert {order.column for found in orders for order in found} == {"Start Date"}
    assert not orders[0][0].descending


@pytest.mark.parametrize("question", ["the longest employee", "the thickest employee"])
def test_a_dimension_that_the_table_lacks_ranks_nothing(asker: Asker, staff: Path, question: str) -> None:
    assert not asker.interpreter(staff).read(question).certain


@pytest.mark.parametrize(
    "question, plan",
    [
        ("who left in 2023", {"period": "2023", "time_column": "end_date"}),
        (
            "how many people left in 2023",
            {"period": "2023", "time_column": "end_date", "select": "count() as count"},
        ),
        ("current employees", {"where": "end_date is null"}),
    ],
)
def test_who_left_has_a_date_on_which_work_ended(
    asker: Asker, tmp_path: Path, question: str, plan: dict[str, str]
) -> None:
    rows = [
        f"E{n},Ann Lee {n},{('Law', 'Sales')[n % 2]},{30000 + 500 * n},201{n % 10}-0{1 + n % 9}-01,"
        f"{f'202{n % 4}-05-{1 + n % 27:02d}' if n % 5 == 0 else ''}"
        for n in range(80)
    ]
    staff = table_of(tmp_path, "payroll", "emp_id,full_name,dept,base_salary,start_date,end_date", rows)
    found = asker.interpreter(staff).read(question)
    arguments = asker.call(staff, found.candidates[0].intent).arguments

    assert found.certain
    assert {name: value for name, value in arguments.items() if name not in {"table", "title"}} == plan


def test_who_does_not_work_there_is_not_told_by_who_does(asker: Asker, tmp_path: Path) -> None:
    rows = [f"E{n},Ann Lee {n},{('Leeds', 'Cork', 'Ghent')[n % 3]},{30000 + n}" for n in range(60)]
    staff = table_of(tmp_path, "payroll", "emp_id,full_name,office,base_salary", rows)
    best = asker.interpreter(staff).read("how many people do not work in Leeds").candidates[0]

    assert asker.call(staff, best.intent).arguments["where"] == "office != 'Leeds'"
