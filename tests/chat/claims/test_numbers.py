"""What a figure is worth: separators, scale words, signs, percent and money, in digits and in letters."""

from __future__ import annotations

from decimal import Decimal

import pytest

from tabchat.chat.claims import NumberKind, extract_claims
from tests.chat.claims.asserted import exact, number, numbers

_NARROW = "\u202f"
_THIN = "\u2009"
_HARD = "\u00a0"


@pytest.mark.parametrize(
    "written",
    [
        "14,000,000",
        "14 000 000",
        f"14{_HARD}000{_HARD}000",
        f"14{_NARROW}000{_NARROW}000",
        f"14{_THIN}000{_THIN}000",
        "14'000'000",
        "14’000’000",
        "14.000.000",
        "14_000_000",
        "1,40,00,000",
    ],
)
def test_thousands_are_grouped_by_any_separator(written: str) -> None:
    claim = number(f"The table has {written} in all.")

    assert claim.text == written
    assert claim.readings == (exact("14000000", "0.5"),)


@pytest.mark.parametrize(
    "written, value, tolerance",
    [
        ("1,234.5", "1234.5", "0.05"),
        ("1.234,5", "1234.5", "0.05"),
        ("1 234,56", "1234.56", "0.005"),
        (f"1{_NARROW}234.56", "1234.56", "0.005"),
        ("89,5", "89.5", "0.05"),
        ("12,3456", "12.3456", "0.00005"),
        ("0,123", "0.123", "0.0005"),
        ("0.050", "0.050", "0.0005"),
        (".5", "0.5", "0.05"),
        ("67", "67", "0.5"),
        ("1e6", "1000000", "500000"),
        ("1.5e-3", "0.0015", "0.00005"),
        ("2.50E+03", "2500", "5"),
        ("1.2×10^6", "1200000", "50000"),
        ("1.2 × 10⁶", "1200000", "50000"),
        ("3 x 10**2", "300", "50"),
    ],
)
def test_the_tolerance_is_half_a_unit_of_the_last_digit(written: str, value: str, tolerance: str) -> None:
    claim = number(f"It was {written} then.")

    assert claim.text == written
    assert claim.readings == (exact(value, tolerance),)


@pytest.mark.parametrize(
    "text, readings",
    [
        ("The mean is 1,234 here.", [exact("1234", "0.5"), exact("1.234", "0.0005")]),
        ("Середнє 1,234 тут.", [exact("1.234", "0.0005"), exact("1234", "0.5")]),
        ("The mean is 1.234 here.", [exact("1.234", "0.0005"), exact("1234", "0.5")]),
        ("Среднее 1.234 здесь.", [exact("1.234", "0.0005"), exact("1234", "0.5")]),
        ("1,234 rows are left.", [exact("1234")]),
        ("It cost 1,234 million.", [exact("1234000", "500"), exact("1234000000", "500000")]),
    ],
)
def test_a_mark_that_may_group_or_begin_decimals_gives_both_readings(text: str, readings: object) -> None:
    assert list(number(text).readings) == readings


@pytest.mark.parametrize(
    "written, value",
    [
        ("2k", "2000"),
        ("2K", "2000"),
        ("2 thousand", "2000"),
        ("2M", "2000000"),
        ("2 million", "2000000"),
        ("2 mln", "2000000"),
        ("2B", "2000000000"),
        ("2bn", "2000000000"),
        ("2 bn", "2000000000"),
        ("2 billion", "2000000000"),
        ("2 trillion", "2000000000000"),
        ("2 тис", "2000"),
        ("2 тисячі", "2000"),
        ("2 млн", "2000000"),
        ("2 мільйони", "2000000"),
        ("2 млрд", "2000000000"),
        ("2 мільярди", "2000000000"),
        ("2 трлн", "2000000000000"),
        ("2 тыс", "2000"),
        ("2 миллиона", "2000000"),
        ("2 миллиарда", "2000000000"),
        ("2 триллиона", "2000000000000"),
    ],
)
def test_scale_words_are_multiplied_in(written: str, value: str) -> None:
    claim = number(f"Разом {written}, say.")

    assert claim.text == written
    assert claim.value == exact(value)[0]
    assert claim.tolerance * 4 == claim.value


def test_an_amount_in_two_scales_is_one_figure() -> None:
    claim = number("Бюджет — 5 млрд 300 млн грн.")

    assert (claim.text, claim.readings) == ("5 млрд 300 млн грн", (exact("5300000000", "500000"),))
    assert (claim.kind, claim.unit) == (NumberKind.MONEY, "UAH")


