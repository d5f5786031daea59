"""What rows should have: stock above its least, dates before they were due."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def answer(asker: Asker, path: Path, question: str) -> str:
    """Return what the certain answer is read as; empty where there is none."""
    found = asker.interpreter(path).read(question)
    return read_as(found.candidates[0].intent, asker.interpreter(path).facts, "en") if found.certain else ""


@pytest.fixture
def stock(tmp_path: Path) -> Path:
    rows = [
        f"S{n:02d},{('Hammer', 'Ladder', 'Drill')[n % 3]} {n},{('Tools', 'Paint')[n % 2]},{n * 7 % 40 if n % 6 else 0},{5 + n % 4 * 5},{3 + n % 50}.5"
        for n in range(40)
    ]
    return table_of(tmp_path, "inventory", "sku,item,category,in_stock,reorder_level,unit_price", rows)


@pytest.fixture
def invoices(tmp_path: Path) -> Path:
    rows = []
    for n in range(60):
        paid = "" if n % 7 == 6 else f"2024-0{2 + n % 6}-{1 + n * 5 % 27:02d}"
        rows.append(
            f"I{n},{('Acme', 'Zeta', 'Moor')[n % 3]},2024-0{1 + n % 6}-{1 + n % 27:02d},2024-0{2 + n % 6}-{1 + n % 27:02d},{paid},{90 + n}"
        )
    return table_of(tmp_path, "invoices", "invoice_no,client,issued,due,paid_on,amount", rows)


@pytest.mark.parametrize(
    "question, expected",
    [
        ("what is out of stock", "rows · in_stock ≤ 0"),
        ("how many items are out of stock", "number of rows · in_stock ≤ 0"),
        ("how many items are in stock", "number of rows · in_stock > 0"),
        ("which items are below the reorder level", "rows · in_stock < reorder_level"),
        ("average stock by category", "mean of in_stock · by category"),
    ],
)
def test_stock_is_measured_by_its_column(asker: Asker, stock: Path, question: str, expected: str) -> None:
    assert answer(asker, stock, question) == expected


@pytest.mark.parametrize(
    "question, expected",
    [
        ("how many invoices were paid late", "number of rows · paid_on > due"),
        ("invoices paid on time", "rows · paid_on ≤ due"),
        ("invoices paid after the due date", "rows · paid_on > due"),
        ("how many invoices were paid before they were due", "number of rows · paid_on < due"),
        # What is not paid by now may be late as well.
        ("late invoices", ""),
        ("how many invoices were late", ""),
    ],
)
def test_late_is_after_it_was_due(asker: Asker, invoices: Path, question: str, expected: str) -> None:
    assert answer(asker, invoices, question) == expected


@pytest.mark.parametrize("question", ["late invoices", "invoices paid late"])
def test_nothing_is_late_where_nothing_is_due(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"I{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{f'2024-0{2 + n % 6}-{1 + n % 27:02d}' if n % 4 else ''},{90 + n}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "invoices", "invoice_no,issued,paid_on,amount", rows)

    assert not answer(asker, path, question)


@pytest.mark.parametrize(
    "question, expected",
    [
        ("revenue by month", "sum of amount · by month"),
        ("total revenue", "sum of amount"),
    ],
)
def test_the_only_money_of_sales_is_what_was_earned(
    asker: Asker, tmp_path: Path, question: str, expected: str
) -> None:
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{('Latte', 'Tea')[n % 2]},{1 + n % 4},{10 + n * 7 % 90}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "cafe_sales", "date,product,qty,amount", rows)

    assert answer(asker, path, question) == expected


@pytest.mark.parametrize("question", ["when were there the most orders", "when did we get most orders"])
def test_the_time_of_most_rows_is_not_that_of_the_dearest(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    rows = [f"{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{10 + n * 7 % 90}" for n in range(60)]
    path = table_of(tmp_path, "orders", "order_no,order_date,amount", rows)

    assert "amount" not in answer(asker, path, question)


@pytest.mark.parametrize("question", ["flights that arrive after midnight", "flights before midnight"])
def test_every_hour_is_no_bound(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [f"BA{n},Oslo,2024-05-{1 + n % 27:02d} {n % 24:02d}:15,{70 + n}" for n in range(60)]
    path = table_of(tmp_path, "flights", "flight,origin,arrival,passengers", rows)

    assert not answer(asker, path, question)


def test_a_duration_is_told_by_its_column(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"Pat {n % 9},2024-0{1 + n % 6}-{1 + n % 20:02d},2024-0{1 + n % 6}-{5 + n % 20:02d},{10 + n % 4 * 5},{40 + n}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "appointments", "patient,booked_on,appointment_date,minutes,fee", rows)

    assert "→" not in answer(asker, path, "longest appointment") + answer(asker, path, "average duration")


@pytest.fixture
def paid(tmp_path: Path) -> Path:
    """Return invoices whose state says whether they are paid, beside the day on which they were."""
    rows = [
        f"INV-{n},{('Alpine Foods', 'Casa Verde', 'Nordlys')[n % 3]},2024-0{1 + n % 6}-{1 + n % 27:02d},2024-0{2 + n % 6}-{1 + n % 27:02d},"
        f"{1000 + n * 37}.5,{('Paid', 'Open')[n % 7 == 6]},{'' if n % 7 == 6 else f'2024-0{2 + n % 6}-{1 + n * 5 % 27:02d}'}"
        for n in range(60)
    ]
    header = "Invoice No,Customer,Invoice Date,Due Date,Amount (EUR),Status,Payment Date"
    return table_of(tmp_path, "ar_invoices", header, rows)


@pytest.mark.parametrize(
    "question, expected",
    [
        (
            "how many invoices were paid after their due date",
            "number of rows · Status = Paid · Payment Date > Due Date",
        ),
        (
            "how many invoices were paid before the due date",
            "number of rows · Status = Paid · Payment Date < Due Date",
        ),
        ("invoices due after 2024-05-01", "rows · since 2024-05-02 (Due Date)"),
        (
            "invoices paid after the due date not by Nordlys",
            "rows · Status = Paid · Payment Date > Due Date · Customer ≠ Nordlys",
        ),
        # None of those that are not paid has a day of payment.
        ("invoices not paid before the due date", ""),
    ],
)
def test_a_state_is_late_by_the_dates_beside_it(
    asker: Asker, paid: Path, question: str, expected: str
) -> None:
    assert answer(asker, paid, question) == expected


@pytest.mark.parametrize("owed", ["Balance Due", "Outstanding (EUR)", "Amount outstanding"])
def test_what_an_invoice_still_owes_is_a_debt(asker: Asker, tmp_path: Path, owed: str) -> None:
    rows = [f"INV-{n},{('Alpine', 'Verde', 'Nord')[n % 3]},{1000 + n * 37},{n % 4 * 250}" for n in range(40)]
    path = table_of(tmp_path, "invoices", f"Invoice No,Customer,Amount (EUR),{owed}", rows)

    assert owed in answer(asker, path, "which customer owes us the most")
    assert owed in answer(asker, path, "total outstanding")


@pytest.mark.parametrize(
    "header, question, expected",
    [
        ("owner,flat,charged,debt", "how many debtors", "number of rows · debt > 0"),
        ("owner,flat,charged,debt", "list of debtors", "rows · debt > 0"),
        ("owner,flat,charged,debt", "who owes the most", "sum of debt · by owner · top 1 with ties"),
        # A price is not owed, and a fee may have been paid.
        ("owner,flat,charged,price", "biggest debtor", ""),
        ("власник,квартира,нараховано,внесок", "хто винен найбільше", ""),
        # Those who owe nothing are no debtors.
        ("owner,flat,charged,debt", "who has debt", ""),
        ("власник,квартира,нараховано,борг", "список боржників", "rows · борг > 0"),
        ("власник,квартира,нараховано,борг", "у кого є борг", ""),
        ("владелец,квартира,начислено,долг", "список должников", "rows · долг > 0"),
    ],
)
def test_debtors_owe_more_than_nothing(
    asker: Asker, tmp_path: Path, header: str, question: str, expected: str
) -> None:
    people = ("Яценко", "Кушнір", "Hale", "Ortiz", "Бойко")
    rows = [
        f"{people[n % 5]} {chr(65 + n // 5)}.,{n},{300 + n * 17}.5,{0 if n % 3 else n * 11}"
        for n in range(1, 41)
    ]

    assert answer(asker, table_of(tmp_path, "accounts", header, rows), question) == expected
