"""What says which rows are meant: `where` behind them, a denied cell behind its column, a number before a month."""

from datetime import date
from pathlib import Path

import pytest

from tabchat.planner.intent import Condition, Operator, Order, Output, Period
from tests.planner.asking import Asker
from tests.planner.tables import table_of

HEADER = "order_id,day,city,product,qty,fee"
ROWS = [
    f"{1000 + n},2024-0{n % 6 + 1}-{n % 27 + 1:02},{city},{product},{n % 9 + 1},{n * 7 % 41}.5"
    for n, (city, product) in enumerate(
        (city, product)
        for city in ("Rome", "Oslo", "Paris", "Kyiv")
        for product in ("Tea", "Coffee", "Milk", "Bread", "Rice")
        for _ in range(3)
    )
]
NOT_OSLO = Condition(column="city", operator=Operator.NE, values=("Oslo",))
MARCH = Period(start=date(2024, 3, 1), end=date(2024, 3, 31), column="day", unit="month")


@pytest.mark.parametrize(
    "question",
    [
        "rows where city is not Oslo",
        "show me the orders where city is not Oslo",
        "list all orders where the city is not Oslo",
        "show orders with city not Oslo",
    ],
)
def test_where_restricts_rows_and_asks_for_no_place(asker: Asker, tmp_path: Path, question: str) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(question)
    intent = reading.candidates[0].intent

    assert reading.certain
    assert (intent.output, intent.clauses, intent.columns) == (Output.ROWS, (NOT_OSLO,), ())


def test_no_group_is_asked_for_rows_of_another_one(asker: Asker, tmp_path: Path) -> None:
    found = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(
        "which rows are where city is not Oslo"
    )

    assert all(
        {key.column for key in candidate.intent.keys}.isdisjoint({"city"}) or not candidate.intent.having
        for candidate in found.candidates
    )