@pytest.mark.parametrize(
    "written", ["12.5%", "12.5 %", f"12.5{_HARD}%", "12.5 percent", "12,5 відсотка", "12.5 pct"]
)
def test_a_percentage_stays_as_written(written: str) -> None:
    claim = number(f"It is {written} now.")

    assert (claim.text, claim.kind, claim.unit) == (written, NumberKind.PERCENT, "%")
    assert claim.readings == (exact("12.5", "0.05"),)


@pytest.mark.parametrize(
    "written",
    [
        "2 pp",
        "2pp",
        "2 p.p.",
        "2 percentage points",
        "2 %-points",
        "2 п.п.",
        "2 п. п.",
        "2 в.п.",
        "2 процентних пункти",
        "2 відсоткові пункти",
        "2 процентных пункта",
        "200 bps",
        "200 basis points",
    ],
)
def test_points_are_not_percents(written: str) -> None:
    claim = number(f"Up by {written} since")

    assert (claim.text, claim.kind, claim.unit, claim.value) == (
        written,
        NumberKind.POINTS,
        "pp",
        exact("2")[0],
    )


@pytest.mark.parametrize(
    "written, unit, value",
    [
        ("$5", "USD", "5"),
        ("$ 5", "USD", "5"),
        ("US$5", "USD", "5"),
        ("5 $", "USD", "5"),
        ("5 USD", "USD", "5"),
        ("USD 5", "USD", "5"),
        ("5 dollars", "USD", "5"),
        ("5 доларів", "USD", "5"),
        ("5 долларов", "USD", "5"),
        ("$3.85 trillion", "USD", "3850000000000"),
        ("$5m", "USD", "5000000"),
        ("€5", "EUR", "5"),
        ("5 євро", "EUR", "5"),
        ("£5bn", "GBP", "5000000000"),
        ("5 ₴", "UAH", "5"),
        ("5 грн", "UAH", "5"),
        ("2,5 млн грн", "UAH", "2500000"),
        ("2,5 тис. грн", "UAH", "2500"),
        ("5 ₽", "RUB", "5"),
        ("5 руб", "RUB", "5"),
        ("5 р", "RUB", "5"),
        ("5 рублей", "RUB", "5"),
    ],
)
def test_money_is_known_by_its_currency(written: str, unit: str, value: str) -> None:
    claim = number(f"It cost {written}.")

    assert (claim.text, claim.kind, claim.unit, claim.value) == (
        written,
        NumberKind.MONEY,
        unit,
        exact(value)[0],
    )


@pytest.mark.parametrize(
    "text, written, value",
    [
        ("The change was -3% then.", "-3%", "-3"),
        ("The change was −3 then.", "−3", "-3"),
        ("The change was –3 then.", "–3", "-3"),
        ("The change was -$5M then.", "-$5M", "-5000000"),
        ("The change was $-5 then.", "$-5", "-5"),
        ("The change was +3% then.", "+3%", "3"),
        ("It was minus 3 degrees.", "minus 3", "-3"),
        ("Було мінус 3 градуси.", "мінус 3", "-3"),
        ("Было минус 3 градуса.", "минус 3", "-3"),
        ("The loss is $(3.2) here.", "(3.2)", "-3.2"),
        ("| Asia | (3.2) |", "(3.2)", "-3.2"),
        ("Asia (3.2) is first.", "3.2", "3.2"),
        ("Asia - 3 is first.", "3", "3"),
        ("Азія — 3.", "3", "3"),
        ("The change was -0.0 then.", "-0.0", "0"),
    ],
)
def test_signs_are_told_from_dashes_and_brackets(text: str, written: str, value: str) -> None:
    claim = numbers(text)[-1]

    assert (claim.text, claim.value) == (written, exact(value)[0])
    assert not claim.value.is_signed() or claim.value < 0


@pytest.mark.parametrize("number_of", ["1st", "2nd", "3rd", "15th", "3-й", "3-я", "2-го", "5-те", "3-тя"])
def test_ordinals_in_digits(number_of: str) -> None:
    claim = number(f"Asia is {number_of} here")

    assert (claim.text, claim.kind, claim.tolerance) == (number_of, NumberKind.ORDINAL, Decimal(0))


