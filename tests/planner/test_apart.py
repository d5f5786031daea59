"""What is asked of each is told of each: by person within a client, of two states side by side, within a group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_HOURS = ("Ann,Acme,5", "Ann,Acme,4", "Bob,Acme,8", "Bob,Line,3", "Ann,Line,2", "Bob,Line,1", "Cid,Acme,1")
_ORDERS = ("1,North,paid", "2,North,returned", "3,South,paid", "4,South,cancelled", "5,North,returned")
_PUPILS = ("Ann,1,yes", "Bob,1,no", "Ann,2,yes", "Bob,2,yes", "Ann,3,no", "Bob,3,no")


def _hours(folder: Path) -> Path:
    return table_of(folder, "timesheet", "consultant,client,hours", _HOURS)


def _orders(folder: Path) -> Path:
    return table_of(folder, "orders", "order_id,region,status", _ORDERS)


def _first(asker: Asker, path: Path, question: str) -> tuple[set[tuple[Any, ...]], bool]:
    offered, certain = asker.offers(path, question)
    return {tuple(row) for row in asker.answer(path, asker.call(path, offered[0])).rows}, certain


def test_who_did_most_for_each_is_told_by_sums(asker: Asker, tmp_path: Path) -> None:
    found, _ = _first(asker, _hours(tmp_path), "who spent the most hours for each client")
    assert {row[:2] for row in found} == {("Acme", "Ann"), ("Line", "Bob")}


def test_the_longest_entry_is_not_certain_for_who_did_most(asker: Asker, tmp_path: Path) -> None:
    path = _hours(tmp_path)
    for question in ("for each client, who spent the most hours", "who has the most hours in each client"):
        offered, certain = asker.offers(path, question)
        assert not (certain and offered[0].output.value == "rows")


@pytest.mark.parametrize(
    "question, answer",
    [
        ("how many orders were returned and how many cancelled", {(2, 1)}),
        ("how many orders were paid, and how many returned", {(2, 2)}),
    ],
)
def test_how_many_and_how_many_are_two_numbers(
    asker: Asker, tmp_path: Path, question: str, answer: set[tuple[Any, ...]]
) -> None:
    found, certain = _first(asker, _orders(tmp_path), question)
    assert ({row[:2] for row in found}, certain) == (answer, True)


def test_how_many_and_how_many_are_two_numbers_in_each_group(asker: Asker, tmp_path: Path) -> None:
    question = "how many orders were returned and how many cancelled by region"
    found, _ = _first(asker, _orders(tmp_path), question)
    assert found == {("North", "returned", 2), ("South", "cancelled", 1)}


def test_a_part_of_each_is_no_certain_part_of_all(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "lessons", "pupil,lesson,attended", _PUPILS)
    for question in ("attendance of each pupil in percent", "share of attended lessons for each pupil"):
        offered, certain = asker.offers(path, question)
        assert not (certain and any(one.share for one in offered[0].measures))


def test_gaps_of_a_reason_are_not_what_it_is_the_reason_of(asker: Asker, tmp_path: Path) -> None:
    rows = ("Ann,,yes", "Bob,illness,no", "Cid,,no", "Dan,,yes")
    path = table_of(tmp_path, "attendance", "pupil,absence reason,present", rows)
    assert not asker.offers(path, "how many absences without a reason")[1]


def test_what_is_paid_is_not_what_all_owe(asker: Asker, tmp_path: Path) -> None:
    rows = ("1,Ann,100,2024-01-05", "2,Bob,200,", "3,Ann,300,2024-03-05", "4,Cid,400,")
    path = table_of(tmp_path, "invoices", "invoice_no,client,amount,payment_date", rows)
    for question in ("how much has been paid", "how much have the clients already paid"):
        offered, certain = asker.offers(path, question)
        assert not (certain and not offered[0].clauses)


_CLICKS = ("Ann,HR,yes,30", "Bob,HR,no,", "Cid,IT,yes,5", "Dan,IT,yes,4", "Eve,HR,no,", "Ann,IT,no,")


def test_what_was_done_most_is_not_what_took_longest(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "tests", "employee,department,clicked,minutes to click", _CLICKS)
    for question in ("which department clicked the most", "who clicked the most"):
        offered, certain = asker.offers(path, question)
        assert not (certain and offered[0].measures[0].function == "sum")


@pytest.mark.parametrize(
    "header, question",
    [
        ("рейс,водій,штраф", "хто отримав найбільше штрафів"),
        ("рейс,водитель,штраф", "кто получил больше всего штрафов"),
    ],
)
def test_most_fines_may_be_counted(asker: Asker, tmp_path: Path, header: str, question: str) -> None:
    rows = [f"{n},{('Бойко', 'Ткач')[n % 2]},{('', 500, 300)[n % 3]}" for n in range(12)]
    path = table_of(tmp_path, f"рейси_{question[:3]}", header, rows)
    assert not asker.offers(path, question)[1]


def test_what_is_paid_is_the_only_money(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"{n},{('Ann', 'Bob', 'Cid')[n % 3]},{('guest', 'member')[n % 2]},{n}.5,{2 * n}.25" for n in range(12)
    ]
    path = table_of(tmp_path, "charges", "charge_id,driver,plan,kwh,cost_eur", rows)
    for question, function in (
        ("how much did members pay in total", "sum"),
        ("what did members pay on average", "mean"),
    ):
        offered, certain = asker.offers(path, question)
        assert ([(one.function, one.column) for one in offered[0].measures], certain) == (
            [(function, "cost_eur")],
            True,
        )
