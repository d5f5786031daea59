"""What has not come to its end yet has no date of it, however it is said; another deed is no end."""

from pathlib import Path

import pytest

from tests.planner.asking import Asker
from tests.planner.tables import table_of

LOANS = [
    f"L{n},Museum {n % 4},2024-{1 + n % 9:02d}-03,{'' if n % 5 == 0 else f'2024-{2 + n % 9:02d}-20'}"
    for n in range(40)
]


@pytest.fixture
def loans(tmp_path: Path) -> Path:
    return table_of(tmp_path, "loans", "loan,borrower,sent out,came home", LOANS)


@pytest.mark.parametrize(
    "question",
    [
        "how many loans are not back yet",
        "how many loans are still out",
        "number of loans that haven't come back yet",
        "how many loans have not been returned yet",
    ],
)
def test_what_is_not_over_yet_has_no_date_of_its_end(asker: Asker, loans: Path, question: str) -> None:
    found = asker.interpreter(loans).read(question)

    assert found.certain, found.candidates[:2]
    assert asker.answer(loans, asker.call(loans, found.candidates[0].intent)).rows[0][0] == 8


@pytest.mark.parametrize("question", ["loans not paid yet", "how many loans have not been insured yet"])
def test_another_deed_than_the_end_is_offered_at_most(asker: Asker, loans: Path, question: str) -> None:
    assert not asker.interpreter(loans).read(question).certain


@pytest.mark.parametrize(
    "deed, certain", [("delivered", True), ("returned", False), ("closed", False), ("paid", False)]
)
def test_a_date_that_names_its_deed_is_of_no_other(
    asker: Asker, tmp_path: Path, deed: str, certain: bool
) -> None:
    rows = [f"O{n},2024-01-{1 + n % 28:02d},{'2024-02-15' if n % 3 else ''},{n}" for n in range(60)]
    path = table_of(tmp_path, "orders", "order,ordered_on,delivered_on,total", rows)

    assert asker.interpreter(path).read(f"how many orders are not {deed} yet").certain == certain


def test_what_is_not_due_yet_is_due_later(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"L{n},2024-01-{1 + n % 28:02d},{'2024-02-10' if n % 4 else ''},{'2024-02-15' if n % 3 else ''}"
        for n in range(40)
    ]
    path = table_of(tmp_path, "loans", "loan,out,due,back", rows)

    assert not asker.interpreter(path).read("loans not due yet").certain
    assert asker.interpreter(path).read("loans not back yet").certain


def test_a_cell_that_says_so_is_meant(asker: Asker, tmp_path: Path) -> None:
    states = ("open", "closed", "waiting", "closed")
    jobs = [
        f"{n},{states[n % 4]},2024-03-{1 + n % 20:02d},{'' if n % 3 else '2024-04-01'}" for n in range(60)
    ]
    path = table_of(tmp_path, "jobs", "job,status,raised,finished", jobs)

    found = asker.interpreter(path).read("how many jobs are still open")
    counts = {asker.answer(path, asker.call(path, one.intent)).rows[0][0] for one in found.candidates[:1]}
    assert counts == {15}
