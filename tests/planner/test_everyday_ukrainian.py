"""Everyday Ukrainian: forms of one verb, surnames alone, missing apostrophes, takings, and what is refused beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tests.planner.gold import TABLES

if TYPE_CHECKING:
    from tests.planner.asking import Asker


def _asked(asker: Asker, file: str, question: str) -> dict[str, object]:
    return dict(asker.planner(TABLES / file).plan(question).arguments)


@pytest.mark.parametrize(
    "file,question,where",
    [
        ("apteka_uk.csv", "скільки чеків здоровя", "\"Виробник\" == 'Здоров''я'"),
        ("apteka_uk.csv", "скільки чеків здоров’я", "\"Виробник\" == 'Здоров''я'"),
        ("zhurnal_uk.csv", "середній бал Ткаченка", "\"Учень\" == 'Ткаченко Назар'"),
        ("zhurnal_uk.csv", "середня оцінка у Сидоренко", "\"Учитель\" == 'Сидоренко Н. П.'"),
        ("zhurnal_uk.csv", "скільки разів не виконали домашнє", 'not "Домашнє виконано"'),
        ("komunalka_uk.csv", "рахунки з боргом понад 1000 грн", '"Борг" > 1000'),
        ("komunalka_uk.csv", "скільки рахунків ще не оплачено", '"Дата оплати" is null'),
    ],
)
def test_a_filter_is_found_in_other_words_than_the_files(
    asker: Asker, file: str, question: str, where: str
) -> None:
    assert _asked(asker, file, question)["where"] == where


@pytest.mark.parametrize(
    "file,question,select",
    [
        ("apteka_uk.csv", "виручка у Львові", 'sum("Сума, грн") as "sum_Сума, грн"'),
        ("apteka_uk.csv", "скільки заробила Центральна", 'sum("Сума, грн") as "sum_Сума, грн"'),
        ("apteka_uk.csv", "на яку суму продали вітамінів", 'sum("Сума, грн") as "sum_Сума, грн"'),
        ("apteka_uk.csv", "середній чек у Києві", 'mean("Сума, грн") as "mean_Сума, грн"'),
        ("apteka_uk.csv", "скільки продали корвалолу", 'sum("Кількість, уп.") as "sum_Кількість, уп."'),
        ("apteka_uk.csv", "скільки упаковок вітамінів", 'sum("Кількість, уп.") as "sum_Кількість, уп."'),
        ("komunalka_uk.csv", "скільки нарахували за газ", 'sum("Нараховано") as "sum_Нараховано"'),
        ("komunalka_uk.csv", "скільки сплатили за газ", 'sum("Сплачено") as "sum_Сплачено"'),
    ],
)
def test_a_measure_is_found_in_other_words_than_the_files(
    asker: Asker, file: str, question: str, select: str
) -> None:
    assert _asked(asker, file, question)["select"] == [select]


@pytest.mark.parametrize(
    "file,question",
    [
        ("zhurnal_uk.csv", "середня оцінка Петренка Степана"),
        ("zhurnal_uk.csv", "скільки Коваль отримав"),
        ("zhurnal_uk.csv", "скільки отримали учні"),
        ("zhurnal_uk.csv", "виручка за вересень"),
        ("apteka_uk.csv", "скільки препаратів продали"),
        ("apteka_uk.csv", "частка кожної аптеки"),
        ("apteka_uk.csv", "прибуток у Львові"),
        ("apteka_uk.csv", "середня сума чеків Фармак Дарниця"),
        ("komunalka_uk.csv", "борг понад 1000 доларів у січні 2020"),
    ],
)
def test_what_may_mean_something_else_is_refused(asker: Asker, file: str, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(TABLES / file).plan(question)
