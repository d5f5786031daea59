"""A sign and a year behind a date are a bound in time; behind an amount the year is a number."""

from datetime import date
from pathlib import Path

import pytest

from tabchat.planner.intent import Condition, Operator, Period
from tests.planner.asking import Asker
from tests.planner.tables import table_of

ROWS = [f"{n},{2022 + n % 3}-0{n % 9 + 1}-1{n % 8},{n * 97 % 4000}" for n in range(60)]
FIRST, LAST = date(2023, 1, 1), date(2023, 12, 31)


@pytest.mark.parametrize(
    "question, start, end",
    [
        ("how many rows with dispatched > 2023", date(2024, 1, 1), None),
        ("rows where dispatched >= 2023", FIRST, None),
        ("total fee where dispatched < 2023", None, date(2022, 12, 31)),
        ("total fee for dispatched <= 2023", None, LAST),
        ("show rows with dispatched = 2023", FIRST, LAST),
    ],
)
def test_a_sign_before_a_year_opens_the_time_of_a_date(
    asker: Asker, tmp_path: Path, question: str, start: date | None, end: date | None
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "dispatches", "no,dispatched,fee", ROWS)).read(question)

    assert reading.certain
    assert reading.candidates[0].intent.periods == (
        Period(start=start, end=end, column="dispatched", unit="year"),
    )


def test_a_year_behind_a_sign_is_a_number_of_what_is_none(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "dispatches", "no,dispatched,fee", ROWS)
    reading = asker.interpreter(path).read("how many rows with fee > 2023")

    assert reading.certain
    assert reading.candidates[0].intent.clauses == (
        Condition(column="fee", operator=Operator.GT, values=(2023,)),
    )
