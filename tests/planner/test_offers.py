"""What is offered, or answered, of questions that were refused, or whose right reading was not among the first three."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.planner.asking import Asker


def offers(asker: Asker, path: Path, question: str) -> list[str]:
    """Return what the readings that are worth offering are read as."""
    reader = asker.interpreter(path)
    return [read_as(one.intent, reader.facts, "en") for one in reader.read(question).offered]


def races(folder: Path) -> Path:
    rows = [
        f"{n // 8 + 1},{('Swift', 'Heron', 'Tern', 'Kite')[n % 4]} {n % 8},{n % 8 + 1},{1 + n * 3 % 6},{40 + n * 7 % 23}"
        for n in range(48)
    ]
    return table_of(folder, "sailing", "race,boat,position,lane,elapsed_min", rows)


def staff(folder: Path) -> Path:
    rows = [
        f"{name},{('Sales', 'Stores')[n % 2]},{('', 0, 5, 12)[n % 4]},{1970 + n}-0{1 + n % 9}-11,20{10 + n}-0{1 + n % 9}-01"
        for n, name in enumerate(
            ("Ann Lee", "Bob Ray", "Cid Orr", "Dee Fox", "Eve Hart", "Fay Moss", "Gil Reed", "Hal Nye")
        )
    ]
    return table_of(folder, "staff", "name,department,holiday days left,date of birth,appointed", rows)


def repairs(folder: Path) -> Path:
    rows = [
        f"2024-0{1 + n % 6}-{1 + n % 27:02d},{'' if n % 5 == 4 else f'2024-0{2 + n % 6}-{1 + n % 27:02d}'},"
        f"AA{1000 + n},{('Brakes', 'Clutch', 'Lights')[n % 3]},{('Olek', 'Petro')[n % 2]},{150 + n * 37 % 900}"
        for n in range(40)
    ]
    return table_of(folder, "ремонт", "поступила,выдана,госномер,работа,мастер,стоимость", rows)


def store(folder: Path) -> Path:
    rows = [
        f"Т-{n},{('Цемент', 'Плитка', 'Клей')[n % 3]} {n},{n * 11 % 60},{2 + n % 5}.5,{12 + n % 7}"
        for n in range(30)
    ]
    return table_of(folder, "склад", "Артикул,Наименование,Остаток,Вес,Мин. запас", rows)


def episodes(folder: Path) -> Path:
    rows = [
        f"{n},Talk {n},{('News', 'History', 'Money')[n % 3]},2024-0{1 + n % 6}-{1 + n % 27:02d},{900 + n * 733 % 4000},{20 + n % 40}"
        for n in range(1, 60)
    ]
    return table_of(folder, "выпуски", "номер,название,тема,дата,загрузки,длительность_мин", rows)


def prints(folder: Path) -> Path:
    rows = [
        f"{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{('візитки', 'буклети', 'плакати')[n % 3]},{100 + n * 50},{300 + n * 11},{('готово', 'у роботі')[n % 2]}"
        for n in range(1, 50)
    ]
    return table_of(folder, "замовлення", "номер,дата,продукція,наклад,сума_грн,статус", rows)


def claims(folder: Path) -> Path:
    rows = [
        f"C{n:03d},{('Nash', 'Gill', 'Evans', 'Boyd', 'Kerr')[n * n % 5]},2023-0{1 + n % 9}-{1 + n % 27:02d},{100 + n * 13}"
        for n in range(60)
    ]
    return table_of(folder, "claims", "claim ref,policyholder,date of loss,estimate", rows)


def flats(folder: Path) -> Path:
    rows = [
        f"А{n},{('Левандівка', 'Франківський', 'Сихів')[n % 3]},{1 + n % 4},{30 + n % 50},{7000 + n * 310 % 9000}"
        for n in range(36)
    ]
    return table_of(folder, "орендарі", 'квартира,район,кімнат,"площа, м²","оренда, грн"', rows)


def tickets(folder: Path) -> Path:
    rows = [
        f"{1000 + n},2025-0{6 + n % 3}-{1 + n % 27:02d},{('Роутер', 'Счёт', 'Скорость')[n * n % 3]},{('Иванов', 'Мухин')[n % 2]},"
        f"{('да', 'нет')[n % 3 == 0]},{'' if n % 4 == 0 else 1 + n % 5},{200 + n * 7}"
        for n in range(60)
    ]
    return table_of(folder, "заявки", "номер,создана,тема,инженер,Удал.,оценка,стоимость", rows)


@pytest.mark.parametrize(
    "table, question, reading",
    [
        # Who won came first, where a column tells the places; who came in last has the last of them.
        (races, "who won race 3", "rows · position = 1 · race = 3"),
        (races, "which boat came in last in race 3", "boat, position of the rows · race = 3 · top 1 by position with ties"),
        # Which end of what no header says is better.
        (races, "boat with the best average position", "mean of position · by boat · lowest 1 with ties"),
        # None may be nothing as well as not told.
        (staff, "who has not got any holiday left", "rows · holiday days left = 0"),
        # Of two, the one of whom a date tells that it came first.
        (staff, "who is older, Ann Lee or Cid Orr", "name, “date of birth” of the rows · name is one of Ann Lee, Cid Orr · lowest 1 by “date of birth” with ties"),
        (staff, "who was appointed earlier, Ann Lee or Cid Orr", "name, appointed of the rows · name is one of Ann Lee, Cid Orr · lowest 1 by appointed with ties"),
        # What is still in it has not come to its end.
        (repairs, "какие ещё в ремонте", "rows · выдана is missing"),
        (repairs, "сколько дней прошло между первым и последним поступлением", "range of поступила"),
        # `Мин.` of a stock is no minute.
        (store, "сколько товаров, остаток которых упал ниже минимального", "number of rows · Остаток < Мин. запас"),
        (store, "остаток ниже минимального запаса", "rows · Остаток < Мин. запас"),
        # A superlative of a word that the table has not, or of one for what was done.
        (episodes, "пять самых загружаемых выпусков", "название, загрузки of the rows · top 5 by загрузки"),
        (prints, "скільки штук візиток", "sum of наклад · продукція = візитки"),
        (prints, "що ми друкуємо", "different продукція"),
        (claims, "policyholders who have claimed four times or more", "number of rows · by policyholder · with number of rows ≥ 4"),
        (claims, "when do the claims start", "minimum of “date of loss”"),
        (claims, "claims of anyone other than Nash", "rows · policyholder ≠ Nash"),
        (claims, "claims where we do not know the estimate", "rows · estimate is missing"),
        # Of a word with най and no dimension, any amount may be the greatest.
        (flats, "три найзатишніші квартири", "rows · top 3 by “оренда, грн”"),
        # What is cut short begins like the word.
        (tickets, "сколько раз Мухин был на удалёнке", "number of rows · инженер = Мухин · Удал. = yes"),
        (tickets, "на что чаще всего жалуются", "number of rows · by тема · top 1 with ties"),
        (tickets, "сколько заявок создали в июле и на какую сумму", "number of rows, sum of стоимость · month of создана = July"),
        (tickets, "какая тема у заявки 1017", "different тема · номер = 1017"),
        (tickets, "заявки, где забыли указать оценку", "rows · оценка is missing"),
        (episodes, "сколько раз загружали выпуски про историю", "sum of загрузки"),
    ],
)  # fmt: skip
def test_the_right_reading_is_offered(
    asker: Asker, tmp_path: Path, table: Callable[[Path], Path], question: str, reading: str
) -> None:
    assert reading in offers(asker, table(tmp_path), question)


def test_what_is_dearer_on_average_has_the_higher_price(asker: Asker, tmp_path: Path) -> None:
    first = offers(asker, flats(tmp_path), "де дорожче в середньому, на Левандівці чи на Франківському")[0]
    assert first.startswith("which has the highest mean of “оренда, грн”: Левандівка")


def test_what_nothing_names_is_never_certain(asker: Asker, tmp_path: Path) -> None:
    assert not asker.interpreter(prints(tmp_path)).read("що ми друкуємо").certain
