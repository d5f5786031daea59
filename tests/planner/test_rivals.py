"""What is told beside an answer is no rival of it; what another scale, unit or column may give is."""

from __future__ import annotations

import datetime as dt
from itertools import cycle, islice
from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Measure, Operator, Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.planner.intent import Intent
    from tests.planner.asking import Asker

_PETS = (("Bella", "dog"), ("Luna", "cat"), ("Max", "dog"), ("Rocky", "rabbit"), ("Milo", "cat"))
_OWNERS = ("Anna Reed", "Tom Price", "Olga Ivanova")
_REASONS = ("vaccination", "checkup", "surgery", "dental", "injury", "checkup", "dental")
_BILLS = (45, 60, 80, 120, 300, 650)


@pytest.fixture
def visits(tmp_path: Path) -> Path:
    cells = zip(
        range(1000, 1160),
        cycle(_PETS),
        cycle(_OWNERS),
        cycle(_REASONS),
        cycle(_BILLS),
        range(160),
        strict=False,
    )
    rows = [
        f"{number},{pet},{species},{owner},{reason},{dt.date(2025, 1, 3) + dt.timedelta(days=2 * day)},{day % 37}.5,{bill}"
        for number, (pet, species), owner, reason, bill, day in cells
    ]
    header = "visit_id,pet,species,owner,reason,visit_date,weight_kg,bill"
    return table_of(tmp_path, "visits", header, rows)


@pytest.fixture
def calls(tmp_path: Path) -> Path:
    agents = islice(cycle(("Mia", "Noah", "Eva")), 90)
    rows = [
        f"{number},{agent},2025-05-{number % 28 + 1:02} {number % 24:02}:15:00,{number * 7 % 300}"
        for number, agent in enumerate(agents)
    ]
    return table_of(tmp_path, "calls", "call_id,agent,started_at,talk_sec", rows)


def _best(asker: Asker, path: Path, question: str) -> tuple[Intent, bool]:
    found = asker.interpreter(path).read(question)
    return found.candidates[0].intent, found.certain


def test_rows_are_no_rival_of_their_number_that_was_asked_for(asker: Asker, visits: Path) -> None:
    intent, certain = _best(asker, visits, "how many dogs in June")

    assert certain
    assert intent.measures == (Measure(),)
    assert {clause.column for clause in intent.clauses if isinstance(clause, Condition)} == {
        "species",
        "visit_date",
    }


def test_a_number_behind_rows_bounds_no_names_of_them_that_it_does_not_part(
    asker: Asker, visits: Path
) -> None:
    over, _ = _best(asker, visits, "visits over 300")
    among, _ = _best(asker, visits, "visits over 1050")

    assert over.clauses == (Condition(column="bill", operator=Operator.GT, values=(300,)),)
    assert among.clauses == (Condition(column="visit_id", operator=Operator.GT, values=(1050,)),)


def test_what_sides_are_compared_by_may_name_its_function(asker: Asker, visits: Path) -> None:
    intent, certain = _best(asker, visits, "compare dogs and cats by average bill")

    assert certain
    assert intent.output is Output.COMPARISON
    assert intent.measures == (Measure(function="mean", column="bill"),)


def test_the_weights_of_each_visit_have_no_certain_sum(asker: Asker, visits: Path) -> None:
    assert not _best(asker, visits, "pets by weight")[1]
    assert _best(asker, visits, "average weight by pet")[1]


def test_a_unit_of_time_that_a_duration_is_asked_in_is_no_group(asker: Asker, calls: Path) -> None:
    assert not _best(asker, calls, "total talk time in hours")[1]
    assert _best(asker, calls, "talk time by hour")[1]


def test_a_bound_far_above_every_cell_may_be_in_another_scale(asker: Asker, tmp_path: Path) -> None:
    rows = [f"A{n},{('Spain', 'France', 'Italy')[n % 3]},{n * 2.5}" for n in range(1, 40)]
    path = table_of(tmp_path, "airports", "code,country,passengers_m", rows)

    assert not _best(asker, path, "airports in Spain with over 70 million passengers")[1]


def test_what_is_out_of_something_is_offered(asker: Asker, tmp_path: Path) -> None:
    rows = [f"LT-{n},{('Dell', 'Apple')[n % 2]},2026-{n % 12 + 1:02}-15" for n in range(40)]
    path = table_of(tmp_path, "laptops", "tag,brand,warranty_until", rows)

    assert not _best(asker, path, "laptops out of warranty")[1]


