"""What was to be is no time of what happened, what was booked none of what it was booked for, and December comes before January."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def _calls(folder: Path) -> Path:
    rows = [
        f"C{n},{('Evergreen', 'Maersk')[n % 2]},2024-0{1 + n % 6}-{1 + n % 27:02d} {n % 20:02d}:00,"
        f"2024-0{1 + n % 6}-{1 + n % 27:02d} {n % 20 + (n % 5) - 1 if n % 20 else 1:02d}:30,{100 + 7 * n}"
        for n in range(120)
    ]
    return table_of(folder, "port_calls", "call_id,carrier,eta,ata,teu", rows)


@pytest.mark.parametrize(
    "question, where",
    [
        ("calls that arrived late", "ata > eta"),
        ("calls that arrived early", "ata < eta"),
        ("arrivals between 6am and 9am", "hour(ata) in [6, 7, 8]"),
        ("how many Maersk calls in Q2", "(carrier == 'Maersk') and (quarter(ata) == 2)"),
    ],
)
def test_arrivals_are_of_when_ships_came_not_of_when_they_were_expected(
    asker: Asker, tmp_path: Path, question: str, where: str
) -> None:
    calls = _calls(tmp_path)
    best = asker.interpreter(calls).read(question).candidates[0]

    assert asker.call(calls, best.intent).arguments["where"] == where


def test_months_are_those_of_what_happened(asker: Asker, tmp_path: Path) -> None:
    calls = _calls(tmp_path)
    best = asker.interpreter(calls).read("teu by month").candidates[0]

    assert asker.call(calls, best.intent).arguments["map"] == {"month": "period_month(ata)"}


@pytest.mark.parametrize(
    "question, certain",
    [
        ("bookings on Fridays", False),
        ("revenue per week", False),
        ("total bill in May", False),
        ("how many reservations were booked in May", True),
        ("average bill by area", True),
    ],
)
def test_what_a_table_was_booked_for_may_be_meant(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"{900 + n},2024-0{3 + n % 3}-{1 + n % 25:02d},2024-0{3 + n % 3}-{3 + n % 25:02d} {12 + n % 9}:00,"
        f"{('Garden', 'Hall')[n % 2]},{30 + n}"
        for n in range(90)
    ]
    bookings = table_of(tmp_path, "reservations", "res_no,booked_on,seating_time,area,bill_total", rows)

    assert asker.interpreter(bookings).read(question).certain == certain


def _riders(folder: Path, first: str, days: int) -> Path:
    start = dt.date.fromisoformat(first)
    rows = [f"{start + dt.timedelta(days=n)},Alpha,{200 + 3 * n}" for n in range(days)]
    return table_of(folder, f"lift_days_{days}", "op_date,lift,riders", rows)


def test_growth_from_december_is_of_the_january_behind_it(asker: Asker, tmp_path: Path) -> None:
    winter = _riders(tmp_path, "2023-12-01", 80)
    found = asker.interpreter(winter).read("growth in riders from December to January")

    assert found.certain
    ((december, january, percent),) = asker.answer(
        winter, asker.call(winter, found.candidates[0].intent)
    ).rows
    riders = [200 + 3 * n for n in range(80)]
    assert (december, january) == (sum(riders[:31]), sum(riders[31:62]))
    assert percent == pytest.approx(100 * (sum(riders[31:62]) / sum(riders[:31]) - 1))


def test_of_several_winters_which_january_is_meant_is_open(asker: Asker, tmp_path: Path) -> None:
    winters = asker.interpreter(_riders(tmp_path, "2021-12-01", 800))

    assert not winters.read("growth in riders from December to January").certain
