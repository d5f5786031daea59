"""Numbers in digits and in letters, with what stands around them."""

import pytest

from tests.planner.words.sentences import read, shown_quantity

QUANTITIES = [
    ("longer than 80 minutes", ["80 minute", "80"]),
    ("above 25 degrees", ["25 degree", "25"]),
    ("above 25°C", ["25 celsius", "25"]),
    ("80km", ["80 km"]),
    ("more than an hour", ["1 hour"]),
    ("over half an hour", ["0.5 hour"]),
    ("twenty-five orders", ["25"]),
    ("two hundred and five thousand", ["205000"]),
    ("over 2.5 million dollars", ["2.5e+06 usd", "2.5e+06"]),
    ("500k", ["500000"]),
    ("$5,000", ["5000 usd"]),
    ("15 percent", ["15 %"]),
    ("10%", ["10 %"]),
    ("the third largest", ["3th"]),
    ("3rd largest", ["3th"]),
    ("twenty-first", ["21th"]),
    ("older than 30 years", ["30 year", "30"]),
    ("-5", ["-5"]),
    ("двадцять п'ять замовлень", ["25"]),
    ("понад двісті тридцять", ["230"]),
    ("півтора мільйона гривень", ["1.5e+06 uah", "1.5e+06"]),
    ("більше години", ["1 hour"]),
    ("більше півгодини", ["0.5 hour"]),
    ("5 тис. грн", ["5000 uah", "5000"]),
    ("третій за величиною", ["3th"]),
    ("двадцать пять заказов", ["25"]),
    ("больше полутора часов", ["1.5 hour", "1.5"]),
    ("две тысячи триста", ["2300"]),
    ("выше 25 градусов", ["25 degree", "25"]),
    ("третий по величине", ["3th"]),
]


@pytest.mark.parametrize("text,expected", QUANTITIES)
def test_a_number_is_read_with_its_unit_and_without(text: str, expected: list[str]) -> None:
    assert [shown_quantity(quantity) for quantity in read(text).quantities] == expected


@pytest.mark.parametrize(
    "text,seconds", [("90 minutes", 5400), ("півтори години", 5400), ("2 недели", 1209600)]
)
def test_a_length_of_time_is_told_in_seconds(text: str, seconds: float) -> None:
    assert read(text).quantities[0].seconds == seconds


@pytest.mark.parametrize("text", ["top of the list", "скільки замовлень", "сколько заказов"])
def test_words_without_numbers_have_no_quantity(text: str) -> None:
    assert read(text).quantities == ()


@pytest.mark.parametrize(
    "text,value",
    [
        ("id 9007199254740993", 9007199254740993),
        ("id 9,007,199,254,740,993", 9007199254740993),
        ("id 9 007 199 254 740 993", 9007199254740993),
        ("-9007199254740993", -9007199254740993),
        ("id 999999999999999", 999999999999999),
        (f"id {'9' * 38}", int("9" * 38)),
        (f"id {'9' * 39}", 1e39),
    ],
)
def test_a_long_whole_number_is_exact_as_far_as_a_cell_can_hold_it(text: str, value: float) -> None:
    (quantity,) = read(text).quantities
    assert quantity.value == value
    assert quantity.is_whole