def test_pieces_that_were_made_are_added_up(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{('Ирина', 'Павел', 'Семён')[n % 3]},{50 + n * 13 % 300},{12 + n % 9}" for n in range(60)]
    path = table_of(tmp_path, "пекарня", 'Пекарь,"Выпущено, шт",Себестоимость', rows)
    intent, certain = _best(asker, path, "кто из пекарей выпустил больше всего")

    assert certain
    assert intent.measures == (Measure(function="sum", column="Выпущено, шт"),)
    assert not _best(asker, path, "себестоимость по пекарям")[1]


def test_empty_rows_are_those_that_hold_nothing(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('12', 'N4')[n % 2]},{n * 7 % 50}" for n in range(60)]
    path = table_of(tmp_path, "trips", "trip_id,route,passengers", rows)

    assert not _best(asker, path, "empty trips")[1]
    assert _best(asker, path, "missing values")[1]


def test_birds_seen_are_counted_by_their_column(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2025-03-{n % 28 + 1:02},{('Robin', 'Wren', 'Great Tit')[n % 3]},{n % 7}" for n in range(60)]
    path = table_of(tmp_path, "feeder", "Date,Species,Birds Seen", rows)

    assert not _best(asker, path, "how many robins")[1]
    assert _best(asker, path, "total birds seen by species")[1]


@pytest.mark.parametrize("sites, certain", [(4, False), (1, True)])
def test_days_are_rows_only_where_each_has_one(
    asker: Asker, tmp_path: Path, sites: int, *, certain: bool
) -> None:
    first = dt.date(2025, 3, 1)
    rows = [f"{first + dt.timedelta(days=n // sites)},{n % sites},{n * 13 % 97}.5" for n in range(60 * sites)]
    path = table_of(tmp_path, "output", "Date,Site,Energy", rows)

    assert _best(asker, path, "how many days in April")[1] is certain


@pytest.mark.parametrize("texts", [("Booking", "phone", "web"), ("booking", "enquiry", "visit")])
def test_a_cell_that_is_written_like_the_word_for_rows_may_be_meant(
    asker: Asker, tmp_path: Path, texts: tuple[str, ...]
) -> None:
    rows = [f"B{n},{texts[n % 3]},{n % 8 + 1}" for n in range(60)]
    path = table_of(tmp_path, "hotel_bookings", "booking,channel,nights", rows)

    assert not _best(asker, path, "how many bookings")[1]
    by_name, _ = _best(asker, path, f"how many bookings came through {texts[0]}")
    assert by_name.clauses == (Condition(column="channel", operator=Operator.EQ, values=(texts[0],)),)


def test_a_row_that_is_asked_for_by_a_name_that_none_has_is_looked_for(asker: Asker, visits: Path) -> None:
    found = asker.interpreter(visits).read("visit 5000")

    assert Condition(column="visit_id", operator=Operator.EQ, values=(5000,)) in {
        clause for candidate in found.candidates for clause in candidate.intent.clauses
    }


def test_a_number_behind_rows_may_be_of_their_money(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},{('bus', 'tram')[n % 2]},{n * 7 % 90}.5,{n * 31 % 7000}" for n in range(90)]
    path = table_of(tmp_path, "rides", "ride_id,kind,fare,ride_sec", rows)

    assert not _best(asker, path, "rides over 80")[1]
    assert _best(asker, path, "rides longer than 80 seconds")[1]


@pytest.mark.parametrize(
    "question, unit",
    [("сколько позиций в шт", "шт."), ("сколько строк где ед. = шт.", "шт."), ("сколько товаров в м", "м")],
)
def test_a_cell_goes_before_a_word_that_says_nothing(
    asker: Asker, tmp_path: Path, question: str, unit: str
) -> None:
    path = table_of(
        tmp_path, "furniture", "Товар,Ед.,Кол-во", ["Стол,шт.,5", "Ткань,м,7", "Краска,л,3", "Стул,шт.,2"]
    )
    best, certain = _best(asker, path, question)

    assert certain
    assert best.clauses == (Condition(column="Ед.", operator=Operator.EQ, values=(unit,)),)


def test_a_yes_is_a_cell_where_the_table_has_it(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "goods", "Товар,Наявність", ["А,є", "Б,немає", "В,є"])

    assert _best(asker, path, "скільки товарів є")[0].clauses
    assert not _best(asker, path, "скільки є")[1]
