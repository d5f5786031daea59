"""Times in everyday words, in three languages: exact days, or units back from the last date of the data."""

import pytest

from tests.planner.words.sentences import longest_times, read, shown_time

ABSOLUTE = [
    ("sales in 2023", "year 2023-01-01..2023-12-31"),
    ("March 2023", "month 2023-03-01..2023-03-31"),
    ("in February of 2024", "month 2024-02-01..2024-02-29"),
    ("2024-03", "month 2024-03-01..2024-03-31"),
    ("03/2024", "month 2024-03-01..2024-03-31"),
    ("2024-03-05", "day 2024-03-05..2024-03-05"),
    ("> 2024-03-05", "day 2024-03-06..; after"),
    (">= 05.03.2024", "day 2024-03-05..; since"),
    ("< 2024-03-05", "day ..2024-03-04; before"),
    ("<= March 5, 2024", "day ..2024-03-05; until"),
    ("= 2024-03-05", "day 2024-03-05..2024-03-05"),
    ("більше 05.03.2024", "day 2024-03-06..; after"),
    ("over March 2024", "month 2024-03-01..2024-03-31"),
    ("June 5th, 2023", "day 2023-06-05..2023-06-05"),
    ("the 5th of June 2023", "day 2023-06-05..2023-06-05"),
    ("3/14/2023", "day 2023-03-14..2023-03-14"),
    ("Q1 2024", "quarter 2024-01-01..2024-03-31"),
    ("2024 Q1", "quarter 2024-01-01..2024-03-31"),
    ("the third quarter of 2023", "quarter 2023-07-01..2023-09-30"),
    ("H1 2024", "quarter 2024-01-01..2024-06-30"),
    ("first half of May 2024", "day 2024-05-01..2024-05-15"),
    ("summer 2023", "month 2023-06-01..2023-08-31"),
    ("mid-2023", "month 2023-05-01..2023-08-31"),
    ("early May 2024", "day 2024-05-01..2024-05-10"),
    ("late 1990s", "year 1997-01-01..1999-12-31"),
    ("in the nineties", "decade 1990-01-01..1999-12-31"),
    ("90s songs", "decade 1990-01-01..1999-12-31"),
    ("the 20th century", "century 1901-01-01..2000-12-31"),
    ("first week of May 2024", "week 2024-05-01..2024-05-07"),
    ("last week of May 2024", "week 2024-05-25..2024-05-31"),
    ("last 30 days of May 2023", "day 2023-05-02..2023-05-31"),
    ("first three months of 2024", "month 2024-01-01..2024-03-31"),
    ("week 12 of 2024", "week 2024-03-18..2024-03-24"),
    ("between March and May 2023", "month 2023-03-01..2023-05-31"),
    ("June–August 2023", "month 2023-06-01..2023-08-31"),
    ("2024-Q1", "quarter 2024-01-01..2024-03-31"),
    ("March-2023", "month 2023-03-01..2023-03-31"),
    ("in February 2023 and 2024", "month 2023-02-01..2023-02-28 | month 2024-02-01..2024-02-29"),
    ("29 February 2024", "day 2024-02-29..2024-02-29"),
    ("from February 20 to February 29, 2024", "day 2024-02-20..2024-02-29"),
    ("from March 1 to March 15, 2024", "day 2024-03-01..2024-03-15"),
    ("from December 20 to January 10 2024", "day 2023-12-20..2024-01-10"),
    ("from 5 to 12 June 2023", "day 2023-06-05..2023-06-12"),
    ("from November to February 2024", "month 2023-11-01..2024-02-29"),
    ("2020-2023", "year 2020-01-01..2023-12-31"),
    ("the start of 2023", "month 2023-01-01..2023-04-30"),
    ("from the start of 2023", "year 2023-01-01..; since"),
    ("since the beginning of May 2024", "day 2024-05-01..; since"),
    ("з початку 2023 року", "year 2023-01-01..; since"),
    ("с начала 2023 года", "year 2023-01-01..; since"),
    ("в начале 2023 года", "month 2023-01-01..2023-04-30"),
    ("since 2020", "year 2020-01-01..; since"),
    ("after March 2023", "month 2023-04-01..; after"),
    ("before 2020", "year ..2019-12-31; before"),
    ("2020 or later", "year 2020-01-01..; since"),
    ("у березні 2023 року", "month 2023-03-01..2023-03-31"),
    ("з 5 до 12 червня 2023", "day 2023-06-05..2023-06-12"),
    ("на початку 2023 року", "month 2023-01-01..2023-04-30"),
    ("перший тиждень травня 2024", "week 2024-05-01..2024-05-07"),
    ("у дев'яностих", "decade 1990-01-01..1999-12-31"),
    ("1990-ті роки", "decade 1990-01-01..1999-12-31"),
    ("влітку 2023", "month 2023-06-01..2023-08-31"),
    ("перше півріччя 2024", "quarter 2024-01-01..2024-06-30"),
    ("за 5 місяців 2023 року", "month 2023-01-01..2023-05-31"),
    ("между мартом и маем 2023", "month 2023-03-01..2023-05-31"),
    ("с 5 по 12 июня 2023 года", "day 2023-06-05..2023-06-12"),
    ("4 квартал 2023", "quarter 2023-10-01..2023-12-31"),
    ("у 2 кварталі 2023", "quarter 2023-04-01..2023-06-30"),
    ("в 3-м квартале 2023", "quarter 2023-07-01..2023-09-30"),
    ("в 1-му кварталі 2023", "quarter 2023-01-01..2023-03-31"),
    ("в девяностые годы", "decade 1990-01-01..1999-12-31"),
    ("20 век", "century 1901-01-01..2000-12-31"),
]
RELATIVE = [
    ("last 3 months", "last 3 month"),
    ("the past two weeks", "last 2 week"),
    ("this month", "month 0 ago"),
    ("last year", "year 1 ago"),
    ("today", "day 0 ago"),
    ("yesterday", "day 1 ago"),
    ("on the last day", "day 0 ago"),
    ("the last date", "day 0 ago"),
    ("on the previous day", "day 1 ago"),
    ("year to date", "year 0 ago"),
    ("six months ago", "month 6 ago"),
    ("same quarter last year", "quarter 4 ago"),
    ("the same month a year ago", "month 12 ago"),
    ("the year before last", "year 2 ago"),
    ("second quarter of last year", "year 1 ago; quarter 2"),
    ("за останні три місяці", "last 3 month"),
    ("торік", "year 1 ago"),
    ("позаминулого року", "year 2 ago"),
    ("той самий квартал минулого року", "quarter 4 ago"),
    ("рік тому", "year 1 ago"),
    ("за последние 7 дней", "last 7 day"),
    ("в прошлом месяце", "month 1 ago"),
    ("три года назад", "year 3 ago"),
    ("тот же месяц прошлого года", "month 12 ago"),
    ("вчера", "day 1 ago"),
    ("в последний день", "day 0 ago"),
    ("прошлого дня", "day 1 ago"),
    ("за останній день", "day 0 ago"),
    ("попереднього дня", "day 1 ago"),
]
PARTS = [
    ("in March", "month 3"),
    ("between March and May", "month 3 4 5"),
    ("from November to February", "month 11 12 1 2"),
    ("January, March and May", "month 1 3 5"),
    ("March 5", "year_day 03-05"),
    ("March 5 and May 7", "year_day 03-05 05-07"),
    ("early March", "year_day 03-01..03-10"),
    ("March 5 to March 15", "year_day 03-05..03-15"),
    ("from the 1st of March to the 15th of April", "year_day 03-01..04-15"),
    ("between December 20 and February", "year_day 12-20..02-29"),
    ("from the 3rd to the 5th of May", "year_day 05-03..05-05"),
    ("since March 15", "year_day 03-15..12-31; since"),
    ("after February 28", "year_day 02-29..12-31; after"),
    ("before March 1", "year_day 01-01..02-29; before"),
    ("until the 15th of March", "year_day 01-01..03-15; until"),
    ("Monday to Friday", "weekday 0 1 2 3 4"),
    ("on weekends in June 2023", "month 2023-06-01..2023-06-30; weekday 5 6"),
    ("March-May", "month 3 4 5"),
    ("Mon–Fri", "weekday 0 1 2 3 4"),
    ("июнь–август", "month 6 7 8"),
    ("since March", "month 3 4 5 6 7 8 9 10 11 12; since"),
    ("before June", "month 1 2 3 4 5; before"),
    ("before noon", "hour 0 1 2 3 4 5 6 7 8 9 10 11"),
    ("after 6 pm", "hour 18 19 20 21 22 23"),
    ("from 9 am to 5 pm", "hour 9 10 11 12 13 14 15 16"),
    ("у вихідні", "weekday 5 6"),
    ("після 18:00", "hour 18 19 20 21 22 23"),
    ("до полудня", "hour 0 1 2 3 4 5 6 7 8 9 10 11"),
    ("с марта по май", "month 3 4 5"),
    ("з 10 березня по 5 квітня", "year_day 03-10..04-05"),
    ("после 15 марта", "year_day 03-16..12-31; after"),
    ("по будням", "weekday 0 1 2 3 4"),
]
LISTS = [
    ("2022 and 2023", "year 2022-01-01..2022-12-31 | year 2023-01-01..2023-12-31"),
    (
        "2021, 2022 and 2024",
        "year 2021-01-01..2021-12-31 | year 2022-01-01..2022-12-31 | year 2024-01-01..2024-12-31",
    ),
    ("June and July 2023", "month 2023-06-01..2023-06-30 | month 2023-07-01..2023-07-31"),
    ("June 2023 and 2024", "month 2023-06-01..2023-06-30 | month 2024-06-01..2024-06-30"),
    ("this month vs the previous", "month 0 ago | month 1 ago"),
    ("у 2022 і 2023 роках", "year 2022-01-01..2022-12-31 | year 2023-01-01..2023-12-31"),
    ("в июне и июле 2023", "month 2023-06-01..2023-06-30 | month 2023-07-01..2023-07-31"),
]


