"""A reading that says less than the question is offered, never answered; one that says all of it is not doubted."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from tabchat.planner.choice.doubts import bounds, losses
from tabchat.planner.choice.doubts.register import DOUBTS
from tabchat.planner.intent import Condition, Having, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.readings.mismatches import takes_one_for_each
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.interpretation import Interpreter
    from tests.planner.asking import Asker

COUNT = Intent(output=Output.VALUE, measures=(Measure(),))
BY_HOST = Intent(
    output=Output.GROUPS,
    measures=(Measure(function="sum", column="viewers"),),
    keys=(Key(column="host"),),
    orders=(Order(),),
)
LONG = Condition(column="waiting", operator=Operator.GT, values=(5,))
LOSSES = (takes_one_for_each, *(tells for tells in DOUBTS if tells.__module__ == losses.__name__))
BOUNDS = tuple(tells for tells in DOUBTS if tells.__module__ == bounds.__name__)
DELIVERED = Condition(column="status", operator=Operator.EQ, values=("delivered",))


@pytest.fixture(scope="module")
def reader(asker: Asker, tmp_path_factory: pytest.TempPathFactory) -> Interpreter:
    file: Path = tmp_path_factory.mktemp("losses") / "evenings.csv"
    states = ("delivered", "cancelled", "granted")
    rows = [
        f"E{n},{('Ann Lee', 'Bo Kim', 'Cy Orr', 'Di Fox', 'Ed Poe')[n % 5]},{n * 7},{n % 9},{states[n % 3]},{n * 2},{n % 4}"
        for n in range(1, 40)
    ]
    header = "evening,host,viewers,waiting,status,renewals,granted"
    file.write_text("\n".join([header, *rows]), encoding="utf-8")
    return asker.interpreter(file)


@pytest.mark.parametrize(
    "question, less, whole",
    [
        ("3 hosts by viewers", BY_HOST, replace(BY_HOST, limit=3)),
        (
            "hosts with more viewers than 100",
            replace(BY_HOST, orders=()),
            replace(
                BY_HOST, having=(Having(measure=BY_HOST.measures[0], operator=Operator.GT, values=(100,)),)
            ),
        ),
        (
            "how many evenings that were renewed",
            COUNT,
            replace(COUNT, measures=(Measure(function="sum", column="renewals"),)),
        ),
        (
            "how many delivery evenings",
            COUNT,
            replace(COUNT, clauses=(replace(DELIVERED, operator=Operator.NE),)),
        ),
        (
            "the host with the most viewers for each status",
            replace(BY_HOST, keys=(Key(column="status"), Key(column="host")), limit=1),
            replace(
                BY_HOST,
                keys=(Key(column="status"), Key(column="host")),
                limit=1,
                limit_keys=(Key(column="status"),),
            ),
        ),
        (
            "when and which host had the most viewers",
            replace(BY_HOST, limit=1),
            Intent(output=Output.ROWS, orders=(Order(column="viewers"),), limit=1),
        ),
    ],
)
def test_a_reading_that_says_less_than_the_question_is_doubtful(
    reader: Interpreter, question: str, less: Intent, whole: Intent
) -> None:
    lattice = reader.lattice(question)

    assert any(doubt(lattice, less) for doubt in LOSSES)
    assert not any(doubt(lattice, whole) for doubt in LOSSES)


def test_minutes_are_not_compared_with_what_nothing_says_to_be_minutes(reader: Interpreter) -> None:
    long = replace(COUNT, clauses=(LONG,))

    assert any(doubt(reader.lattice("evenings waiting more than 5 minutes"), long) for doubt in BOUNDS)
    assert not any(doubt(reader.lattice("evenings waiting more than 5"), long) for doubt in BOUNDS)


@pytest.mark.parametrize("measured", ["5 km", "5 kg", "an hour", "5 minutes", "5 euros"])
def test_a_number_in_a_unit_is_not_compared_with_what_is_in_another(
    asker: Asker, tmp_path: Path, measured: str
) -> None:
    file = tmp_path / "rides.csv"
    rows = [f"R{n},{n % 7}.5,{n}" for n in range(30)]
    file.write_text("\n".join(["ride,fare_usd,distance_m", *rows]), encoding="utf-8")
    lattice = asker.interpreter(file).lattice(f"how many rides over {measured}")
    value = 1 if measured == "an hour" else 5
    fare = Condition(column="fare_usd", operator=Operator.GT, values=(value,))

    assert any(doubt(lattice, replace(COUNT, clauses=(fare,))) for doubt in BOUNDS)


def test_a_cell_that_a_header_is_called_like_may_be_the_column(reader: Interpreter) -> None:
    granted = Condition(column="status", operator=Operator.EQ, values=("granted",))
    lattice = reader.lattice("granted by host")

    assert any(doubt(lattice, replace(COUNT, clauses=(granted,))) for doubt in LOSSES)
    total = replace(BY_HOST, measures=(Measure(function="sum", column="granted"),), orders=())
    assert not any(doubt(lattice, total) for doubt in LOSSES)


def test_a_word_that_several_cells_have_names_none_of_them(asker: Asker, tmp_path: Path) -> None:
    openings = ("Spanish game", "Scotch game", "Sicilian defence")
    rows = [f"G{n},{openings[n % 3]},{20 + n}" for n in range(30)]
    file = tmp_path / "matches.csv"
    file.write_text("\n".join(["match,opening,minutes", *rows]), encoding="utf-8")
    spanish = Condition(column="opening", operator=Operator.EQ, values=("Spanish game",))
    mean = Intent(
        output=Output.VALUE, measures=(Measure(function="mean", column="minutes"),), clauses=(spanish,)
    )

    for question, doubtful in (
        ("average minutes of a game", True),
        ("average minutes of a Spanish game", False),
    ):
        lattice = asker.interpreter(file).lattice(question)
        assert any(doubt(lattice, mean) for doubt in LOSSES) == doubtful


PURCHASES = (
    "purchases",
    "Дата,Товар,Сумма,НДС,Скидка,Сумма со скидкой",
    [f"2024-02-{n:02},Стол {n},{600 + n},{100 + n},{n % 2 * 50},{600 + n - n % 2 * 50}" for n in range(1, 9)],
)
DUES = ("dues", "day,product,amount,vat", [f"2024-02-{n:02},T{n},{600 + n},{100 + n}" for n in range(1, 9)])
PAY = ("pay", "Сотрудник,Оклад", ["Иванов,100000", "Петров,98500", "Сидоров,101000", "Орлова,50000"])
STAYS = ("stays", "guest,room,price", ["Ann,A,98.5", "Bob,B,100", "Cid,C,101", "Dan,D,250"])
HOURS = ("hours", "Сотрудник,Отработано", ["Иванов,8:05", "Петров,7:45", "Орлова,8:05"])
SLOTS = ("slots", "guest,slot", ["Ann,1h 30m", "Bob,45m", "Cid,2h"])
REPLIES = ("replies", '"Оператор","Время ответа, мин"', ["Петр,10", "Петр,20", "Ксения,7"])
ACCOUNT = ("account", '"Дата","Залишок, грн"', [f"2024-01-{n * 3:02},{50 - n * 10}" for n in range(1, 9)])
DEALS = (
    "deals",
    "Регион,Дата,Сумма",
    [f"{'Москва' if n % 3 else 'Тверь'},2024-01-0{n},{n}0" for n in range(1, 9)],
)
MARKS = (
    "marks",
    "Ученик,Оценка,Дата",
    ["И,5,2024-03-05", "П,4,2024-04-06", "И,3,2024-04-08", "П,4,2024-05-06"],
)


@pytest.mark.parametrize(
    "table, question, certain",
    [
        (PURCHASES, "сумма с ндс", False),
        (PURCHASES, "сума з пдв", False),
        (PURCHASES, "итого с ндс", False),
        (PURCHASES, "сумма без скидки", False),
        (PURCHASES, "сумма со скидкой", True),
        (PURCHASES, "сколько товаров без скидки", True),
        (DUES, "total with tax", False),
        (DUES, "total tax", True),
        (PAY, "у кого оклад около 100 тыс", False),
        (PAY, "у кого оклад почти 100000", False),
        (PAY, "у кого оклад 100000", True),
        (PAY, "у кого оклад больше 100000", True),
        (STAYS, "stays with price around 100", False),
        (STAYS, "stays with price of roughly 100", False),
        (STAYS, "stays with price above 100", True),
        (HOURS, "сколько отработано", False),
        (REPLIES, "сравни петра и ксению по времени ответа", False),
        (REPLIES, "общее время ответа петра", True),
        (SLOTS, "max slot", False),
        (SLOTS, "max guest", True),
        (ACCOUNT, "скільки днів залишок був від'ємний", False),
        (DEALS, "средняя сумма в день", False),
        (DEALS, "средняя сумма по регионам", True),
        (DEALS, "процент продаж Москвы", False),
        (MARKS, "средняя оценка за март и апрель", False),
        (MARKS, "сравни среднюю оценку за март и апрель", True),
    ],
)
def test_a_figure_that_may_be_another_one_is_offered(
    asker: Asker, tmp_path: Path, table: tuple[str, str, list[str]], question: str, certain: bool
) -> None:
    assert asker.interpreter(table_of(tmp_path, *table)).read(question).certain == certain


@pytest.mark.parametrize("question", ["время ответа петра", "час відповіді петра"])
def test_the_time_of_a_reply_is_a_mean(asker: Asker, tmp_path: Path, question: str) -> None:
    best = asker.interpreter(table_of(tmp_path, *REPLIES)).read(question).candidates[0].intent

    assert [measure.function for measure in best.measures] == ["mean"]
