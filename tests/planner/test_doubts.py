"""What is likely and yet open is offered, by what the cells and the headers of a table tell."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

import pytest

from tabchat.planner.choice.doubts import is_doubtful
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output, Period
from tests.planner.gold import EXAMPLES, TABLES, public_folder
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker


def test_what_came_in_is_not_added_to_what_went_out_without_a_doubt(asker: Asker, tmp_path: Path) -> None:
    ways = ["deposit", "withdrawal", "withdrawal"] * 6
    rows = [f"B{n},{way},{10 * n}" for n, way in enumerate(ways)]
    account = table_of(tmp_path, "account", "entry,kind,amount", rows)
    lattice = asker.interpreter(account).lattice("total amount")
    total = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="amount"),))
    deposits = Condition(column="kind", operator=Operator.EQ, values=("deposit",))

    assert is_doubtful(lattice, total)
    assert not is_doubtful(lattice, replace(total, clauses=(deposits,)))
    by_kind = replace(total, output=Output.GROUPS, keys=(Key(column="kind"),))
    assert not is_doubtful(asker.interpreter(account).lattice("total amount by kind"), by_kind)


def test_what_is_unpaid_is_not_all_that_is_not_paid(asker: Asker, tmp_path: Path) -> None:
    unpaid = Condition(column="status", operator=Operator.NE, values=("paid",))
    intent = Intent(output=Output.ROWS, clauses=(unpaid,))
    for states, doubtful in ((["paid", "open", "void"], True), (["paid", "open"], False)):
        rows = [f"I{n},{state},{n}" for n, state in enumerate(states * 8)]
        bills = table_of(tmp_path, f"bills{len(states)}", "bill,status,pages", rows)

        assert is_doubtful(asker.interpreter(bills).lattice("unpaid bills"), intent) == doubtful


def test_of_two_dates_the_one_that_is_named_is_taken(asker: Asker, tmp_path: Path) -> None:
    rows = [f"S{n},2020-01-{n:02d},2021-02-{n:02d}" for n in range(1, 20)]
    series = table_of(tmp_path, "series", "title,first aired,last aired", rows)
    lattice = asker.interpreter(series).lattice("when was the last one aired")

    for column, doubtful in (("first aired", True), ("last aired", False)):
        shown = Intent(output=Output.ROWS, columns=(column,), orders=(Order(column=column),), limit=1)
        assert is_doubtful(lattice, shown) == doubtful


def test_the_first_by_an_amount_may_be_the_best_or_the_lowest(asker: Asker, tmp_path: Path) -> None:
    rows = [f"P{n % 7},{n}" for n in range(30)]
    sales = table_of(tmp_path, "takings", "product,revenue", rows)
    key, measure = Key(column="product"), Measure(function="sum", column="revenue")
    lowest = Intent(
        output=Output.GROUPS, measures=(measure,), keys=(key,), orders=(Order(descending=False),), limit=3
    )

    for question, doubtful in (
        ("first 3 products by revenue", True),
        ("lowest 3 products by revenue", False),
    ):
        assert is_doubtful(asker.interpreter(sales).lattice(question), lowest) == doubtful


def test_a_header_of_two_words_is_not_split(asker: Asker, tmp_path: Path) -> None:
    rows = [f"H{n},{1900 + n},2024-01-{n:02d},{n}" for n in range(1, 28)]
    houses = table_of(tmp_path, "houses", "house,year built,sold,price", rows)
    lattice = asker.interpreter(houses).lattice("average price by year built")
    mean = Intent(output=Output.GROUPS, measures=(Measure(function="mean", column="price"),))

    assert is_doubtful(lattice, replace(mean, keys=(Key(column="sold", unit="year"),)))
    assert not is_doubtful(lattice, replace(mean, keys=(Key(column="year built"),)))


def test_what_people_did_is_not_grouped_by_them_without_a_doubt(asker: Asker, tmp_path: Path) -> None:
    rows = [f"{name},{10 * n}" for n, name in enumerate(["Ann Lee", "Bo Kim", "Cy Orr"] * 6)]
    fees = table_of(tmp_path, "fees", "runner,fee", rows)
    by_runner = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column="fee"),),
        keys=(Key(column="runner"),),
    )

    for question, doubtful in (("total fees paid by runners", True), ("total fees by runner", False)):
        assert is_doubtful(asker.interpreter(fees).lattice(question), by_runner) == doubtful


def test_a_header_that_is_named_by_its_unit_alone_is_not_passed_over(asker: Asker, tmp_path: Path) -> None:
    rows = [f"P{n % 7},{n},{n / 2}" for n in range(30)]
    sales = table_of(tmp_path, "sold", "product,quantity,unit_price", rows)
    total = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="quantity"),))

    assert not is_doubtful(asker.interpreter(sales).lattice("units sold"), total)


def test_a_share_of_yes_is_not_that_of_yes_and_of_no(asker: Asker, tmp_path: Path) -> None:
    rows = [f"T{n},{'yes' if n % 3 else 'no'}" for n in range(30)]
    plants = table_of(tmp_path, "plants", "plant,keep", rows)
    shares = Intent(output=Output.GROUPS, measures=(Measure(share=True),), keys=(Key(column="keep"),))
    reader = asker.interpreter(plants)

    assert is_doubtful(reader.lattice("what percent of the rows say keep"), shares)
    assert not is_doubtful(reader.lattice("percent of rows by keep"), shares)


def test_several_numbers_may_be_asked_for_one_by_one(asker: Asker, tmp_path: Path) -> None:
    rows = [f"J{n},{n % 4},{10 + n}" for n in range(30)]
    jobs = table_of(tmp_path, "jobs", "job,flues,minutes", rows)
    lattice = asker.interpreter(jobs).lattice("average minutes for one, two and three flues")
    mean = Intent(output=Output.VALUE, measures=(Measure(function="mean", column="minutes"),))
    three = Condition(column="flues", operator=Operator.IN, values=(1, 2, 3))

    assert is_doubtful(lattice, replace(mean, clauses=(three,)))
    assert not is_doubtful(
        lattice, replace(mean, clauses=(replace(three, operator=Operator.EQ, values=(1,)),))
    )


def test_a_place_that_a_cell_names_is_not_the_wholetable_of(asker: Asker, tmp_path: Path) -> None:
    states = ["in shelter", "adopted", "lost"] * 8
    rows = [f"A{n},{'dog' if n % 2 else 'cat'},{state}" for n, state in enumerate(states)]
    shelter = table_of(tmp_path, "shelter", "name,kind,status", rows)
    dogs = Condition(column="kind", operator=Operator.EQ, values=("dog",))
    there = Condition(column="status", operator=Operator.EQ, values=("in shelter",))
    lattice = asker.interpreter(shelter).lattice("show dogs that are in shelter")

    assert is_doubtful(lattice, Intent(output=Output.ROWS, clauses=(dogs,)))
    assert not is_doubtful(lattice, Intent(output=Output.ROWS, clauses=(dogs, there)))


def test_groups_without_a_row_of_a_kind_are_not_those_with_a_row_of_another(asker: Asker) -> None:
    lattice = asker.interpreter(EXAMPLES / "sales.csv").lattice("which regions have no returns")
    kept = Condition(column="returned", operator=Operator.NE, values=(True,))

    assert is_doubtful(lattice, Intent(output=Output.VALUES, columns=("region",), clauses=(kept,)))
    assert not is_doubtful(lattice, Intent(output=Output.VALUES, columns=("order_id",), clauses=(kept,)))


def test_things_that_are_named_again_and_again_are_not_counted_by_rows_of_a_group(asker: Asker) -> None:
    counted = Intent(output=Output.GROUPS, measures=(Measure(),), keys=(Key(column="category"),))
    sales = asker.interpreter(EXAMPLES / "sales.csv")

    assert is_doubtful(sales.lattice("how many products in each category"), counted)
    assert not is_doubtful(sales.lattice("how many orders in each category"), counted)


def test_items_that_were_sold_may_be_several_in_a_row(asker: Asker) -> None:
    counted = Intent(output=Output.VALUE, measures=(Measure(),))
    sales = asker.interpreter(EXAMPLES / "sales.csv")

    assert is_doubtful(sales.lattice("how many items were sold"), counted)
    assert not is_doubtful(sales.lattice("how many orders"), counted)


def test_the_rows_of_one_side_are_not_both_sides(asker: Asker) -> None:
    lattice = asker.interpreter(EXAMPLES / "sales.csv").lattice("revenue with and without returns")
    kept = Condition(column="returned", operator=Operator.NE, values=(True,))
    total = Intent(output=Output.VALUE, measures=(Measure(function="sum", column="revenue"),))

    assert is_doubtful(lattice, replace(total, clauses=(kept,)))
    assert not is_doubtful(lattice, replace(total, output=Output.GROUPS, keys=(Key(column="returned"),)))


def test_a_cell_that_begins_like_the_word_for_rows_is_no_reason_to_doubt(asker: Asker) -> None:
    bookings = asker.interpreter(TABLES / "hotel_bookings.csv").read("share of bookings with breakfast")

    assert bookings.certain


def test_the_largest_order_is_one_order(asker: Asker) -> None:
    most = Intent(
        output=Output.GROUPS,
        measures=(Measure(function="sum", column="revenue"),),
        keys=(Key(column="customer"),),
        orders=(Order(),),
        limit=1,
    )
    sales = asker.interpreter(EXAMPLES / "sales.csv")

    assert is_doubtful(sales.lattice("which customer made the largest order"), most)
    assert not is_doubtful(sales.lattice("which customer has the largest revenue"), most)


def test_a_state_is_no_word_for_rows_beside_one(asker: Asker) -> None:
    lattice = asker.interpreter(TABLES / "offices/доставки.csv").lattice(
        "Сколько доставленных заказов остались без оценки?"
    )
    unmarked = Condition(column="оценка", operator=Operator.MISSING)
    delivered = Condition(column="статус", operator=Operator.EQ, values=("доставлено",))
    counted = Intent(output=Output.VALUE, measures=(Measure(),), clauses=(unmarked,))

    assert is_doubtful(lattice, counted)
    assert not is_doubtful(lattice, replace(counted, clauses=(unmarked, delivered)))


@pytest.mark.parametrize(
    "file, question",
    [
        ("gym_members.csv", "members without a personal trainer"),
        ("gym_members.csv", "avg monthly fee by plan"),
        ("gym_members.csv", "how many joined each month of 2023"),
        ("services/airport_departures.csv", "average delay per airline"),
        ("seattle-weather.csv", "середній wind за місяцями у 2013 році"),
        ("recipes.csv", "average cost per serving by cuisine"),
        ("hobbies/chess_games.csv", "opponents I played more than 8 times"),
        ("bike_repairs.csv", "how many repairs on e-bikes"),
        ("loans.csv", "loans borrowed since October 2024"),
        ("dog_shelter.csv", "more males or females?"),
        ("pull_requests.csv", "average days to merge"),
        ("projects.csv", "total spent by client"),
        ("sales.csv", "compare revenue from march to april 2024"),
        ("sales.csv", "revenue for March 1-15"),
        ("hobbies/озера.csv", "яка площа Ялпуга"),
        ("school_uk.csv", "топ 2 учні за пропусками занять"),
        ("offices/вибори_дільниці.csv", "кількість дільниць по селу"),
        ("offices/вибори_дільниці.csv", "сума недійсні у містах"),
    ],
)
def test_no_doubt_bars_what_is_read_one_way(asker: Asker, file: str, question: str) -> None:
    folder = next(found for found in (EXAMPLES, TABLES, public_folder()) if (found / file).exists())

    assert asker.interpreter(folder / file).read(question).certain


@pytest.mark.parametrize(
    "file, question",
    [
        ("sales.csv", "average revenue per customer"),
        ("hobbies/phone_bills.csv", "average gigabytes per month"),
        ("hobbies/видача_книг.csv", "скільки штрафів на кожній філії"),
        ("gym_members.csv", "price of each plan"),
        ("firms/возвраты.csv", "какой товар возвращают чаще всего"),
        ("sales.csv", "скільки замовлень з Germany до 15 березня включно"),
        ("sales.csv", "сколько заказов из Germany до 15 марта"),
        ("sales.csv", "скільки замовлень від 15 березня"),
        ("sales.csv", "how many orders to March 15"),
        ("sales.csv", "orders from March 15"),
        ("sales.csv", "orders from March 15, 2024"),
        ("sales.csv", "orders from Germany to 2024"),
        ("sales.csv", "orders with quantity through 5"),
        ("sales.csv", "orders around March 2024"),
        ("sales.csv", "revenue as of March 2024"),
        ("sales.csv", "how many times did customers from Germany order"),
        ("sales.csv", "how often did customers from Germany order"),
        ("sales.csv", "сколько раз клиенты из Germany заказывали"),
        ("sales.csv", "top 3 products by price"),
        ("sales.csv", "5 newest customers"),
        ("desks/Ремонт телефонов - мастерская.csv", "сумма за работу всего, без запчастей"),
        ("desks/charity_grant_applications.csv", "Did arts or health get more money from us?"),
        ("desks/ЕКСПОНАТИ_МУЗЕЮ.csv", "який відсоток експонатів нам подарували?"),
        (
            "desks/Заявки техподдержки лето 2025.csv",
            "сколько часов в среднем проходит от создания заявки до закрытия?",
        ),
        ("desks/ОСТАТКИ_СТРОЙМАТЕРИАЛЫ_СКЛАД.csv", "что приходило последний раз в августе? список"),
        ("desks/kadry_sotrudniki.csv", "У кого отпуск дольше трёх недель?"),
        ("offices/вибори_дільниці.csv", "кількість дільниць по селах"),
        ("offices/вибори_дільниці.csv", "сума недійсні за містами"),
    ],
)
def test_what_is_read_in_two_ways_is_offered(asker: Asker, file: str, question: str) -> None:
    folder = next(found for found in (EXAMPLES, TABLES) if (found / file).exists())

    assert not asker.interpreter(folder / file).read(question).certain


@pytest.mark.parametrize(
    "question, rough", [("orders around March 2024", True), ("tell me about March 2024", False)]
)
def test_about_a_time_is_not_always_roughly(asker: Asker, question: str, rough: bool) -> None:
    lattice = asker.interpreter(EXAMPLES / "sales.csv").wide_lattice(question)
    march = Period(start=date(2024, 3, 1), end=date(2024, 3, 31), column="order_date")

    assert is_doubtful(lattice, Intent(output=Output.ROWS, periods=(march,))) is rough


MOVES = [
    f"2024-01-{1 + n % 28:02d},{('Bolt', 'Nut')[n % 2]},{('in', 'out')[n % 3 == 0]},{10 + n},{('North', 'South')[n % 2]}"
    for n in range(30)
]
DEALS = [
    f"{n},{('Acme', 'Borg', 'Cyan')[n % 3]},{100 + n},{('Won', 'Lost', 'Open')[n % 4 % 3]}" for n in range(30)
]
PAID = [f"{n},{'maybe' if n == 7 else ('yes', 'no')[n % 2]}" for n in range(30)]


@pytest.mark.parametrize(
    "name, header, rows, question",
    [
        ("stock", "date,item,movement,qty,warehouse", MOVES, "how many left in North"),
        ("deals", "deal_id,customer,amount,stage", DEALS, "which customers have won and lost deals"),
        ("fees", "id,paid", PAID, "how many paid"),
    ],
)
def test_what_plain_words_may_mean_otherwise_is_offered(
    asker: Asker, tmp_path: Path, name: str, header: str, rows: list[str], question: str
) -> None:
    assert not asker.interpreter(table_of(tmp_path, name, header, rows)).read(question).certain


@pytest.mark.parametrize(
    "table, question",
    [
        (EXAMPLES / "stations.csv", "what time"),
        (EXAMPLES / "stations.csv", "how many hours in total"),
        (TABLES / "desks" / "Відрядження прац. 2023-24.csv", "більше 3 разів"),
        (TABLES / "workplaces" / "donation log Jan-Oct 2024.csv", "finished in time"),
        (TABLES / "zapravki.csv", "сколько заплачено"),
        (TABLES / "zapravki.csv", "сколько в день"),
        (TABLES / "gym_classes.csv", "when was the first"),
        (TABLES / "teatr.csv", "хто був відсутній"),
        (TABLES / "volcanoes.csv", "fastest one"),
        (TABLES / "ledgers" / "teplica_datchiki_aprel.csv", "самый быстрый"),
        (TABLES / "workplaces" / "spivrobitnyky_2024.csv", "коли востаннє"),
    ],
)
def test_words_that_are_only_like_what_a_table_tells_are_not_answered_by_it(
    asker: Asker, table: Path, question: str
) -> None:
    assert not asker.interpreter(table).read(question).certain


@pytest.mark.parametrize("question", ["who never bought Furniture", "who has never ordered from Asia"])
def test_never_is_not_answered_by_rows_of_something_else(asker: Asker, question: str) -> None:
    found = asker.interpreter(EXAMPLES / "sales.csv").read(question).candidates

    assert found[0].intent.keys == (Key(column="customer"),)
    assert found[0].intent.having
    assert all(
        one.intent.output is not Output.ROWS or Operator.NE not in _operators(one.intent) for one in found
    )


def _operators(intent: Intent) -> list[Operator]:
    return [clause.operator for clause in intent.clauses if isinstance(clause, Condition)]
