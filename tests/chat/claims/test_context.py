"""What the words around a figure say: direction, bound, approximation, range, and the question."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tabchat.chat.claims import extract_claims
from tests.chat.claims.asserted import exact, number, numbers


@pytest.mark.parametrize(
    "text",
    [
        "Revenue fell 3%.",
        "Revenue fell by 3%.",
        "Revenue decreased in Asia by about 3%.",
        "Revenue is down 3%.",
        "A decline of 3% is seen.",
        "The decrease was 3%.",
        "Revenue is 3% lower.",
        "A 3% drop is seen.",
        "We have 3 fewer.",
        "Виручка знизилась на 3 %.",
        "Виручка упала на 3 %.",
        "Виручка зменшилася ще на 3 %.",
        "На 3 % менше.",
        "Падіння — 3 %.",
        "Выручка снизилась на 3 %.",
        "Выручка в Азии упала примерно на 3 %.",
        "На 3 % ниже.",
        "Снижение составило 3 %.",
    ],
)
def test_words_of_decrease_point_down(text: str) -> None:
    assert (number(text).direction, number(text).value) == ("down", Decimal(3))


@pytest.mark.parametrize(
    "text",
    [
        "Revenue rose 3%.",
        "Revenue increased by a further 3%.",
        "Revenue is up 3%.",
        "Growth of 3% is seen.",
        "Revenue is 3% higher.",
        "We have 3 more.",
        "Виручка зросла на 3 %.",
        "На 3 % більше.",
        "Приріст становив 3 %.",
        "Выручка выросла на 3 %.",
        "На 3 % больше.",
        "Рост составил 3 %.",
    ],
)
def test_words_of_increase_point_up(text: str) -> None:
    assert (number(text).direction, number(text).value) == ("up", Decimal(3))


@pytest.mark.parametrize(
    "text",
    [
        "Revenue fell to 3.",
        "Revenue is 3.",
        "More than 3 fell.",
        "Revenue was 3 up from before.",
        "Виручка знизилась до 3.",
        "Выручка снизилась до 3.",
        "Більше ніж 3 впали.",
        "Выручка в Азии — 3.",
    ],
)
def test_a_level_has_no_direction(text: str) -> None:
    assert number(text).direction is None


def test_a_change_and_the_level_it_led_to_are_told_apart() -> None:
    assert [claim.direction for claim in numbers("Sales fell 3% to 120 from 124.")] == ["down", None, None]


@pytest.mark.parametrize(
    "text",
    [
        "over 5,000 units",
        "more than 5,000 units",
        "at least 5,000 units",
        "no less than 5,000 units",
        "exceeding 5,000 units",
        "5,000 or more units",
        "5,000+ units",
        ">5,000 units",
        "≥ 5,000 units",
        ">= 5,000 units",
        "понад 5000 одиниць",
        "більше ніж 5000 одиниць",
        "не менше 5000 одиниць",
        "щонайменше 5000 одиниць",
        "более 5000 единиц",
        "свыше 5000 единиц",
        "не менее чем 5000 единиц",
        "5000 шт. и более",
    ],
)
def test_comparatives_bound_from_below(text: str) -> None:
    assert number(f"It sold {text}").bound == "over"


@pytest.mark.parametrize(
    "text",
    [
        "under 5,000 units",
        "less than 5,000 units",
        "at most 5,000 units",
        "no more than 5,000 units",
        "up to 5,000 units",
        "5,000 or fewer units",
        "< 5,000 units",
        "<= 5,000 units",
        "менше ніж 5000 одиниць",
        "не більше 5000 одиниць",
        "щонайбільше 5000 одиниць",
        "менее 5000 единиц",
        "не более чем 5000 единиц",
        "меньше 5000 единиц",
    ],
)
def test_comparatives_bound_from_above(text: str) -> None:
    assert number(f"It sold {text}").bound == "under"


@pytest.mark.parametrize(
    "text",
    ["a maximum of 12", "12 more than before", "between 12", "Максимум — 12", "Мінімум 12", "\n> 12 rows"],
)
def test_other_words_are_no_bounds(text: str) -> None:
    assert number(f"Here {text}").bound is None


@pytest.mark.parametrize(
    "text",
    [
        "about 4,980",
        "roughly 4,980",
        "approx. 4,980",
        "~4,980",
        "≈ 4,980",
        "4,980 or so",
        "nearly 4,980",
        "приблизно 4980",
        "близько 4980",
        "майже 4980",
        "примерно 4980",
        "около 4980",
        "почти 4980",
    ],
)
def test_rounding_words_are_recorded(text: str) -> None:
    claim = number(f"It sold {text} units")

    assert claim.is_approximate
    assert claim.readings[0] == exact("4980", "5") if "," not in text else claim.tolerance == 5


@pytest.mark.parametrize(
    "text, tolerance",
    [
        ("about 5,000 units", "250"),
        ("about 4,900 units", "50"),
        ("about 4,987 units", "0.5"),
        ("about 12.5%", "0.05"),
        ("about $2.50", "0.05"),
        ("about 3 million", "500000"),
        ("about 2.5 million", "50000"),
        ("about 10 units", "0.5"),
    ],
)
def test_a_rounded_figure_is_as_exact_as_its_last_digit_that_is_not_zero(text: str, tolerance: str) -> None:
    assert number(f"It is {text}").tolerance == exact(tolerance)[0]


def test_almost_is_approximate_from_below() -> None:
    assert (number("almost 100 units").is_approximate, number("almost 100 units").bound) == (True, "under")
    assert (number("just over 100 units").is_approximate, number("just over 100 units").bound) == (
        True,
        "over",
    )


@pytest.mark.parametrize(
    "text, ends",
    [
        ("10–20 units", [("10", "10"), ("20", "20")]),
        ("10-20%", [("10", "10"), ("20%", "20")]),
        ("from 5 to 7 units", [("5", "5"), ("7", "7")]),
        ("5 to 7 percent", [("5", "5"), ("7 percent", "7")]),
        ("between 5 and 7 units", [("5", "5"), ("7", "7")]),
        ("від 5 до 7 грн", [("5", "5"), ("7 грн", "7")]),
        ("с 5 до 7 руб", [("5", "5"), ("7 руб", "7")]),
        ("$10–20 million", [("$10", "10000000"), ("20 million", "20000000")]),
        ("від 100 грн до 1 тис. грн", [("100 грн", "100"), ("1 тис. грн", "1000")]),
        ("2–3 млн", [("2", "2000000"), ("3 млн", "3000000")]),
    ],
)
def test_both_ends_of_a_range_share_scale_and_unit(text: str, ends: list[tuple[str, str]]) -> None:
    low, high = numbers(f"It is {text}.")

    assert [(claim.text, claim.value) for claim in (low, high)] == [
        (end, exact(value)[0]) for end, value in ends
    ]
    assert (low.is_range_end, high.is_range_end) == (True, True)
    assert (low.kind, low.unit) == (high.kind, high.unit)


@pytest.mark.parametrize(
    "text", ["5 and 7 are primes.", "Asia 5, Europe 7.", "Sales fell 3 to 120.", "5±1 units."]
)
def test_two_figures_side_by_side_are_no_range(text: str) -> None:
    assert [claim.is_range_end for claim in numbers(text)] == [False, False]


def test_figures_of_the_question_are_told_apart() -> None:
    question = "How many of the 1,200 orders over $5k came in March 2024, top 3?"
    text = "Of 1200 orders, 45 were over $5,000 in March 2024; the top 3 make 3% of them, 4 in April 2024."

    found = {claim.text: claim.from_question for claim in extract_claims(text, question=question)}

    assert found == {
        "1200": True,
        "45": False,
        "$5,000": True,
        "March 2024": True,
        "3": True,
        "3%": False,
        "4": False,
        "April 2024": False,
    }
