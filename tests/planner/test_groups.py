"""Groups, things and people that a question does not name, and what is denied of them, are offered; plain ones are answered."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeAlias

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.planner.asking import Asker

Row: TypeAlias = "Callable[[int], str]"


def day(n: int) -> str:
    return f"2024-0{1 + n % 6}-{1 + n * 7 % 27:02d}"


TABLES: Final[dict[str, tuple[str, Row]]] = {
    "results": (
        "Matchday,Date,Team,Opponent,Goals,Result",
        lambda n: (
            f"{1 + n // 6},{day(n // 6)},{('Bears', 'Lions', 'Blues')[n % 3]},{('Reds', 'Whites')[n % 2]},{n % 5},"
            f"{('win', 'loss', 'draw')[n % 3]}"
        ),
    ),
    "оренда": (
        "адреса,кімнат,орендар,орендна плата,дата оплати",
        lambda n: f"вул. Франка {n % 7},{1 + n % 3},Коваленко {n % 7},{9000 + n % 7 * 1000},{day(n)}",
    ),
    "prices": (
        "date,open,close,volume,change_pct",
        lambda n: (
            f"2024-0{1 + n // 20}-{1 + n % 20:02d},{100 + n}.5,{101 + n}.25,{25000 + n * 37},{n % 7 - 3}.3"
        ),
    ),
    "склад": (
        "№,Дата,Товар,Операция,Количество",
        lambda n: (
            f"{n + 1},{day(n)},{('краска', 'плитка', 'клей')[n % 3]},{('приход', 'расход')[n % 2]},{1 + n}"
        ),
    ),
    "ads_daily": (
        "date,campaign,platform,impressions,clicks,spend,conversions,revenue",
        lambda n: (
            f"{day(n // 3)},{('Brand', 'Summer', 'Retarget')[n % 3]},Meta,{9000 + n * 31 % 977},{90 + n * 7 % 50},"
            f"{50 + n}.5,{6 + n * 5 % 17},{200 + n * 11 % 90}.91"
        ),
    ),
    "ledger": (
        "entry_no,posting_date,account,description,debit,credit",
        lambda n: (
            f"JE{100 + n // 2},{day(n // 2)},{('1200', '1000')[n % 2]},{('Invoice', 'Correction', 'Rent')[n // 2 % 3]},"
            f"{n + 5.5 if n % 2 else ''},{'' if n % 2 else n + 6.5}"
        ),
    ),
    "внески": (
        "благодійник,тип,сума,дата",
        lambda n: (
            f"{('Остап Вовк', 'Фонд Надія', 'Лідія Кучер')[n % 3]},"
            f"{('фізична особа', 'компанія')[n % 3 == 1]},{200 + n * 10},2024-0{1 + n // 20}-{1 + n % 20:02d}"
        ),
    ),
    "бібліотека": (
        "Книга,Автор,Читач,Дата видачі,Штраф",
        lambda n: f"Книга {n},Автор {n % 8},Ніна {n % 9},{day(n)},{n % 4 * 5}",
    ),
    "donors": (
        "donor,email,town,first_gift,last_gift,gifts,total_given",
        lambda n: (
            f"Ann Lee{n},a{n}@mail.com,{('Leeds', 'York')[n % 2]},202{n % 3 + 1}-03-1{n % 9},2024-05-0{1 + n % 9},"
            f"{1 + n},{100 + n * 10}"
        ),
    ),
    "прокат": (
        "договір,авто,клієнт,дата видачі,планове повернення,фактичне повернення,днів,вартість,застава,застава повернута",
        lambda n: (
            f"{n + 1},{('Toyota Camry', 'Renault Logan')[n % 2]},Чайка {n % 9},{day(n)},{day(n + 1)},"
            f"{day(n + 1) if n % 4 else ''},{4 + n % 9},{9000 + n % 7 * 100},{3000 + n % 3 * 1000},{('так', 'ні')[n % 2]}"
        ),
    ),
    "invoices": (
        "invoice,client,amount,issued,due,paid",
        lambda n: (
            f"INV-{n},Zeta {n % 5},{900 + n * 10},2024-0{1 + n % 8}-0{1 + n % 9},2024-0{1 + n % 8}-2{n % 9},"
            f"{f'2024-0{1 + n % 8}-1{n % 9}' if n % 5 else ''}"
        ),
    ),
    "рахунки": (
        "рахунок,замовник,сума,виставлено,оплатити до,дата оплати",
        lambda n: (
            f"INV-{n},Студія {n % 5},{900 + n * 10},{day(n)},2024-0{1 + n % 8}-2{n % 9},"
            f"{f'2024-0{1 + n % 8}-1{n % 9}' if n % 4 else ''}"
        ),
    ),
    "survey": (
        "respondent,question,score,region",
        lambda n: (
            f"{1 + n // 3},{('Service', 'Price', 'Quality')[n % 3]},{n % 7},{('North', 'South')[n // 3 % 2]}"
        ),
    ),
    "orders": (
        "order_no,created_at,customer_email,status,total",
        lambda n: f"{7000 + n},{day(n)},a{n % 9}@mail.com,{('paid', 'open')[n % 2]},{100 + n}.5",
    ),
    "visitors": (
        "date,adults,children,special exhibition,weather,shop takings",
        lambda n: (
            f"2025-0{1 + n // 20}-{1 + n % 20:02d},{40 + n * 7 % 31},{9 + n * 5 % 23},"
            f"{('Victorian Toys', 'Sea Life', '')[n // 7 % 3]},{('sunny', 'rain')[n % 2]},{60 + n * 11 % 83}.50"
        ),
    ),
    "wedding_jobs": (
        "job_no,booked_on,couple,wedding_date,venue,guests,quote_total",
        lambda n: (
            f"W{100 + n},202{2 + n % 2}-0{1 + n % 9}-17,Ann & Joe {n},202{3 + n % 2}-0{1 + n % 9}-15,"
            f"{('Lodge', 'Mill', 'Barn')[n % 3]},{30 + n * 7 % 97},{900 + n * 113 % 4000}"
        ),
    ),
    "Shoots": (
        "Shoot Date,Client,Type of Shoot,Location,Hours,Fee (USD),Paid?",
        lambda n: (
            f"{day(n)},Client {n % 11},{('Portrait', 'Wedding')[n % 2]},{('Studio', 'Beach', 'Park')[n % 3]},"
            f"{1 + n % 6}.5,{200 + n * 37 % 900},{('yes', 'no')[n % 4 == 0]}"
        ),
    ),
    "квітникарня": (
        "дата,квіти,тип,к-сть,сума",
        lambda n: (
            f"{day(n)},{('Троянди', 'Тюльпани', 'Гортензія', 'Півонії')[n % 4]},{('букет', 'поштучно')[n % 2]},"
            f"{1 + n * 5 % 17},{200 + n * 31 % 900}"
        ),
    ),
    "Поставки": (
        "Дата поставки,Поставщик,Продукт,Сумма",
        lambda n: f"{day(n)},Фермер {['Лыков', 'Бут', 'Сом'][n % 3]},Гречка {n % 5},{500 + n * 41 % 900}",
    ),
    "ремонты": (
        "№ заявки,Адрес дома,Поступила,Стоимость ремонта",
        lambda n: f"{250 + n},ул. Чехова {n % 6},{day(n)},{900 + n * 71 % 3000}",
    ),
}

OFFERED: Final = [
    ("results", "average goals per match"),
    ("оренда", "Середня орендна плата за кімнату"),
    ("prices", "cumulative return"),
    ("prices", "how many up days?"),
    ("склад", "Сколько операций?"),
    ("ads_daily", "orders per campaign"),
    ("ledger", "how many corrections were there?"),
    ("внески", "Скільки компаній?"),
    ("бібліотека", "Хто винен найбільше?"),
    ("donors", "total given in 2023"),
    ("прокат", "Скільки застав не повернули?"),
    ("прокат", "Скільки коштує Toyota Camry на день?"),
    ("invoices", "not paid within 30 days"),
    ("рахунки", "Скільки рахунків оплатили до червня?"),
    ("survey", "responses per region"),
    ("orders", "first time customers"),
    ("visitors", "Which special exhibition brought in the most people?"),
    ("wedding_jobs", "Top 5 weddings by guest count in 2023"),
    ("Shoots", "Which shoots at the studio paid over $500?"),
    ("квітникарня", "Які три види квітів принесли найбільше грошей?"),
]
CERTAIN: Final = [
    ("results", "average goals by team"),
    ("results", "goals per team"),
    ("оренда", "середня орендна плата за адресою"),
    ("prices", "how many days"),
    ("склад", "количество по операциям"),
    ("ads_daily", "clicks per campaign"),
    ("внески", "сума за типами"),
    ("бібліотека", "сума штрафу за читачами"),
    ("donors", "total given by town"),
    ("прокат", "вартість за авто"),
    ("invoices", "invoices not paid"),
    ("survey", "average score per region"),
    ("orders", "orders per status"),
    ("visitors", "total shop takings by weather"),
    ("wedding_jobs", "top 5 weddings by guests"),
    ("Shoots", "which shoots at the studio are paid"),
    ("квітникарня", "сума за типами"),
    ("Поставки", "сумма поставок по месяцам"),
    ("ремонты", "Затраты на ремонт по адресам, от большего к меньшему"),
]


def is_certain(asker: Asker, folder: Path, table: str, question: str) -> bool:
    header, row = TABLES[table]
    path = table_of(folder, table, header, [row(n) for n in range(60)])
    return asker.interpreter(path).read(question).certain


@pytest.mark.parametrize("table, question", OFFERED)
def test_what_is_not_named_is_offered(asker: Asker, tmp_path: Path, table: str, question: str) -> None:
    assert not is_certain(asker, tmp_path, table, question)


@pytest.mark.parametrize("table, question", CERTAIN)
def test_what_is_plain_is_certain(asker: Asker, tmp_path: Path, table: str, question: str) -> None:
    assert is_certain(asker, tmp_path, table, question)