@pytest.mark.parametrize("text,expected", [*ABSOLUTE, *RELATIVE, *PARTS, *LISTS])
def test_a_time_is_read_as_a_whole(text: str, expected: str) -> None:
    assert expected in longest_times(text)


def test_the_month_before_is_the_one_before_the_last() -> None:
    assert longest_times("this month vs the month before") == ["month 0 ago", "month 1 ago"]


def test_a_winter_is_of_either_year() -> None:
    assert longest_times("winter 2023") == ["month 2022-12-01..2023-02-28", "month 2023-12-01..2024-02-29"]


def test_days_of_which_either_number_may_be_the_month_are_read_both_ways() -> None:
    assert longest_times("5/6/2023") == ["day 2023-05-06..2023-05-06", "day 2023-06-05..2023-06-05"]


@pytest.mark.parametrize(
    "text", ["2000 km", "over 2000 minutes", "$2000", "2000%", "тисяча людей", "5 orders"]
)
def test_a_number_of_something_is_no_time(text: str) -> None:
    assert not longest_times(text)


def test_a_day_that_a_year_does_not_have_is_none_of_its_days() -> None:
    assert not [span for span in read("29 February 2023").times if span.period and span.period.unit == "day"]


@pytest.mark.parametrize("text", ["30 February 2023", "31/31/2023", "since winter", "week 60 of 2024"])
def test_a_time_that_the_calendar_does_not_have_is_not_made(text: str) -> None:
    assert not [span for span in read(text).times if span.start == 0]


def test_the_parts_of_a_time_stay_beside_it() -> None:
    assert [shown_time(span) for span in read("March 2023").times] == [
        "month 2023-03-01..2023-03-31",
        "month 3",
        "year 2023-01-01..2023-12-31",
    ]
