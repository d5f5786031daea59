"""What a word names in a table: cells of small words, states in other words, units in one word, plans that were gone beyond."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tabchat.planner.wording.reading import read_as
from tabchat.planner.words.token import header_words, tokenize
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.planner.asking import Asker


def day(n: int) -> str:
    return f"2024-0{1 + n % 6}-{1 + n * 7 % 27:02d}"


TABLES: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "laptops": (
        "Asset Tag,Model,Status,Cost",
        [
            f"LT-{n},{('X1', 'Air')[n % 2]},{('In use', 'In stock', 'On hold')[n % 3]},{900 + n}"
            for n in range(60)
        ],
    ),
    "склад": (
        "Дата,Товар,Операция,Кол-во",
        [
            f"{day(n)},{('Кабель', 'Клей', 'Окна')[n % 3]},{('Приход', 'Расход', 'Списание')[n % 3 - n % 2]},{1 + n}"
            for n in range(60)
        ],
    ),
    "тендери": (
        "№,Замовник,Дата,Результат,Ціна",
        [
            f"Т-{n},{('Водоканал', 'ЦРЛ')[n % 2]},{day(n)},{('виграно', 'програно', 'на розгляді')[n % 3]},{1000 + n}"
            for n in range(60)
        ],
    ),
    "кампании": (
        "Кампания,Канал,Бюджет,Расход",
        [
            f"К{n},{('VK Реклама', 'Авито', 'Наружная реклама')[n % 3]},{1000 + n * 10},{900 + n * 13}"
            for n in range(60)
        ],
    ),
    "показания": (
        "Дата снятия,Участок,Собственник,Расход кВт*ч,К оплате",
        [
            f"{day(n)},{(3, 8, 36)[n % 3]},{('Панина Г.', 'Лосева А.', 'Карпов В.')[n % 3]},{150 + n},{700 + n}"
            for n in range(60)
        ],
    ),
    "зарплата": (
        "піб,місяць,відділ,премія",
        [
            f"{('Кравець Світлана', 'Мельник Олег', 'Савченко Юрій')[n % 3]},2024-0{1 + n // 3 % 6}-01,продаж,"
            f"{'' if n % 5 == 0 else 500 + n * 97 % 3000}"
            for n in range(60)
        ],
    ),
    "invoices": (
        "Invoice No,Invoice Date,Customer,Amount,Paid On",
        [
            f"INV-{n},{day(n)},{('Quick Stop', 'Baker', 'Ashton')[n % 3]},{100 + n * 7},{'' if n % 4 == 0 else day(n + 1)}"
            for n in range(60)
        ],
    ),
    "договоры": (
        "№ договора,Арендатор,Начало,Статус,Аренда",
        [
            f"Д-{n},{('Ромашка', 'Вектор', 'Луч')[n % 3]},{day(n)},{('действует', 'завершён')[n % 2]},{1000 + n * 9}"
            for n in range(60)
        ],
    ),
    "deals": (
        "Deal ID,Company,Created Date,Close Date,Stage,Amount",
        [
            f"{500 + n},{('Cargo', 'Nova', 'Lumen')[n % 3]},2024-0{1 + n % 6}-0{1 + n % 9},"
            f"{'' if n % 3 == 2 else f'2024-0{2 + n % 6}-1{n % 9}'},{('Won', 'Lost', 'Demo')[n % 3]},{100 + n * 7}"
            for n in range(60)
        ],
    ),
    "payroll": (
        "Employee,Hire date,Pay date,Salary,Bonus",
        [
            f"{('Ann Lee', 'Bob Ray', 'Eve Fox')[n % 3]},2019-0{1 + n % 3}-11,2024-0{1 + n // 9}-28,{2000 + n % 3 * 100},{n * 13 % 90}"
            for n in range(60)
        ],
    ),
    "orders": (
        "Order no,Customer,Birth date,Order date,City,Total",
        [
            f"{100 + n},{('Marta Rud', 'Ivan Koval', 'Olha Lys')[n % 3]},198{n % 3}-05-1{n % 3},{day(n)},"
            f"{('Sumy', 'Kyiv')[n % 2]},{50 + n * 37 % 90}"
            for n in range(60)
        ],
    ),
    "billing": (
        "Invoice,Issued,Customer,Amount,Amount paid,Payment date",
        [
            f"B{n},{day(n)},{('Acme', 'Hooli')[n % 2]},{100 + n * 7},{90 + n * 7},{day(n + 3)}"
            for n in range(60)
        ],
    ),
    "calls": (
        "Call ID,Date,Queue,Agent,Talk min",
        [
            f"{4000 + n},{day(n)},{('Complaints', 'Technical', 'Returns')[n % 3]},{('Raj', 'Steph')[n % 2]},{2 + n % 9}"
            for n in range(60)
        ],
    ),
}


def first_of(asker: Asker, folder: Path, table: str, question: str) -> tuple[str, bool]:
    """Return the likeliest reading of a question, and whether it is certain."""
    path = table_of(folder, table, *TABLES[table])
    asker.open(path)
    found, certain, _ = asker.read(path, question)
    return read_as(found[0].intent, asker.interpreter(path).facts, "en"), certain


@pytest.mark.parametrize(
    "table, question, reading",
    [
        ("laptops", "how many laptops are in use", "number of rows · Status = “In use”"),
        ("laptops", "laptops on hold", "rows · Status = On hold"),
        (
            "склад",
            "сколько приходов было в марте",
            "number of rows · Операция = Приход · month of Дата = March",
        ),
        ("склад", "сколько раз списывали клей", "number of rows · Операция = Списание · Товар = Клей"),
        ("склад", "сколько окон списали", "number of rows · Товар = Окна · Операция = Списание"),
        ("тендери", "скільки тендерів ми виграли", "number of rows · Результат = виграно"),
        ("тендери", "скільки поразок", "number of rows · Результат = програно"),
        ("кампании", "сколько кампаний в VK", "number of rows · Канал = VK Реклама"),
        ("кампании", "сколько кампаний вышли за бюджет", "number of rows · Расход > Бюджет"),
        ("кампании", "сколько кампаний уложились в бюджет", "number of rows · Расход ≤ Бюджет"),
        (
            "показания",
            "сколько киловатт израсходовали в марте",
            "sum of “Расход кВт*ч” · month of Дата снятия = March",
        ),
        (
            "показания",
            "сравни общий расход участков 8 и 36",
            "sum of “Расход кВт*ч”: “8” (Участок = 8) vs “36” (Участок = 36)",
        ),
        (
            "зарплата",
            "хто жодного разу не отримав премії більше 2000 грн",
            "number of rows · by піб · without rows where премія > 2000",
        ),
        ("зарплата", "середня премія по працівниках", "mean of премія · by піб"),
        ("invoices", "how much money are we still owed", "sum of Amount · Paid On is missing"),
        ("invoices", "3 biggest invoices", "rows · top 3 by Amount"),
        (
            "invoices",
            "by how much did the total amount change from month to month",
            "change of the sum of Amount, since the one before · by month (Invoice Date)",
        ),
        ("договоры", "сколько действующих договоров", "number of rows · Статус = действует"),
        ("payroll", "total bonus in March", "sum of Bonus · month of Pay date = March"),
        ("payroll", "bonus by month", "sum of Bonus · by month (Pay date)"),
        ("orders", "total by month", "sum of Total · by month (Order date)"),
        ("orders", "сума по Сумах", "sum of Total · City = Sumy"),
        ("deals", "how many deals did we win", "number of rows · Stage = Won"),
        (
            "calls",
            "do we talk longer on complaints or on technical calls",
            "which has the highest mean of Talk min: Complaints (Queue = Complaints) vs Technical (Queue = Technical)",
        ),
    ],
)
def test_what_is_likeliest(asker: Asker, tmp_path: Path, table: str, question: str, reading: str) -> None:
    assert first_of(asker, tmp_path, table, question)[0] == reading


@pytest.mark.parametrize(
    "table, question",
    [
        # What was created then may have been won later.
        ("deals", "how many deals did we win in March"),
        ("deals", "when did we last win a deal with Cargo"),
        # Marta is no March.
        ("orders", "сколько заказала Марта"),
        # What was paid in a month is of the dates of the payments.
        ("billing", "amount paid per month"),
        # How much is asked for, not of how many.
        ("invoices", "скільки нам винні"),
        # She may have other rows of which nothing is paid: all rows of others are none of hers.
        ("показания", "сколько раз не платила Лосева"),
        # A row without a bonus is none that somebody got.
        ("зарплата", "хто отримував премію більше 3 разів"),
    ],
)
def test_what_is_never_certain(asker: Asker, tmp_path: Path, table: str, question: str) -> None:
    assert not first_of(asker, tmp_path, table, question)[1]


@pytest.mark.parametrize(
    "header, words",
    [
        ("Usage kWh", ("usage", "kwh")),
        ("Расход кВт*ч", ("расход", "квтч")),
        ("кВт·год", ("квтгод",)),
        ("Power kW", ("power", "kw")),
        ("МВт", ("мвт",)),
        ("unitPrice", ("unit", "price")),
    ],
)
def test_a_unit_of_power_is_one_word_of_a_header(header: str, words: tuple[str, ...]) -> None:
    assert header_words(header) == words


def test_a_unit_of_energy_is_one_word_of_a_question() -> None:
    assert [word.norm for word in tokenize("скільки кВт·год")] == ["скільки", "квтгод"]