@pytest.mark.parametrize(
    "text, written, value",
    [
        ("Asia ranks third.", "third", "3"),
        ("Asia is the second largest.", "second", "2"),
        ("Asia is the second-largest.", "second", "2"),
        ("Азія на третьому місці.", "третьому", "3"),
        ("Азія посідає друге місце.", "друге", "2"),
        ("Азия на пятом месте.", "пятом", "5"),
        ("Азия вторая по продажам.", "вторая", "2"),
    ],
)
def test_ordinals_in_words_are_ranks(text: str, written: str, value: str) -> None:
    claim = number(text)

    assert (claim.text, claim.kind, claim.readings) == (written, NumberKind.ORDINAL, (exact(value),))


@pytest.mark.parametrize(
    "text",
    [
        "First, we filter.",
        "The second half was slow.",
        "Перший рядок — заголовок.",
        "В первую очередь — Азия.",
    ],
)
def test_other_ordinal_words_assert_nothing(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "written, value",
    [
        ("zero", 0),
        ("two", 2),
        ("twelve", 12),
        ("twenty", 20),
        ("twenty-one", 21),
        ("ninety nine", 99),
        ("a hundred", 100),
        ("one hundred and five", 105),
        ("two hundred", 200),
        ("нуль", 0),
        ("дві", 2),
        ("двох", 2),
        ("п'ять", 5),
        ("п’ять", 5),
        ("пʼять", 5),
        ("шістнадцять", 16),
        ("двадцять три", 23),
        ("сто двадцять п'ять", 125),
        ("тисяча двісті", 1200),
        ("пять", 5),
        ("пятнадцать", 15),
        ("двадцать одна", 21),
        ("девяносто девять", 99),
        ("триста сорок шесть", 346),
    ],
)
def test_number_words_are_exact_counts(written: str, value: int) -> None:
    claim = number(f"Було {written} рядків.")

    assert (claim.text, claim.kind, claim.unit) == (written, NumberKind.COUNT, "row")
    assert claim.readings == (exact(str(value)),)


def test_a_scale_word_in_letters_shows_rounding() -> None:
    assert number("We have two million users.").readings == (exact("2000000", "500000"),)
    assert number("Маємо півтора мільйона клієнтів.").readings == (exact("1500000", "500000"),)


@pytest.mark.parametrize(
    "text",
    [
        "One of the regions is late.",
        "No one knows, and this one is fine.",
        "Asia is the one that grew.",
        "One can see a two-way street and a one-time offer.",
        "The other three shrank, and those two grew.",
        "Одна з причин відома.",
        "Один из регионов опоздал.",
        "Один одному допомогли.",
        "Thousands of customers and a dozen of others.",
        "Тисячі клієнтів та мільйони записів.",
    ],
)
def test_pronouns_and_vague_words_assert_nothing(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text", ["Only one region is left.", "There is one row.", "Лише один регіон.", "Осталась одна строка."]
)
def test_one_counts_where_it_is_a_numeral(text: str) -> None:
    assert (number(text).kind, number(text).value) == (NumberKind.COUNT, Decimal(1))


@pytest.mark.parametrize(
    "text, value, tolerance",
    [
        ("Half of it is gone.", "0.5", "0.005"),
        ("Two thirds of users pay.", "0.666667", "0.005"),
        ("A quarter of users pay.", "0.25", "0.005"),
        ("3/4 of users pay.", "0.75", "0.005"),
        ("½ of users pay.", "0.5", "0.005"),
        ("Asia has twice as many.", "2", "0.05"),
        ("Asia has 2.5 times as many.", "2.5", "0.05"),
        ("Asia has 3x the average.", "3", "0.5"),
        ("Половина клієнтів платить.", "0.5", "0.005"),
        ("Третина клієнтів платить.", "0.333333", "0.005"),
        ("Четверть клиентов платит.", "0.25", "0.005"),
        ("Азія має вдвічі більше.", "2", "0.05"),
        ("Азия имеет втрое больше.", "3", "0.05"),
        ("Це у 2,5 раза більше.", "2.5", "0.05"),
        ("Стало в 3 раза больше.", "3", "0.5"),
        ("Стало в полтора раза больше.", "1.5", "0.05"),
        ("About half of it is gone.", "0.5", "0.05"),
        ("1 in 5 users pays.", "0.2", "0.005"),
        ("One in five users pays.", "0.2", "0.005"),
        ("Кожен п'ятий клієнт платить.", "0.2", "0.005"),
        ("Каждый десятый клиент платит.", "0.1", "0.005"),
        ("A 10-fold rise is seen.", "10", "0.5"),
    ],
)
def test_parts_and_multiples_are_ratios(text: str, value: str, tolerance: str) -> None:
    claim = number(text)

    assert (claim.kind, claim.readings) == (NumberKind.RATIO, (exact(value, tolerance),))


