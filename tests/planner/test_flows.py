"""Which way money went is told by what rows are: sales and orders of customers, or expenses and purchases."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

EARNED = ("total revenue", "revenue by month", "how much did we earn")
SPENT = ("how much did we spend", "total spending by month")


def _path(folder: Path, name: str, header: str) -> Path:
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{('Rent', 'Food', 'Fuel')[n % 3]},{10 + n * 7 % 90}"
        for n in range(60)
    ]
    return table_of(folder, name, header, rows)


@pytest.mark.parametrize(
    "name, header, questions",
    [
        ("shop_sales", "date,product,amount", EARNED),
        ("shop_orders", "date,customer,amount", EARNED),
        ("home_expenses", "date,category,amount", SPENT),
    ],
)
def test_the_only_amount_is_what_came_in_or_went_out(
    asker: Asker, tmp_path: Path, name: str, header: str, questions: tuple[str, ...]
) -> None:
    interpreter = asker.interpreter(_path(tmp_path, name, header))

    assert [question for question in questions if not interpreter.read(question).certain] == []


@pytest.mark.parametrize(
    "name, header, questions",
    [
        ("shop_sales", "date,product,amount", SPENT),
        ("shop_orders", "date,customer,amount", SPENT),
        ("home_expenses", "date,category,amount", EARNED),
        ("home_expenses", "date,category,budget", SPENT),
        ("vendor_invoices", "date,vendor,amount", EARNED),
        ("shop_sales", "date,seller,bonus", EARNED),
        ("shop_sales", "date,seller,target", EARNED),
        ("shop_sales", "date,product,cost", EARNED),
        ("sales_returns", "date,product,refund", EARNED),
    ],
)
def test_it_is_not_taken_the_other_way(
    asker: Asker, tmp_path: Path, name: str, header: str, questions: tuple[str, ...]
) -> None:
    interpreter = asker.interpreter(_path(tmp_path, name, header))

    assert [question for question in questions if interpreter.read(question).certain] == []


@pytest.mark.parametrize(
    "name, header, questions",
    [
        ("продажі", "дата,товар,сума", ("виручка по місяцях", "загальна виручка")),
        ("расходы", "дата,категория,сумма", ("расходы по месяцам", "сколько мы потратили в марте")),
        ("витрати", "дата,категорія,сума", ("витрати по місяцях",)),
    ],
)
def test_so_it_is_in_other_languages(
    asker: Asker, tmp_path: Path, name: str, header: str, questions: tuple[str, ...]
) -> None:
    interpreter = asker.interpreter(_path(tmp_path, name, header))

    assert [question for question in questions if not interpreter.read(question).certain] == []


@pytest.mark.parametrize(
    "question",
    [
        "top 5 items by revenue",
        "top 2 items by sales",
        "total turnover",
        "sales by month",
        "what percentage of turnover is paid by card",
        "how much did we make from eggs?",
    ],
)
def test_a_unit_of_what_is_sold_is_none_of_what_it_came_to(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    goods = (("Eggs", "Dairy", "dozen", 4), ("Sausages", "Meat", "kg", 12), ("Jam", "Pantry", "jar", 5))
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{item},{dept},{1 + n % 7},{unit},{price},{(1 + n % 7) * price},{('cash', 'card')[n % 2]},Jean"
        for n in range(60)
        for item, dept, unit, price in [goods[n % 3]]
    ]
    header = "Date,Item,Dept,Qty,Unit,Price each,Amount,Payment,Served by"
    found = asker.interpreter(table_of(tmp_path, "farm shop sales", header, rows)).read(question)
    intent = found.candidates[0].intent

    assert found.certain
    assert "Amount" in {one.column for one in intent.measures}


def test_units_are_not_mixed_in_how_many_there_are(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"2024-03-{1 + n % 27:02d},Item {n % 5},{1 + n % 7},{('kg', 'dozen', 'l')[n % 3]}" for n in range(60)
    ]
    path = table_of(tmp_path, "farm shop sales", "Date,Item,Qty,Unit", rows)

    assert not asker.interpreter(path).read("total quantity by item").certain
