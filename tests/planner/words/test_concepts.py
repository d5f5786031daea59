"""What the lexicons know of everyday questions, in three languages."""

import pytest

from tabchat.planner.words import shipped_languages
from tests.planner.words.sentences import concepts, read

SAID = [
    ("show me the biggest orders", ("super.max", "biggest")),
    ("the cheapest flights", ("scale.most.min.price", "cheapest")),
    ("most expensive hotels", ("scale.most.max.price", "most expensive")),
    ("least expensive hotels", ("scale.most.min.price", "least expensive")),
    ("most popular product", ("count.max", "most popular")),
    ("anything unusual", ("unusual", "anything unusual")),
    ("what can I ask", ("help", "what can i ask")),
    ("plot revenue by month", ("chart", "plot")),
    ("revenue over time", ("overtime", "over time")),
    ("ordered more than 3 times", ("times", "times")),
    ("customers who never ordered", ("never", "never")),
    ("which is next after Rome", ("neighbour.next", "next after")),
    ("three consecutive wins", ("consecutive", "consecutive")),
    ("how much more did Ann earn", ("byhowmuch", "how much more")),
    ("is there any order", ("yesno", "is there")),
    ("best first", ("desc", "best first")),
    ("will it grow", ("refuse.forecast", "will")),
    ("revenue in Germany", ("country.de", "germany")),
    ("German orders", ("country.de", "german")),
    ("orders in the US", ("country.us", "us")),
    ("unit prices", ("header.price", "unit prices")),
    ("найдорожчий товар", ("scale.most.max.price", "найдорожчий")),
    ("найбільш популярний товар", ("count.max", "найбільш популярний")),
    ("що можна запитати", ("help", "що можна запитати")),
    ("намалюй графік виручки", ("chart", "намалюй графік")),
    ("щось незвичне", ("unusual", "щось незвичне")),
    ("хто ніколи не купував", ("never", "ніколи")),
    ("чи є замовлення з Німеччини", ("yesno", "чи є")),
    ("чи є замовлення з Німеччини", ("country.de", "німеччини")),
    ("виручкою за містами", ("header.revenue", "виручкою")),
    ("самый прибыльный филиал", ("scale.most.max.profit", "самый прибыльный")),
    ("что можно спросить", ("help", "что можно спросить")),
    ("построй график выручки", ("chart", "построй график")),
    ("сколько дней подряд", ("consecutive", "подряд")),
    ("заказы из Германии", ("country.de", "германии")),
]


@pytest.mark.parametrize("text,expected", SAID)
def test_an_everyday_phrase_has_its_concept(text: str, expected: tuple[str, str]) -> None:
    assert expected in concepts(text)


def test_a_long_phrase_stands_beside_its_parts() -> None:
    found = concepts("greater than 5")

    assert {("cmp.gt", "greater than"), ("comparative.max", "greater"), ("than", "than")} <= found


@pytest.mark.parametrize("text", ["tell us about it", "is it so", "be at home"])
def test_a_word_is_no_country_by_its_code(text: str) -> None:
    assert not [name for name, _ in concepts(text) if name.startswith("country.")]


def test_forms_and_spellings_are_not_exact() -> None:
    exact = {concept.name: concept.exact for concept in read("найдорожчий, average").concepts}

    assert exact["scale.most.max.price"] is False
    assert exact["agg.mean"] is True
    assert not any(concept.exact for concept in read("avrage").concepts)


@pytest.mark.parametrize(
    "language,one,other,same",
    [
        ("en", "qty", "quantity", True),
        ("en", "directed", "director", True),
        ("en", "prices", "price", True),
        ("en", "sales", "salary", False),
        ("uk", "місто", "містами", True),
        ("uk", "вчитель", "учителя", True),
        ("uk", "місто", "місяць", False),
        ("ru", "город", "городах", True),
    ],
)
def test_words_of_one_root_are_alike(language: str, one: str, other: str, same: bool) -> None:
    assert shipped_languages().load(language).alike(one, other) is same


@pytest.mark.parametrize(
    "language,words,group",
    [("en", ("unit", "price"), "price"), ("uk", ("виручка",), "revenue"), ("ru", ("выручку",), "revenue")],
)
def test_names_of_headers_meet_in_their_group(language: str, words: tuple[str, ...], group: str) -> None:
    assert group in shipped_languages().load(language).header_group(*words)


@pytest.mark.parametrize(
    "language,words,code",
    [
        ("en", ("united", "states"), "us"),
        ("en", ("us",), "us"),
        ("uk", ("німеччини",), "de"),
        ("ru", ("сша",), "us"),
    ],
)
def test_countries_have_one_code_in_every_language(language: str, words: tuple[str, ...], code: str) -> None:
    assert shipped_languages().load(language).country(*words) == code
