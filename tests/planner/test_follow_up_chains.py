"""Chains of follow-ups: each keeps what it does not replace of the question before, or is not certain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ROWS = (
    ("2023-12-30", "North", "paid", "Ann", 10, 1),
    ("2024-01-05", "North", "open", "Ann", 20, 2),
    ("2024-01-09", "South", "paid", "Bob", 50, 5),
    ("2024-02-03", "South", "open", "Cid", 30, 1),
    ("2024-02-10", "North", "paid", "Bob", 5, 4),
    ("2024-04-02", "North", "paid", "Cid", 40, 9),
    ("2024-04-03", "South", "open", "Ann", 60, 1),
)
_WORDS = {
    "en": ("orders", "day,region,status,customer,revenue,quantity", {}),
    "uk": (
        "замовлення",
        "дата,регіон,статус,клієнт,виручка,кількість",
        {"North": "Київ", "South": "Львів", "paid": "оплачено", "open": "відкрито"},
    ),
    "ru": (
        "заказы",
        "дата,регион,статус,клиент,выручка,количество",
        {"North": "Тверь", "South": "Казань", "paid": "оплачен", "open": "открыт"},
    ),
}


def _path(folder: Path, language: str) -> Path:
    name, header, said = _WORDS[language]
    rows = [",".join(said.get(str(cell), str(cell)) for cell in row) for row in _ROWS]
    return table_of(folder, name, header, rows)


def _rows(asker: Asker, path: Path, chain: str) -> list[tuple[object, ...]] | None:
    """Return the rows of the last question of a chain; None where that is not certain."""
    reader, previous = asker.interpreter(path), None
    *earlier, last = chain.split(" | ")
    for question in earlier:
        previous = reader.read(question, previous).candidates[0].intent
    found = reader.read(last, previous)
    return (
        list(asker.answer(path, asker.call(path, found.candidates[0].intent)).rows) if found.certain else None
    )


@pytest.mark.parametrize(
    "language,chain,rows",
    [
        ("en", "how many orders in 2024 | of which North", [(3,)]),
        ("en", "what rank is Bob by revenue | and Cid", [("Cid", 2, 70)]),
        ("en", "what rank is Bob by revenue | Cid too", [("Cid", 2, 70), ("Bob", 3, 55)]),
        ("en", "what rank is Bob by revenue | only paid", [("Bob", 1, 55)]),
        ("en", "what rank is Bob by revenue | lowest first", [("Bob", 1, 55)]),
        ("en", "what rank is Bob by revenue | and average quantity", [("Bob", 2, 4.5)]),
        ("uk", "скільки замовлень у 2024 | з яких Київ", [(3,)]),
        ("ru", "сколько заказов в 2024 | из которых Тверь", [(3,)]),
        ("en", "percentage of paid orders | as count", [(4,)]),
        ("en", "share of paid orders | in 2024 | how many", [(3,)]),
        ("uk", "відсоток замовлень зі статусом оплачено | скільки", [(4,)]),
        ("ru", "процент заказов со статусом оплачен | сколько", [(4,)]),
        ("en", "how many orders in 2024 | paid | as a percentage", [(50.0,)]),
        ("en", "revenue in January 2024 | and February | and the month before", [(70,)]),
        ("uk", "загальна виручка у лютому 2024 | місяцем раніше", [(70,)]),
        ("uk", "загальна виручка у лютому 2024 | а попередній місяць?", [(70,)]),
        ("ru", "общая выручка в феврале 2024 | месяцем ранее", [(70,)]),
        ("en", "revenue in 2024 | and the previous year", [(10,)]),
        ("en", "revenue in Q1 2024 | the quarter before", [(10,)]),
        ("en", "revenue in January 2024 | the month before | the month before", [(None,)]),
        ("en", "revenue on 2024-01-06 | the day before", [(20,)]),
        ("en", "revenue without January | without February", [(110,)]),
        ("uk", "загальна виручка | без січня | без лютого", [(110,)]),
        ("ru", "общая выручка | без января | без февраля", [(110,)]),
        ("en", "total revenue | in January | without February", [(70,)]),
        ("en", "total revenue | in Q1 | in April", [(100,)]),
        ("en", "total revenue | in January | in February 2024", [(35,)]),
        ("en", "total revenue without January | in 2024 | in 2023", [(10,)]),
        ("en", "revenue in Q1 2024 | in April", [(100,)]),
        ("en", "total revenue | only 2024 | without 2024", [(10,)]),
        ("uk", "загальна виручка | лише 2024 | без 2024", [(10,)]),
        ("ru", "общая выручка | только 2024 | без 2024", [(10,)]),
        ("en", "total revenue | without 2024 | only 2023 | only 2024", [(205,)]),
        ("en", "total revenue | since February 2024 | only 2023", [(10,)]),
        ("en", "how many orders | not paid | paid or open", [(7,)]),
        ("uk", "скільки замовлень | без відкрито | оплачено або відкрито", [(7,)]),
        ("ru", "сколько заказов | без открыт | оплачен или открыт", [(7,)]),
        ("en", "total revenue | without North | only North", [(75,)]),
        ("en", "total revenue | without Ann | without Bob", [(70,)]),
        ("en", "total revenue | quantity over 3 | quantity between 1 and 2", [(120,)]),
        ("en", "revenue in 2024 | before 2024", [(10,)]),
        ("en", "revenue since March 2024 | since February 2024", [(135,)]),
        ("en", "revenue in 2024 | first half | second half", [(None,)]),
        ("en", "revenue in 2023 vs 2024 | in January", [(None, 70)]),
        ("en", "how many orders in 2024 | and how many paid", [(3,)]),
        ("en", "how many orders in 2024 | how many orders", [(7,)]),
        ("en", "revenue by region | by status too | only open", [("North", "open", 20), ("South", "open", 90)]),
        ("en", "how many orders in 2024 | by customer | only paid", [("Bob", 2), ("Cid", 1)]),
        ("en", "top 2 customers by revenue | average quantity of those", [("Ann", 4 / 3, 90), ("Cid", 5.0, 70)]),
        ("en", "total revenue in North | where customer is Ann", [(30,)]),
        ("en", "total revenue in North | only where quantity is not 1", [(65,)]),
        ("uk", "загальна виручка Київ | де кількість не 1", [(65,)]),
        ("ru", "общая выручка Тверь | где количество не 1", [(65,)]),
        ("en", "total revenue in North | split by customer", [("Ann", 30), ("Bob", 5), ("Cid", 40)]),
        ("uk", "загальна виручка Київ | розбий за клієнтом", [("Ann", 30), ("Bob", 5), ("Cid", 40)]),
        ("en", "total revenue in North | how many orders is that?", [(4,)]),
        ("en", "orders in North | what is their total revenue", [(75,)]),
        ("en", "total revenue in North | filter by South", [(140,)]),
        ("en", "total revenue in North | show only paid", [(55,)]),
        ("en", "total revenue in North | show it for South", [(140,)]),
        ("en", "total revenue in North | do the same for South", [(140,)]),
        ("uk", "загальна виручка Київ | повтори для Львів", [(140,)]),
        ("ru", "общая выручка Тверь | повтори для Казань", [(140,)]),
        ("en", "total revenue | exclude Ann", [(125,)]),
        ("uk", "загальна виручка | виключи Ann", [(125,)]),
        ("ru", "общая выручка | исключи Ann", [(125,)]),
        ("en", "total revenue by region | and overall?", [(215,)]),
        ("uk", "загальна виручка за регіоном | а загалом?", [(215,)]),
        ("ru", "общая выручка по регионам | а в целом?", [(215,)]),
        ("en", "total revenue in North | and overall?", [(215,)]),
        ("en", "total revenue in North | and in all regions?", [(215,)]),
        ("en", "total revenue in North | and the others?", [(140,)]),
        ("uk", "загальна виручка Київ | а решта?", [(140,)]),
        ("ru", "общая выручка Тверь | а остальные?", [(140,)]),
        ("en", "total revenue in North | compared to South", [("North", 75), ("South", 140)]),
        ("uk", "загальна виручка Київ | порівняно з Львів", [("Київ", 75), ("Львів", 140)]),
        ("ru", "общая выручка Тверь | по сравнению с Казань", [("Казань", 140), ("Тверь", 75)]),
        ("en", "revenue in January 2024 | compared to February", [("2024-01", 70), ("2024-02", 35)]),
        ("en", "number of orders by customer | only those over 2", [("Ann", 3)]),
        ("en", "number of orders by customer | only customers with more than 2 orders", [("Ann", 3)]),
        ("en", "total revenue by customer | alphabetically", [("Ann", 90), ("Bob", 55), ("Cid", 70)]),
        ("uk", "загальна виручка за клієнтом | за алфавітом", [("Ann", 90), ("Bob", 55), ("Cid", 70)]),
        ("en", "number of orders by region | sort by number of orders", [("South", 3), ("North", 4)]),
    ],
)  # fmt: skip
def test_what_is_not_replaced_is_kept(
    asker: Asker, tmp_path: Path, language: str, chain: str, rows: list[tuple[object, ...]]
) -> None:
    assert _rows(asker, _path(tmp_path, language), chain) == rows


@pytest.mark.parametrize(
    "language,chain",
    [
        ("en", "top 2 customers by revenue | how many of them"),
        ("en", "top 2 customers by revenue | which of them are in North"),
        ("uk", "топ 2 клієнти за виручкою | скільки з них"),
        ("ru", "топ 2 клиента по выручке | сколько из них"),
        ("en", "top 2 customers by revenue | and average quantity"),
        ("en", "top 2 customers by revenue | what about the median?"),
        ("en", "3 largest orders by revenue | how many"),
        ("en", "revenue in January 2024 | a year earlier"),
        ("en", "revenue in February | the month before"),
        ("en", "revenue in January 2024 | without January"),
        ("en", "total revenue by month | only the last"),
        ("uk", "загальна виручка по місяцях | лише останній"),
        ("ru", "общая выручка по месяцам | только последний"),
        ("en", "total revenue | except South | and South"),
        ("en", "total revenue | not paid | and paid"),
        ("en", "total revenue | without Ann | and Bob?"),
        ("uk", "загальна виручка | без Львів | і Львів"),
        ("ru", "общая выручка | без Казань | и Казань"),
        ("en", "total revenue | quantity between 1 and 4 | quantity over 3"),
        ("en", "average revenue | weighted by quantity"),
        ("en", "average revenue weighted by quantity"),
        ("uk", "середня виручка, зважена за кількістю"),
        ("ru", "средняя выручка, взвешенная по количеству"),
        ("en", "percentage of paid orders | show the rows"),
        ("en", "percentage of paid orders | and average revenue"),
        ("en", "percentage of paid orders | in North | as a percentage"),
        ("en", "how many orders | paid | in North | as a percentage"),
        ("en", "average revenue in North | as a percentage"),
        ("en", "revenue in 2023 vs 2024 | in 2024"),
        ("en", "revenue in January 2024 vs February 2024 | in March"),
        ("en", "total revenue | after January 2024 | before April 2024"),
        ("uk", "загальна виручка | після січня 2024 | до квітня 2024"),
        ("ru", "общая выручка | после января 2024 | до апреля 2024"),
        ("en", "revenue in 2024 | before March | after January"),
        ("en", "revenue before April 2024 | in 2024"),
        ("en", "revenue without 2023 | and 2023"),
        ("en", "top 2 customers by revenue | by region too"),
        ("en", "top 2 customers by revenue | which ones are paid"),
        ("en", "revenue in 2024 | in all years"),
        ("en", "how many orders in 2024 | how many paid"),
        ("en", "percentage of paid orders | how many in North"),
        ("uk", "скільки замовлень у 2024 | скільки оплачено"),
        ("ru", "сколько заказов в 2024 | сколько оплачен"),
        ("en", "show orders in North | top 2 by revenue"),
        ("en", "revenue by customer | top 2 by revenue"),
        ("en", "how many customers have more than 2 orders | and average revenue"),
        ("en", "average revenue by region | and overall?"),
        ("en", "total revenue in North | by region"),
        ("en", "total revenue in North | which are not paid"),
        ("uk", "загальна виручка Київ | для всіх регіонів"),
        ("ru", "общая выручка Тверь | для всех регионов"),
        ("en", "how many orders in North | show the orders"),
        ("uk", "скільки замовлень Київ | покажи замовлення"),
        ("en", "orders in North | which has the highest revenue?"),
        ("en", "average revenue in North | from how many orders?"),
        ("en", "total revenue by customer | over 60"),
        ("en", "top 2 customers by revenue | only those over 60"),
    ],
)  # fmt: skip
def test_what_would_lose_something_is_not_certain(
    asker: Asker, tmp_path: Path, language: str, chain: str
) -> None:
    assert _rows(asker, _path(tmp_path, language), chain) is None


@pytest.mark.parametrize("without", ["without a phone", "без phone"])
def test_what_lacks_a_cell_is_a_condition_of_what_was_asked(
    asker: Asker, tmp_path: Path, without: str
) -> None:
    rows = ["North,+1,10", "North,,30", "South,,50", "South,+2,70"]
    path = table_of(tmp_path, "visits", "region,phone,price", rows)

    assert _rows(asker, path, f"average price in North | {without}") == [(30.0,)]


@pytest.mark.parametrize(
    "chain, rows",
    [
        ("total v on 9999-12-31 | and February | and December", None),
        ("total v on 9999-12-31 | and November", [(4,)]),
        ("total v on 9999-12-31 | and the day before", [(None,)]),
        ("total v on 0001-01-01 | and the day before", None),
        ("total v on 0001-01-01 | and January | and the month before", None),
        ("total v on 0001-01-01 | and January | and a year earlier", None),
        ("total v on 0001-01-01 | and January", [(2,)]),
    ],
)
def test_the_calendar_ends_without_an_error(
    asker: Asker, tmp_path: Path, chain: str, rows: list[tuple[object, ...]] | None
) -> None:
    days = ["9999-12-31,1", "9999-12-02,4", "9999-11-02,4", "0001-01-01,2", "2024-03-01,3"]
    assert _rows(asker, table_of(tmp_path, "terms", "day,v", days), chain) == rows


@pytest.mark.parametrize(
    "asked", ["which region has the most orders", "did North have more orders than South"]
)
@pytest.mark.parametrize("word", ["oldest", "latest"])
def test_what_is_oldest_is_no_lowest_number(asker: Asker, tmp_path: Path, asked: str, word: str) -> None:
    path = _path(tmp_path, "en")
    reader = asker.interpreter(path)
    previous = reader.read(asked).candidates[0].intent
    found = reader.read(f"the {word} order", previous)
    (row,) = asker.answer(path, asker.call(path, found.candidates[0].intent)).rows
    assert _ROWS[0 if word == "oldest" else -1][3:5] == row[3:5]
