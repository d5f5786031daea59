"""Wordings of Ukrainian and Russian, each of which was once answered by something else, or only offered."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Measure, Operator, Order, Output, Period
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
    "question, first, last",
    [
        ("скільки замовлень за 2-й квартал 2024", dt.date(2024, 4, 1), dt.date(2024, 6, 30)),
        ("скільки замовлень за 2 квартал 2024", dt.date(2024, 4, 1), dt.date(2024, 6, 30)),
        ("скільки замовлень за перший квартал 2024", dt.date(2024, 1, 1), dt.date(2024, 3, 31)),
        ("скільки замовлень за 2 тиждень березня 2024", dt.date(2024, 3, 8), dt.date(2024, 3, 14)),
        ("скільки замовлень за 2 тижні березня 2024", dt.date(2024, 3, 1), dt.date(2024, 3, 14)),
        ("скільки замовлень за 21 день березня 2024", dt.date(2024, 3, 1), dt.date(2024, 3, 21)),
    ],
)
def test_a_number_before_one_unit_says_which_and_before_several_how_many(
    asker: Asker, tmp_path: Path, question: str, first: dt.date, last: dt.date
) -> None:
    (period,) = certain(asker, tmp_path, "замовлення", question).periods

    assert (period.start, period.end) == (first, last)


def test_a_number_behind_a_month_is_no_day_of_it(asker: Asker, tmp_path: Path) -> None:
    intent = certain(asker, tmp_path, "замовлення", "у березні 5 замовлень з найбільшою сумою")

    assert intent.limit == 5
    assert intent.clauses == (Condition(column="дата", operator=Operator.EQ, values=(3,), part="month"),)


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "міста за загальною сумою, перші три"),
        ("заказы", "три первых города по общей сумме"),
        ("заказы", "города по общей сумме, первые три"),
    ],
)
def test_the_first_by_an_amount_are_the_greatest(
    asker: Asker, tmp_path: Path, name: str, question: str
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert (intent.orders, intent.limit) == ((Order(descending=True),), 3)


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "загальна сума окремо для Києва і Львова"),
        ("ремонти", "загальний рахунок для Північної і Портової окремо"),
        ("заказы", "общая сумма отдельно для Москвы и Казани"),
    ],
)
def test_what_is_asked_for_separately_is_not_added_up(
    asker: Asker, tmp_path: Path, name: str, question: str
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert (intent.output, len(intent.sides)) == (Output.COMPARISON, 2)


@pytest.mark.parametrize(
    "name, question, column",
    [
        ("замовлення", "скільки замовлень у кожному місті де є примітка", "примітка"),
        ("ремонти", "скільки ремонтів, у яких є зауваження", "зауваження"),
        ("заказы", "общая сумма по городам где есть примечание", "примечание"),
    ],
)
def test_where_there_is_one_keeps_the_rows_that_have_it(
    asker: Asker, tmp_path: Path, name: str, question: str, column: str
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert intent.clauses == (Condition(column=column, operator=Operator.PRESENT),)
    assert all(key.column != column for key in intent.keys)


@pytest.mark.parametrize(
    "name, question, function",
    [
        ("замовлення", "сума: максимум", "max"),
        ("ремонти", "рахунок: мінімум", "min"),
        ("заказы", "сумма: минимум", "min"),
        ("замовлення", "чому дорівнює середня сума", "mean"),
        ("заказы", "просуммируй сумму", "sum"),
    ],
)
def test_a_figure_may_stand_behind_its_column(
    asker: Asker, tmp_path: Path, name: str, question: str, function: str
) -> None:
    assert [one.function for one in certain(asker, tmp_path, name, question).measures] == [function]


@pytest.mark.parametrize(
    "name, question, column",
    [
        ("ремонти", "загальний рахунок тільки Північна", "майстерня"),
        ("ремонти", "загальний рахунок лише у Північній", "майстерня"),
        ("ремонти", "скільки ремонтів лише гарантійні", "гарантійний"),
        ("поездки", "поездки, количество только ночные", "ночная"),
        ("заказы", "у кого общая сумма больше: Москва или Казань, только оплаченные", "оплачен"),
        ("замовлення", "середня сума серед неоплачених", "оплачено"),
    ],
)
def test_only_and_among_keep_rows(
    asker: Asker, tmp_path: Path, name: str, question: str, column: str
) -> None:
    clauses = certain(asker, tmp_path, name, question).clauses

    assert [one.column for one in clauses if isinstance(one, Condition)] == [column]


def test_cities_with_nothing_but_tea_are_not_cities_with_tea(asker: Asker, tmp_path: Path) -> None:
    assert not read(asker, tmp_path, "ремонти", "майстерні лише з телефонами").certain


@pytest.mark.parametrize(
    "name, question, months",
    [
        ("ремонти", "скільки ремонтів з березня", tuple(range(3, 13))),
        ("поездки", "за март-май, общий пробег", (3, 4, 5)),
        ("поездки", "какой средний пробег раньше марта", (1, 2)),
    ],
)
def test_a_stretch_of_months_is_one(
    asker: Asker, tmp_path: Path, name: str, question: str, months: tuple[int, ...]
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert [one.values for one in intent.clauses if isinstance(one, Condition)] == [months]
    assert not intent.sides


def test_from_a_day_is_not_on_it(asker: Asker, tmp_path: Path) -> None:
    (clause,) = certain(asker, tmp_path, "ремонти", "скільки ремонтів з 1 березня").clauses

    assert isinstance(clause, Condition)
    assert (clause.operator, clause.values) == (Operator.BETWEEN, (301, 1231))


@pytest.mark.parametrize(
    "question",
    ["загальний рахунок за квітень порівняно з березнем", "рахунок за квітень порівняй з березнем"],
)
def test_with_a_month_is_not_from_it(asker: Asker, tmp_path: Path, question: str) -> None:
    best = read(asker, tmp_path, "ремонти", question).candidates[0].intent

    assert (best.output, len(best.sides)) == (Output.COMPARISON, 2)


@pytest.mark.parametrize(
    "name, question, output",
    [
        ("ремонти", "у Північній скільки ремонтів", Output.VALUE),
        ("ремонти", "5 березня скільки ремонтів", Output.VALUE),
        ("ремонти", "за весну скільки ремонтів по місяцях", Output.GROUPS),
        ("ремонти", "за березень у якій майстерні найбільше ремонтів", Output.GROUPS),
        ("заказы", "в течение марта 2024 выведи заказы", Output.ROWS),
        ("поездки", "общий пробег ежемесячно где пустой комментарий", Output.GROUPS),
        ("заказы", "сколько заказов было каждый месяц", Output.GROUPS),
        ("заказы", "заказ, где наибольшая сумма", Output.ROWS),
        ("замовлення", "остання дата без примітки", Output.ROWS),
        ("поездки", "какие вообще есть водители на Заречной", Output.VALUES),
        ("ремонти", "пристрої без повторів", Output.VALUES),
        ("замовлення", "розбивка замовлень по місяцях", Output.GROUPS),
        ("ремонти", "на якому місці Північна за загальним рахунком", Output.STANDING),
    ],
)
def test_what_stands_in_front_changes_nothing_of_what_is_asked(
    asker: Asker, tmp_path: Path, name: str, question: str, output: Output
) -> None:
    assert certain(asker, tmp_path, name, question).output is output


def test_the_latest_date_is_the_last_row_that_is_left(asker: Asker, tmp_path: Path) -> None:
    intent = certain(asker, tmp_path, "замовлення", "остання дата без примітки")

    assert intent.orders == (Order(column="дата", descending=True),)
    assert intent.periods == ()
    day = certain(asker, tmp_path, "замовлення", "замовлення за останній день")
    assert day.periods == (Period(column="дата", unit="day", ago=0),)


@pytest.mark.parametrize(
    "name, question, limit",
    [
        ("замовлення", "місто з найбільшою загальною сумою", 1),
        ("заказы", "назови три города с наибольшей общей суммой", 3),
        ("заказы", "общая сумма по городам, начиная с самой большой суммы", None),
        ("заказы", "по городам, начиная с самой высокой суммы", None),
    ],
)
def test_with_the_greatest_is_one_and_from_the_greatest_on_are_all(
    asker: Asker, tmp_path: Path, name: str, question: str, limit: int | None
) -> None:
    intent = certain(asker, tmp_path, name, question)

    assert (intent.measures[0].function, intent.orders[0].descending) == ("sum", True)
    assert intent.limit == limit


@pytest.mark.parametrize(
    "question, certainly",
    [
        ("який товар зустрічається найчастіше", True),
        ("у якому місті менше за все замовлень", True),
        ("міста: загальна сума", True),
        ("міста і кількість замовлень", True),
        ("середня сума міст", False),
        ("найпопулярніший товар", False),
        ("навесні на скільки загальна сума у Києві більша ніж у Львові", True),
    ],
)
def test_what_is_plain_is_answered(asker: Asker, tmp_path: Path, question: str, certainly: bool) -> None:
    assert read(asker, tmp_path, "замовлення", question).certain is certainly


def test_a_month_is_no_part_beside_another(asker: Asker, tmp_path: Path) -> None:
    intent = certain(asker, tmp_path, "замовлення", "частка Києва в загальній сумі за березень")

    (measure,) = intent.measures
    assert [one.column for one in measure.part if isinstance(one, Condition)] == ["місто"]
    assert [one.column for one in intent.clauses if isinstance(one, Condition)] == ["дата"]
    (asked,) = certain(asker, tmp_path, "замовлення", "яка частка замовлень у березні").measures
    assert [one.column for one in asked.part if isinstance(one, Condition)] == ["дата"]


@pytest.mark.parametrize(
    "name, question",
    [
        ("замовлення", "Київ: частка в загальній сумі, крім чаю"),
        ("перевезення", "Ковель: який відсоток перевезень, тільки незастраховані"),
        ("ремонти", "скільки відсотків загального рахунку дає Північна де є зауваження"),
    ],
)
def test_which_is_a_share_of_which_is_offered(asker: Asker, tmp_path: Path, name: str, question: str) -> None:
    assert not read(asker, tmp_path, name, question).certain


@pytest.mark.parametrize(
    "name, question, output",
    [
        ("перевезення", "де вантаж не Цемент, перевезення за оплатою, топ 5", Output.ROWS),
        ("замовлення", "де порожня примітка, замовлення з найбільшою сумою", Output.ROWS),
        ("поездки", "кроме Лесной поездка с максимальным пробегом", Output.ROWS),
        ("поездки", "средний пробег только Иванов и Петров", Output.VALUE),
        ("ремонти", "яка майстерня має найбільше ремонтів, дорожчі за 20", Output.GROUPS),
    ],
)
def test_what_keeps_rows_is_not_what_is_asked_for(
    asker: Asker, tmp_path: Path, name: str, question: str, output: Output
) -> None:
    best = read(asker, tmp_path, name, question).candidates[0].intent

    assert (best.output, best.having, best.sides) == (output, (), ())
    assert best.clauses


def test_the_share_among_rows_is_that_of_them(asker: Asker, tmp_path: Path) -> None:
    (measure,) = certain(asker, tmp_path, "замовлення", "частка Києва серед замовлень").measures

    assert measure.function == "count"
    assert [one.column for one in measure.part if isinstance(one, Condition)] == ["місто"]


def test_a_total_number_of_rows_is_no_sum(asker: Asker, tmp_path: Path) -> None:
    rows = certain(asker, tmp_path, "заказы", "общее количество заказов")
    things = certain(asker, tmp_path, "заказы", "общее количество по товарам")

    assert rows.measures == (Measure(),)
    assert things.measures == (Measure(function="sum", column="количество"),)
