"""Of two conditions with `or` between them one must hold, whatever columns they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_ROWS = [
    f"V{n},{('Harbour', 'Old Town', 'Mill')[n % 3]},{('Ann Lee', 'Bo Marsh')[n % 2]},{5 + n % 40},"
    f"{round(2.5 + n % 7, 2)},{f'2024-03-{1 + n % 27:02d}' if n % 5 else ''}"
    for n in range(90)
]
_HEADER = "visit,site,nurse,stay_min,fee_eur,billed_on"


@pytest.mark.parametrize(
    "question, where",
    [
        ("visits at Mill or over 30 minutes", "(site == 'Mill') or (stay_min > 30)"),
        ("how many visits at Mill or with a fee over 7", "(site == 'Mill') or (fee_eur > 7)"),
        ("visits under 10 or over 40 minutes", "(stay_min < 10) or (stay_min > 40)"),
        ("visits with a fee of at most 3 or not billed", "(fee_eur <= 3) or (billed_on is null)"),
        ("Mill visits or visits over 30 minutes", "(site == 'Mill') or (stay_min > 30)"),
    ],
)
def test_either_of_two_conditions_is_read_first(
    asker: Asker, tmp_path: Path, question: str, where: str
) -> None:
    visits = table_of(tmp_path, "visits", _HEADER, _ROWS)
    best = asker.interpreter(visits).read(question).candidates[0]

    assert asker.call(visits, best.intent).arguments["where"] == where


@pytest.mark.parametrize(
    "question, where",
    [
        ("visits at Mill or Harbour", "site in ['Mill', 'Harbour']"),
        ("visits not at Mill or Harbour", "site not in ['Mill', 'Harbour']"),
        ("visits at Mill and over 30 minutes", "(site == 'Mill') and (stay_min > 30)"),
        ("visits of 30 minutes or more", "stay_min >= 30"),
    ],
)
def test_a_list_of_cells_is_one_condition(asker: Asker, tmp_path: Path, question: str, where: str) -> None:
    visits = table_of(tmp_path, "visits", _HEADER, _ROWS)
    best = asker.interpreter(visits).read(question).candidates[0]

    assert asker.call(visits, best.intent).arguments["where"] == where


def test_the_rows_of_either_are_counted_once(asker: Asker, tmp_path: Path) -> None:
    visits = table_of(tmp_path, "visits", _HEADER, _ROWS)
    found = asker.interpreter(visits).read("how many visits at Mill or over 30 minutes")

    assert found.certain
    answer = asker.answer(visits, asker.call(visits, found.candidates[0].intent))
    either = [row for row in _ROWS if row.split(",")[1] == "Mill" or int(row.split(",")[3]) > 30]
    assert answer.rows == ((len(either),),)


def test_which_of_three_belong_together_is_open(asker: Asker, tmp_path: Path) -> None:
    visits = table_of(tmp_path, "visits", _HEADER, _ROWS)

    assert not asker.interpreter(visits).read("visits by Ann Lee and at Mill or over 30 minutes").certain


@pytest.mark.parametrize(
    "question, wheres",
    [
        ("incidents not caused by dns", ["cause != 'dns'", "(cause != 'dns') or (cause is null)"]),
        (
            "incidents not caused by dns or capacity",
            ["cause not in ['dns', 'capacity']", "(cause not in ['dns', 'capacity']) or (cause is null)"],
        ),
        ("incidents not handled by Oleg", ["on_call != 'Oleg'"]),
    ],
)
def test_rows_of_which_it_is_not_known_may_be_meant_by_not(
    asker: Asker, tmp_path: Path, question: str, wheres: list[str]
) -> None:
    rows = [
        f"INC-{n},{('Maya', 'Oleg', 'Sam')[n % 3]},{('dns', 'capacity', 'deploy', '')[n % 4]},{n % 50}"
        for n in range(90)
    ]
    incidents = table_of(tmp_path, "incidents", "ticket,on_call,cause,customers", rows)
    found = asker.interpreter(incidents).read(question)
    offered = [asker.call(incidents, one.intent).arguments.get("where") for one in found.candidates]

    assert found.certain <= (len(wheres) == 1)
    assert offered[: len(wheres)] == wheres


def test_a_second_time_is_of_the_date_of_the_first(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"L-{n},{('Old Town', 'Hill')[n % 2]},{1920 + n},2024-0{1 + n % 6}-{1 + n % 27:02d},{90 + n}"
        for n in range(100)
    ]
    flats = table_of(tmp_path, "listings", "listing_id,district,year_built,listed_on,price_usd", rows)
    best = asker.interpreter(flats).read("apartments built before 1960 or after 2010").candidates[0]

    where = "(year_built <= 1959) or (year_built >= 2011)"
    assert asker.call(flats, best.intent).arguments["where"] == where


def test_cells_of_one_column_are_a_list_though_another_column_has_the_second(
    asker: Asker, tmp_path: Path
) -> None:
    names = ("Ganges", "Murray", "Darling", "Yamuna", "Kosi", "Loddon")
    rows = [f"{name},{('Ganges', 'Murray', 'sea')[n % 3]},{900 + 70 * n}" for n, name in enumerate(names)]
    rivers = table_of(tmp_path, "rivers", "river,flows_into,length_km", rows)
    best = asker.interpreter(rivers).read("rivers that flow into Ganges or Murray").candidates[0]

    assert asker.call(rivers, best.intent).arguments["where"] == "flows_into in ['Ganges', 'Murray']"
