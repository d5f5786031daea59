"""A sum of what is no amount, a row where a sum may be meant, and rows where a column counts things are offered, never answered."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.choice.doubts import is_doubtful, prices, sums
from tabchat.planner.choice.doubts.register import DOUBTS
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

OF_SUMS = tuple(tells for tells in DOUBTS if tells.__module__ in {prices.__name__, sums.__name__})


def test_rooms_are_not_added_up(asker: Asker, tmp_path: Path) -> None:
    stays = table_of(
        tmp_path, "stays", "guest,room,visitors", [f"G{n},{n % 9 + 1},{n % 4}" for n in range(40)]
    )
    for question, column, doubtful in (
        ("how many rooms", "room", True),
        ("how many visitors", "visitors", False),
        ("sum of rooms", "room", False),
    ):
        total = Intent(output=Output.VALUE, measures=(Measure(function="sum", column=column),))
        lattice = asker.interpreter(stays).lattice(question)
        assert any(doubt(lattice, total) for doubt in OF_SUMS) == doubtful, question


def test_a_row_of_many_is_no_sum_of_them(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2024-{n % 12 + 1:02d},{('Web', 'Ops')[n % 2]},{n * 3}" for n in range(48)]
    costs = table_of(tmp_path, "bills", "month,team,cost", rows)
    cheapest = Intent(
        output=Output.ROWS,
        columns=("team", "cost"),
        orders=(Order(column="cost", descending=False),),
        limit=1,
    )

    assert is_doubtful(asker.interpreter(costs).lattice("cheapest team"), cheapest)


def test_the_heaviest_of_several_visits_is_not_the_one_with_the_most_of_them(
    asker: Asker, tmp_path: Path
) -> None:
    rows = [f"V{n},{('Rex', 'Tom', 'Max')[n % 3]},{5 + n % 11}" for n in range(40)]
    visits = table_of(tmp_path, "visits", "visit,pet,weight", rows)
    summed = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column="weight"),),
        keys=(Key(column="pet"),),
        orders=(Order(),),
        limit=1,
    )

    assert is_doubtful(asker.interpreter(visits).lattice("which pet was the heaviest"), summed)
    assert not is_doubtful(asker.interpreter(visits).lattice("which pet has the most total weight"), summed)


@pytest.mark.parametrize(
    "header, kinds, less, whole",
    [
        ("walk,bird,quantity", ("robin", "wren", "crow"), "how many robins", "how many walks with robins"),
        (
            "walk,payment,km",
            ("robin", "card"),
            "how many walks with robins were cancelled",
            "how many walks with robins",
        ),
    ],
    ids=["a column counts them", "no column tells what happened"],
)
def test_rows_are_counted_where_a_row_is_one_of_them(
    asker: Asker, tmp_path: Path, header: str, kinds: tuple[str, ...], less: str, whole: str
) -> None:
    rows = [f"W{n},{kinds[n % len(kinds)]},{n % 6}" for n in range(40)]
    reader = asker.interpreter(table_of(tmp_path, "walks", header, rows))
    robins = Condition(column=header.split(",")[1], operator=Operator.EQ, values=("robin",))
    counted = Intent(output=Output.VALUE, measures=(Measure(),), clauses=(robins,))

    assert is_doubtful(reader.lattice(less), counted)
    assert not is_doubtful(reader.lattice(whole), counted)


def test_the_rows_of_a_mass_are_not_what_is_asked_for(asker: Asker, tmp_path: Path) -> None:
    by_town = Intent(output=Output.GROUPS, measures=(Measure(),), keys=(Key(column="town"),))
    for name, doubtful in (
        ("waste", True),
        ("people", False),
        ("walks", False),
        ("врожай", True),
        ("рейси", False),
    ):
        rows = [f"{('Leeds', 'York')[n % 2]},{n % 7}" for n in range(30)]
        lattice = asker.interpreter(table_of(tmp_path, name, "town,kg", rows)).lattice(f"{name} by town")
        assert any(doubt(lattice, by_town) for doubt in OF_SUMS) == doubtful, name


def test_the_last_of_a_file_are_not_the_latest(asker: Asker, tmp_path: Path) -> None:
    days = [f"2024-01-{n:02d}" for n in range(1, 29)]
    last = Intent(output=Output.HEAD, orders=(Order(),), limit=5)
    for name, dates, doubtful in (("falling", days[::-1], True), ("rising", days, False)):
        log = table_of(tmp_path, name, "day,kg", [f"{day},{place}" for place, day in enumerate(dates)])
        assert is_doubtful(asker.interpreter(log).lattice("last 5 records"), last) == doubtful


def test_prices_are_not_added_up_where_what_rows_come_to_may_be_meant(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{name},{n + 2},{n / 4}" for n, name in enumerate(["Ink", "Pen", "Pad", "Tape", "Glue"] * 4)]
    stock = table_of(tmp_path, "stock", "product,quantity,price", rows)

    found = asker.interpreter(stock).read("total price of all products")

    assert not found.certain
    summed = [reading.intent.measures[0].column for reading in found.offered]
    assert {"price", "quantity × price"} <= set(summed)


@pytest.mark.parametrize(
    "question",
    [
        "how much did we spend in March",
        "which month did I spend the most",
        "which payee got the most money",
        "did I spend more on rent or food",
        "balance at the end of February",
    ],
)
def test_what_goes_both_ways_and_what_there_is_at_a_time_are_not_added_up(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    payees = (("Landlord", "rent", -950), ("Market", "food", -42), ("Employer", "pay", 2900))
    rows = [
        f"2025-{1 + n // 20:02d}-{1 + n % 20:02d},{payee},{kind},{amount - n % 7},{9000 + n * 11}"
        for n, (payee, kind, amount) in enumerate(payees * 20)
    ]
    bank = table_of(tmp_path, "bank", "date,payee,category,amount,balance", rows)

    assert not asker.interpreter(bank).read(question).certain
    assert asker.interpreter(bank).read("total amount by payee").certain


@pytest.mark.parametrize("question", ["busiest hour", "peak day", "total bonus"])
def test_crowds_peaks_and_percentages_are_not_told_by_rows_dates_and_sums(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    rows = [f"2025-01-{1 + n // 8:02d},{9 + n % 8}:00,{n * 37 % 140},{n % 30}%" for n in range(200)]
    doors = table_of(tmp_path, "footfall", "Date,Hour,Visitors,Bonus", rows)

    assert not asker.interpreter(doors).read(question).certain
    assert asker.interpreter(doors).read("average bonus").certain


def test_what_most_is_spent_on_is_not_the_dearest_row(asker: Asker, tmp_path: Path) -> None:
    kinds = ("продукти", "транспорт", "кафе")
    rows = [f"2025-01-{n % 28 + 1:02d},{kinds[n % 3]},{n * 37 % 900}" for n in range(60)]
    spent = table_of(tmp_path, "витрати", '"Дата","Категорія","Сума, грн"', rows)

    assert not asker.interpreter(spent).read("на що витрачаємо найбільше").certain


def test_the_most_of_each_is_one_of_each(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{('North', 'South', 'East')[n % 3]},Piece {n},{n * 37 % 101}" for n in range(30)]
    loans = table_of(tmp_path, "loans", "department,object,insured value", rows)
    interpreter = asker.interpreter(loans)

    for question in (
        "highest insured value for every department",
        "for each department the highest insured value",
    ):
        found = interpreter.read(question)
        told = [asker.answer(loans, asker.call(loans, one.intent)).rows for one in found.candidates]
        assert [len(rows) for rows in told[:1]] == [3]
    assert interpreter.read("which object has the highest insured value in each department").certain
