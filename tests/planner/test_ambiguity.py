"""Where a word stands for several things alike, what is offered is each of them, and none is answered."""

from __future__ import annotations

import datetime as dt
from itertools import cycle
from typing import TYPE_CHECKING

import pytest

from tabchat.engine.facts.sample import sample_facts
from tabchat.engine.types import Column, ColumnKind
from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output
from tabchat.planner.interpretation import Interpreter
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_START = dt.date(2024, 8, 1)
_GENRES = (
    "Drama; Comedy",
    "Comedy",
    "Sci-Fi; Thriller",
    "Drama; Thriller",
    "Comedy; Sci-Fi",
    "Thriller; Comedy",
)


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    teams = ("Lions", "Bears", "Hawks", "Wolves")
    pairs = [(home, away) for home in teams for away in teams if home != away]
    matches = [
        f"{_START + dt.timedelta(days=5 * n)},{home},{away},{n % 6},{n % 5},{2000 + n * 731}"
        for n, (home, away) in enumerate(pairs)
    ]
    sources, states = cycle(("Booking", "Direct", "Agency")), cycle(("cancelled", "kept", "kept"))
    bookings = [
        f"B{n:03d},{n % 7 + 1},{80 + n % 5 * 30},{next(sources)},{next(states)}" for n in range(1, 70)
    ]
    lines = [
        f"{7000 + n // 3},{n % 3 + 1},{('Bolt', 'Hinge', 'Nut')[n % 3]},{n % 9 + 1},{n * 37 % 400}.5"
        for n in range(90)
    ]
    films = [f"Film {n},{_GENRES[n % 6]},{72 + n * 7 % 90},{n % 9}.5" for n in range(60)]
    panel = [
        f"{country},{year},{people + year % 7},{1 + (year * people) % 11}"
        for country, people in (("Poland", 38), ("Spain", 47), ("Italy", 59))
        for year in range(2015, 2025)
    ]
    stations = [
        f"{district},{number},{600 + number * 131 % 900},{number * 37 % 300}"
        for district in ("North", "South", "East")
        for number in range(1, 9)
    ]
    moves = [
        f"{_START + dt.timedelta(days=n)},{('Flour', 'Salt')[n % 2]},{('in', 'out')[n % 3 % 2]},{n % 41 + 1}"
        for n in range(60)
    ]
    staff = [
        f"Person {n},{('sales', 'stock')[n % 2]},{_START - dt.timedelta(days=n * 97)},{n * 5 % 29}"
        for n in range(40)
    ]
    codes = ("USD", "EUR", "UAH")
    paid = [
        f"{_START + dt.timedelta(days=n)},{('Adobe', 'AWS')[n % 2]},{codes[n % 3]},{n * 37 % 900}.5"
        for n in range(60)
    ]
    tests = (("glucose", "mmol/l"), ("iron", "mcg/dl"), ("weight", "kg"))
    results = [f"{tests[n % 3][0]},P{n % 20},{n * 31 % 150},{tests[n % 3][1]}" for n in range(90)]
    return {
        "fares": table_of(
            tmp_path, "trips", "date,city,currency,fare", [row.replace("Adobe", "Kyiv") for row in paid]
        ),
        "paid": table_of(tmp_path, "payments", "date,vendor,currency,amount", paid),
        "results": table_of(tmp_path, "lab_results", "test,patient,value,unit", results),
        "panel": table_of(tmp_path, "countries", "Country,Year,Population (m),Unemployment %", panel),
        "stations": table_of(tmp_path, "election", "District,Station,Voters,Green", stations),
        "moves": table_of(tmp_path, "stock_moves", "date,product,type,qty", moves),
        "staff": table_of(tmp_path, "staff", "Name,Team,Hired,Leave (days)", staff),
        "matches": table_of(tmp_path, "matches", "Date,Home,Away,Home goals,Away goals,Attendance", matches),
        "bookings": table_of(tmp_path, "hotel_bookings", "Booking,Nights,Rate,Source,Status", bookings),
        "lines": table_of(tmp_path, "order_lines", "order_id,line,item,qty,amount", lines),
        "films": table_of(tmp_path, "films", "Title,Genres,Runtime (min),Rating", films),
    }