@pytest.mark.parametrize(
    "question, operator, values",
    [
        ("number of orders where qty is at least 3 in March 2024", Operator.GE, (3,)),
        ("number of orders with qty over 5 in March 2024", Operator.GT, (5,)),
        ("number of orders with qty between 2 and 5 in March 2024", Operator.BETWEEN, (2, 5)),
    ],
)
def test_a_number_before_in_and_a_month_is_no_day(
    asker: Asker, tmp_path: Path, question: str, operator: Operator, values: tuple[int, ...]
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(question)
    intent = reading.candidates[0].intent

    assert reading.certain
    assert intent.clauses == (Condition(column="qty", operator=operator, values=values),)
    assert intent.periods == (MARCH,)


@pytest.mark.parametrize(
    "said", ["3 of March 2024", "3 March 2024", "March 3, 2024", "the 3rd of March 2024"]
)
def test_a_day_of_a_month_stays_one(asker: Asker, tmp_path: Path, said: str) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(
        f"number of orders on {said}"
    )
    third = Period(start=date(2024, 3, 3), end=date(2024, 3, 3), column="day", unit="day")

    assert reading.candidates[0].intent.periods == (third,)


UKRAINIAN = "номер,дата,місто,товар,кількість,вартість,примітка"
UKRAINIAN_ROWS = [
    f"{1000 + n},2024-0{n % 6 + 1}-{n % 27 + 1:02},{city},{product},{n % 9 + 1},{n * 7 % 41}.5,{'' if n % 4 else 'ok'}"
    for n, (city, product) in enumerate(
        (city, product)
        for city in ("Київ", "Львів", "Одеса", "Харків")
        for product in ("Чай", "Кава", "Молоко", "Хліб")
        for _ in range(4)
    )
]


@pytest.mark.parametrize(
    "question",
    [
        "загальна вартість по містах не в Києві",
        "загальна вартість у Києві або Львові по містах",
        "медіана вартості не в Києві по містах",
    ],
)
def test_a_key_beside_several_of_its_cells_is_not_lost(asker: Asker, tmp_path: Path, question: str) -> None:
    path = table_of(tmp_path, "замовлення", UKRAINIAN, UKRAINIAN_ROWS)
    reading = asker.interpreter(path).read(question)
    keys = [[key.column for key in candidate.intent.keys] for candidate in reading.candidates[:3]]

    assert ["місто"] in keys
    assert not reading.certain or keys[0] == ["місто"]


def test_what_is_lacked_is_no_part_of_what_is_denied(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "замовлення", UKRAINIAN, UKRAINIAN_ROWS)
    reading = asker.interpreter(path).read("загальна вартість без примітки у Києві або Львові за місяцями")

    assert reading.certain
    assert set(reading.candidates[0].intent.clauses) == {
        Condition(column="примітка", operator=Operator.MISSING),
        Condition(column="місто", operator=Operator.IN, values=("Київ", "Львів")),
    }


def test_the_worth_of_a_row_is_not_multiplied_by_its_quantity(asker: Asker, tmp_path: Path) -> None:
    path = table_of(tmp_path, "замовлення", UKRAINIAN, UKRAINIAN_ROWS)
    intent = asker.interpreter(path).read("загальна вартість за товаром").candidates[0].intent

    assert [(one.function, one.column) for one in intent.measures] == [("sum", "вартість")]


@pytest.mark.parametrize(
    "said, operator, values",
    [
        ("is not over 20", Operator.LE, (20,)),
        ("is not less than 20", Operator.GE, (20,)),
        ("20+", Operator.GE, (20,)),
        ("from 20", Operator.GE, (20,)),
    ],
)
def test_a_bound_of_several_words_is_one(
    asker: Asker, tmp_path: Path, said: str, operator: Operator, values: tuple[int, ...]
) -> None:
    path = table_of(tmp_path, "orders", HEADER, ROWS)
    reading = asker.interpreter(path).read(f"show orders where fee {said} in 2024")
    intent = reading.candidates[0].intent

    assert reading.certain
    assert intent.clauses == (Condition(column="fee", operator=operator, values=values),)
    assert [(period.start, period.end) for period in intent.periods] == [
        (date(2024, 1, 1), date(2024, 12, 31))
    ]


def test_what_is_not_empty_is_there(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{row},{'' if n % 3 else 'ok'}" for n, row in enumerate(ROWS)]
    reading = asker.interpreter(table_of(tmp_path, "orders", f"{HEADER},note", rows)).read(
        "orders where note is not empty"
    )

    assert reading.certain
    assert reading.candidates[0].intent.clauses == (Condition(column="note", operator=Operator.PRESENT),)


def test_no_mean_lies_beyond_the_cells(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read
    mean = read("average fee by product where fee is over 1000").candidates[0].intent

    assert not mean.having
    assert mean.clauses == (Condition(column="fee", operator=Operator.GT, values=(1000,)),)
    assert not read("total fee by product with fee over 1000").certain


def test_the_part_of_a_share_is_what_stands_behind_it(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read
    rome = Condition(column="city", operator=Operator.EQ, values=("Rome",))
    shared = read("share of Rome in total fee where qty is over 3")
    grouped = read("share of each city in total fee where qty is over 3").candidates[0].intent

    assert not shared.certain
    assert all(
        rome in measure.part
        for candidate in shared.candidates[:2]
        for measure in candidate.intent.measures
        if measure.part
    )
    assert [(measure.function, measure.share, measure.part) for measure in grouped.measures] == [
        ("sum", True, ())
    ]


def test_two_lists_of_what_may_be_compared_are_offered(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read

    assert not read("difference between Rome and Oslo in total fee for Tea or Milk").certain
    assert read("difference between Rome and Oslo in total fee").certain


def test_highest_first_in_a_month_is_an_order(asker: Asker, tmp_path: Path) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(
        "average fee by city, highest first in March 2024"
    )

    assert reading.certain
    assert reading.candidates[0].intent.periods == (MARCH,)


@pytest.mark.parametrize(
    "question, operator, values",
    [
        ("how many orders where qty is not 3", Operator.NE, (3,)),
        ("how many orders with qty not 3", Operator.NE, (3,)),
        ("how many orders where qty isn't 3 or 4", Operator.NOT_IN, (3, 4)),
        ("how many orders where qty is not between 3 and 5", Operator.NOT_BETWEEN, (3, 5)),
        ("скільки замовлень, де qty не 3", Operator.NE, (3,)),
        ("скільки замовлень, де qty не між 3 і 5", Operator.NOT_BETWEEN, (3, 5)),
        ("сколько заказов, где qty не 3", Operator.NE, (3,)),
        ("сколько заказов, где qty не от 3 до 5", Operator.NOT_BETWEEN, (3, 5)),
    ],
)
def test_a_number_behind_a_denial_is_left_out(
    asker: Asker, tmp_path: Path, question: str, operator: Operator, values: tuple[int, ...]
) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(question)

    assert reading.certain
    assert reading.candidates[0].intent.clauses == (
        Condition(column="qty", operator=operator, values=values),
    )


@pytest.mark.parametrize(
    "question",
    [
        "total fee by city, alphabetically",
        "total fee by city in alphabetical order",
        "сума fee за city за алфавітом",
        "сумма fee по city по алфавиту",
    ],
)
def test_an_alphabetical_order_is_of_the_names_of_groups(asker: Asker, tmp_path: Path, question: str) -> None:
    reading = asker.interpreter(table_of(tmp_path, "orders", HEADER, ROWS)).read(question)

    assert reading.certain
    assert reading.candidates[0].intent.orders == (Order(column="city", descending=False),)
