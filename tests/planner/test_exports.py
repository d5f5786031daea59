"""Tables as programs that everybody has export them, and what people ask of them first."""

import csv
import random
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import datetime, timedelta

import pytest

from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Output
from tests.planner.asking import Asker

_START = datetime(2024, 3, 1, 8)  # noqa: DTZ001 - exports name no zone


def _statement(chance: random.Random) -> list[list[object]]:
    """Money out and money in, each in a column of its own, with the balance behind it."""
    rows: list[list[object]] = [["Date", "Description", "Debit", "Credit", "Balance", "Category"]]
    balance = 2000
    for day in range(60):
        out, back = (0, chance.randint(900, 2000)) if day % 15 == 0 else (chance.randint(3, 150), 0)
        balance += back - out
        kind = "Income" if back else chance.choice(["Groceries", "Transport", "Housing"])
        shop = "SALARY" if back else chance.choice(["TESCO STORES", "UBER TRIP", "RENT"])
        rows.append(
            [(_START + timedelta(day)).strftime("%d/%m/%Y"), shop, out or "", back or "", balance, kind]
        )
    return rows


def _issues(chance: random.Random) -> list[list[object]]:
    """Issues of a tracker: those that are open have no date of their end, and no status says `open`."""
    rows: list[list[object]] = [
        ["Key", "Issue Type", "Status", "Priority", "Assignee", "Created", "Resolved", "Points"]
    ]
    for place in range(60):
        made = _START + timedelta(hours=7 * place)
        done = place % 3 != 0
        ended = made + timedelta(hours=chance.randint(30, 300))
        status = "Done" if done else chance.choice(["To Do", "In Progress"])
        rows.append(
            [
                *(f"PAY-{place}", chance.choice(["Bug", "Task"]), status, chance.choice(["High", "Low"])),
                *(chance.choice(["Anna Bell", "Chen Wei", "Tom Ford"]), f"{made:%Y-%m-%d %H:%M}"),
                *(f"{ended:%Y-%m-%d %H:%M}" if done else "", chance.choice([1, 2, 3, 5])),
            ]
        )
    return rows


def _lines(chance: random.Random) -> list[list[object]]:
    """Lines of invoices: three of each."""
    rows: list[list[object]] = [
        ["InvoiceNo", "Description", "Quantity", "InvoiceDate", "UnitPrice", "Country"]
    ]
    for place in range(40):
        when, land = _START + timedelta(hours=9 * place), chance.choice(["France", "Norway"])
        for item in chance.sample(["LANTERN", "CAKESTAND", "JUMBO BAG", "BUNTING"], 3):
            count, price = chance.randint(1, 24), chance.randint(40, 900) / 100
            rows.append([536365 + place, item, count, f"{when:%m/%d/%Y %H:%M}", price, land])
    return rows


def _requests(chance: random.Random) -> list[list[object]]:
    """Requests to a server, each with a status."""
    rows: list[list[object]] = [["timestamp", "method", "path", "status", "bytes", "response_time"]]
    for place in range(90):
        status = chance.choice([200, 200, 200, 404, 500])
        size, lasted = chance.randint(200, 9000), chance.randint(10, 900) / 1000
        path = chance.choice(["/login", "/orders"])
        rows.append(
            [f"{_START + timedelta(minutes=place):%Y-%m-%dT%H:%M:%S}", "GET", path, status, size, lasted]
        )
    return rows


def _staff(chance: random.Random) -> list[list[object]]:
    """Employees, and whether each has left."""
    rows: list[list[object]] = [["EmployeeNumber", "Age", "Attrition", "Department", "MonthlyIncome"]]
    for place in range(60):
        left = "Yes" if place % 4 == 0 else "No"
        income = chance.randint(1500, 19000)
        rows.append([place + 1, chance.randint(20, 60), left, chance.choice(["Sales", "Research"]), income])
    return rows


def _birds(chance: random.Random) -> list[list[object]]:
    """Penguins: two lengths, one of them of flippers."""
    rows: list[list[object]] = [["species", "bill_length_mm", "flipper_length_mm", "body_mass_g"]]
    for _ in range(60):
        sizes = (chance.randint(320, 590) / 10, chance.randint(172, 231), chance.randint(2700, 6300))
        rows.append([chance.choice(["Adelie", "Gentoo"]), *sizes])
    return rows


