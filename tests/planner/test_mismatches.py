"""What the words of a question can be made to say, and what it did not ask for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Condition, Operator, Output, all_conditions, single_conditions
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tabchat.engine.types import Row
    from tabchat.planner.intent import Intent
    from tests.planner.asking import Asker

BAKES = [
    f"2024-{1 + n % 6:02d}-{1 + n % 27:02d},{('Croissant', 'Rye loaf', 'Bun')[n % 3]},{20 + n % 9},{12 + n % 7},{30 + n * 7 % 50}"
    for n in range(90)
]
STAFF = [
    f"{1000 + n},Name{n},{('Lee', 'Fox', 'Ray', 'Kim')[n % 4]},{('Sales', 'IT')[n % 2]},"
    f"{2009 + n % 14}-05-0{1 + n % 9},{'' if n % 6 else f'202{3 + n % 2}-08-11'},{20000 + n * 731 % 9000}"
    for n in range(48)
]
LEAVE = [
    f"{n % 9},Олена {n % 9},{('Склад', 'ІТ')[n % 2]},{n % 5 + 1},{20000 + n % 9 * 900}" for n in range(60)
]


@pytest.fixture
def bakes(tmp_path: Path) -> Path:
    return table_of(tmp_path, "bakery_sales", "day,product,qty_baked,qty_sold,takings", BAKES)


@pytest.fixture
def staff(tmp_path: Path) -> Path:
    header = "emp id,first name,surname,dept,start date,leaving date,salary"
    return table_of(tmp_path, "staff", header, STAFF)


def readings(asker: Asker, path: Path, question: str) -> list[Intent]:
    return [reading.intent for reading in asker.readings(path, question)]


def answered(asker: Asker, path: Path, question: str) -> tuple[Row, ...]:
    """Return the rows of a certain answer."""
    found = asker.interpreter(path).read(question)
    assert found.certain, found.candidates[:2]
    return asker.answer(path, asker.call(path, found.candidates[0].intent)).rows


def test_a_number_that_was_asked_for_is_no_list(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"{n},2024-0{1 + n % 8}-02,{('Dog', 'Cat', 'Parrot')[n % 3]},{30 + n * 7 % 40}" for n in range(60)
    ]
    path = table_of(tmp_path, "vet_visits", "visit_id,visit_date,species,fee", rows)

    found = asker.interpreter(path).read("how many dogs did we see").candidates
    assert found
    assert all(one.intent.output is not Output.ROWS or one.intent.columns for one in found)


@pytest.mark.parametrize(
    "question, several",
    [
        ("on average, how many hours does a redesign take", False),
        ("total and average hours", True),
        ("minimum, maximum hours", True),
    ],
)
def test_two_figures_of_one_column_are_told_where_two_are_asked_for(
    asker: Asker, tmp_path: Path, question: str, several: bool
) -> None:
    rows = [f"{n},{('Redesign', 'Brochure')[n % 2]},{3 + n * 7 % 40}" for n in range(60)]
    path = table_of(tmp_path, "invoices", "Invoice No,Job,Hours", rows)
    figures = [[one.column for one in intent.measures] for intent in readings(asker, path, question)]

    assert any(columns.count("Hours") > 1 for columns in figures) == several


def test_what_is_no_question_for_yes_or_no(asker: Asker, bakes: Path) -> None:
    found = readings(asker, bakes, "what did we have in March")

    assert found
    assert all(intent.output is not Output.EXISTS for intent in found)


def test_a_denial_that_is_said_twice_is_one(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},Клієнт {n % 8},{'' if n % 3 else 'ЛІТО'},{100 + n}" for n in range(60)]
    path = table_of(tmp_path, "замовлення", "номер,покупець,промокод,сума", rows)

    for intent in readings(asker, path, "хто з покупців ніколи не вводив промокод"):
        parts = single_conditions([clause for one in intent.having for clause in one.measure.part])
        assert all(clause.operator is not Operator.MISSING for clause in parts)


def test_what_was_sold_is_not_what_was_baked(asker: Asker, bakes: Path) -> None:
    found = readings(asker, bakes, "how many croissants did we sell in April")
    sums = [one.column for intent in found for one in intent.measures if one.function == "sum"]

    assert "qty_sold" in sums
    assert "qty_baked" not in sums[: sums.index("qty_sold")]


def test_what_is_so_now_has_not_ended(asker: Asker, staff: Path) -> None:
    ((count,),) = answered(asker, staff, "how many employees are currently in Sales")

    assert count == sum(1 for line in STAFF if ",Sales," in line and ",," in line)


@pytest.mark.parametrize("word, told", [("available", False), ("out", True)])
def test_what_is_available_now_is_not_what_is_gone(
    asker: Asker, tmp_path: Path, word: str, told: bool
) -> None:
    rows = [
        f"{n},{('Dune', 'Emma')[n % 2]},2024-0{1 + n % 8}-02,{'' if n % 4 else '2024-09-20'}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "library_loans", "loan_id,book,loan_date,return_date", rows)
    found = readings(asker, path, f"how many books are currently {word}")

    missing = [one for one in found if any(c.operator is Operator.MISSING for c in all_conditions(one))]
    assert bool(missing) == told


def test_persons_are_shown_by_both_names(asker: Asker, staff: Path) -> None:
    found = asker.interpreter(staff).read("who earns the most in Sales")

    assert found.candidates[0].intent.columns[:2] == ("first name", "surname")
    for intent in readings(asker, staff, "list the different first names"):
        assert intent.output is not Output.VALUES or "surname" not in intent.columns


@pytest.mark.parametrize(
    "first, second, sides",
    [
        ("2022", "2023", ("2022", "2023")),
        ("2023", "2022", ("2023", "2022")),
        ("March", "June", ("month 3", "month 6")),
        ("June", "March", ("month 6", "month 3")),
    ],
)
def test_the_first_of_two_times_is_compared_with_the_second(
    asker: Asker, tmp_path: Path, first: str, second: str, sides: tuple[str, str]
) -> None:
    rows = [f"{2022 + n % 2}-{1 + n // 2 % 12:02d}-03,{n * 37 % 90}.5" for n in range(96)]
    path = table_of(tmp_path, "market_sales", "day,takings", rows)
    question = f"by how much was the takings in {first} higher than in {second}"
    told = {
        tuple(side.label for side in intent.sides)
        for intent in readings(asker, path, question)
        if intent.comparison == "difference"
    }

    assert told == {sides}


@pytest.mark.parametrize(
    "question", ["скільки працівників у кожному відділі", "яка середня зарплата на складі"]
)
def test_people_who_stand_in_several_rows_are_not_counted_by_them(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    path = table_of(tmp_path, "відпустки_працівників", "табельний,ПІБ,відділ,днів,зарплата", LEAVE)

    assert not asker.interpreter(path).read(question).certain


def test_a_date_that_every_row_has_is_theirs(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n},2024-0{1 + n % 8}-02,{'' if n % 3 else '2024-09-20'},{30 + n % 40}" for n in range(60)]
    path = table_of(tmp_path, "vet_visits", "visit_id,visit_date,follow_up_date,fee", rows)

    assert answered(asker, path, "how many visits in April") == ((sum("-04-02" in row for row in rows),),)


def test_a_column_called_year_tells_years(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"{2021 + n % 3},{('wheat', 'barley')[n % 2]},{2020 + n % 3}-10-0{1 + n % 9},{10 + n * 7 % 50}.5"
        for n in range(60)
    ]
    path = table_of(tmp_path, "harvest", "Year,Crop,Sown on,Tonnes", rows)
    sums = {
        year: sum(10.5 + n * 7 % 50 for n in range(60) if 2021 + n % 3 == year) for year in (2021, 2022, 2023)
    }

    assert {row[0]: row[1] for row in answered(asker, path, "tonnes by year")} == sums
    assert answered(asker, path, "total tonnes in 2022") == ((sums[2022],),)


def test_a_day_of_the_week_is_no_week(asker: Asker, bakes: Path) -> None:
    found = readings(asker, bakes, "busiest day of the week")

    assert {key.unit for intent in found for key in intent.keys} & {"week", "day"} == set()


def test_a_gross_weight_is_no_money(asker: Asker, tmp_path: Path) -> None:
    rows = [f"S{n},{('DHL', 'GLS')[n % 2]},{100 + n * 7},{20 + n % 30}.5" for n in range(60)]
    path = table_of(tmp_path, "shipments", "shpmt_no,carrier,gross_wt_kg,freight_eur", rows)
    found = {row[0]: row[1] for row in answered(asker, path, "freight cost per carrier")}

    assert found == {
        name: sum(20.5 + n % 30 for n in range(60) if n % 2 == k) for k, name in enumerate(("DHL", "GLS"))
    }


def test_what_is_compared_comes_first(asker: Asker, bakes: Path) -> None:
    found = asker.interpreter(bakes).read("by how much were takings in January higher than in April")
    (sides,) = {
        tuple(side.label for side in one.intent.sides)
        for one in found.candidates[:1]
        if one.intent.output is Output.COMPARISON
    }

    assert sides == ("month 1", "month 4")


def test_rooms_are_not_added_up(asker: Asker, tmp_path: Path) -> None:
    rows = [f"B{n},{101 + n % 9},{1 + n % 4},{80 + n}" for n in range(60)]
    path = table_of(tmp_path, "bookings", "Booking Ref,Room No,Guests (no.),Rate", rows)

    added = {
        one.column
        for intent in readings(asker, path, "which room is booking B7 in")
        for one in intent.measures
        if one.function == "sum"
    }

    assert "Room No" not in added
    assert answered(asker, path, "total guests") == ((sum(1 + n % 4 for n in range(60)),),)


def test_percentages_and_numbers_of_rooms_are_not_added_up_unasked(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{n % 12 + 1},{('Anna', 'Bea', 'Cleo')[n % 3]},{3 + n % 4}.{n % 10},{40 + n}" for n in range(60)]
    path = table_of(tmp_path, "milk", "Room No,cow,fat %,litres", rows)

    asked = readings(asker, path, "which cow has the highest fat")
    assert asked
    assert all(measure.function != "sum" for intent in asked for measure in intent.measures)
    # What is asked for is computed.
    assert any(
        measure.function == "sum" for measure in readings(asker, path, "sum of fat % by cow")[0].measures
    )


def test_the_dearest_product_is_not_what_most_was_paid_for(asker: Asker, tmp_path: Path) -> None:
    rows = [f"2024-0{1 + n % 6}-02,{('Tea', 'Coffee', 'Honey')[n % 3]},{n % 5 + 1},{85 + n % 3 * 70},{n * 40}" for n in range(60)]  # fmt: skip
    path = table_of(tmp_path, "corner_sales", "date,product,qty,price,total", rows)

    asked = readings(asker, path, "which product is the most expensive")
    assert asked
    assert all(measure.function != "sum" for intent in asked for measure in intent.measures)


def test_the_columns_are_listed_of_all_rows(asker: Asker, staff: Path) -> None:
    asked = readings(asker, staff, "which fields did Sales have")
    assert not [intent for intent in asked if intent.output is Output.SCHEMA and intent.clauses]


def test_what_is_largest_is_told_with_who_paid_it(asker: Asker, tmp_path: Path) -> None:
    rows = [f"C{n},{('Gill', 'Penrose', 'Begg', 'Shaw')[n % 4]},{n * 131 % 977}" for n in range(80)]
    path = table_of(tmp_path, "claims", "claim_ref,policyholder,paid_out", rows)

    best = readings(asker, path, "show the five largest payouts along with the policyholder's name")[0]
    assert best.output is Output.ROWS
    assert best.limit == 5


@pytest.mark.parametrize("question, certain", [("average %", False), ("average mock %", True)])
def test_one_of_several_percentages_is_not_meant_by_their_sign(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [f"{('Ann', 'Bob', 'Cid')[n % 3]},{40 + n % 50},{30 + n % 60}" for n in range(60)]
    path = table_of(tmp_path, "exams", "pupil,Pct,Mock %", rows)

    assert asker.interpreter(path).read(question).certain is certain


@pytest.mark.parametrize("address", ["10.0.0.7", "v1.2.3"])
def test_an_address_or_a_version_is_one_word(asker: Asker, tmp_path: Path, address: str) -> None:
    rows = [f"{n},{('10.0.0.7', '10.0.0.77', 'v1.2.3', 'v1.2.30')[n % 4]},{20 + n}" for n in range(80)]
    path = table_of(tmp_path, "requests", "id,client,ms", rows)

    assert answered(asker, path, f"how many requests from {address}") == ((20,),)


@pytest.mark.parametrize("word", ["in the morning", "at 10 am"])
def test_days_have_no_hours(asker: Asker, tmp_path: Path, word: str) -> None:
    rows = [f"2024-0{1 + n % 6}-02,{('Anna', 'Bea', 'Cleo')[n % 3]},{20 + n % 9}" for n in range(60)]
    path = table_of(tmp_path, "milk", "day,cow,litres", rows)

    found = asker.interpreter(path).read(f"average litres by cow {word}")
    assert found.candidates
    assert not found.certain


def test_drivers_are_no_kilometres(asker: Asker, tmp_path: Path) -> None:
    rows = [f"R{n},{('Ann', 'Bob', 'Cid')[n % 3]},{n * 7 % 90 + 10},{20 + n}" for n in range(60)]
    path = table_of(tmp_path, "rentals", "contract,customer,km_driven,fee", rows)

    assert not asker.interpreter(path).read("which drivers are under 25?").certain
    assert asker.interpreter(path).read("which contracts drove over 50 km").candidates


ORDERS = [
    f"{5000 + n},{('Kyiv', 'Lviv')[n % 2]},cust {n % 17},{10 + n * 7 % 90},{100 + n * 37 % 900},{('paid', 'unpaid')[n % 3 == 0]}"
    for n in range(80)
]


@pytest.fixture
def purchases(tmp_path: Path) -> Path:
    return table_of(tmp_path, "orders", "order_id,city,customer,qty,line_total,payment", ORDERS)


def test_what_names_rows_is_no_amount(asker: Asker, purchases: Path) -> None:
    bounded = {one.column for one in _conditions(asker, purchases, "how many orders over 500 in Kyiv")}
    assert "line_total" in bounded
    assert "order_id" not in bounded
    # By its name it is compared all the same.
    assert "order_id" in {one.column for one in _conditions(asker, purchases, "order id over 5010")}


def test_what_a_cell_says_is_not_all_that_another_is_not(asker: Asker, purchases: Path) -> None:
    operators = {
        one.operator
        for one in _conditions(asker, purchases, "how many unpaid orders")
        if one.column == "payment"
    }
    assert operators == {Operator.EQ}


def test_a_verb_is_no_second_figure(asker: Asker, purchases: Path) -> None:
    question = "which city ordered the most pieces"
    found = readings(asker, purchases, question)
    assert any(intent.orders for intent in found)
    for intent in found:
        assert not (intent.orders and {one.column for one in intent.measures} == {"qty", "line_total"})


@pytest.mark.parametrize(
    "question",
    ["how many draws", "how many orders were marked", "orders against them", "які замовлення висять"],
)
def test_a_word_that_may_restrict_rows_is_not_passed_over(
    asker: Asker, purchases: Path, question: str
) -> None:
    assert not asker.interpreter(purchases).read(question).certain


def test_after_rows_the_best_are_none_of_the_last_names(asker: Asker, purchases: Path) -> None:
    planner = asker.planner(purchases)
    previous = planner.plan("unpaid orders in Kyiv").intent
    assert previous is not None
    found = planner.interpreter().read("best customers", previous)
    assert not found.certain
    assert all(order.column != "customer" for one in found.candidates for order in one.intent.orders)


def _conditions(asker: Asker, path: Path, question: str) -> list[Condition]:
    return [one for intent in readings(asker, path, question) for one in all_conditions(intent)]


INVOICES = [
    f"{4000 + n * 3 - n % 2},{('Acme', 'Borg', 'Cyan')[n % 3]},2024-{1 + n % 6:02d}-11,{50 + n * 7.25}"
    for n in range(40)
]
STAYS = [
    f"{n + 5001},Guest{n % 9},{101 + n % 3},2024-0{1 + n % 6}-0{1 + n % 9},{1 + n % 4},{90 + n * 7 % 50}"
    for n in range(40)
]


@pytest.mark.parametrize(
    "header, question, function",
    [
        ("Invoice,Customer,Issued,Amount", "average invoice", "mean"),
        ("Invoice,Customer,Issued,Amount", "median invoice", "median"),
        ("Invoice,Customer,Issued,Amount", "total invoices by customer", "sum"),
        ("Order,Customer,Placed,Amount", "average order by customer", "mean"),
        ("Рахунок,Клієнт,Дата,Сума", "середній рахунок", "mean"),
        ("Рахунок,Клієнт,Дата,Сума", "сума рахунків", "sum"),
        ("Заказ,Клиент,Дата,Сумма", "средний заказ по клиентам", "mean"),
        ("Заказ,Клиент,Дата,Сумма", "сумма заказов по клиентам", "sum"),
    ],
)
def test_what_bears_a_number_is_computed_by_what_it_comes_to(
    asker: Asker, tmp_path: Path, header: str, question: str, function: str
) -> None:
    number, _, _, amount = header.split(",")
    first, *others = readings(asker, table_of(tmp_path, "papers", header, INVOICES), question)

    assert [(one.function, one.column) for one in first.measures] == [(function, amount)]
    assert not any(one.column == number and one.function == function for it in others for one in it.measures)


@pytest.mark.parametrize("question", ["average room", "total bookings", "average booking"])
def test_numbers_on_doors_and_a_total_of_rows_are_no_certain_figure(
    asker: Asker, tmp_path: Path, question: str
) -> None:
    path = table_of(tmp_path, "stays", "booking_id,guest,room,check_in,nights,total", STAYS)

    assert not asker.interpreter(path).read(question).certain
    assert asker.interpreter(path).read("highest booking id").certain
