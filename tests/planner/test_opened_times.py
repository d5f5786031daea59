"""`Since March` over days of several years is since one March of theirs, not March to December of each year."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

SEASON = ("2023-09-03", "2023-10-11", "2023-11-05", "2023-12-20", "2024-01-14", "2024-02-02", "2024-03-08")
YEARS = ("2022-02-01", "2022-05-17", "2023-03-02", "2023-08-30", "2024-01-09", "2024-06-21", "2024-11-11")
SUMMER = ("2024-03-03", "2024-04-11", "2024-05-05", "2024-06-20", "2024-07-14", "2024-08-02", "2024-09-08")


def _visits(folder: Path, days: tuple[str, ...]) -> Path:
    rows = [f"V{n},{day},{('Ann', 'Bob', 'Cid')[n % 3]},{10 + n}" for n, day in enumerate(days)]
    return table_of(folder, "visits", "visit_id,visit_date,member,fee", rows)


@pytest.mark.parametrize(
    "question, count",
    [
        ("how many visits since November", 5),
        ("how many visits before February", 5),
        ("how many visits after January", 2),
        ("how many visits until November", 3),
        ("how many visits since January 10", 3),
        ("how many visits since Q4", 6),
        ("скільки відвідувань з листопада", 5),
        ("сколько посещений после января", 2),
    ],
)
def test_where_the_days_have_one_such_month_it_is_meant(
    asker: Asker, tmp_path: Path, question: str, count: int
) -> None:
    visits = _visits(tmp_path, SEASON)
    found = asker.interpreter(visits).read(question)

    assert found.certain
    assert asker.answer(visits, asker.call(visits, found.candidates[0].intent)).rows == ((count,),)


@pytest.mark.parametrize(
    "question, counts",
    [
        ("how many visits since May", [2, 4]),
        ("how many visits before May", [5, 3]),
        ("how many visits since May 10", [2, 4]),
    ],
)
def test_where_they_have_several_the_last_one_and_all_of_them_are_offered(
    asker: Asker, tmp_path: Path, question: str, counts: list[int]
) -> None:
    visits = _visits(tmp_path, YEARS)
    offered, certain = asker.offers(visits, question)

    assert not certain
    answers = [asker.answer(visits, asker.call(visits, intent)).rows for intent in offered]
    assert answers[:2] == [((count,),) for count in counts]


@pytest.mark.parametrize(
    "question, count",
    [("how many visits since May 2023", 4), ("how many visits in May", 1), ("how many visits since 2023", 5)],
)
def test_a_year_or_a_whole_month_leaves_nothing_open(
    asker: Asker, tmp_path: Path, question: str, count: int
) -> None:
    visits = _visits(tmp_path, YEARS)
    found = asker.interpreter(visits).read(question)

    assert found.certain
    assert asker.answer(visits, asker.call(visits, found.candidates[0].intent)).rows == ((count,),)


def test_within_one_year_a_month_is_that_of_the_year(asker: Asker, tmp_path: Path) -> None:
    visits = _visits(tmp_path, SUMMER)
    found = asker.interpreter(visits).read("how many visits since June")

    assert found.certain
    assert asker.answer(visits, asker.call(visits, found.candidates[0].intent)).rows == ((4,),)