def _order_lines(chance: random.Random) -> list[list[object]]:
    """Lines of the orders of a shop: no header names an order, but several name its lines."""
    rows: list[list[object]] = [
        ["Name", "Status", "Created at", "Lineitem name", "Lineitem quantity", "Lineitem price"]
    ]
    for place in range(50):
        when, status = _START + timedelta(hours=20 * place), chance.choice(["paid", "refunded"])
        for item in chance.sample(["Mug", "Tee", "Hat"], chance.randint(1, 3)):
            count, price = chance.randint(1, 4), chance.randint(500, 6000) / 100
            rows.append([f"#{1000 + place}", status, f"{when:%Y-%m-%d %H:%M:%S} -0500", item, count, price])
    return rows


def _activities(chance: random.Random) -> list[list[object]]:
    """Runs and rides with how far and how long each was."""
    rows: list[list[object]] = [["date", "type", "distance_km", "moving_time_s"]]
    for day in range(60):
        far, lasted = chance.randint(20, 600) / 10, chance.randint(900, 12000)
        rows.append([f"{_START + timedelta(day):%Y-%m-%d}", chance.choice(["Run", "Ride"]), far, lasted])
    return rows


def _stock(chance: random.Random) -> list[list[object]]:
    """What lies in a store, and since when."""
    rows: list[list[object]] = [["sku", "product_name", "quantity_on_hand", "last_restocked"]]
    for place in range(60):
        when = _START + timedelta(chance.randint(0, 200))
        rows.append([f"SKU{place:04}", f"Bolt {place}", chance.randint(0, 300), f"{when:%Y-%m-%d}"])
    return rows


def _requests_to_merge(chance: random.Random) -> list[list[object]]:
    """Changes that were proposed, and when those that were merged were."""
    rows: list[list[object]] = [["number", "author", "state", "created_at", "merged_at", "additions"]]
    for place in range(60):
        made = _START + timedelta(hours=9 * place)
        merged = f"{made + timedelta(hours=chance.randint(1, 200)):%Y-%m-%dT%H:%M:%SZ}" if place % 3 else ""
        state = "merged" if merged else chance.choice(["open", "closed"])
        rows.append(
            [400 + place, chance.choice(["ana", "bo"]), state, f"{made:%Y-%m-%dT%H:%M:%SZ}", merged, place]
        )
    return rows


def _admissions(chance: random.Random) -> list[list[object]]:
    """Stays in a hospital, some of which go on."""
    rows: list[list[object]] = [
        ["patient_id", "ward", "admission_date", "discharge_date", "readmitted", "cost"]
    ]
    for place in range(60):
        came = _START + timedelta(place)
        left = f"{came + timedelta(chance.randint(1, 20)):%Y-%m-%d}" if place % 5 else ""
        ward, again = chance.choice(["ICU", "Surgery"]), chance.choice(["Yes", "No"])
        rows.append([f"P{1000 + place}", ward, f"{came:%Y-%m-%d}", left, again, chance.randint(500, 20000)])
    return rows


def _closures(chance: random.Random) -> list[list[object]]:
    """Roads that were closed, some of which are by now open again."""
    rows: list[list[object]] = [["road", "closed_at", "reopened_at"]]
    for place in range(60):
        began = _START + timedelta(place)
        ended = f"{began + timedelta(chance.randint(1, 20)):%Y-%m-%d}" if place % 3 else ""
        rows.append([f"A{place}", f"{began:%Y-%m-%d}", ended])
    return rows


def _limits(chance: random.Random) -> list[list[object]]:
    """Clients with what they may owe, which is no income."""
    rows: list[list[object]] = [["client", "credit_limit", "city"]]
    rows += [[f"C{n}", chance.randint(500, 9000), chance.choice(["Rome", "Oslo"])] for n in range(60)]
    return rows


def _cases(chance: random.Random) -> list[list[object]]:
    """Cases of an illness in countries, which the header calls locations."""
    rows: list[list[object]] = [["location", "date", "new_cases"]]
    for place in range(80):
        day = f"{_START + timedelta(place // 4):%Y-%m-%d}"
        rows.append([["Italy", "Spain", "Poland", "Ukraine"][place % 4], day, chance.randint(0, 20000)])
    return rows


def _assets(chance: random.Random) -> list[list[object]]:
    """What was bought, of which some has a date until which it is repaired for nothing: having none ends nothing."""
    rows: list[list[object]] = [["Asset", "Purchase Date", "Warranty Until", "Cost"]]
    for place in range(40):
        bought = _START + timedelta(days=place)
        until = f"{bought + timedelta(days=730):%Y-%m-%d}" if place % 3 else ""
        rows.append([f"LT-{place}", f"{bought:%Y-%m-%d}", until, chance.randint(200, 2000)])
    return rows


