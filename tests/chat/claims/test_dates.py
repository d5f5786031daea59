"""Dates and periods, and what they cover."""

from __future__ import annotations

from datetime import date as day
from datetime import datetime

import pytest

from tabchat.chat.claims import WrittenNumber, extract_claims
from tests.chat.claims.asserted import date

_MARCH = (day(2024, 3, 1), day(2024, 3, 31))
_IDES = (day(2024, 3, 15), day(2024, 3, 15))


@pytest.mark.parametrize(
    "written",
    [
        "2024-03-15",
        "2024/03/15",
        "2024.03.15",
        "15.03.2024",
        "15.3.2024",
        "15.03.24",
        "15-03-2024",
        "15/03/2024",
        "03/15/2024",
        "March 15, 2024",
        "March 15th, 2024",
        "Mar. 15, 2024",
        "15 March 2024",
        "15th of March 2024",
        "15-Mar-2024",
        "15 березня 2024 року",
        "15-го березня 2024",
        "15 марта 2024 года",
    ],
)
def test_a_day_is_read_in_any_order(written: str) -> None:
    claim = date(f"On {written} it rained")

    assert (claim.text, claim.readings, claim.at, claim.has_year) == (written, (_IDES,), None, True)


@pytest.mark.parametrize(
    "written",
    [
        "March 2024",
        "Mar 2024",
        "March of 2024",
        "March, 2024",
        "2024-03",
        "березні 2024-го",
        "березень 2024 року",
        "марте 2024 года",
        "март 2024",
    ],
)
def test_a_month_covers_its_days(written: str) -> None:
    claim = date(f"In {written} it rained")

    assert (claim.text, claim.readings) == (written, (_MARCH,))


@pytest.mark.parametrize(
    "written, first, last",
    [
        ("Q1 2024", day(2024, 1, 1), day(2024, 3, 31)),
        ("Q4'23", day(2023, 10, 1), day(2023, 12, 31)),
        ("2024-Q2", day(2024, 4, 1), day(2024, 6, 30)),
        ("2024Q2", day(2024, 4, 1), day(2024, 6, 30)),
        ("1Q24", day(2024, 1, 1), day(2024, 3, 31)),
        ("first quarter of 2024", day(2024, 1, 1), day(2024, 3, 31)),
        ("1 квартал 2024", day(2024, 1, 1), day(2024, 3, 31)),
        ("третьому кварталі 2024 року", day(2024, 7, 1), day(2024, 9, 30)),
        ("IV квартале 2024 г", day(2024, 10, 1), day(2024, 12, 31)),
        ("H2 2024", day(2024, 7, 1), day(2024, 12, 31)),
        ("першому півріччі 2024 року", day(2024, 1, 1), day(2024, 6, 30)),
        ("второе полугодие 2024 года", day(2024, 7, 1), day(2024, 12, 31)),
        ("2024-W05", day(2024, 1, 29), day(2024, 2, 4)),
        ("1990s", day(1990, 1, 1), day(1999, 12, 31)),
        ("2020-х", day(2020, 1, 1), day(2029, 12, 31)),
        ("January–March 2024", day(2024, 1, 1), day(2024, 3, 31)),
        ("січень–березень 2024 року", day(2024, 1, 1), day(2024, 3, 31)),
        ("March 5–7, 2024", day(2024, 3, 5), day(2024, 3, 7)),
        ("5–7 марта 2024 года", day(2024, 3, 5), day(2024, 3, 7)),
        ("February 2024", day(2024, 2, 1), day(2024, 2, 29)),
        ("December 2024", day(2024, 12, 1), day(2024, 12, 31)),
    ],
)
def test_a_period_covers_its_days(written: str, first: day, last: day) -> None:
    claim = date(f"For {written} it held")

    assert (claim.text, claim.first, claim.last) == (written, first, last)


@pytest.mark.parametrize("written", ["15 March", "March 15", "15 березня", "15-го марта", "03/15"])
def test_a_date_without_a_year_says_so(written: str) -> None:
    claim = date(f"On {written} it rained")

    assert (claim.text, claim.has_year) == (written, False)
    assert (claim.first.month, claim.first.day) == (3, 15)


def test_slashes_leave_day_and_month_open() -> None:
    claim = date("On 03/04/2024 it rained")

    assert claim.readings == ((day(2024, 3, 4), day(2024, 3, 4)), (day(2024, 4, 3), day(2024, 4, 3)))


@pytest.mark.parametrize(
    "written", ["2024-03-15 09:30", "2024-03-15T09:30:00", "2024-03-15T09:30Z", "15.03.2024 09:30"]
)
def test_a_time_behind_a_date_is_the_moment(written: str) -> None:
    claim = date(f"At {written} it rained")

    assert (claim.text, claim.at) == (written, datetime.fromisoformat("2024-03-15T09:30"))


@pytest.mark.parametrize(
    "text",
    ["from 3 to 5 March 2024", "between 3 and 5 March 2024", "з 3 по 5 березня 2024", "с 3 по 5 марта 2024"],
)
def test_the_first_day_of_a_range_takes_month_and_year_from_the_last(text: str) -> None:
    first, last = extract_claims(f"It rained {text}.")

    assert not isinstance(first, WrittenNumber)
    assert not isinstance(last, WrittenNumber)
    assert [first.first, last.first] == [day(2024, 3, 3), day(2024, 3, 5)]


@pytest.mark.parametrize(
    "text",
    ["It rains on Friday in May.", "У п'ятницю та в березні.", "You may 5-fold it.", "In Q3 and H2 it grew."],
)
def test_weekdays_and_bare_months_and_quarters_are_no_dates(text: str) -> None:
    assert [claim for claim in extract_claims(text) if not isinstance(claim, WrittenNumber)] == []


@pytest.mark.parametrize("text", ["31.02.2024", "2024-13-45", "99/99/2024", "March 45, 2024"])
def test_impossible_dates_do_not_raise(text: str) -> None:
    assert all(claim.text in text for claim in extract_claims(text))