@pytest.mark.parametrize(
    "table, question",
    [
        ("matches", "matches with more than 5 goals"),
        ("matches", "how many matches did the Wolves lose"),
        ("bookings", "most expensive booking"),
        ("bookings", "average rate per night"),
        ("lines", "orders over 300"),
        ("films", "how many comedies"),
        ("films", "how many genres"),
        ("films", "films by genre"),
        ("paid", "total amount by vendor"),
        ("paid", "biggest payment"),
        ("fares", "total fare by city"),
        ("paid", "payments over 500 euros"),
        ("results", "average value"),
        ("results", "results over 100"),
        ("panel", "total population"),
        ("panel", "which country has the largest population"),
        ("stations", "stations with more than 1000 voters"),
        ("stations", "average voters per station"),
        ("stations", "biggest station"),
        ("moves", "stock of salt"),
        ("staff", "who has worked the longest"),
    ],
)
def test_what_several_are_called_is_not_answered_by_one(
    asker: Asker, tables: dict[str, Path], table: str, question: str
) -> None:
    found = asker.interpreter(tables[table]).read(question)

    assert not found.certain, found.candidates[0].intent


@pytest.mark.parametrize(
    "table, question, count",
    [
        ("matches", "how many matches with more than 4 home goals", 2),
        ("films", "how many sci-fi films", 20),
        ("panel", "population of Spain in 2020", 51),
        ("paid", "how many payments in dollars", 20),
        ("fares", "total fare in euros", 7440),
        ("results", "maximum value of iron", 148),
        ("films", "how many dramas", 20),
        ("bookings", "how many bookings were made through Booking", 23),
    ],
)
def test_what_only_one_is_called_is_answered(
    asker: Asker, tables: dict[str, Path], table: str, question: str, count: int
) -> None:
    path = tables[table]
    found = asker.interpreter(path).read(question)

    assert found.certain, found.candidates[:2]
    assert asker.answer(path, asker.call(path, found.candidates[0].intent)).rows[0][0] == count


def test_an_item_whose_letters_others_have_is_no_part_of_them(asker: Asker, tmp_path: Path) -> None:
    topics = ("java; web", "javascript; cli", "java; cli", "javascript; web", "cli; web", "java; javascript")
    repos = table_of(tmp_path, "repos", "repo,topics", [f"r{n},{topics[n % 6]}" for n in range(60)])

    assert not asker.interpreter(repos).read("how many java repos").certain
    assert asker.interpreter(repos).read("how many javascript repos").certain


def test_two_items_of_lists_are_asked_for_together_or_either(asker: Asker, tmp_path: Path) -> None:
    topics = ("rust; web", "rust; cli", "web; cli", "cli; go", "cli; rust; go", "web; go")
    repos = table_of(tmp_path, "repos", "repo,topics", [f"r{n},{topics[n % 6]}" for n in range(60)])
    interpreter = asker.interpreter(repos)
    for question, answers in {
        "how many rust and web repos": {10, 50},
        "how many rust or web repos": {50},
    }.items():
        found = interpreter.read(question)
        counts = {asker.answer(repos, asker.call(repos, it.intent)).rows[0][0] for it in found.candidates[:2]}
        assert found.certain == (len(answers) == 1)
        assert answers <= counts


