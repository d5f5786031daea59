"""What no word of a question says is offered: a mean for a sum, a number for an amount, rows for the goods that they are called after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from tests.planner.asking import Asker

NAMES: Final = ("Коваль А.", "Мороз Д.", "Ткач В.", "Жук Б.", "Рибак Є.", "Сорока С.", "Вовк Л.", "Зима І.")
TABLES: Final[dict[str, tuple[str, Sequence[str]]]] = {
    "remonty_tramvaev": (
        "Борт;Маршрут;Мастер;Стоимость, руб;Статус",
        [
            f"{3001 + n * 7 % 29};{2 + n % 3};{('Ежов', 'Лапин')[n % 2]};{1500 + n * 131};"
            f"{('завершён', 'ждёт запчасти')[n % 4 == 0]}"
            for n in range(60)
        ],
    ),
    "sklad_shin": (
        "artikul,brend,sezon,kol_vo_sht,tsena_rub",
        [
            f"SH{2000 + n},{('Кама', 'Viatti', 'Cordiant')[n % 3]},{('летняя', 'зимняя')[n % 2]},{n * 5 % 17},{2400 + n * 97}"
            for n in range(60)
        ],
    ),
    "посадка_лісу": (
        "Порода;Площа, га;Дата посадки",
        [f"{('сосна', 'дуб', 'вільха')[n % 3]};{1 + n % 7},5;1{n % 9}.0{1 + n % 8}.2024" for n in range(40)],
    ),
    "приёмы_врачей": (
        "Врач;Дата приёма;Смена;Принято пациентов;Ср. время приёма, мин",
        [
            f"{('Орлова', 'Зайцев', 'Белова')[n % 3]};1{n % 9}.0{1 + n % 6}.2025;{('утро', 'вечер')[n % 2]};"
            f"{5 + n * 7 % 20};{8 + n * 3 % 19},5"
            for n in range(50)
        ],
    ),
    "олімпіада": (
        "Учень;Місто;Клас;Бали",
        [
            f"{name.replace('.', f'{letter}.')};{('Київ', 'Рівне')[n % 2]};{9 + n % 3};{20 + n * 7 % 23}"
            for letter in "АБВГД"
            for n, name in enumerate(NAMES)
        ]
        + ["Коваль АА.;Рівне;10;41"],
    ),
}


def read(asker: Asker, folder: Path, table: str, question: str) -> tuple[list[str], bool]:
    path = table_of(folder, table, *TABLES[table])
    facts = asker.interpreter(path).facts
    found, certain, _ = asker.read(path, question)
    return [read_as(one.intent, facts, "en") for one in found], certain


@pytest.mark.parametrize(
    "table, question, wrong, meant",
    [
        # The numbers of wagons are no amounts, however large they are.
        (
            "remonty_tramvaev",
            "сколько бортов ждут запчасти",
            "sum of Борт · Статус = ждёт запчасти",
            None,
        ),
        ("sklad_shin", "сколько шин на складе", "number of rows", "sum of kol_vo_sht"),
        (
            "sklad_shin",
            "сколько зимних шин",
            "number of rows · sezon = зимняя",
            "sum of kol_vo_sht · sezon = зимняя",
        ),
        ("посадка_лісу", "площа за породами", "mean of “Площа, га” · by Порода", None),
        (
            "приёмы_врачей",
            "пациентов в среднем за смену",
            "mean of Принято пациентов · by Смена",
            "mean of Принято пациентов",
        ),
        (
            "приёмы_врачей",
            "сколько приёмов дольше 20 минут",
            "number of rows · “Ср. время приёма, мин” > 20",
            None,
        ),
        (
            "приёмы_врачей",
            "смены со средним временем приёма больше 20 минут",
            "mean of “Ср. время приёма, мин” · by Смена · with mean of “Ср. время приёма, мин” > 20",
            None,
        ),
        (
            "олімпіада",
            "топ 5 учнів за балами",
            "sum of Бали · by Учень · top 5",
            "Учень, Бали of the rows · top 5 by Бали",
        ),
    ],
)
def test_what_no_word_says_is_offered(
    asker: Asker, tmp_path: Path, table: str, question: str, wrong: str, meant: str | None
) -> None:
    offered, certain = read(asker, tmp_path, table, question)

    assert not certain
    assert wrong in offered
    assert meant is None or meant in offered


@pytest.mark.parametrize(
    "table, question, reading",
    [
        ("sklad_shin", "сколько позиций каждого сезона", "number of rows · by sezon"),
        ("посадка_лісу", "середня площа за породами", "mean of “Площа, га” · by Порода"),
        ("олімпіада", "скільки учнів у дев'ятому класі", "number of rows · Клас = 9"),
        # The apostrophe of a numeral is left out, as that of any word.
        ("олімпіада", "скільки дев'ятикласників", "number of rows · Клас = 9"),
    ],
)
def test_what_a_word_says_is_answered(
    asker: Asker, tmp_path: Path, table: str, question: str, reading: str
) -> None:
    assert (read(asker, tmp_path, table, question)[0][0]) == reading


@pytest.mark.parametrize(
    "question",
    ["какой бренд дороже в среднем", "какие бренды в среднем дороже", "which brand is dearer on average"],
)
def test_a_mean_that_is_told_is_none_that_is_compared_with(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    offered, _ = read(asker, tmp_path, "sklad_shin", question)
    assert all("tsena_rub > mean" not in one for one in offered)


@pytest.mark.parametrize(
    "question",
    [
        "шины дороже среднего",
        "шины дороже, чем в среднем",
        "шины дороже чем в среднем",
        "шини дорожчі, аніж в середньому",
    ],
)
def test_a_mean_that_is_compared_with_is_read(asker: Asker, tmp_path: Path, question: str) -> None:
    offered, certain = read(asker, tmp_path, "sklad_shin", question)
    assert (offered[0], certain) == ("rows · tsena_rub > mean of tsena_rub", True)


@pytest.mark.parametrize(
    "table, question, reading",
    [
        ("sklad_shin", "сколько шин дороже, чем 5000", "number of rows · tsena_rub > 5000"),
        ("sklad_shin", "позиции дешевле, нежели 5 тысяч рублей", "rows · tsena_rub < 5000"),
        ("посадка_лісу", "посадки з площею більшою, ніж 4 га", "rows · “Площа, га” > 4"),
        ("приёмы_врачей", "смены, где пациентов больше, чем 20", "rows · Принято пациентов > 20"),
    ],
)
def test_the_comma_of_a_comparison_parts_nothing(
    asker: Asker, tmp_path: Path, table: str, question: str, reading: str
) -> None:
    assert read(asker, tmp_path, table, question)[0][0] == reading