@pytest.mark.parametrize(
    "text",
    [
        "The second half was slow.",
        "In half a year.",
        "A third group was added.",
        "In this quarter.",
        "Друга половина дня.",
    ],
)
def test_halves_and_thirds_of_other_kinds_assert_nothing(text: str) -> None:
    assert extract_claims(text) == ()


@pytest.mark.parametrize(
    "text",
    [
        "4 of 7 match.",
        "4 out of 7 match.",
        "4 of the 7 groups match.",
        "4 із 7 груп.",
        "4 з 7.",
        "4 из 7 строк.",
    ],
)
def test_so_many_of_so_many_are_two_counts(text: str) -> None:
    found = [(claim.kind, *claim.readings[0]) for claim in numbers(text)]

    assert found == [(NumberKind.COUNT, *exact("4")), (NumberKind.COUNT, *exact("7"))]


@pytest.mark.parametrize(
    "text",
    [
        "80 rows match.",
        "80 records match.",
        "Маємо 80 рядків.",
        "За 80 рядками.",
        "Нашлось 80 строк.",
        "Есть 80 записей.",
    ],
)
def test_rows_are_counted_exactly(text: str) -> None:
    claim = number(text)

    assert (claim.kind, claim.unit, claim.readings) == (NumberKind.COUNT, "row", (exact("80"),))


@pytest.mark.parametrize(
    "text", ["An average of 80 rows are added.", "There are 80 rows per region.", "В среднем 80 строк."]
)
def test_a_mean_number_of_rows_is_rounded(text: str) -> None:
    assert number(text).readings == (exact("80", "0.5"),)


@pytest.mark.parametrize(
    "text, expected",
    [
        ("In 2024 it grew.", [exact("2024")]),
        ("У 2024 році зросло.", [exact("2024")]),
        ("В 2024 г. выросло.", [exact("2024")]),
        ("У 2024-му зросло.", [exact("2024")]),
        ("The year 2024 was good.", [exact("2024")]),
        ("In 2023/24 it grew.", [exact("2023")]),
        ("2024 was good.", [exact("2024"), exact("2024", "0.5")]),
        ("Sales (2024) were good.", [exact("2024"), exact("2024", "0.5")]),
    ],
)
def test_four_digits_are_a_year_in_the_company_of_dates(text: str, expected: object) -> None:
    claim = number(text)

    assert claim.kind is NumberKind.YEAR
    assert list(claim.readings) == expected


@pytest.mark.parametrize(
    "text",
    [
        "The total is 2024.",
        "A total of 2024 was paid.",
        "About 2024 were sold.",
        "It cost $2024.",
        "They sold 2,024.",
        "There are 2024 kg.",
        "Σ = 2024",
        "Їх продано понад 2024.",
        "In 3024 it ends.",
    ],
)
def test_four_digits_are_an_amount_otherwise(text: str) -> None:
    assert number(text).kind in {NumberKind.NUMBER, NumberKind.MONEY}


@pytest.mark.parametrize(
    "text", ["It peaks at 14:30.", "It peaks at 2:30 pm.", "Пік о 14:30.", "Пик в 14:30:00."]
)
def test_a_time_of_day_is_in_hours(text: str) -> None:
    claim = number(text)

    assert (claim.kind, claim.value, claim.unit) == (NumberKind.TIME, exact("14.5")[0], "hour")


@pytest.mark.parametrize(
    "text, unit",
    [
        ("It took 5 days.", "day"),
        ("It took 5 ms.", "millisecond"),
        ("It weighs 5 kg.", "kilogram"),
        ("It is 5°C.", "degree"),
        ("Минуло 5 днів.", "day"),
        ("Прошло 5 лет.", "year"),
        ("It has 5 groups.", "group"),
        ("Понад 5-ти років.", "year"),
        ("It has 5m² left.", "metre"),
        ("Площа 5 м² тут.", "metre"),
        ("It is 5.", None),
    ],
)
def test_the_unit_is_the_noun_that_is_counted(text: str, unit: str | None) -> None:
    assert number(text).unit == unit