@pytest.mark.parametrize("repeated", [False, True])
def test_of_a_file_that_was_only_sampled_what_was_seen_to_repeat_does(asker: Asker, repeated: bool) -> None:
    schema = (
        Column(name="order_id", kind=ColumnKind.INTEGER, sql_type=""),
        Column(name="region", kind=ColumnKind.TEXT, sql_type=""),
        Column(name="revenue", kind=ColumnKind.NUMBER, sql_type=""),
    )
    rows = [
        (7000 + (n // 3 if repeated else n * 37 % 1009), ("North", "South")[n % 2], n * 13.5)
        for n in range(1000)
    ]
    facts = sample_facts(rows, schema, name="orders", path="orders.csv")
    reader = Interpreter(facts, languages=asker.languages, weights=asker.weights)

    assert reader.read("how many orders with revenue over 9000").certain != repeated


def test_what_is_dearer_is_told_by_prices(asker: Asker, tmp_path: Path) -> None:
    rows = [
        f"2024-03-{1 + n % 28:02d},{('Petrol', 'Gas')[n % 2]},{20 + n % 7},{50 - 20 * (n % 2)}"
        for n in range(40)
    ]
    path = table_of(tmp_path, "refuels", "day,fuel,litres,price per litre", rows)
    found = asker.interpreter(path).read(
        "how much dearer on average is a litre of petrol than a litre of gas"
    )
    assert not (found.certain and found.candidates[0].intent.measures[0].column == "litres")


def test_an_average_bill_is_of_what_rows_come_to(asker: Asker, tmp_path: Path) -> None:
    rows = [f"A{n},{1 + n % 3},{10 + n % 9}" for n in range(40)]
    path = table_of(tmp_path, "orders", "order,quantity,price", rows)
    assert not asker.interpreter(path).read("average bill").certain
    assert asker.interpreter(path).read("average price").certain


@pytest.fixture
def measured(tmp_path: Path) -> dict[str, Path]:
    lines = [
        f"{n // 2},2024-{1 + n % 9:02d}-05,{('Ann', 'Bob')[n // 2 % 2]},{n % 4 + 1},{10 + n * 7 % 50}.5"
        for n in range(60)
    ]
    shifts = [f"{n},2024-03-{1 + n % 28:02d},{('Ann', 'Bob')[n % 2]},{200 + n * 37 % 300}" for n in range(40)]
    costs = [f"{n},{('North', 'South')[n % 2]},{40 + n * 37 % 3000},{n % 9}.5" for n in range(60)]
    products, states = ("Laptop", "Lamp", "Desk"), ("paid", "refunded", "paid")
    retail = [
        f"{n},{('North', 'South')[n % 2]},{products[n % 3]},{('Ann', 'Bob')[n % 5 % 2]},{40 + n * 37 % 900}.5,{('yes', 'no')[n % 7 % 2]},{states[n // 3 % 3]}"
        for n in range(60)
    ]
    answers = [f"{n},{n % 6 or ''},{n * 7 % 5 or ''}" for n in range(60)]
    staff = [f"Person {n},{2010 + n % 9}-03-1{n % 9},{22 + n * 7 % 40}" for n in range(40)]
    heads = [
        f"{2022 + n // 8}-Q{n // 2 % 4 + 1},{('EU', 'US')[n % 2]},{n * 31 % 90},{40 + n * 29 % 50 // 2}"
        for n in range(24)
    ]
    bank = [
        f"2024-09-{n + 1:02d},{('Salary', 'Food')[n % 2]},{(900 - n, -n * 7)[n % 2]}.25" for n in range(28)
    ]
    return {
        "retail": table_of(
            tmp_path, "retail", "order_id,region,product,customer,revenue,gift,status", retail
        ),
        "answers": table_of(tmp_path, "answers", "respondent,satisfaction,support_score", answers),
        "staff": table_of(tmp_path, "staff", "name,hire_date,age", staff),
        "quarters": table_of(tmp_path, "quarters", "quarter,region,profit,headcount", heads),
        "bank": table_of(tmp_path, "bank", "date,category,amount", bank),
        "texts": table_of(tmp_path, "texts", "id,v,dur", ["1,10,45m", "2,twenty,2h 15m", "3,30,1h 30m"]),
        "lines": table_of(tmp_path, "lines", "order_id,order_date,customer,quantity,price", lines),
        "shifts": table_of(tmp_path, "shifts", "shift_id,date,worker,duration_min", shifts),
        "costs": table_of(tmp_path, "costs", "cost_id,region,unit cost,weight", costs),
    }


@pytest.mark.parametrize(
    "table, question, certain",
    [
        ("lines", "max order value", False),
        ("lines", "median order value by customer", False),
        ("lines", "highest order value", False),
        ("lines", "total order value", True),
        ("lines", "max price", True),
        ("shifts", "total duration in days", False),
        ("shifts", "total duration in minutes", True),
        ("shifts", "total duration in March", True),
        ("costs", "unit cost in thousands", False),
        ("costs", "unit cost в тысячах", False),
        ("costs", "unit cost у тисячах", False),
        ("costs", "rows with unit cost around 100", False),
        ("costs", "строки с unit cost около 100", False),
        ("costs", "рядки з unit cost близько 100", False),
        ("costs", "rows with unit cost over 100", True),
        ("retail", "share of laptops in revenue by region", False),
        ("retail", "refunds as percent of revenue by product", False),
        ("retail", "gift share of revenue by region", False),
        ("retail", "share of revenue by region for laptops", True),
        ("retail", "average number of products per customer", False),
        ("retail", "rank of North by revenue", True),
        ("retail", "how many products have more than 5 orders", True),
        ("retail", "how many gifts per paid order", False),
        ("answers", "percentage of satisfaction above 3", False),
        ("answers", "how many not satisfied", False),
        ("answers", "how many missing values", True),
        ("answers", "сколько строк с пропусками", False),
        ("staff", "average age at hire", False),
        ("staff", "средний возраст при найме", False),
        ("staff", "середній вік при наймі", False),
        ("staff", "average age", True),
        ("quarters", "headcount in EU", False),
        ("quarters", "headcount by quarter", True),
        ("quarters", "profit in EU", True),
        ("bank", "share of amount by category", False),
        ("texts", "max v", False),
        ("texts", "max dur", False),
    ],
)
def test_a_part_or_another_unit_is_not_told_for_what_is_asked(
    asker: Asker, measured: dict[str, Path], table: str, question: str, certain: bool
) -> None:
    assert asker.interpreter(measured[table]).read(question).certain == certain


@pytest.mark.parametrize(
    "prices, question, bounds",
    [
        ("1.234,50 12,50 900,00", "Preis over 1.000", [1000]),
        ("1.234,50 12,50 900,00", "Preis over 1.200,50", [1200.5]),
        ("1.234,50 0,50 900,00", "Preis over 1.000", [1000, 1]),
    ],
)
def test_a_point_in_a_number_may_stand_before_thousands(
    asker: Asker, tmp_path: Path, prices: str, question: str, bounds: list[float]
) -> None:
    rows = [f"2024-01-0{n};{price}" for n, price in enumerate(prices.split(), start=1)]
    read = asker.interpreter(table_of(tmp_path, "preise", "d;Preis", rows)).read(question)
    clauses = [item.intent.clauses for item in read.candidates if not item.unexplained]

    assert read.certain == (len(bounds) == 1)
    for value in bounds:
        assert (Condition(column="Preis", operator=Operator.GT, values=(value,)),) in clauses


def test_both_senses_of_a_share_are_offered(asker: Asker, measured: dict[str, Path]) -> None:
    """The part of laptops in each region, and of each region in laptops; of all rows, and of those that tell it."""
    laptops = Condition(column="product", operator=Operator.EQ, values=("Laptop",))
    whole = Measure(function="sum", column="revenue", share=True)
    part = Measure(function="sum", column="revenue", part=(laptops,))
    above = Condition(column="satisfaction", operator=Operator.GT, values=(3,))
    told = Condition(column="satisfaction", operator=Operator.PRESENT)

    regions = asker.interpreter(measured["retail"]).read("share of laptops in revenue by region").offered
    assert {item.intent.measures for item in regions} >= {(whole,), (part,)}
    satisfied = asker.interpreter(measured["answers"]).read("percentage of satisfaction above 3").offered
    assert {item.intent.clauses for item in satisfied} >= {(), (told,)}
    assert all(item.intent.measures == (Measure(part=(above,)),) for item in satisfied[:2])


def test_what_rows_are_ranked_by_is_shown_though_it_is_computed(
    asker: Asker, measured: dict[str, Path]
) -> None:
    worth = Order(column="quantity × price")
    call = asker.call(measured["lines"], Intent(output=Output.ROWS, orders=(worth,), limit=1))

    assert asker.answer(measured["lines"], call).columns[-1] == "quantity × price"


@pytest.mark.parametrize(
    "question, offered",
    [
        # Vans are what has a plate, and one type of what has one.
        ("which vans used more than 190 litres", "plate"),
        # The area of a depot stands in each of its rows; litres are of one row.
        ("litres per area by depot", "depot"),
        ("who closed the most tickets", "requester"),
        ("who closed the most tickets", "assignee"),
    ],
)
def test_what_a_word_takes_the_place_of_is_offered(
    asker: Asker, tmp_path: Path, question: str, offered: str
) -> None:
    """A cell whose word calls the rows' things, a figure of a thing that each of its rows repeats, one of two persons."""
    refuelled = table_of(
        tmp_path,
        "fuel",
        "date,plate,vehicle_type,depot,area,litres",
        [
            f"2024-0{1 + n % 6}-1{n % 9},KX{n % 7} ABD,{('Van', 'Truck')[n % 7 % 2]},{('Derby', 'Leeds')[n % 2]},{(900, 4200)[n % 2]},"
            f"{30 + n * 7 % 41}"
            for n in range(60)
        ],
    )
    closed = table_of(
        tmp_path,
        "tickets",
        "ticket_id,requester,assignee,status",
        [
            f"HD-{2001 + n},{('Ann Lee', 'Bo Ray', 'Cy Fox')[n % 3]},{('Di Moss', 'Ed Poe')[n * 2 % 5 % 2]},{('Closed', 'Open')[n % 3 % 2]}"
            for n in range(50)
        ],
    )
    reader = asker.interpreter(closed if "tickets" in question else refuelled)
    read = reader.read(question)

    assert is_doubtful(reader.wide_lattice(question), read.candidates[0].intent)
    assert any(Key(column=offered) in item.intent.keys for item in read.offered)
    if "vans" in question:
        vans = Condition(column="vehicle_type", operator=Operator.EQ, values=("Van",))
        assert any(item.intent.clauses == (vans,) and item.intent.keys for item in read.offered)
