"""Single questions of the tables of `computed`, each of which was once answered by something else, or not read."""

from dataclasses import replace
from pathlib import Path

import duckdb
import pytest

from tabchat.planner.intent import OWN_MEAN, Condition, Output
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
        # What opens the question says of which rows, and asks for no place.
        (
            "trips",
            "where distance is at least 20, highest distance",
            "select max(distance_km) from t where distance_km >= 20",
        ),
        # `not` is no form of `note`, as which a remark is spoken of.
        (
            "repairs",
            "not at Harbour, second highest bill",
            "select bill from t where workshop <> 'Harbour' order by bill desc limit 1 offset 1",
        ),
        # Both together, unless one is asked for.
        (
            "repairs",
            "average bill of Phone or Laptop",
            "select avg(bill) from t where device in ('Phone', 'Laptop')",
        ),
        (
            "repairs",
            "90th percentile of bill for Phone or Laptop",
            "select quantile_cont(bill, 0.9) from t where device in ('Phone', 'Laptop')",
        ),
        (
            "repairs",
            "highest bill for Phone or Laptop",
            "select max(bill) from t where device in ('Phone', 'Laptop')",
        ),
        (
            "repairs",
            "5 repairs with the highest bill for Phone or Laptop",
            "select ticket from t where device in ('Phone', 'Laptop') order by bill desc limit 5",
        ),
        (
            "players",
            "in Athletic or Wanderers, top 5 players by wage",
            "select player from t where club in ('Athletic', 'Wanderers') order by wage desc limit 5",
        ),
        (
            "staff",
            "who earns the most in Finance or Research",
            "select name from t where department in ('Finance', 'Research') order by salary desc limit 1",
        ),
        (
            "orders",
            "total fee in May compared to April",
            "select sum(fee) filter (month(day) = 4), sum(fee) filter (month(day) = 5) from t",
        ),
        (
            "staff",
            "difference between the highest and the lowest salary",
            "select max(salary) - min(salary) from t",
        ),
        (
            "orders",
            "where note is late, are there orders with fee over 58",
            "select count(*) filter (fee > 58) > 0 from t where note = 'late'",
        ),
        (
            "orders",
            "ratio of paid to unpaid orders in March 2024",
            "select count(*) filter (paid) / count(*) filter (not paid) from t where month(day) = 3",
        ),
        ("orders", "how many months are there", "select count(distinct date_trunc('month', day)) from t"),
        (
            "tickets",
            "how many tickets were closed on the day they were opened",
            "select count(*) from t where closed = opened",
        ),
        ("staff", "3 lowest paid employees", "select name from t order by salary limit 3"),
        (
            "players",
            "average wage by club who joined before 2020",
            "select club, avg(wage) from t where joined < date '2020-01-01' group by 1",
        ),
        (
            "players",
            "player with the highest wage in each club",
            "select player from t qualify rank() over (partition by club order by wage desc) = 1",
        ),
    ],
)
def test_it_is_certain_and_what_the_query_computes(
    asker: Asker, tmp_path: Path, table: str, question: str, sql: str
) -> None:
    file = str(_TABLES[table].file(tmp_path))
    outcome = asker.ask(replace(_GOLD, file=file, question=question, sql=sql))

    assert (outcome.answered, outcome.right) == (True, True)


def test_a_state_and_the_date_of_a_deed_are_both_kept(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(_TABLES["tickets"].file(tmp_path)).read

    for question in ("open tickets opened in April 2024", "how many open tickets were opened in April 2024"):
        intent = read(question).candidates[0].intent
        assert [one.column for one in intent.clauses if isinstance(one, Condition)] == ["status"]
        assert [period.column for period in intent.periods] == ["opened"]


@pytest.mark.parametrize(
    "question",
    [
        "claims by state with more than 100 days worked",
        "claims filed per month with more than 100 days worked",
    ],
)
def test_rows_or_groups_may_be_bounded(asker: Asker, tmp_path: Path, question: str) -> None:
    reading = asker.interpreter(_TABLES["claims"].file(tmp_path)).read(question)
    bounded = {bool(candidate.intent.having) for candidate in reading.candidates[:3]}

    assert (reading.certain, bounded) == (False, {True, False})


def test_where_in_front_asks_for_no_place(asker: Asker, tmp_path: Path) -> None:
    reading = asker.interpreter(_TABLES["orders"].file(tmp_path)).read(
        "where product is not Tea, list of products"
    )

    assert reading.candidates[0].intent.columns == ("product",)
    assert all(key.column != "city" for one in reading.candidates for key in one.intent.keys)


@pytest.mark.parametrize(
    "table, question",
    [
        ("repairs", "percentage of repairs without a remark where bill is at least 20"),
        ("repairs", "percentage of repairs without a remark excluding Phone"),
        ("repairs", "where device is not Phone, percentage of repairs without a remark by workshop"),
    ],
)
def test_which_is_a_share_of_which_is_offered(
    asker: Asker, tmp_path: Path, table: str, question: str
) -> None:
    reading = asker.interpreter(_TABLES[table].file(tmp_path)).read(question)
    parts = {
        one.column
        for candidate in reading.candidates[:3]
        for measure in candidate.intent.measures
        for one in measure.part
        if isinstance(one, Condition)
    }

    assert not reading.certain
    assert "remark" in parts


def test_a_mean_is_of_all_rows_or_of_these_and_never_of_a_period_alone(asker: Asker, tmp_path: Path) -> None:
    file = _TABLES["trips"].file(tmp_path)
    asked = "how many trips have a distance above the average from Central since March 2024"
    reading = asker.interpreter(file).read(asked)
    intents = [candidate.intent for candidate in reading.candidates[:2]]
    found = [asker.answer(file, asker.call(file, intent)).rows for intent in intents]
    kept = "station = 'Central' and started_on >= date '2024-03-01'"
    gold = [
        f"select count(*) from t where {kept} and distance_km > (select avg(distance_km) from t)",
        f"select count(*) from t where {kept} and distance_km > (select avg(distance_km) from t where {kept})",
    ]
    connection = duckdb.connect()
    connection.execute(f"create table t as from '{file}'")

    assert not reading.certain
    assert [_part(intent.clauses) for intent in intents] == ["mean", OWN_MEAN]
    assert [list(rows) for rows in found] == [connection.execute(sql).fetchall() for sql in gold]
    assert found[0] != found[1]


def _part(clauses: tuple[object, ...]) -> str | None:
    return next(one.part for one in clauses if isinstance(one, Condition) and one.part)


def test_what_asks_for_one_of_two_still_compares(asker: Asker, tmp_path: Path) -> None:
    read = asker.interpreter(_TABLES["repairs"].file(tmp_path)).read

    for question in (
        "which has more repairs, Phone or Laptop",
        "does North or Mill have the higher average bill",
    ):
        assert read(question).candidates[0].intent.output is Output.COMPARISON
