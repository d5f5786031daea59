"""What Ukrainian and Russian say in one word, or without a preposition, is read for what it is."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Measure, Operator, Order, Output, single_conditions
from tests.planner.declined import DOMAINS
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.intent import Intent
    from tabchat.planner.interpretation import Interpretation
    from tests.planner.asking import Asker


def read(asker: Asker, folder: Path, name: str, question: str) -> Interpretation:
    domain = DOMAINS[name]
    return asker.interpreter(table_of(folder, name, domain.header, domain.rows())).read(question)


def certain(asker: Asker, folder: Path, name: str, question: str) -> Intent:
    found = read(asker, folder, name, question)
    assert found.certain, found.candidates[:2]
    return found.candidates[0].intent


@pytest.mark.parametrize(
    "name, question, column",
    [
        ("замовлення", "замовлення за спаданням суми", "сума"),
        ("заказы", "заказы по убыванию суммы", "сумма"),
        ("поездки", "поездки в порядке убывания пробега", "пробег"),
    ],
)
def test_a_direction_names_what_is_ordered_by(
    asker: Asker, tmp_path: Path, name: str, question: str, column: str
) -> None:
    best = read(asker, tmp_path, name, question).candidates[0].intent

    assert (best.output, best.orders) == (Output.ROWS, (Order(column=column, descending=True),))


@pytest.mark.parametrize(
    "name, question, column, offset",
    [
        ("замовлення", "друга за величиною сума", "сума", 1),
        ("замовлення", "третя за розміром сума у Львові", "сума", 2),
        ("поездки", "второй по величине пробег", "пробег", 1),
    ],
)
def test_the_second_in_size_is_the_second_largest(
    asker: Asker, tmp_path: Path, name: str, question: str, column: str, offset: int
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert intent.orders == (Order(column=column, descending=True),)
    assert (intent.limit, intent.offset) == (1, offset)


@pytest.mark.parametrize(
    "name, question, measure",
    [
        (
            "замовлення",
            "скільки різних днів були замовлення",
            Measure(function="count_distinct", column="дата"),
        ),
        ("поездки", "в сколько разных дней были поездки", Measure(function="count_distinct", column="выезд")),
        ("замовлення", "стандартне відхилення суми", Measure(function="std", column="сума")),
        ("поездки", "стандартное отклонение пробега", Measure(function="std", column="пробег")),
        ("заказы", "90-й перцентиль суммы", Measure(function="percentile", column="сумма", parameter=0.9)),
        ("замовлення", "кількість унікальних товарів", Measure(function="count_distinct", column="товар")),
        ("замовлення", "скільки оплачених замовлень", Measure()),
        ("flights", "скільки затриманих рейсів", Measure()),
        ("заказы", "город с наибольшим количеством заказов", Measure()),
        (
            "ремонти",
            "з терміном не менше 2 у квітні 2024, де більше ремонтів: у Північній чи у Портовій",
            Measure(),
        ),
    ],
)
def test_a_figure_is_the_one_that_is_named(
    asker: Asker, tmp_path: Path, name: str, question: str, measure: Measure
) -> None:
    assert certain(asker, tmp_path, name, question).measures == (measure,)


@pytest.mark.parametrize(
    "name, question, column",
    [
        ("замовлення", "середня кількість замовлень на місто", "місто"),
        ("заказы", "с количеством не менее 2, среднее количество заказов на город", "город"),
        ("поездки", "сколько в среднем поездок на станцию", "станция"),
    ],
)
def test_how_many_rows_there_are_is_no_mean_of_a_column(
    asker: Asker, tmp_path: Path, name: str, question: str, column: str
) -> None:
    found = read(asker, tmp_path, name, question)

    assert found.candidates[0].intent.measures == (Measure(per=column),)


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "у яких містах середня сума менша за 32"),
        ("поездки", "станции со средним пробегом ниже 32"),
    ],
)
def test_what_a_mean_is_below_is_no_group(asker: Asker, tmp_path: Path, name: str, question: str) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert intent.clauses == ()
    assert [one.operator for one in intent.having] == [Operator.LT]


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "топ 3 міста за загальною сумою для чаю або кави"),
        ("заказы", "заказ с наибольшей суммой для чая или кофе"),
        ("flights", "яка найбільша відстань для KLM або Lufthansa"),
        ("поездки", "какой общий пробег на Заречной для Иванова или Петрова"),
        ("заказы", "в марте 2024, общая сумма для чая или кофе"),
        ("візити", "яка загальна вартість у Хірургії для Бондаря або Мельника"),
    ],
)
def test_two_that_are_named_are_not_told_one_against_the_other(
    asker: Asker, tmp_path: Path, name: str, question: str
) -> None:
    found = read(asker, tmp_path, name, question)

    assert not (found.certain and found.candidates[0].intent.output is Output.COMPARISON)
    assert all(one.intent.comparison != "which" for one in found.candidates)


@pytest.mark.parametrize(
    "question",
    [
        "яка авіакомпанія має найбільшу відстань, KLM чи Lufthansa",
        "яка з KLM чи Lufthansa має найбільшу відстань",
        "де більше рейсів: в Heathrow чи в Schiphol",
    ],
)
def test_which_of_two_is_asked_for(asker: Asker, tmp_path: Path, question: str) -> None:
    assert certain(asker, tmp_path, "flights", question).comparison == "which"


@pytest.mark.parametrize(
    "name, question, part",
    [
        ("замовлення", "з кількістю понад 3, частка Києва в загальній сумі", "місто"),
        ("repairs", "процент ремонтов без замечания", "remark"),
    ],
)
def test_a_share_is_that_of_what_stands_behind_it(
    asker: Asker, tmp_path: Path, name: str, question: str, part: str
) -> None:
    (measure,) = certain(asker, tmp_path, name, question).measures

    assert [one.column for one in measure.part if isinstance(one, Condition)] == [part]


@pytest.mark.parametrize(
    "question",
    [
        "яка частка замовлень у Києві з кількістю понад 3",
        "який відсоток замовлень припадає на Київ з кількістю не менше 2 у квітні 2024",
        "відсоток замовлень без примітки де сума не менше 20",
        "яку частку загальної суми дає Київ де сума не менше 20",
    ],
)
def test_a_share_of_two_conditions_is_offered_by_either(asker: Asker, tmp_path: Path, question: str) -> None:
    found = read(asker, tmp_path, "замовлення", question)
    measures = [measure for candidate in found.candidates[:2] for measure in candidate.intent.measures]
    parts = {one.column for measure in measures for one in single_conditions(measure.part)}

    assert not found.certain
    assert len(parts) > 1


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "найменша і найбільша сума у розрізі міст"),
        ("заказы", "наименьшая и наибольшая сумма в разрезе городов"),
    ],
)
def test_both_ends_are_two_figures(asker: Asker, tmp_path: Path, name: str, question: str) -> None:
    best = read(asker, tmp_path, name, question).candidates[0].intent

    assert [one.function for one in best.measures] == ["min", "max"]
    assert best.limit is None


@pytest.mark.parametrize(
    "question",
    ["замовлення за спаданням суми для чаю або кави", "у Києві з березня 2024, замовлення за спаданням суми"],
)
def test_what_is_ordered_is_not_added_up(asker: Asker, tmp_path: Path, question: str) -> None:
    found = read(asker, tmp_path, "замовлення", question)

    assert found.candidates[0].intent.orders == (Order(column="сума", descending=True),)
    assert all(one.intent.output not in {Output.VALUE, Output.COMPARISON} for one in found.candidates)


def test_a_share_of_a_kind_is_that_of_some_of_them(asker: Asker, tmp_path: Path) -> None:
    found = read(asker, tmp_path, "ремонти", "який відсоток телефонів дорожчий за 30")
    (measure,) = found.candidates[0].intent.measures

    assert [one.column for one in single_conditions(measure.part)] == ["рахунок"]


@pytest.mark.parametrize(
    "header, cell, question",
    [
        ("дата,тренер,зал,години", "Малий", "скільки годин працював Великий"),
        ("дата,тренер,зал,години", "Малий", "скільки годин провів Великий"),
        ("дата,тренер,зал,часы", "Малый", "сколько часов проводил Великий"),
        ("дата,тренер,зал,часы", "Малый", "сколько часов работала Великий"),
    ],
)
def test_verbs_that_restrict_nothing_are_known_in_their_past(
    asker: Asker, tmp_path: Path, header: str, cell: str, question: str
) -> None:
    rows = [
        f"2024-01-{n + 1:02d},{(cell, 'Великий')[n % 2]},{('А', 'Б')[n % 3 > 0]},{n % 4 + 1}"
        for n in range(12)
    ]
    path = tmp_path / "заняття.csv"
    path.write_text("\n".join([header, *rows]), encoding="utf-8")
    found = asker.interpreter(path).read(question)
    assert found.unknown == ()
    assert [one.function for one in found.offered[0].intent.measures] == ["sum"]
