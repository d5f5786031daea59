"""However headers and cells are written, a question in Ukrainian or Russian is read as the same."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING, Final

import pytest

from tests.planner.declined import DOMAINS
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from tests.planner.asking import Asker

QUESTIONS: Final = {
    "замовлення": (
        "скільки замовлень у березні 2024",
        "загальна кількість і середня сума по товарах",
        "замовлення з кількістю більше 3",
        "у якому місті найбільша загальна сума, тільки оплачені",
        "відсоток неоплачених замовлень",
    ),
    "заказы": (
        "сколько заказов в марте 2024",
        "общая сумма по городам для чая или кофе",
        "общее количество и средняя сумма для каждого товара",
        "общая сумма по месяцам с количеством больше 3",
        "сколько неоплаченных заказов",
    ),
    "ремонти": (
        "скільки ремонтів у березні 2024",
        "загальний рахунок за майстернями де порожнє зауваження",
        "майстерня з найбільшою кількістю ремонтів",
        "загальний рахунок гарантійних ремонтів",
    ),
}
HEADERS: Final = (
    ("замовлення", "№ зам.,дата_зам,місто,найм. товару,к-сть,сума_грн,опл.,прим."),
    ("замовлення", "НОМ_ЗАМ,ДАТА ЗАМ.,МІСТО,ТОВАР,КІЛ-ТЬ,СУМА (ГРН),ОПЛАЧ.,ПРИМІТ."),
    (
        "замовлення",
        "номер_замовлення,дата_замовлення,місто,назва_товару,к-ть,сума_замовлення,чи оплачено,примітки",
    ),
    ("замовлення", "nomer,data_zamovlennya,misto,tovar,kilkist,suma,oplacheno,prymitka"),
    ("заказы", "№ зак.,дата_зак,город,наим. товара,к-во,сумма_руб,опл.,прим."),
    ("заказы", "Ном. заказа,Дата заказа,Город,Наименование товара,Колич.,Сумма заказа,Оплачен ли,Примеч."),
    ("заказы", "nomer,data,gorod,tovar,kol_vo,summa_rub,oplachen,primechanie"),
    ("ремонти", "№ квит.,дата,майст.,пристр.,терм.,рах.,гарант.,зауваж."),
    (
        "ремонти",
        "квиток,дата_прийому,майстерня,назва_пристрою,термін_ремонту,рахунок_ремонту,гарантійний,зауваження",
    ),
)


@pytest.mark.parametrize("name, header", HEADERS)
def test_headers_of_any_form_are_read_alike(asker: Asker, tmp_path: Path, name: str, header: str) -> None:
    domain = DOMAINS[name]
    plain = table_of(tmp_path, name, domain.header, domain.rows())
    (tmp_path / "other").mkdir()
    other = table_of(tmp_path / "other", name, header, domain.rows())
    called = dict(zip(header.split(","), domain.header.split(","), strict=True))

    for question in QUESTIONS[name]:
        certain, meant = _read(asker, other, question, called)
        assert certain, question
        assert (certain, meant) == _read(asker, plain, question, {}), question


MONTHS: Final = ("січня", "лютого", "березня", "квітня", "травня", "червня")
CELLS: Final[Mapping[str, Callable[[list[str]], list[str]]]] = {
    "spreadsheet truths": lambda cells: _with(cells, 6, {"так": "ІСТИНА", "ні": "ХИБА"}[cells[6]]),
    "signs": lambda cells: _with(cells, 6, {"так": "✓", "ні": "✗"}[cells[6]]),
    "days in words": lambda cells: _with(cells, 1, _spelled(date.fromisoformat(cells[1]))),
    "money": lambda cells: _with(cells, 5, f'"{cells[5].replace(".", ",")} грн"'),
    "pieces": lambda cells: _with(cells, 4, f"{cells[4]} шт."),
    "nothing": lambda cells: _with(cells, 7, cells[7] or "н/д"),
}
"""How else cells are written."""


@pytest.mark.parametrize("form", CELLS)
def test_cells_of_any_form_are_read_alike(asker: Asker, tmp_path: Path, form: str) -> None:
    domain = DOMAINS["замовлення"]
    plain = table_of(tmp_path, domain.name, domain.header, domain.rows())
    (tmp_path / "other").mkdir()
    rows = [",".join(CELLS[form](row.split(","))) for row in domain.rows()]
    other = table_of(tmp_path / "other", domain.name, domain.header, rows)

    for question in QUESTIONS[domain.name]:
        candidates, certain, _ = asker.read(other, question)
        assert certain, question
        told = asker.answer(other, asker.call(other, candidates[0].intent)).rows
        meant = asker.read(plain, question)[0][0].intent
        if not question.startswith("замовлення"):
            assert told == asker.answer(plain, asker.call(plain, meant)).rows, question


def _with(cells: list[str], place: int, cell: str) -> list[str]:
    return [*cells[:place], cell, *cells[place + 1 :]]


def _spelled(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year} р."


def _read(asker: Asker, file: Path, question: str, called: Mapping[str, str]) -> tuple[bool, str]:
    """Return whether an answer is certain, and its intent with the plain headers."""
    candidates, certain, _ = asker.read(file, question)
    meant = re.sub(r"label='[^']*'", "", str(candidates[0].intent))
    return certain, re.sub(r"'([^']*)'", lambda name: repr(called.get(name[1], name[1])), meant)


@pytest.mark.parametrize(
    "question",
    ["общее количество и средняя сумма для каждого товара", "общая сумма по месяцам с количеством больше 3"],
)
def test_what_no_column_tells_is_not_passed_over(asker: Asker, tmp_path: Path, question: str) -> None:
    domain = DOMAINS["заказы"]
    file = table_of(tmp_path, "заказы", domain.header.replace("количество", "вес"), domain.rows())

    assert not asker.read(file, question)[1]


@pytest.mark.parametrize("header", ["оплачен", "IsPaid"])
def test_only_drops_no_row_unsaid(asker: Asker, tmp_path: Path, header: str) -> None:
    domain = DOMAINS["заказы"]
    file = table_of(tmp_path, "заказы", domain.header.replace("оплачен", header), domain.rows())
    candidates, certain, _ = asker.read(file, "общая сумма в Москве по сравнению с Казанью только оплаченные")

    assert not certain or header in str(candidates[0].intent)


@pytest.mark.parametrize(
    "question", ["товары, где общая сумма больше 300", "goods where total amount is over 300"]
)
def test_where_behind_a_thing_asks_for_no_place(asker: Asker, tmp_path: Path, question: str) -> None:
    header = "order_id,date,city,product,quantity,amount,paid,note"
    file = table_of(tmp_path, "заказы", header, DOMAINS["заказы"].rows())
    candidates, certain, _ = asker.read(file, question)

    assert certain
    assert [key.column for key in candidates[0].intent.keys] == ["product"]


def test_what_no_column_is_has_no_empty_cells(asker: Asker, tmp_path: Path) -> None:
    header = "waybill,shipped,warehouse,cargo,weight,payment,insured,mark"
    file = table_of(tmp_path, "перевезення", header, DOMAINS["перевезення"].rows())

    assert not asker.read(file, "перевезення де порожня позначка")[1]
    assert asker.read(file, "скільки пропущених значень")[1]


@pytest.mark.parametrize("question", ["сколько уникальных услуг где нет отзыва", "визиты без отзыва"])
def test_a_header_that_sounds_like_a_word_is_it(asker: Asker, tmp_path: Path, question: str) -> None:
    header = "talon,prinyat,filial,usluga,dlitelnost,stoimost,povtornyi,otzyv"
    file = table_of(tmp_path, "визиты", header, DOMAINS["визиты"].rows())
    candidates, certain, _ = asker.read(file, question)

    assert certain
    assert "otzyv" in str(candidates[0].intent)


def test_a_sum_that_another_header_has_too_is_not_taken_for_all(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('Київ', 'Одеса')[n % 2]},{20 + n * 7 % 23}.5,{n % 7}" for n in range(40)]
    file = table_of(tmp_path, "замовлення_двох_сум", "номер,місто,сума_замовлення,сума_доставки", rows)

    assert not asker.read(file, "загальна сума по містах")[1]


def test_a_table_of_people_has_other_dates_than_when_they_came(asker: Asker, tmp_path: Path) -> None:
    rows = [f"Особа {n},2023-0{1 + n % 9}-11,{1000 + n}" for n in range(30)]
    file = table_of(tmp_path, "премії", "прізвище,дата_прийому,премія", rows)

    assert not asker.read(file, "скільки премій у березні 2023")[1]
