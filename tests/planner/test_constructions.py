"""Single questions in constructions that people type, each of which was once answered by something else, or not read."""

from dataclasses import replace
from pathlib import Path

import pytest

from tests.planner.asking import Asker
from tests.planner.computed import DOMAINS
from tests.planner.gold import GoldQuestion

_TABLES = {domain.name: domain for domain in DOMAINS}
_GOLD = GoldQuestion(
    id="", lang="en", file="", question="", shape="", answerable=True, sql="", ordered=False, notes=""
)


@pytest.mark.parametrize(
    "table, question, sql",
    [
        # What is ranked begins with the highest, and what is sorted with what is said; the first of the file are no answer.
        (
            "orders",
            "cities ranked by total fee, first three",
            "select city from t group by 1 order by sum(fee) desc limit 3",
        ),
        (
            "orders",
            "order cities by total fee descending and show the first 3",
            "select city from t group by 1 order by sum(fee) desc limit 3",
        ),
        ("orders", "first 5 orders by fee descending", "select order_id from t order by fee desc limit 5"),
        (
            "trips",
            "trips sorted by distance descending, first 5 that are electric",
            "select trip_no from t where electric order by distance_km desc limit 5",
        ),
        (
            "orders",
            "how many orders have a higher fee than average",
            "select count(*) from t where fee > (select avg(fee) from t)",
        ),
        ("orders", "product != Tea, total fee", "select sum(fee) from t where product <> 'Tea'"),
        ("orders", "total fee besides Tea", "select sum(fee) from t where product <> 'Tea'"),
        (
            "orders",
            "total fee by city not before March 2024",
            "select city, sum(fee) from t where day >= date '2024-03-01' group by 1",
        ),
        (
            "orders",
            "for the month of March 2024, top five orders in terms of fee",
            "select order_id from t where day between date '2024-03-01' and date '2024-03-31' order by fee desc limit 5",
        ),
        (
            "orders",
            "total fee of Rome and Oslo separately",
            "select city, sum(fee) from t where city in ('Rome', 'Oslo') group by 1",
        ),
        (
            "orders",
            "put Rome and Oslo side by side by total fee",
            "select city, sum(fee) from t where city in ('Rome', 'Oslo') group by 1",
        ),
        ("orders", "cities with their total fee", "select city, sum(fee) from t group by 1"),
        ("orders", "how many kinds of product", "select count(distinct product) from t"),
        ("orders", "middle value of fee", "select median(fee) from t"),
        (
            "repairs",
            "show the repair with the maximum bill",
            "select ticket from t order by bill desc limit 1",
        ),
        ("repairs", "max(bill) for all devices but Phone", "select max(bill) from t where device <> 'Phone'"),
        ("repairs", "repairs whose bill exceeds 50", "select ticket from t where bill > 50"),
        (
            "repairs",
            "devices whose total bill exceeds 300",
            "select device from t group by 1 having sum(bill) > 300",
        ),
        ("repairs", "which devices occur", "select distinct device from t"),
        ("repairs", "workshop averages of bill", "select workshop, avg(bill) from t group by 1"),
        ("repairs", "workshops and total bill", "select workshop, sum(bill) from t group by 1"),
        (
            "repairs",
            "workshop with the highest repair count",
            "select workshop from t group by 1 order by count(*) desc limit 1",
        ),
        (
            "repairs",
            "weakest workshop by total bill",
            "select workshop from t group by 1 order by sum(bill) limit 1",
        ),
        (
            "repairs",
            "sort workshops by total bill, show 2",
            "select workshop from t group by 1 order by sum(bill) desc limit 2",
        ),
        (
            "orders",
            "order the cities by total fee and list 2",
            "select city from t group by 1 order by sum(fee) desc limit 2",
        ),
        (
            "orders",
            "sort orders by fee from high to low and show 5 with qty greater than 3",
            "select order_id from t where qty > 3 order by fee desc limit 5",
        ),
        (
            "repairs",
            "how many repairs a month",
            "select date_trunc('month', received), count(*) from t group by 1",
        ),
        ("repairs", "total bill a week", "select date_trunc('week', received), sum(bill) from t group by 1"),
        (
            "repairs",
            "when the device is Phone, repair with the highest bill",
            "select ticket from t where device = 'Phone' order by bill desc limit 1",
        ),
        ("orders", "where the city is Oslo, total fee", "select sum(fee) from t where city = 'Oslo'"),
        (
            "repairs",
            "three repairs with the minimum bill where remark is late",
            "select ticket from t where remark = 'late' order by bill limit 3",
        ),
    ],
)
def test_it_is_certain_and_what_the_query_computes(
    asker: Asker, tmp_path: Path, table: str, question: str, sql: str
) -> None:
    file = str(_TABLES[table].file(tmp_path))
    outcome = asker.ask(replace(_GOLD, file=file, question=question, sql=sql))

    assert (outcome.answered, outcome.right) == (True, True)


@pytest.mark.parametrize(
    "table, question, sql",
    [
        # The highest, or the lowest.
        ("orders", "orders sorted by fee, first 5", "select order_id from t order by fee limit 5"),
        # Which is the part of which.
        (
            "orders",
            "Rome as a percentage of total fee without Tea and Coffee",
            "select 100 * sum(fee) filter (city = 'Rome') / sum(fee) from t where product not in ('Tea', 'Coffee')",
        ),
        (
            "trips",
            "what share of distance comes from Central where electric is no",
            "select 100 * sum(distance_km) filter (station = 'Central') / sum(distance_km) from t where not electric",
        ),
        (
            "trips",
            "what part of total distance is from Central March to May",
            "select 100 * sum(distance_km) filter (station = 'Central') / sum(distance_km) from t where month(started_on) in (3, 4, 5)",
        ),
        # Of both together, or of each.
        (
            "orders",
            "total fee for Rome and for Oslo",
            "select city, sum(fee) from t where city in ('Rome', 'Oslo') group by 1",
        ),
        # Since that day, or on it.
        ("orders", "total fee from March 1 2024", "select sum(fee) from t where day >= date '2024-03-01'"),
        ("orders", "orders in total where note is empty", "select count(*) from t where note is null"),
        (
            "orders",
            "which city has more orders than any other",
            "select city from t group by 1 order by count(*) desc limit 1",
        ),
        (
            "orders",
            "which product has fewer orders than any other",
            "select product from t group by 1 order by count(*) limit 1",
        ),
        ("orders", "show me every paid order", "select order_id from t where paid"),
        (
            "orders",
            "paid orders in percent in quarter 2",
            "select 100.0 * count(*) filter (paid) / count(*) from t where quarter(day) = 2",
        ),
    ],
)
def test_what_the_query_computes_is_offered_and_nothing_certain(
    asker: Asker, tmp_path: Path, table: str, question: str, sql: str
) -> None:
    file = str(_TABLES[table].file(tmp_path))
    shape = "share" if sql.startswith("select 100") else ""
    outcome = asker.ask(replace(_GOLD, file=file, question=question, sql=sql, shape=shape))

    assert (outcome.answered, outcome.offered) == (False, True)


@pytest.mark.parametrize(
    "table, question",
    [
        ("orders", "for Tea, since when do we have orders"),
        ("orders", "since when do we have orders for Rome"),
        ("repairs", "where is the total bill highest where device is Phone or Laptop"),
    ],
)
def test_when_and_where_are_not_answered_by_something_else(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    assert not asker.interpreter(_TABLES[table].file(tmp_path)).read(question).certain
