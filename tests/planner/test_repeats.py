"""How often something stands in the rows is counted, and who stands in them for the first time is told by all of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

ROWS = (
    ("Ann", "tea", "North", "2023-01-05", 5),
    ("Ann", "coffee", "North", "2023-02-05", 7),
    ("Bob", "tea", "South", "2023-03-01", 5),
    ("Cid", "coffee", "South", "2024-01-15", 7),
    ("Bob", "tea", "North", "2024-02-11", 10),
    ("Dan", "cocoa", "North", "2024-05-03", 4),
    ("Eve", "cocoa", "South", "2023-06-21", 4),
    ("Bob", "tea", "South", "2024-03-02", 5),
)
HEADERS = {
    "en": "order_id,customer,product,region,day,amount",
    "uk": "номер,клієнт,товар,регіон,дата,сума",
    "ru": "номер,клиент,товар,регион,дата,сумма",
}


def _orders(folder: Path, language: str = "en") -> Path:
    rows = [",".join(map(str, (n, *row))) for n, row in enumerate(ROWS)]
    return table_of(folder, "orders", HEADERS[language], rows)


def _answers(asker: Asker, path: Path, question: str) -> tuple[list[list[Any]], bool]:
    offered, certain = asker.offers(path, question)
    rows = [asker.answer(path, asker.call(path, intent)).rows for intent in offered]
    return [sorted({row[0] for row in each}, key=str) for each in rows], certain


@pytest.mark.parametrize(
    "question, answer",
    [
        ("customers who bought more than once", ["Ann", "Bob"]),
        ("customers who bought more than twice", ["Bob"]),
        ("customers who ordered at least twice", ["Ann", "Bob"]),
        ("customers who ordered twice or more", ["Ann", "Bob"]),
        ("customers who ordered less than twice", ["Cid", "Dan", "Eve"]),
        ("customers who ordered more than 2 times", ["Bob"]),
        ("products ordered more than once", ["cocoa", "coffee", "tea"]),
        ("repeat customers", ["Ann", "Bob"]),
        ("new products in March 2023", []),
        ("new customers since May 2024", ["Dan"]),
        ("how many customers ordered more than 2 times", [1]),
    ],
)
def test_rows_are_counted_by_what_is_said_of_how_often(
    asker: Asker, tmp_path: Path, question: str, answer: list[Any]
) -> None:
    answers, certain = _answers(asker, _orders(tmp_path), question)
    assert (answers[0], certain) == (answer, True)


@pytest.mark.parametrize(
    "language, question, answer",
    [
        ("en", "new customers in 2024", ["Cid", "Dan"]),
        ("en", "how many new customers in 2024", [2]),
        ("en", "number of repeat customers", [2]),
        ("en", "customers who ordered for the first time in 2024", ["Cid", "Dan"]),
        ("uk", "нові клієнти у 2024 році", ["Cid", "Dan"]),
        ("uk", "клієнти, які замовляли більше двох разів", ["Bob"]),
        ("ru", "новые клиенты в 2024 году", ["Cid", "Dan"]),
        ("ru", "клиенты, которые заказывали больше двух раз", ["Bob"]),
    ],
)
def test_what_is_asked_of_all_rows_is_offered_first(
    asker: Asker, tmp_path: Path, language: str, question: str, answer: list[Any]
) -> None:
    answers, _ = _answers(asker, _orders(tmp_path, language), question)
    assert answers[0] == answer


@pytest.mark.parametrize("question", ["revenue from repeat customers", "repeat orders"])
def test_what_comes_back_is_no_certain_sum_and_no_copy_of_a_row(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    assert not asker.offers(_orders(tmp_path), question)[1]
