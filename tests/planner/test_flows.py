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
