"""When rows were ordered, sent, paid or closed: verbs tell which of several dates is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tabchat.planner.intent import Measure
from tabchat.planner.wording.reading import read_as
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

ORDERS = [
    f"{n},2024-{1 + n % 6:02d}-{1 + n % 27:02d},{'' if n % 9 == 8 else f'2024-{1 + n % 6:02d}-{2 + n % 27:02d}'},"
    f"{'' if n % 5 == 4 else f'2024-{2 + n % 6:02d}-{1 + n % 26:02d}'},{('Ann', 'Bob', 'Cid', 'Dan')[n % 4]},{10 + n * 7 % 90}"
    for n in range(72)
]
TICKETS = [
    f"T{n},2024-{1 + n % 6:02d}-{1 + n % 20:02d},{'' if n % 4 == 3 else f'2024-{1 + n % 6:02d}-{2 + n % 26:02d}'},"
    f"{('closed', 'closed', 'closed', 'open')[n % 4]},{('Ann', 'Bob', 'Cid')[n % 3]},{n % 5 + 1}"
    for n in range(72)
]


@pytest.fixture
def orders(tmp_path: Path) -> Path:
    return table_of(tmp_path, "orders", "order_no,order_date,shipped,paid_on,customer,amount", ORDERS)


@pytest.fixture
def tickets(tmp_path: Path) -> Path:
    return table_of(tmp_path, "tickets", "id,created_at,closed_at,status,agent,rating", TICKETS)


def certain(asker: Asker, path: Path, question: str) -> str:
    """Return how a certain reading is told; empty where there is none."""
    reader = asker.interpreter(path)
    found = reader.read(question)
    return read_as(found.candidates[0].intent, reader.facts, "en") if found.certain else ""


@pytest.mark.parametrize(
    "question, told",
    [
        ("how many orders came in in May", "number of rows · month of order_date = May"),
        ("how many orders were placed in May", "number of rows · month of order_date = May"),
        ("how many orders were created in May", "number of rows · month of order_date = May"),
        ("how many orders were sent in May", "number of rows · month of shipped = May"),
        ("orders paid in May", "rows · month of paid_on = May"),
        ("orders in May", "rows · month of order_date = May"),
    ],
)
def test_a_verb_tells_which_date_is_meant(asker: Asker, orders: Path, question: str, told: str) -> None:
    assert certain(asker, orders, question) == told


def test_the_last_is_told_by_the_date_on_which_everything_began(asker: Asker, orders: Path) -> None:
    assert "by order_date" in certain(asker, orders, "last order")


@pytest.mark.parametrize("question", ["which customer ordered first", "who came first"])
def test_who_came_first_is_not_who_spent_least(asker: Asker, orders: Path, question: str) -> None:
    found = asker.interpreter(orders).read(question)
    summed = [
        measure for one in found.offered for measure in one.intent.measures if measure.function == "sum"
    ]
    assert found.offered
    assert not summed


@pytest.mark.parametrize(
    "question, told",
    [
        ("tickets closed in March", "rows · month of closed_at = March"),
        ("how many tickets were opened in April", "number of rows · month of created_at = April"),
        ("open tickets in April", "rows · status = open · month of created_at = April"),
    ],
)
def test_what_was_opened_in_a_month_may_be_closed_by_now(
    asker: Asker, tickets: Path, question: str, told: str
) -> None:
    assert certain(asker, tickets, question) == told


def test_a_time_to_something_ends_with_it(asker: Asker, orders: Path, tickets: Path) -> None:
    assert certain(asker, orders, "average time to ship").startswith("mean of “order_date → shipped”")
    told = certain(asker, tickets, "average time to close by agent")
    assert told.startswith("mean of “created_at → closed_at” · by agent")


def test_days_that_something_takes_are_no_rows(asker: Asker, orders: Path) -> None:
    found = asker.interpreter(orders).read("how many days does shipping take")

    assert not found.certain
    assert all(measure != Measure() for one in found.offered for measure in one.intent.measures)


@pytest.mark.parametrize("header, sure", [("received", True), ("delivered", False)])
def test_what_was_received_may_be_what_was_ordered_or_what_was_delivered(
    asker: Asker, tmp_path: Path, header: str, sure: bool
) -> None:
    path = table_of(tmp_path, f"purchases_{header}", f"no,ordered,{header},supplier", [
        f"{n},2024-{1 + n % 6:02d}-{1 + n % 27:02d},2024-{2 + n % 6:02d}-{1 + n % 27:02d},S{n % 4}" for n in range(60)
    ])  # fmt: skip

    assert bool(certain(asker, path, "how many were received in May")) is sure


@pytest.mark.parametrize("verb, sure", [("landed", False), ("", True)])
def test_a_date_of_another_event_is_not_certain(asker: Asker, tmp_path: Path, verb: str, sure: bool) -> None:
    rows = [f"F{n},2024-05-{1 + n % 28:02d},{('Rome', 'Oslo')[n % 2]},{90 + n}" for n in range(84)]
    path = table_of(tmp_path, "flights", "flight,departure,destination,passengers", rows)

    assert (
        bool(certain(asker, path, f"flights that {verb} on 24 May" if verb else "flights on 24 May")) is sure
    )


def test_what_was_logged_is_dated_by_when_it_began(asker: Asker, tmp_path: Path) -> None:
    rows = [f"C{n},2024-0{3 + n % 3}-{1 + n % 28:02d},{('Ann', 'Bob')[n % 2]},{30 + n}" for n in range(84)]
    path = table_of(tmp_path, "calls", "call,call_start,agent,seconds", rows)

    assert (
        certain(asker, path, "how many calls are logged for April")
        == "number of rows · month of call_start = April"
    )


@pytest.mark.parametrize(
    "question", ["tickets open in April", "how many tickets are open in April", "tickets still open in May"]
)
def test_what_is_open_in_a_month_need_not_have_been_opened_in_it(
    asker: Asker, tickets: Path, question: str
) -> None:
    assert certain(asker, tickets, question) == ""


@pytest.mark.parametrize(
    "question, sure",
    [
        ("orders delivered in May", False),
        ("how many orders were cancelled in May", False),
        ("cancelled orders in May", True),
        ("orders placed in May", True),
    ],
)
def test_a_status_does_not_tell_when_it_began(
    asker: Asker, tmp_path: Path, question: str, sure: bool
) -> None:
    states = ("delivered", "cancelled", "pending", "returned")
    rows = [f"{n},2024-0{1 + n % 6}-{1 + n % 27:02d},{states[n // 2 % 4]},{10 + n}" for n in range(80)]
    path = table_of(tmp_path, "orders", "order_no,order_date,status,amount", rows)

    assert bool(certain(asker, path, question)) is sure


def test_what_was_closed_is_not_dated_by_when_it_was_opened(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"S{n},{('Leeds', 'York')[n % 2]},20{10 + n % 12}-0{1 + n % 9}-15,{('yes', 'no')[n % 2]}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "shops", "shop,city,opened,open_sunday", rows)

    assert certain(asker, path, "how many shops closed in 2015") == ""
    assert certain(asker, path, "shops opened before 2015") == "rows · until 2014-12-31"


@pytest.mark.parametrize("address", ["10.0.0.9", "10.0.0", "v1.2.4"])
def test_an_address_is_not_corrected_to_another_one(asker: Asker, tmp_path: Path, address: str) -> None:
    rows = [f"{n},{('10.0.0.7', '10.0.0.8', 'v1.2.3')[n % 3]},{20 + n}" for n in range(60)]
    path = table_of(tmp_path, "requests", "id,client,ms", rows)

    assert not asker.interpreter(path).read(f"how many requests from {address}").certain


@pytest.mark.parametrize(
    "question", ["how many returns in May", "refunds by month", "which month had the most returns"]
)
def test_returns_are_of_the_day_of_their_return(asker: Asker, tmp_path: Path, question: str) -> None:
    rows = [
        f"{7000 + n},Ann {n % 7},2024-0{1 + n % 6}-{1 + n % 20:02d},2024-0{2 + n % 6}-{1 + n % 20:02d},{5 + n % 40}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "returns", "return_no,customer,purchase_date,return_date,refund_amount", rows)
    found = asker.interpreter(path).read(question).candidates[0]

    assert "return_date" in read_as(found.intent, asker.interpreter(path).facts, "en")


@pytest.mark.parametrize(
    "question, certain", [("loans in March", True), ("last loan", True), ("loans per month", True)]
)
def test_when_something_is_due_is_no_date_of_it(
    asker: Asker, tmp_path: Path, question: str, certain: bool
) -> None:
    rows = [
        f"{n},Title {n % 9},2024-0{1 + n % 6}-{1 + n % 20:02d},2024-0{2 + n % 6}-{1 + n % 20:02d},"
        f"{f'2024-0{2 + n % 6}-{1 + n * 7 % 26:02d}' if n % 4 else ''}"
        for n in range(60)
    ]
    path = table_of(tmp_path, "loans", "loan_id,title,loan_date,due_date,return_date", rows)

    assert asker.interpreter(path).read(question).certain == certain
