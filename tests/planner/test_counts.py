"""How many there are of a thing is no number of rows where a column tells it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

STOCK = [
    f"S{n:02d},{('Hammer', 'Ladder', 'Drill', 'Lock', 'Chain')[n % 5]} {n // 5 + 1},Tools,{n * 7 % 40},{3 + n % 50}.5"
    for n in range(40)
]


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many sofas were ordered", False),
        ("how many orders of sofas", True),
        ("how many orders were there", True),
        ("how many chair orders were there", True),
    ],
)
def test_pieces_are_not_rows(asker: Asker, tmp_path: Path, question: str, certain: bool) -> None:
    items = ("Sofa", "Chair", "Desk")
    rows = [
        f"{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{items[n % 3]},{1 + n % 9},{40 + n % 7}" for n in range(60)
    ]
    path = table_of(tmp_path, "orders", "order_no,order_date,item,quantity,unit_price", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "question", ["items under 10 pieces", "items with more than 20 units", "fewer than 10 pieces"]
)
def test_pieces_bound_no_unit_price(asker: Asker, tmp_path: Path, question: str) -> None:
    path = table_of(tmp_path, "inventory", "sku,item,category,in_stock,unit_price", STOCK)
    found = asker.interpreter(path).read(question)

    assert all("unit_price" not in str(one.intent.clauses) for one in found.candidates)


@pytest.mark.parametrize("question", ["сколько ушло", "сколько аренда", "доля аренды", "сколько наличных"])
def test_how_much_counts_no_payments(asker: Asker, tmp_path: Path, question: str) -> None:
    kinds = ("Аренда", "Кафе", "Зарплата")
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{('расход', 'доход')[n % 4 == 0]},{kinds[n % 3]},{100 + n * 37 % 900},"
        f"{('наличные', 'карта')[n % 2]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "platezhi", "Дата,Тип,Категория,Сумма,Способ оплаты", rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize("question", ["how much did each patient pay", "how much was paid by each patient"])
def test_how_much_is_no_number_of_rows(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"Pat {n % 7},2024-0{1 + n % 6}-{1 + n % 27:02d},{20 + n * 7 % 60},{('yes', 'no')[n % 3 == 0]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "visits", "patient,date,fee,paid", rows)
    found = asker.interpreter(path).read(question)

    assert all(one.function != "count" for offered in found.candidates[:1] for one in offered.intent.measures)


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many sensors are offline", False),
        ("how many readings are offline", True),
    ],
)
def test_readings_are_not_sensors(asker: Asker, tmp_path: Path, question: str, certain: bool) -> None:
    rows = [
        f"S{n % 4},2024-06-{1 + n % 28:02d} 06:00,{15 + n % 9},{('ok', 'offline', 'ok')[n % 3]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "sensor_readings", "sensor_id,reading_time,temperature_c,status", rows)

    assert asker.interpreter(path).read(question).certain == certain


@pytest.mark.parametrize(
    "question", ["how many different books were borrowed", "how many students passed every exam"]
)
def test_a_word_that_counts_otherwise_is_not_passed_over(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"L{n},Book {n % 9},Ann {n % 5},2024-0{1 + n % 6}-{1 + n % 27:02d},{('pass', 'fail')[n % 3 == 0]}"
        for n in range(60)
    ]
    header = (
        "loan_id,title,member,loan_date,grade"
        if "books" in question
        else "exam_id,subject,student,exam_date,result"
    )
    path = table_of(tmp_path, "loans" if "books" in question else "exams", header, rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize(
    "question",
    [
        "how many invoices are paid",
        "invoices per client",
        "which client has the most invoices",
        "clients with more than 3 invoices",
        "percentage of invoices paid",
        "average amount per invoice",
        "how many clients bought more than one item",
    ],
)
def test_lines_of_invoices_are_no_invoices(asker: Asker, tmp_path: Path, question: str) -> None:
    items = ("License", "Support", "Setup")
    rows = [
        f"INV-{500 + n // 3},2024-0{1 + n % 6}-{1 + n % 27:02d},{('Acme', 'Zeta', 'Moor')[n // 3 % 3]},{items[n % 3]},"
        f"{100 + n * 7 % 90},{('yes', 'no')[n // 3 % 2]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "invoices", "invoice_no,invoice_date,client,item,amount,paid", rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize("question", ["spending on Netflix per month", "how much did I spend on Netflix"])
def test_spending_is_no_number_of_payments(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{('Netflix', 'Zara', 'Rent')[n % 3]},card,{10 + n * 7 % 90},{900 - n}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "account", "Date,Payee,Type,Debit,Balance", rows)
    found = asker.interpreter(path).read(question)

    assert not found.certain or all(one.function != "count" for one in found.candidates[0].intent.measures)


@pytest.mark.parametrize(
    "question, certain",
    [
        ("biggest expense", False),
        ("transactions above 100 euros", False),
        ("how many transactions are there", True),
    ],
)
def test_what_went_out_is_negative(asker: Asker, tmp_path: Path, question: str, certain: bool) -> None:
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},Shop {n % 9},{('Food', 'Salary')[n % 10 == 0]},"
        f"{2800 if n % 10 == 0 else -(5 + n * 37 % 400)}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "transactions", "booking_date,description,category,amount", rows)

    assert asker.interpreter(path).read(question).certain == certain
