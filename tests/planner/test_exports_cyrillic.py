"""Tables as Ukrainian and Russian programs export them, with what stands in them otherwise than in English ones."""

import csv
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import date, timedelta

import pytest

from tabchat.planner.intent import Condition, Intent, Measure, Operator, Output
from tests.planner.asking import Asker

_FIRST = date(2026, 1, 5)


def _day(place: int) -> str:
    return f"{_FIRST + timedelta(days=3 * place):%d.%m.%Y}"


def _rows(header: str, *columns: list[object]) -> list[list[object]]:
    """Return rows of a header, each column going through its own cells again and again."""
    several = [[cells[place % len(cells)] for cells in columns] for place in range(60)]
    return [[*header.split(";")], *several]


_DAYS: list[object] = [_day(place) for place in range(60)]
_NUMBERS: list[object] = [*range(1, 61)]
_TABLES = {
    "посилки": _rows(
        "Номер ТТН;Дата створення;Одержувач;Статус;Вартість доставки, грн;Дата отримання",
        [f"2045{place:04}" for place in range(60)],
        _DAYS,
        ["Бойко Н.М.", "Петрук С.В.", "Мельник І.І."],
        ["Отримано", "В дорозі", "Отримано", "Відмова від отримання", "Очікує"],
        [70, 95, 120, 160],
        [_day(4), "", _day(9), "", ""],
    ),
    "закупівлі": _rows(
        "Предмет закупівлі;Замовник;Кількість учасників;Сума договору;ПДВ;Статус",
        ["Папір", "Паливо", "Ремонт"],
        ["Міська рада", "Школа №12"],
        [1, 2, 3, 4],
        [90000, 120000, 300000, 1200000],
        [15000, 20000, 50000, 200000],
        ["Завершена", "Не відбулася", "Завершена", "Скасована", "Завершена"],
    ),
    "склад": _rows(
        "Артикул;Найменування;Залишок;Мін. залишок;Ціна, грн;Постачальник",
        [f"A-{place}" for place in range(60)],
        [f"Кабель {place}" for place in range(60)],
        [3, 40, 12, 9, 55],
        [10, 20],
        [12, 48, 230, 900],
        ["ТОВ Кабель", "Епіцентр", "ФОП Коваль"],
    ),
    "приёмы": _rows(
        "Дата приёма;Пациент;Врач;Статус;Стоимость",
        _DAYS,
        [f"Орлова {place}" for place in range(37)],
        ["Громов", "Соколова"],
        ["состоялся", "неявка", "состоялся", "отменён", "состоялся"],
        [0, 1500, 2300],
    ),
    "прийоми": _rows(
        "Дата;Лікар;Явка", _DAYS, ["Коваль", "Гнатюк"], ["прийшов", "не з’явився", "перенесено"]
    ),
    "вакансии": _rows(
        "Вакансия;Город;Зарплата от;Зарплата до;Опыт;Откликов",
        ["Аналитик", "Бухгалтер", "Менеджер"],
        ["Москва", "Казань"],
        [80000, 120000, 90000, "", 150000],
        [120000, "", 150000, 90000],
        ["Нет опыта", "1–3 года", "3–6 лет"],
        _NUMBERS,
    ),
    "заявки": _rows(
        "Номер;Создана;Категория;Исполнитель;Закрыта",
        [f"З-{place}" for place in range(60)],
        _DAYS,
        ["Протечка", "Лифт", "Уборка"],
        ["Ильин", "Юдин", "Хасанов"],
        [_day(61), _day(62), "", _day(63)],
    ),
    "реализация": _rows(
        "Номер;Дата;Контрагент;Номенклатура;Количество;Сумма;НДС",
        [f"УТ-{place // 3}" for place in range(60)],
        [_day(place // 3) for place in range(60)],
        ["ООО Вектор", "ИП Сидоров"],
        ["Краска", "Обои", "Клей"],
        [2, 5, 9, 14],
        [600, 1500, 4200, 9000],
        [100, 250, 700, 1500],
    ),
    "выписка": _rows(
        "Дата;Описание;Сумма;Остаток",
        _DAYS,
        ["Пятёрочка", "Зарплата", "Аптека", "Аренда"],
        [-350, 40000, -1200, -15000, -90],
        [5000, 45000, 43800, 28800, 28710],
    ),
    "счета": _rows(
        "Период;Сотрудник;Подразделение;Абонплата, ₽;Роуминг, ₽;Итого, ₽",
        ["Январь 2026", "Февраль 2026", "Март 2026"],
        ["Иванов М. А.", "Белов И. Н.", "Комаров Е. С.", "Юдина А. П."],
        ["Продажи", "Склад"],
        [500, 700],
        ["", 90, 310],
        [500, 790, 1010, 700],
    ),
    "анализы": _rows(
        "Проба;Температура;pH;Проезд за сутки, руб.",
        [f"п-{place}" for place in range(60)],
        [4, 9, 17],
        [6.4, 7.1, 8.2],
        [200, 310, 540],
    ),
    "убытки": _rows(
        "№ дела;Страхователь;Эксперт;Заявлено, руб.;Выплачено, руб.;Дата выплаты;Статус",
        [f"У-{place}" for place in range(60)],
        [f"Петров {place}" for place in range(40)],
        ["Тарасов К.", "Лосева О."],
        [90000, 45000, 120000],
        [70000, "", 110000],
        [_day(5), "", _day(8)],
        ["Выплачен", "На рассмотрении", "Выплачен"],
    ),
}

Read = Callable[[str, str], tuple[list[Intent], bool]]


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    folder = tmp_path_factory.mktemp("exports")
    for name, rows in _TABLES.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file, delimiter=";").writerows(rows)
    with closing(Asker(tmp_path_factory.mktemp("asked"), tables=folder)) as asker:
        yield lambda table, question: asker.offers(folder / f"{table}.csv", question)


def kept(intent: Intent) -> list[tuple[str, str, tuple[object, ...]]]:
    return [
        (one.column, one.operator.value, tuple(one.values))
        for one in intent.clauses
        if isinstance(one, Condition)
    ]


@pytest.mark.parametrize(
    "table, question, column, cell",
    [
        # A cell that is just the word, beside longer ones with a word of its root.
        ("посилки", "скільки посилок отримано", "Статус", "Отримано"),
        # What a cell denies itself is that cell, and not all others.
        ("закупівлі", "скільки закупівель не відбулося", "Статус", "Не відбулася"),
        ("приёмы", "сколько неявок", "Статус", "неявка"),
        ("прийоми", "скільки не з'явилося", "Явка", "не з’явився"),
    ],
)
def test_a_cell_is_found_by_what_it_says_whole(
    read: Read, table: str, question: str, column: str, cell: str
) -> None:
    offered, certain = read(table, question)

    assert certain
    assert (offered[0].output, offered[0].measures) == (Output.VALUE, (Measure(),))
    assert kept(offered[0]) == [(column, "eq", (cell,))]


def test_a_part_of_those_who_did_not_come_is_theirs(read: Read) -> None:
    offered, certain = read("приёмы", "процент неявок по врачам")

    assert certain
    assert [one.values for one in offered[0].measures[0].part if isinstance(one, Condition)] == [("неявка",)]


@pytest.mark.parametrize(
    "table, question, clause",
    [
        ("вакансии", "вакансии без опыта", ("Опыт", "eq", ("Нет опыта",))),
        ("посилки", "скільки ще в дорозі", ("Статус", "eq", ("В дорозі",))),
    ],
)
def test_what_a_cell_denies_or_says_comes_before_what_has_no_cell(
    read: Read, table: str, question: str, clause: tuple[str, str, tuple[object, ...]]
) -> None:
    offered, _ = read(table, question)

    assert kept(offered[0]) == [clause]


@pytest.mark.parametrize("question", ["средняя зарплата", "вакансии с зарплатой больше 100000"])
def test_neither_end_of_what_goes_from_one_to_the_other_is_the_whole(read: Read, question: str) -> None:
    offered, certain = read("вакансии", question)

    assert not certain
    used = [intent.used_columns for intent in offered[:2]]
    assert used == [{"Зарплата от"}, {"Зарплата до"}]


@pytest.mark.parametrize(
    "table, question",
    [
        # Several jobs have one title.
        ("вакансии", "вакансия с наибольшим числом откликов"),
        # A receipt has several lines.
        ("реализация", "средний чек"),
        # The biggest bill is no number of bills; whom, and not who did it; a column of what was paid beside the status.
        ("счета", "у кого самый большой счёт"),
        ("убытки", "кому выплатили больше всего"),
        ("убытки", "какую долю от заявленного мы выплатили"),
        # A table in which nothing is fast, nothing lasts, and nothing is paid at once.
        ("анализы", "самый быстрый"),
        ("анализы", "самый долгий"),
        ("анализы", "средняя длительность"),
    ],
)
def test_what_may_be_meant_otherwise_is_offered(read: Read, table: str, question: str) -> None:
    _, certain = read(table, question)

    assert not certain


def test_goods_are_no_companies(read: Read) -> None:
    offered, certain = read("склад", "товари дешевші за 50 грн")

    assert certain
    assert kept(offered[0]) == [("Ціна, грн", "lt", (50,))]


@pytest.mark.parametrize("question", ["сколько заявок открыто", "сколько открытых заявок"])
def test_what_has_no_end_is_open(read: Read, question: str) -> None:
    offered, certain = read("заявки", question)

    assert certain
    assert kept(offered[0]) == [("Закрыта", Operator.MISSING.value, ())]


def test_what_was_opened_then_is_not_only_what_is_open(read: Read) -> None:
    _, certain = read("заявки", "сколько заявок открыто в марте")

    assert not certain


def test_a_tax_beside_an_amount_is_no_turnover(read: Read) -> None:
    offered, _ = read("реализация", "продажи по контрагентам")

    assert offered[0].measures == (Measure(function="sum", column="Сумма"),)
    assert all("НДС" not in intent.used_columns for intent in offered)


def test_a_total_comes_before_its_parts(read: Read) -> None:
    offered, _ = read("счета", "расходы по подразделениям")

    assert offered[0].measures == (Measure(function="sum", column="Итого, ₽"),)


@pytest.mark.parametrize(
    "question, measure, descending",
    [
        ("сколько я потратил в марте", Measure(function="sum", column="Сумма"), None),
        ("самая большая трата", None, False),
    ],
)
def test_what_was_spent_is_below_zero_where_a_statement_goes_both_ways(
    read: Read, question: str, measure: Measure | None, descending: bool | None
) -> None:
    offered, certain = read("выписка", question)

    # A credit card is charged above zero.
    assert not certain
    assert ("Сумма", "lt", (0,)) in kept(offered[0])
    assert offered[0].measures == ((measure,) if measure else ())
    assert [one.descending for one in offered[0].orders] == ([] if descending is None else [descending])


@pytest.mark.parametrize("question", ["какая категория встречается чаще всего", "сколько незакрытых заявок"])
def test_everyday_verbs_are_known_in_their_forms(read: Read, question: str) -> None:
    _, certain = read("заявки", question)

    assert certain