def _ships(chance: random.Random) -> list[list[object]]:
    """Ships, and the years in which they were put into service."""
    ships = [
        [f"Ship {place}", 1950 + chance.randint(0, 60), chance.randint(900, 9000)] for place in range(40)
    ]
    return [["Ship", "Commissioned", "Displacement (t)"], *ships]


_TABLES = {
    "ships": _ships,
    "assets": _assets,
    "cases": _cases,
    "closures": _closures,
    "limits": _limits,
    "pull_requests": _requests_to_merge,
    "admissions": _admissions,
    "orders_export": _order_lines,
    "activities": _activities,
    "inventory": _stock,
    "statement": _statement,
    "issues": _issues,
    "online_retail": _lines,
    "access_log": _requests,
    "staff": _staff,
    "penguins": _birds,
}


Read = Callable[[str, str], tuple[list[Intent], bool]]
"""(table, question) → the readings that are offered, and whether the first of them is certain."""


@pytest.fixture(scope="module")
def read(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Read]:
    folder = tmp_path_factory.mktemp("exports")
    for name, make in _TABLES.items():
        with (folder / f"{name}.csv").open("w", newline="") as file:
            csv.writer(file).writerows(make(random.Random(7)))  # noqa: S311 - no secret
    with closing(Asker(tmp_path_factory.mktemp("asked"), tables=folder)) as asker:
        yield lambda table, question: asker.offers(folder / f"{table}.csv", question)


def total(column: str) -> Measure:
    return Measure(function="sum", column=column)


def test_what_was_spent_is_what_went_out(read: Read) -> None:
    offered, certain = read("statement", "total spending per category")
    assert certain
    assert (offered[0].measures, offered[0].keys) == ((total("Debit"),), (Key(column="Category"),))

    spent, _ = read("statement", "how much did I spend on groceries")
    assert spent[0].measures == (total("Debit"),)
    assert [one.values for one in spent[0].clauses if isinstance(one, Condition)] == [("Groceries",)]

    income, _ = read("statement", "total income by month")
    assert income[0].measures == (total("Credit"),)


@pytest.mark.parametrize("question", ["total income by city", "average income", "how much was spent"])
def test_a_credit_limit_is_no_income(read: Read, question: str) -> None:
    assert not read("limits", question)[1]


def test_one_figure_is_no_certain_answer_where_two_are_set_against_each_other(read: Read) -> None:
    offered, certain = read("statement", "income vs expenses by month")

    assert not certain
    assert any({one.column for one in intent.measures} == {"Credit", "Debit"} for intent in offered)


OPEN = Condition(column="Resolved", operator=Operator.MISSING)


@pytest.mark.parametrize(
    "question",
    [
        *("how many bugs are open", "open bugs", "how many issues are open", "open issues by assignee"),
        *(
            "who has the most open issues",
            "are there open bugs",
            "oldest open issue",
            "open high priority bugs",
        ),
    ],
)
def test_what_is_open_has_no_end_yet(read: Read, question: str) -> None:
    offered, _ = read("issues", question)

    assert OPEN in offered[0].clauses


@pytest.mark.parametrize("question", ["issues opened in March", "how many issues did we open in March"])
def test_what_was_opened_need_not_be_open(read: Read, question: str) -> None:
    offered, _ = read("issues", question)

    assert OPEN not in offered[0].clauses


def test_what_is_closed_until_it_opens_is_not_open_before(read: Read) -> None:
    offered, certain = read("closures", "how many roads are open")

    missing = Condition(column="reopened_at", operator=Operator.MISSING)
    assert not certain
    assert all(missing not in intent.clauses for intent in offered)


@pytest.mark.parametrize(
    "question",
    [
        "which assignee has the most open issues",
        "which assignee has the most high priority issues",
        "assignee with the most unresolved issues",
    ],
)
def test_most_rows_of_a_kind_are_counted(read: Read, question: str) -> None:
    offered, _ = read("issues", question)

    assert offered[0].measures == (Measure(),)
    assert offered[0].keys == (Key(column="Assignee"),)


def test_what_is_not_over_lasted_no_time(read: Read) -> None:
    """The time from the start to the end of what has no end is no number, and none is above five days."""
    for question in ("average time open", "issues that are open for more than 5 days"):
        offered, certain = read("issues", question)
        assert not certain
        for intent in offered:
            spans = {one.column for one in intent.measures} | {
                one.column for one in intent.clauses if isinstance(one, Condition) and one.values
            }
            assert not (OPEN in intent.clauses and "Created → Resolved" in spans)


@pytest.mark.parametrize(
    "question", ["how many orders", "number of orders per month", "which country has the most orders"]
)
def test_orders_are_invoices_where_each_has_several_lines(read: Read, question: str) -> None:
    offered, _ = read("online_retail", question)

    assert offered[0].measures == (Measure(function="count_distinct", column="InvoiceNo"),)


