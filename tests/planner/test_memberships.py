"""Who has rows of one kind and none of another, or of both, is asked of all rows of each, not of one row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

ROWS = (
    ("Ann", "tea", "North", "2023-01-05"),
    ("Ann", "coffee", "North", "2023-02-05"),
    ("Bob", "tea", "South", "2023-03-01"),
    ("Cid", "coffee", "South", "2024-01-15"),
    ("Dan", "tea", "North", "2024-02-11"),
    ("Dan", "cocoa", "North", "2024-05-03"),
    ("Eve", "cocoa", "South", "2023-06-21"),
    ("Bob", "tea", "South", "2024-03-02"),
)
CYRILLIC = {
    "uk": (
        "номер,клієнт,товар,регіон,дата",
        {"tea": "чай", "coffee": "кава", "cocoa": "какао", "North": "Північ", "South": "Південь"},
    ),
    "ru": (
        "номер,клиент,товар,регион,дата",
        {"tea": "чай", "coffee": "кофе", "cocoa": "какао", "North": "Север", "South": "Юг"},
    ),
}


def _orders(folder: Path, language: str = "en") -> Path:
    header, words = CYRILLIC.get(language, ("order_id,customer,product,region,day", {}))
    rows = [",".join([str(n), *(words.get(cell, cell) for cell in row)]) for n, row in enumerate(ROWS)]
    return table_of(folder, "orders", header, rows)


def _answers(asker: Asker, path: Path, question: str) -> tuple[list[list[Any]], bool]:
    offered, certain = asker.offers(path, question)
    rows = [asker.answer(path, asker.call(path, intent)).rows for intent in offered]
    return [sorted({row[0] for row in each}, key=str) for each in rows], certain


@pytest.mark.parametrize(
    "question, names",
    [
        ("who bought tea but not coffee", ["Bob", "Dan"]),
        ("customers who bought tea but not coffee", ["Bob", "Dan"]),
        ("who bought both tea and coffee", ["Ann"]),
        ("which customers bought both tea and cocoa", ["Dan"]),
        ("customers in the North who bought tea but not coffee", ["Dan"]),
        ("customers who bought tea but not coffee in 2023", ["Bob"]),
        ("who bought tea but not coffee or cocoa", ["Bob"]),
        ("who bought tea but not coffee and not cocoa", ["Bob"]),
        ("who bought both tea and cocoa but not coffee", ["Dan"]),
    ],
)
def test_things_are_those_of_all_their_rows(
    asker: Asker, tmp_path: Path, question: str, names: list[str]
) -> None:
    answers, certain = _answers(asker, _orders(tmp_path), question)

    assert certain
    assert answers[0] == names


@pytest.mark.parametrize(
    "question, count",
    [
        ("how many customers bought tea but not coffee", 2),
        ("how many customers bought both tea and coffee", 1),
        ("how many customers bought cocoa but not tea", 1),
    ],
)
def test_they_are_counted(asker: Asker, tmp_path: Path, question: str, count: int) -> None:
    answers, certain = _answers(asker, _orders(tmp_path), question)

    assert certain
    assert answers[0] == [count]


@pytest.mark.parametrize(
    "language, question, names",
    [
        ("en", "which customers ordered in 2023 but not in 2024", ["Ann", "Eve"]),
        ("en", "customers who did not order in 2024", ["Ann", "Eve"]),
        ("en", "which customers did not order in March", ["Ann", "Cid", "Dan", "Eve"]),
        ("en", "who bought tea but no coffee", ["Bob", "Dan"]),
        ("en", "who bought tea and cocoa but not coffee", ["Dan"]),
        ("en", "who bought tea or cocoa but not coffee", ["Bob", "Dan", "Eve"]),
        ("en", "who bought tea in 2023 but not in 2024", ["Ann"]),
        ("uk", "хто купив чай, але не каву", ["Bob", "Dan"]),
        ("uk", "клієнти, які купували чай, але не купували каву", ["Bob", "Dan"]),
        ("uk", "які клієнти замовляли у 2023, але не у 2024", ["Ann", "Eve"]),
        ("ru", "кто купил чай, но не кофе", ["Bob", "Dan"]),
        ("ru", "какие клиенты заказывали в 2023, но не в 2024", ["Ann", "Eve"]),
    ],
)
def test_where_it_is_not_sure_they_are_offered(
    asker: Asker, tmp_path: Path, language: str, question: str, names: list[str]
) -> None:
    answers, certain = _answers(asker, _orders(tmp_path, language), question)

    assert names in answers
    assert not certain or answers[0] == names


@pytest.mark.parametrize(
    "question, count",
    [("how many orders in the North but not tea", 2), ("how many orders of tea in the South", 2)],
)
def test_rows_are_counted_as_rows(asker: Asker, tmp_path: Path, question: str, count: int) -> None:
    answers, certain = _answers(asker, _orders(tmp_path), question)

    assert certain
    assert answers[0] == [count]


def test_a_year_left_out_of_several_is_no_denial_of_what_is_meant_anyway(
    asker: Asker, tmp_path: Path
) -> None:
    rows = [f"{n},{('Ann', 'Bob')[n % 2]},tea,{2021 + n % 4}-05-0{1 + n},{10 * n}" for n in range(1, 9)]
    orders = table_of(tmp_path, "orders", "order_id,customer,product,day,amount", rows)
    offered, _ = asker.offers(orders, "total amount by customer since 2022 except 2023")

    answers = [sorted(asker.answer(orders, asker.call(orders, intent)).rows) for intent in offered]
    kept = [n for n in range(1, 9) if 2021 + n % 4 in {2022, 2024}]
    sums = [(name, sum(10 * n for n in kept if n % 2 == odd)) for odd, name in enumerate(("Ann", "Bob"))]
    assert [one for one in sums if one[1]] in answers


def test_who_never_did_is_no_amount_of_what_was_done(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('Ann', 'Bob', 'Cid')[n % 3]},{('Hull', 'York')[n % 3 > 0]},{n}.5" for n in range(12)]
    charges = table_of(tmp_path, "charges", "charge_id,driver,city,energy", rows)
    answers, certain = _answers(asker, charges, "which driver has never charged in Hull")
    assert (answers[0], certain) == (["Bob", "Cid"], True)
