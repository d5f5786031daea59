"""A noun that may be of something else than what is counted, summed or dated is offered, and a plain one is answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.planner.asking import Asker


def day(n: int) -> str:
    return f"2024-0{1 + n % 6}-{1 + n * 7 % 27:02d}"


Row: TypeAlias = "Callable[[int], str]"

TABLES: Final[dict[str, tuple[str, Row]]] = {
    "prescriptions": (
        "rx_number,patient,birth_date,drug,prescribed,dispensed,packs,price",
        lambda n: (
            f"RX{n:03d},Ann {n % 9},{1950 + n % 50}-03-1{n % 9},Drug {n % 7},{day(n)},{day(n + 1) if n % 3 else ''},{1 + n % 3},{5 + n % 7}.5"
        ),
    ),
    "members": (
        "member_no,name,birth_date,plan,joined,expires,visits",
        lambda n: (
            f"M{n:03d},Ann Lee{n},{1950 + n % 50}-03-1{n % 9},{('basic', 'gold')[n % 2]},{day(n)},{2025 + n % 4}-05-01,{n}"
        ),
    ),
    "swim": (
        "date,swimmer,sex,birth_year,event,time_seconds",
        lambda n: (
            f"{day(n)},Sam {n % 7},{'MF'[n % 2]},{2008 + n % 7},{('50m', '100m')[n % 2]},{30 + n}.{n % 9}"
        ),
    ),
    "incidents": (
        "incident_id,server,opened_at,resolved_at,status",
        lambda n: (
            f"INC-{n},db-{n % 4},{day(n)} {n % 24:02d}:15:00,{day(n)} {23}:30:00,{('resolved', 'closed')[n % 2]}"
        ),
    ),
    "calls": (
        "call_id,agent,topic,direction,talk_seconds",
        lambda n: (
            f"C{n},Amir {n % 4},{('billing', 'cancellation', 'sales')[n % 3]},{('in', 'out')[n % 2]},{60 + n * 13 % 700}"
        ),
    ),
    "viewings": (
        "property,bedrooms,viewing_date,agent,offer_amount,feedback",
        lambda n: (
            f"{n % 6} Oak St,{1 + n % 6},{day(n)},Mark {n % 3},{210000 + n * 1000 if n % 3 else ''},"
            f"{('interested', 'not interested', 'no show')[n % 3]}"
        ),
    ),
    "fuel": (
        "date,vehicle,litres,odometer_km",
        lambda n: f"{day(n)},TRK-{n % 4},{20 + n % 9}.5,{26000 + n * 310}",
    ),
    "stocks": (
        "date,ticker,close",
        lambda n: f"2024-02-{1 + n // 3:02d},{('AAPL', 'MSFT', 'TSLA')[n % 3]},{90 + n * 7 % 30}.5",
    ),
    "survey": (
        "respondent,submitted,gender,service,would_recommend,comment",
        lambda n: (
            f"{n % 25},{day(n)},{('male', 'female')[n % 3 == 0]},{1 + n * 7 % 5},{('yes', 'no', '')[n % 3]},{('good', 'late', '')[n % 3]}"
        ),
    ),
    "subscriptions": (
        "customer_id,plan,mrr,started,cancelled",
        lambda n: (
            f"C{n:03d},{('basic', 'pro')[n % 2]},{20 + n % 2 * 30},2023-0{1 + n % 9}-11,{day(n) if n % 3 == 0 else ''}"
        ),
    ),
    "stock_moves": (
        "date,product,qty_in,qty_out",
        lambda n: (
            f"{day(n)},{('Bolt', 'Nut', 'Screw')[n % 3]},{n % 9 * 10 if n % 2 else ''},{'' if n % 2 else n % 7 * 10}"
        ),
    ),
    "sessions": (
        "session_id,started,visitor_type,revenue",
        lambda n: f"s{n:03d},{day(n)},{('new', 'returning')[n % 2]},{n * 7 % 90}.5",
    ),
    "задачі": (
        "Номер,Задача,Виконавець,Статус,Створено",
        lambda n: (
            f"{n + 1},Задача {n},{('Роман', 'Віка', 'Оксана')[n % 3]},{('виконана', 'в роботі', 'відхилена')[n // 3 % 3]},{day(n)}"
        ),
    ),
    "курсы": (
        "Запись,Студент,Курс,Преподаватель,Стоимость,Оплачено",
        lambda n: (
            f"{n + 1},Студент {n % 8},Курс {n % 4},Громов {n % 3},{9000 + n % 5 * 1000},{9000 + n % 3 * 1000 if n % 4 else 0}"
        ),
    ),
    "библиотека": (
        "Запис,Книга,Читач,Дата видачі,Термін повернення,Дата повернення",
        lambda n: (
            f"{n + 1},Книга {n % 9},Оля {n % 6},{day(n)},2024-07-{1 + n % 27:02d},{'2024-07-11' if n % 3 else ''}"
        ),
    ),
    "смета": (
        "Работа,Подрядчик,План,Факт",
        lambda n: f"Работа {n},Строй {n % 4},{1000 + n * 37 % 900},{1000 + n * 53 % 900}",
    ),
    "звонки": (
        "Время,Оператор,Номер клиента,Тема",
        lambda n: f"{day(n)} 14:2{n % 9},Анна {n % 3},+7900100{n % 40:04d},{('жалоба', 'доставка')[n % 2]}",
    ),
    "rent_payments": (
        "payment_id,tenant,flat,due_date,paid_date,amount_due,method",
        lambda n: (
            f"{n + 1},Anna {n % 7},Flat {n % 7},2024-0{1 + n % 6}-01,{day(n) if n % 5 else ''},1200,{('cash', 'card')[n % 2]}"
        ),
    ),
    "donors": (
        "donor,town,first_gift,gifts,total_given",
        lambda n: f"Ellis {n},{('Leeds', 'York')[n % 2]},{day(n)},{1 + n % 14},{100 + n * 97 % 2700}",
    ),
    "parcels": (
        "tracking_no,recipient,city,sent,delivered,insured_value",
        lambda n: (
            f"P{5000 + n},Wolf {n % 8},Cardiff,{day(n)},{day(n + 1) if n % 3 else ''},{n * 50 if n % 2 else ''}"
        ),
    ),
    "lab_loans": (
        "loan_id,item,borrower,department,loaned_on,fine",
        lambda n: (
            f"L{n},Scope {n % 9},Berg {n % 6},{('Physics', 'Biology')[n % 2]},{day(n)},{n if n % 4 == 0 else ''}"
        ),
    ),
    "bakery": (
        "order_no,customer,product,quantity,unit_price,total",
        lambda n: (
            f"{1000 + n},Shah {n % 9},Cake {n % 4},{1 + n % 5},{(n % 4 + 2) * 3},{(1 + n % 5) * (n % 4 + 2) * 3}"
        ),
    ),
    "cars": (
        "stock_no,make,model,year,arrived,sold_on,list_price",
        lambda n: (
            f"S{n:03d},{('Ford', 'Toyota')[n % 2]},M{n % 6},{2012 + n % 9},{day(n)},{day(n + 2) if n % 2 else ''},{5000 + n * 211 % 9000}"
        ),
    ),
    "рахунки": (
        "рахунок,клієнт,сума,виставлено,оплатити до,дата оплати",
        lambda n: (
            f"INV-{n:03d},Альфа {n % 5},{200 + n * 37 % 900},{day(n)},{day(n + 1)},{day(n + 2) if n % 3 else ''}"
        ),
    ),
    "кадры": (
        "табельный номер,фио,отдел,дата приема,дата увольнения",
        lambda n: (
            f"{n + 1},Громов {n},{('ИТ', 'склад')[n % 2]},2021-0{1 + n % 9}-11,{day(n) if n % 4 == 0 else ''}"
        ),
    ),
    "салон": (
        "дата записи,клиентка,услуга,мастер,цена,новый клиент",
        lambda n: f"{day(n)},Юля {n % 6},стрижка,Анна {n % 3},{900 + n},{('да', 'нет')[n % 2]}",
    ),
    "classes": (
        "class,day,start_time,room",
        lambda n: (
            f"{('Boxing', 'Yoga')[n % 2]},{('Monday', 'Friday')[n % 3 == 0]},{7 + n * 5 % 13:02d}:30:00,Hall {n % 4}"
        ),
    ),
    "licences": (
        "licence,owner,seats,state",
        lambda n: f"L{n:03d},Hill {n % 9},{1 + n % 9},{('active', 'inactive')[n % 3 == 0]}",
    ),
    "поля": (
        "Поле,Культура,Врожай",
        lambda n: f"Балка {n % 6},{('пшениця', 'соняшник')[n % 2]},{40 + n * 7 % 30}",
    ),
}

OFFERED: Final = [
    ("prescriptions", "revenue per month by birth date of patients"),
    ("members", "How many members expire this year?"),
    ("members", "How many members are over 60?"),
    ("swim", "How many swimmers are over 12?"),
    ("swim", "How many girls?"),
    ("swim", "boys per event"),
    ("incidents", "How many incidents were resolved within 4 hours?"),
    ("calls", "How many calls were cancelled?"),
    ("calls", "How many calls were billed?"),
    ("viewings", "How many visitors were not interested?"),
    ("viewings", "Which agent got the most offers?"),
    ("fuel", "Which vehicle has the highest odometer?"),
    ("stocks", "how many stocks?"),
    ("stocks", "daily return"),
    ("stocks", "first close of each month"),
    ("survey", "respondents per gender"),
    ("survey", "men vs women service"),
    ("survey", "percentage that would recommend"),
    ("survey", "how many comments?"),
    ("survey", "score by gender"),
    ("subscriptions", "mrr per plan"),
    ("subscriptions", "how many customers did we have on 2023-05-11?"),
    ("subscriptions", "annual revenue"),
    ("stock_moves", "units sold per product"),
    ("sessions", "how many visitors?"),
    ("sessions", "revenue per visitor"),
    ("задачі", "Хто виконав найбільше задач?"),
    ("задачі", "Скільки задач виконав Роман?"),
    ("курсы", "Сколько студенток?"),
    ("курсы", "Сколько студентов вернулось?"),
    ("курсы", "Сколько оплаченных записей?"),
    ("звонки", "Сколько клиентов звонили в марте?"),
    ("rent_payments", "how many payments has each tenant missed"),
    ("rent_payments", "how many payments has Anna 3 missed"),
    ("donors", "average gift"),
    ("donors", "total donated"),
    ("donors", "donors who gave twice"),
    ("parcels", "insured parcels"),
    ("lab_loans", "which department borrows most"),
    ("bakery", "cheapest order"),
    ("cars", "how many cars are in stock"),
    ("classes", "first class on Monday"),
    ("кадры", "В каком отделе чаще всего увольняются?"),
    ("салон", "Сколько новых клиентов?"),
    ("звонки", "У какого оператора больше всего клиентов?"),
]
CERTAIN: Final = [
    ("prescriptions", "how many prescriptions per month?"),
    ("members", "How many members joined in 2024?"),
    ("calls", "calls by topic"),
    ("viewings", "viewings per agent"),
    ("fuel", "total litres by vehicle"),
    ("stocks", "average close per ticker"),
    ("subscriptions", "subscriptions by plan"),
    ("sessions", "revenue by visitor type"),
    ("задачі", "Скільки задач у Романа?"),
    ("курсы", "Сколько студентов?"),
    ("смета", "сумма факта по подрядчикам"),
    ("поля", "середній врожай по полях"),
    ("donors", "donors by town"),
    ("licences", "how many licences are not active"),
    ("classes", "first 3 rows"),
    ("bakery", "total revenue by customer"),
    ("cars", "how many cars by make"),
    ("кадры", "Сколько сотрудников приняли в 2021 году?"),
]


def ask(asker: Asker, folder: Path, table: str, question: str) -> tuple[bool, str]:
    header, row = TABLES[table]
    path = table_of(folder, table, header, [row(n) for n in range(60)])
    found = asker.interpreter(path).read(question)
    return found.certain, repr(found.candidates[0].intent) if found.candidates else ""


@pytest.mark.parametrize("table, question", OFFERED)
def test_what_may_be_of_something_else_is_offered(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    assert not ask(asker, tmp_path, table, question)[0]


@pytest.mark.parametrize("table, question", CERTAIN)
def test_what_is_plain_is_certain(asker: Asker, tmp_path: Path, table: str, question: str) -> None:
    assert ask(asker, tmp_path, table, question)[0]


@pytest.mark.parametrize(
    "table, question, said",
    [
        ("prescriptions", "revenue per month", "prescribed"),
        ("members", "members per year", "joined"),
        ("библиотека", "Коли Оля 1 повернула останню книгу?", "Дата повернення"),
        ("rent_payments", "how many payments in May", "paid_date"),
        ("рахунки", "Скільки рахунків оплатили в червні?", "дата оплати"),
    ],
)
def test_rows_are_dated_by_what_happened(
    asker: Asker, tmp_path: Path, table: str, question: str, said: str
) -> None:
    best = ask(asker, tmp_path, table, question)[1]

    assert said in best
    assert "birth_date" not in best
    assert "Термін" not in best


@pytest.mark.parametrize(
    "table, question", [("смета", "На сколько факт больше плана?"), ("поля", "Урожайність по полях")]
)
def test_what_nobody_asked_for_is_not_composed(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    certain, best = ask(asker, tmp_path, table, question)

    assert not certain
    assert "schema" not in best
    assert "other='План'" not in best or "'difference'" in best or "function='count'" not in best


@pytest.mark.parametrize(
    "question, certain",
    [
        ("when was the last order delivered", False),
        ("when was order 7003 delivered", False),
        ("which order was delivered last", True),
    ],
)
def test_when_it_was_done_is_the_date_of_that(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"{7000 + n},{day(n)},a{n % 9}@mail.com,{day(n + 1) if n % 4 else ''},{day(n + 2) if n % 3 else ''}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "orders", "order_no,created_at,customer_email,shipped_at,delivered_at", rows)
    found = asker.interpreter(path).read(question)
    best = found.candidates[0].intent

    told = (*(one.column for one in best.measures), *(one.column for one in best.orders))

    assert {*best.columns, *told} == {"delivered_at"}
    assert found.certain or not certain


@pytest.mark.parametrize(
    "question",
    [
        "how many orders were there",
        "orders per month",
        "orders per customer",
        "customers with more than 2 orders",
        "percentage of orders from Spain",
        "number of orders in March",
    ],
)
def test_lines_of_an_order_are_counted_once(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"SO-{1000 + n // 3},{day(n // 3)},Hill {n // 3 % 4},{('UK', 'Spain')[n // 3 % 2]},Lamp {n % 7},{1 + n % 4},{5 + n % 9}.5"
        for n in range(60)
    ]
    path = table_of(
        tmp_path, "order_lines", "order_id,order_date,customer,country,product,quantity,unit_price", rows
    )
    found = asker.interpreter(path).read(question)
    measures = [
        *found.candidates[0].intent.measures,
        *(one.measure for one in found.candidates[0].intent.having),
    ]

    assert found.certain
    assert {(one.function, one.column) for one in measures} == {("count_distinct", "order_id")}


@pytest.mark.parametrize(
    "question, row", [("first yoga class", "Yoga 1"), ("last class on Friday", "Yoga 7")]
)
def test_the_first_of_some_rows_is_one_of_them(asker: Asker, tmp_path: Path, question: str, row: str) -> None:
    kinds, days = ("Boxing", "Yoga", "Zumba"), ("Monday", "Friday")
    rows = [f"{kinds[n % 3]},{days[n % 2]},{7 + n}:30,{kinds[n % 3]} {n}" for n in range(8)]
    path = table_of(tmp_path, "gym_classes", "class,day,start_time,label", rows)
    best = asker.interpreter(path).read(question).candidates[0].intent
    (first,) = asker.answer(path, asker.call(path, best)).rows

    assert first[-1] == row


@pytest.mark.parametrize(
    "question, certain",
    [
        ("how many orders without a lamp", False),
        ("how many orders were not returned", False),
        ("how many orders were returned", False),
        ("how many orders have a quantity above 3", False),
        ("percentage of orders that were returned", False),
        ("how many orders are pending", True),
        ("how many orders from Spain", True),
    ],
)
def test_what_holds_of_one_line_may_not_hold_of_the_order(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    goods = ("Lamp", "Desk", "Chair", "Rug")
    rows = [
        f"SO-{1000 + n // 3},{day(n // 3)},{('UK', 'Spain')[n // 3 % 2]},{goods[n * 7 // 3 % 4]},{1 + n * 5 % 7},{('yes', 'no')[n % 2]},"
        f"{('shipped', 'pending')[n // 6 % 2]}"
        for n in range(60)
    ]
    path = table_of(
        tmp_path, "order_lines", "order_id,order_date,country,product,quantity,returned,status", rows
    )

    assert asker.interpreter(path).read(question).certain == certain