def test_the_mean_order_is_offered_by_invoices(read: Read) -> None:
    offered, certain = read("online_retail", "average order value")

    assert not certain
    assert (
        Measure(function="sum", column="Quantity × UnitPrice", per="InvoiceNo", each=True)
        in offered[0].measures
    )


@pytest.mark.parametrize("question", ["how many orders", "how many orders were refunded", "orders per month"])
def test_a_file_of_orders_with_lines_of_each_counts_orders(read: Read, question: str) -> None:
    offered, _ = read("orders_export", question)

    assert offered[0].measures == (Measure(function="count_distinct", column="Name"),)


@pytest.mark.parametrize(
    "table, name", [("online_retail", "Description"), ("orders_export", "Lineitem name")]
)
def test_what_is_sold_is_what_lines_describe(read: Read, table: str, name: str) -> None:
    offered, certain = read(table, "top 2 products by revenue")
    assert certain
    assert (offered[0].output, offered[0].keys) == (Output.GROUPS, (Key(column=name),))

    best, certain = read(table, "top selling product")
    assert not certain
    assert any(intent.keys == (Key(column=name),) for intent in best)


@pytest.mark.parametrize("table, question", [("activities", "fastest ride"), ("inventory", "oldest stock")])
def test_neither_the_briefest_is_the_fastest_nor_the_smallest_the_oldest(
    read: Read, table: str, question: str
) -> None:
    assert not read(table, question)[1]


def test_a_bare_number_that_a_status_has_is_one(read: Read) -> None:
    offered, _ = read("access_log", "how many requests returned 500")

    assert offered[0].clauses == (Condition(column="status", operator=Operator.EQ, values=(500,)),)


def test_who_left_is_told_by_attrition_and_who_is_left_is_not(read: Read) -> None:
    offered, certain = read("staff", "how many employees left")
    assert certain
    assert offered[0].clauses == (Condition(column="Attrition", operator=Operator.EQ, values=(True,)),)

    assert not read("staff", "how many employees are left")[1]


def test_a_superlative_and_a_noun_name_a_column_together(read: Read) -> None:
    offered, certain = read("penguins", "shortest flipper")
    assert certain
    assert offered[0].orders[0].column == "flipper_length_mm"

    groups, _ = read("penguins", "which species has the longest flippers")
    assert all(
        total("flipper_length_mm") not in one.measures for one in groups if one.output is Output.GROUPS
    )
    assert any(Measure(function="mean", column="flipper_length_mm") in one.measures for one in groups)


def test_initials_of_a_file_are_its_rows(read: Read) -> None:
    offered, certain = read("pull_requests", "how many PRs are open")
    assert certain
    assert offered[0].measures == (Measure(),)
    assert offered[0].clauses == (Condition(column="state", operator=Operator.EQ, values=("open",)),)

    assert read("pull_requests", "PRs by author")[0][0].keys == (Key(column="author"),)


def test_a_length_of_stay_is_the_time_between_its_dates(read: Read) -> None:
    offered, certain = read("admissions", "average length of stay by ward")
    assert certain
    assert offered[0].measures == (Measure(function="mean", column="admission_date → discharge_date"),)

    again, _ = read("admissions", "readmission rate by ward")
    parts = {
        one.column for measure in again[0].measures for one in measure.part if isinstance(one, Condition)
    }
    assert (parts, again[0].keys) == ({"readmitted"}, (Key(column="ward"),))


@pytest.mark.parametrize("question", ["number of rows by country", "which country has the most rows"])
def test_a_column_that_only_its_cells_tell_of_is_offered(read: Read, question: str) -> None:
    offered, certain = read("cases", question)

    assert not certain
    assert any(Key(column="location") in intent.keys for intent in offered)


@pytest.mark.parametrize(
    "table, question",
    [
        # No date until which it is good is no end that has not come.
        ("assets", "how many are open"),
        # Nobody stays where something is bought, or issues are resolved.
        ("assets", "average length of stay"),
        ("issues", "average length of stay"),
        # Nothing is ordered of a staff, whatever it earns.
        ("staff", "average order value"),
        ("staff", "average ticket"),
        # A ship that was commissioned pays none.
        ("ships", "average commission"),
        # Orders of no piece ran out of nothing, and what came back is no list.
        ("online_retail", "out of stock"),
        ("statement", "return rate"),
    ],
)
def test_words_of_another_world_are_not_answered_for_certain(read: Read, table: str, question: str) -> None:
    _, certain = read(table, question)

    assert not certain
