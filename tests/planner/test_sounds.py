"""Words in the letters of one script name what a table writes in those of the other, where they sound alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

from tabchat.planner.links.sounds import sound_of
from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

CITIES: Final = ("Kyiv", "Lviv", "Odesa", "Kharkiv", "Moscow", "Ivano-Frankivsk")
PEOPLE: Final = ("Olena Bondar", "Serhii Koval", "Taras Melnyk")


@pytest.fixture
def shipments(tmp_path: Path) -> Path:
    rows = [
        f"{1000 + n},2024-0{1 + n % 6}-{1 + n % 25:02d},{CITIES[n % 6]},{PEOPLE[n % 3]},{10 + n * 7 % 90}"
        for n in range(60)
    ]
    return table_of(tmp_path, "orders", "order_no,order_date,city,courier,price", rows)


@pytest.mark.parametrize(
    "one, other",
    [
        ("київ", "kyiv"),
        ("києві", "kiev"),
        ("львова", "lviv"),
        ("одесі", "odessa"),
        ("харкові", "kharkiv"),
        ("вінниця", "vinnytsia"),
        ("телеграме", "telegram"),
        ("сергій", "serhii"),
        ("маркетинг", "marketing"),
    ],
)
def test_the_same_name_sounds_the_same_in_both_scripts(one: str, other: str) -> None:
    assert sound_of(one) == sound_of(other)


@pytest.mark.parametrize(
    "one, other", [("кредит", "kredo"), ("одеса", "odense"), ("ціна", "china"), ("рис", "race")]
)
def test_other_words_do_not(one: str, other: str) -> None:
    assert sound_of(one) != sound_of(other)


def test_letters_of_two_scripts_have_no_sound() -> None:
    assert sound_of("сaт") is None  # the second letter is Latin
    assert sound_of("東京") is None


@pytest.mark.parametrize(
    "question, reading",
    [
        ("скільки замовлень у Львові", "number of rows · city = Lviv"),
        ("сколько заказов в Киеве", "number of rows · city = Kyiv"),
        ("середня ціна замовлень з Одеси", "mean of price · city = Odesa"),
        ("скільки замовлень в Івано-Франківську", "number of rows · city = Ivano-Frankivsk"),
        ("сколько заказов в Москве", "number of rows · city = Moscow"),
        ("скільки замовлень доставив Тарас Мельник", "number of rows · courier = Taras Melnyk"),
    ],
)
def test_a_cell_is_named_in_the_letters_of_the_question(
    asker: Asker, shipments: Path, question: str, reading: str
) -> None:
    asker.open(shipments)
    facts = asker.interpreter(shipments).facts
    found, _, _ = asker.read(shipments, question)
    assert read_as(found[0].intent, facts, "en") == reading


def test_a_name_that_no_cell_sounds_like_stays_unknown(asker: Asker, shipments: Path) -> None:
    asker.open(shipments)
    _, certain, _ = asker.read(shipments, "скільки замовлень у Полтаві")
    assert not certain
