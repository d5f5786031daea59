"""What people leave out in everyday questions is filled in only where the table leaves one way to do so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.errors import NotUnderstoodError
from tests.planner.gold import TABLES

if TYPE_CHECKING:
    from tests.planner.asking import Asker


@pytest.mark.parametrize(
    "file,question,interpretation",
    [
        ("kadry_ru.csv", "какой оклад у Ильи Хохлова", "ФИО, Оклад, ₽ · ФИО = Хохлов Илья"),
        ("kadry_ru.csv", "средний оклад женщин", "среднее «Оклад, ₽» · Пол = Ж"),
        ("kadry_ru.csv", "сколько сейчас работает сотрудников", "число строк · «Дата увольнения» пусто"),
        ("podderzhka_ru.csv", "средняя оценка Ковалёва", "среднее «Оценка» · Исполнитель = Ковалёв Артём"),
        ("podderzhka_ru.csv", "сколько заявок про пароли", "число строк · Категория = Доступ и пароли"),
        ("podderzhka_ru.csv", "в каком отделе больше заявок", "«Отдел заявителя», где больше всего: число строк"),
        (
            "podderzhka_ru.csv",
            "во сколько раз больше заявок через портал, чем через мессенджер",
            "отношение: число строк, Портал к Мессенджер",
        ),
        ("apteka_ru.csv", "сумма на Садовой", "сумма «Сумма, руб.» · Аптека = на Садовой"),
        ("apteka_ru.csv", "топ 5 товаров по количеству", "первые 5 по «Препарат» · сумма «Кол-во»"),
        ("apteka_ru.csv", "сколько продаж 5 марта", "число строк · период 2025-03-05"),
        ("apteka_ru.csv", "сколько продаж с 1 по 15 марта", "число строк · период с 2025-03-01 по 2025-03-15"),
        ("shop_orders.csv", "сколько заказов в Казани", "число строк · city = Kazan"),
        ("shop_orders.csv", "сколько заказов отменили", "число строк · status = cancelled"),
        ("gruzy_ru.csv", "сколько рейсов из Москвы в Казань", "число строк · Откуда = Москва · Куда = Казань"),
        ("gruzy_ru.csv", "рейсы длиннее 800 км", "строки · Расстояние, км > 800"),
        (
            "gruzy_ru.csv",
            "заказчики со стоимостью больше миллиона",
            "Заказчик · где сумма «Стоимость, руб» > 1000000",
        ),
        ("remont_ru.csv", "ремонты дольше суток", "строки · Простой, ч > 24"),
        ("remont_ru.csv", "сколько ремонтов пресса", "число строк · Оборудование = Пресс гидравлический"),
        ("sklad_ru.csv", "сколько товара списали", "сумма «Кол-во» · Операция = списание"),
        ("sklad_ru.csv", "средняя цена на складе Юг", "среднее «Цена за шт» · Склад = Юг"),
    ],
)  # fmt: skip
def test_what_the_table_settles_is_read(asker: Asker, file: str, question: str, interpretation: str) -> None:
    assert asker.planner(TABLES / file).plan(question).interpretation == interpretation


@pytest.mark.parametrize(
    "file,question",
    [
        ("sklad_ru.csv", "сколько товара на складе"),
        ("sklad_ru.csv", "сколько товара на складе Север"),
        ("kadry_ru.csv", "сколько человек работало в 2023 году"),
        ("kadry_ru.csv", "сколько наняли и уволили в 2024"),
        ("kadry_ru.csv", "оклад Хохлова"),
        ("apteka_ru.csv", "сколько новых продаж"),
        ("apteka_ru.csv", "динамика суммы"),
        ("apteka_ru.csv", "топ 3 аптеки по продажам"),
        ("podderzhka_ru.csv", "у кого оценка больше средней"),
        ("gruzy_ru.csv", "сколько рейсов в Москве"),
        ("shop_orders.csv", "сколько заказов в Самаре"),
        ("shop_orders.csv", "выручка по новым клиентам"),
    ],
)
def test_what_it_does_not_settle_is_refused(asker: Asker, file: str, question: str) -> None:
    with pytest.raises(NotUnderstoodError):
        asker.planner(TABLES / file).plan(question)
