"""What a status says is so now; what a date says was done: a question is answered where both tell the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

HEADER = "order_no,order_date,shipped_on,delivered_on,status,amount"
STATES = ("delivered", "delivered", "shipped", "new", "cancelled")


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    rows = []
    for n in range(60):
        state = STATES[n % 5]
        shipped = f"2024-0{1 + n % 6}-{2 + n % 25:02d}" if state in {"delivered", "shipped"} else ""
        delivered = f"2024-0{1 + n % 6}-{3 + n % 25:02d}" if state == "delivered" else ""
        rows.append(
            f"{100 + n},2024-0{1 + n % 6}-{1 + n % 25:02d},{shipped},{delivered},{state},{10 + n * 7 % 90}"
        )
    return table_of(tmp_path, "orders", HEADER, rows)


@pytest.mark.parametrize(
    "question, certain",
    [
        # Of 36 that were shipped 24 are delivered by now, and their status says so.
        ("how many orders were shipped", False),
        ("shipped orders", False),
        # As many have a date of delivery as are delivered.
        ("how many orders were delivered", True),
        ("delivered orders", True),
        ("orders not delivered", True),
        ("cancelled orders", True),
    ],
)
def test_a_status_and_a_date_that_differ_are_both_offered(
    asker: Asker, orders: Path, question: str, certain: bool
) -> None:
    assert asker.interpreter(orders).read(question).certain == certain


@pytest.mark.parametrize(
    "question", ["when was the last order delivered", "when was the last order cancelled"]
)
def test_when_something_was_done_is_no_date_of_something_else(
    asker: Asker, orders: Path, question: str
) -> None:
    found = asker.interpreter(orders).read(question)

    assert not found.certain or "order_date" not in read_as(
        found.candidates[0].intent, asker.interpreter(orders).facts, "en"
    )


def test_states_told_twice_rival_only_where_they_count_differently(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"T{n},2024-0{1 + n % 6}-{1 + n % 25:02d},{f'2024-0{1 + n % 6}-{2 + n % 25:02d}' if n % 3 else ''},"
        f"{'closed' if n % 3 and n % 10 else 'open'}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "tickets", "id,created_at,closed_at,status", rows)

    assert not asker.interpreter(path).read("how many tickets are closed").certain


@pytest.mark.parametrize("question", ["how many parcels did Nico deliver", "percentage of late deliveries"])
def test_what_failed_was_not_delivered(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"P{n:03d},{('Nico', 'Sara')[n % 2]},2024-0{1 + n % 6}-{1 + n % 20:02d},2024-0{1 + n % 6}-{4 + n % 20:02d},"
        f"{f'2024-0{1 + n % 6}-{2 + n * 3 % 26:02d}' if n % 3 else ''},{'Delivered' if n % 3 else ('Failed', 'Returned')[n % 2]}"
        for n in range(60)
    ]
    header = "parcel,courier,shipped_date,promised_date,delivered_date,status"
    path = table_of(tmp_path, "deliveries", header, rows)

    assert not asker.interpreter(path).read(question).certain


@pytest.mark.parametrize(
    "question, reading",
    [
        ("скільки рахунків оплачено", "number of rows · стан = оплачено"),
        ("загальна вартість неоплачених рахунків", "sum of вартість · стан = не оплачено"),
        ("чи є неоплачені рахунки", "whether there are rows · стан = не оплачено"),
    ],
)
def test_a_cell_that_denies_another_is_told_from_it(
    asker: Asker, tmp_path: Path, question: str, reading: str
) -> None:
    states = ("оплачено", "не оплачено", "частково")
    bills = table_of(
        tmp_path, "рахунки", "номер;вартість;стан", [f"Р-{n};{100 + n};{states[n % 3]}" for n in range(40)]
    )
    found, certain, _ = asker.read(bills, question)
    assert (read_as(found[0].intent, asker.interpreter(bills).facts, "en"), certain) == (reading, True)


def test_adjectives_of_the_parts_of_a_day_name_their_cells(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{('утро', 'вечер', 'ночь')[n % 3]};{5 + n}" for n in range(40)]
    shifts = table_of(tmp_path, "график", "смена;пациентов", rows)
    for question, cell in (("сколько утренних смен", "утро"), ("сколько ночных смен", "ночь")):
        found, certain, _ = asker.read(shifts, question)
        reading = read_as(found[0].intent, asker.interpreter(shifts).facts, "en")
        assert (reading, certain) == (f"number of rows · смена = {cell}", True)
