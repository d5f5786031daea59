"""What small tables of all sorts are asked, likely to be read as something else than was meant: it is offered, never answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.planner.asking import Asker

TWO: Final = ("Ann", "Bob")
TABLES: Final[dict[str, tuple[str, Callable[[int], str]]]] = {
    "cities": (
        "city,population,unemployment_rate",
        lambda n: f"City {n},{9000 + 7919 * n},{2 + n * 7 % 9}.5",
    ),
    "tills": (
        "receipt,product,amount",
        lambda n: f"{1000 + n // 3},{('tea', 'jam')[n % 2]},{10 + n * 7 % 80}",
    ),
    "weather": ("station,temperature", lambda n: f"{('Oslo', 'Bergen', 'Tromso')[n % 3]},{n * 7 % 31 - 8}"),
    "payments": (
        "payment_id,method,amount",
        lambda n: f"{n + 1},{('card', 'cash', 'transfer')[n * 5 % 7 % 3]},{5 + n * 13 % 80}",
    ),
    "flights": (
        "flight,destination,departure",
        lambda n: f"F{n},{('Rome', 'Oslo')[n % 2]},2024-03-{1 + n % 28:02d} {n * 5 % 24:02d}:30:00",
    ),
    "exams": (
        "ученик,математика",
        lambda n: f"Ученик {chr(1040 + n % 32)}{n},{2 + n * 3 % 4 if n % 4 else ''}",
    ),
    "bills": (
        "счет,клиент,сумма,статус",
        lambda n: f"{n + 1},К{n % 5},{10 + n},{('оплачен', 'ждет оплаты', 'просрочен', 'отменен')[n % 4]}",
    ),
    "leaves": (
        "employee,kind,from,to,days",
        lambda n: (
            f"E{n % 9},{('sick', 'vacation')[n % 2]},2024-{1 + n % 12:02d}-03,"
            f"2024-{1 + n % 12:02d}-{4 + n % 9:02d},{1 + n % 9}"
        ),
    ),
    "loans": (
        "loan_id,reader,book,borrowed,returned",
        lambda n: (
            f"{n + 1},{TWO[n % 2]},Book {n % 12},2024-{1 + n % 12:02d}-03,"
            f"{f'2024-{1 + n % 12:02d}-20' if n % 3 else ''}"
        ),
    ),
    "buys": (
        "sale,customer,product,amount",
        lambda n: f"{n + 1},Cust {n % 7},{('tea', 'jam', 'oil')[n % 3]},{5 + n * 7 % 75}",
    ),
    "tasks": (
        "task,owner,due_date,done",
        lambda n: f"T{n},{TWO[n % 2]},2024-{1 + n % 12:02d}-{1 + n * 7 % 28:02d},{('yes', 'no')[n % 2]}",
    ),
    "orders": (
        "заказ,город,сумма",
        lambda n: f"{n + 1},{('Киев', 'Одесса', 'Львов')[n % 3]},{10 + n * 7 % 80}",
    ),
    "fills": (
        "fill,fuel,full_tank,litres",
        lambda n: f"{n + 1},{('diesel', 'petrol')[n % 2]},{('yes', 'no')[n % 3 == 0]},{20 + n * 11 % 70}",
    ),
    "players": (
        "player,team,goals,city",
        lambda n: f"P{n},{('People', 'Lions', 'Stars')[n % 3]},{n * 7 % 20},{('Kyiv', 'Lviv')[n % 2]}",
    ),
    "menu": (
        "item,allergens,price",
        lambda n: f"{('Cake', 'Pie', 'Soup')[n % 3]} {n},{('nuts; milk', 'gluten', 'milk')[n % 3]},{2 + n}",
    ),
    "lab": (
        "test_id,patient,test,date,result",
        lambda n: f"{n + 1},P{n % 6},{('ALT', 'HGB')[n % 2]},2024-{1 + n % 12:02d}-03,{1 + n * 7 % 99}",
    ),
    "leads": (
        "lead,status,value",
        lambda n: f"{n + 1},{('interested', 'uninterested', 'new', 'lost')[n % 4]},{10 + n}",
    ),
    "bikes": (
        "repair,type,part,cost",
        lambda n: (
            f"{n + 1},{('city', 'electric', 'cargo')[n % 3]},{('brake', 'wheel')[n % 2]},{5 + n * 7 % 85}"
        ),
    ),
    "lent": (
        "loan,reader,book,genre",
        lambda n: f"{n + 1},{TWO[n % 2]},Book {n % 12},{('drama', 'crime')[n * 5 % 7 % 2]}",
    ),
    "hires": (
        "rental,drone,deposit,day_rate_usd,start",
        lambda n: (
            f"{n + 1},{('Mavic', 'Phantom')[n % 2]},{100 + n * 7 % 200},{20 + n * 3 % 40},"
            f"2024-{1 + n % 12:02d}-{1 + n * 7 % 28:02d}"
        ),
    ),
    "trips": (
        "trip,driver,fare,minutes",
        lambda n: f"{n + 1},{TWO[n % 2]},{5 + n * 7 % 45},{5 + n * 11 % 56}",
    ),
}


@pytest.mark.parametrize(
    "table, question",
    [
        ("cities", "average unemployment rate of the 5 largest cities"),
        ("tills", "average receipt by product"),
        ("weather", "hottest temperature at each station"),
        ("payments", "share of each method"),
        ("payments", "share by method"),
        ("flights", "evening departures after 8 pm"),
        ("exams", "сколько учеников не сдали математику"),
        ("bills", "сколько счетов не оплачено"),
        ("leaves", "how long is a vacation on average"),
        ("loans", "which books are still with Ann"),
        ("buys", "how many customers bought more than one product"),
        ("tasks", "nearest due date"),
        ("orders", "средняя сумма по всем городам"),
        ("fills", "diesel and full tank or over 60 litres"),
        ("players", "people in Kyiv"),
        ("menu", "how many items contain soy"),
        ("lab", "newest tests"),
        ("lab", "abnormal results"),
        ("leads", "how many leads are not interested"),
        ("bikes", "what is repaired most often, city or electric"),
        ("lent", "how many different dramas"),
        ("hires", "which drone costs the most per day"),
        ("hires", "daily cost by drone"),
        ("trips", "how much did each driver take"),
    ],
)
def test_what_may_mean_something_else_is_offered(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    header, row = TABLES[table]
    path = table_of(tmp_path, table, header, [row(n) for n in range(30)])

    found = asker.interpreter(path).read(question)

    assert found.offered
    assert not found.certain
