"""Constructions of everyday questions over small tables: each is answered as certain, as SQL over the same file answers it."""

from __future__ import annotations

import datetime as dt
from itertools import cycle
from typing import TYPE_CHECKING

import duckdb
import pytest

from tabchat.planner.intent import Having, Key, Measure, Operator
from tests.planner.tables import table_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.planner.asking import Asker

_START = dt.datetime.fromisoformat("2025-04-01T06:00:00")


@pytest.fixture
def tables(tmp_path: Path) -> dict[str, Path]:
    return {
        "podcast_episodes": _episodes(tmp_path),
        "bike_rides": _rides(tmp_path),
        "gym_members": _members(tmp_path),
        "аварії_водогону": _accidents(tmp_path),
        "відгуки": _reviews(tmp_path),
        "tasks": _tasks(tmp_path),
        "calls": _calls(tmp_path),
        "mini": _mini(tmp_path),
        "cities": _cities(tmp_path),
    }


def _cities(folder: Path) -> Path:
    rows = [
        f"City {n},{('EU', 'US')[n % 2]},{'' if n % 5 == 0 else 10000 + n * 7919 % 90000},{n % 13 or ''}"
        for n in range(1, 40)
    ]
    return table_of(folder, "cities", "city,region,population,museums", rows)


def _mini(folder: Path) -> Path:
    rows = [
        *("2023-12-30,N,paid,Ann,10,1,yes", "2024-01-05,N,open,Ann,20,2,no", "2024-01-09,S,paid,Bob,50,5,no"),
        *("2024-02-03,S,open,Cid,30,1,yes", "2024-02-10,N,paid,Bob,5,4,no", "2024-04-02,N,paid,Cid,40,9,no"),
        "2024-04-03,S,open,Ann,60,1,yes",
    ]
    return table_of(folder, "mini", "day,region,status,customer,revenue,qty,gift", rows)


def _episodes(folder: Path) -> Path:
    guests = cycle(("Anna Kerr", "", "Ben Okafor", "Carla Diaz", ""))
    sponsors, tips = cycle(("BrewBox", "", "LearnFast")), cycle((0, 0, 15, 40))
    rows = [
        f"{n},Talk {n},{next(guests)},{next(sponsors)},{dt.date(2023, 1, 5) + dt.timedelta(days=7 * n)},{20 + n * 7 % 70},{next(tips)}"
        for n in range(1, 90)
    ]
    return table_of(folder, "podcast_episodes", "No,Title,Guest,Sponsor,Published,Length (min),Tips", rows)


def _calls(folder: Path) -> Path:
    rows = [
        f"{n},2025-03-{1 + n % 28:02d},{7 + n % 15:02d}:{n * 7 % 60:02d},{('Ann', 'Bo')[n % 2]}"
        for n in range(150)
    ]
    return table_of(folder, "calls", "no,day,time,agent", rows)


def _rides(folder: Path) -> Path:
    rows = []
    for n in range(120):
        start = _START + dt.timedelta(minutes=n * 97)
        end = start + dt.timedelta(minutes=5 + n * 13 % 110)
        rows.append(f"{n + 1},{start},{end},{('classic', 'electric')[n % 2]},{n % 19}.5")
    return table_of(folder, "bike_rides", "ride_id,started_at,ended_at,bike_type,distance_km", rows)


def _members(folder: Path) -> Path:
    rows = [
        f"{1000 + n},Member {n},{dt.date(2021, 1, 1) + dt.timedelta(days=n * 11)},{(29, 45, 79)[n % 3]},{17 + n * 7 % 60}"
        for n in range(130)
    ]
    return table_of(folder, "gym_members", "member_id,name,joined,monthly_fee,age", rows)


def _accidents(folder: Path) -> Path:
    streets, reasons = cycle(("Франка", "Польова", "Франка", "Гірська")), cycle(("мороз", "корозія", "брак"))
    rows = [
        f"{dt.date(2024, 1, 3) + dt.timedelta(days=3 * n)},{next(streets)},{next(reasons)},{n * 7 % 40}.5,{800 + n * 131 % 9000}"
        for n in range(100)
    ]
    header = '"Дата","Вулиця","Причина","Час усунення, год","Витрати, грн"'
    return table_of(folder, "аварії_водогону", header, rows)


def _reviews(folder: Path) -> Path:
    shops, notes = cycle(("Аптека №5", "Аптека №15", "Аптека на Подолі")), cycle(("", "довго", "зручно", ""))
    rows = [
        f"{next(shops)},{n % 5 + 1},{next(notes)},{_START + dt.timedelta(hours=7 * n)},{_START + dt.timedelta(hours=8 * n + 1)}"
        for n in range(70)
    ]
    return table_of(folder, "відгуки", "Аптека,Оцінка,Коментар,Надійшов,Закритий", rows)


def _tasks(folder: Path) -> Path:
    states, people = cycle(("todo", "in progress", "done", "done")), cycle(("Ann", "Bob", "Cid"))
    rows = [f"T-{n},{next(people)},{next(states)},{n % 8 + 1}" for n in range(80)]
    return table_of(folder, "tasks", "Key,Assignee,Status,Points", rows)


def _orders(folder: Path) -> Path:
    rows = [
        f"{n},{18 + n * 7 % 60},{5 + n * 11 % 395},{dt.date(2023, 1, 1) + dt.timedelta(days=n % 730)}"
        for n in range(1, 2200)
    ]
    return table_of(folder, "orders", "order_id,customer_age,amount,ordered", rows)


@pytest.mark.parametrize(
    "table, question, sql",
    [
        ("podcast_episodes", "how many episodes have a sponsor", "select count(Sponsor) from t"),
        ("podcast_episodes", "share of episodes with a guest", "select 100 * count(Guest) / count(*) from t"),
        ("podcast_episodes", "how many episodes with tips", "select count(*) from t where Tips > 0"),
        (
            "podcast_episodes",
            "how many episodes with a length over 60",
            'select count(*) from t where "Length (min)" > 60',
        ),
        ("podcast_episodes", "tips of episode 17", "select Tips from t where No = 17"),
        (
            "gym_members",
            "how many members joined each year",
            "select year(joined) y, count(*) from t group by y order by y",
        ),
        ("gym_members", "how many members are over 60", "select count(*) from t where age > 60"),
        (
            "bike_rides",
            "how many rides over an hour",
            "select count(*) from t where ended_at - started_at > interval 1 hour",
        ),
        (
            "bike_rides",
            "average duration by bike type",
            "select bike_type, avg(epoch(ended_at - started_at)) / 3600 from t group by 1 order by 1",
        ),
        (
            "відгуки",
            "скільки відгуків про Аптеку №5",
            "select count(*) from t where Аптека = 'Аптека №5'",
        ),
        (
            "відгуки",
            "середня оцінка в Аптеці номер 15",
            "select avg(Оцінка) from t where Аптека = 'Аптека №15'",
        ),
        ("tasks", "how many tasks are done", "select count(*) from t where Status = 'done'"),
        (
            "tasks",
            "total points done by Ann",
            "select sum(Points) from t where Status = 'done' and Assignee = 'Ann'",
        ),
        ("відгуки", "скільки відгуків мають коментар", "select count(Коментар) from t"),
        (
            "відгуки",
            "скільки відгуків довші за 2 доби",
            "select count(*) from t where Закритий - Надійшов > interval 48 hour",
        ),
        (
            "bike_rides",
            "how many rides longer than 15 km",
            "select count(*) from t where distance_km > 15",
        ),
        (
            "аварії_водогону",
            "на якій вулиці найбільше аварій",
            "select Вулиця, count(*) n from t group by 1 order by n desc limit 1",
        ),
        (
            "bike_rides",
            "how many rides were longer than 5 km but are shorter than 15 km",
            "select count(*) from t where distance_km > 5 and distance_km < 15",
        ),
        (
            "bike_rides",
            "number of all rides but the electric ones",
            "select count(*) from t where bike_type <> 'electric'",
        ),
        (
            "bike_rides",
            "how many rides started between 10 pm and 6 am",
            "select count(*) from t where hour(started_at) >= 22 or hour(started_at) < 6",
        ),
        ("calls", "how many calls after 6 pm", 'select count(*) from t where hour("time") >= 18'),
        (
            "calls",
            "calls by agent in the morning",
            'select agent, count(*) from t where hour("time") between 6 and 11 group by 1 order by 1',
        ),
        (
            "аварії_водогону",
            "скільки аварій довші за добу",
            'select count(*) from t where "Час усунення, год" > 24',
        ),
        (
            "mini",
            "average qty of open and non-open orders",
            "select avg(qty) filter (status = 'open'), avg(qty) filter (status <> 'open') from t",
        ),
        (
            "mini",
            "gift and non-gift revenue",
            "select sum(revenue) filter (gift), sum(revenue) filter (not gift) from t",
        ),
        *(
            ("mini", question, "select 10, 55")
            for question in (
                "revenue of Ann in 2023 and Bob in 2024",
                "revenue in 2023 of Ann and in 2024 of Bob",
            )
        ),
        (
            "cities",
            "total population of the 3 largest cities",
            "select sum(population) from (from t order by population desc nulls last limit 3)",
        ),
        (
            "cities",
            "how many rows have missing values",
            "select count(*) from t where population is null or museums is null",
        ),
        (
            "mini",
            "revenue of N divided by revenue of S",
            "select sum(revenue) filter (region = 'N'), sum(revenue) filter (region = 'S'), 75 / 140 from t",
        ),
        (
            "mini",
            "difference between revenue of Bob in 2024 and Ann in 2023",
            "select 55, 10, 45",
        ),
        *(
            ("mini", question, "select 100 / 3")
            for question in (
                "percentage of customers with more than 2 orders",
                "what percentage of customers have more than 2 orders",
            )
        ),
        (
            "mini",
            "percentage of orders with revenue above 30",
            "select 100 * count(*) filter (revenue > 30) / count(*) from t",
        ),
    ],
)
def test_it_is_answered_as_sql_answers_it(
    asker: Asker, tables: dict[str, Path], table: str, question: str, sql: str
) -> None:
    path = tables[table]
    found = asker.interpreter(path).read(question)
    assert found.certain, [str(item.intent) for item in found.candidates[:2]]

    rows = asker.answer(path, asker.call(path, found.candidates[0].intent)).rows
    with duckdb.connect() as connection:
        wanted = connection.execute(f"with t as (from read_csv('{path}')) {sql}").fetchall()
    assert [_plain(row) for row in rows] == [_plain(row) for row in wanted]


@pytest.mark.parametrize(
    "question",
    [
        "gift vs non-gift revenue by region",
        "total revenue of N and average revenue of S",
        "average quantity in 2023 and total revenue in 2024",
        "средний qty открытых и не открытых заказов",
    ],
)
def test_what_each_part_says_of_its_own_is_not_said_of_all(
    asker: Asker, tables: dict[str, Path], question: str
) -> None:
    assert not asker.interpreter(tables["mini"]).read(question).certain


@pytest.mark.parametrize(
    "question", ["доля клиентов с более чем 2 заказами", "частка клієнтів з більш ніж 2 замовленнями"]
)
def test_a_number_of_rows_bounds_no_amount_of_them(
    asker: Asker, tables: dict[str, Path], question: str
) -> None:
    best = asker.interpreter(tables["mini"]).read(question).candidates[0].intent

    assert best.keys == (Key(column="customer"),)
    assert best.having == (Having(measure=Measure(), operator=Operator.GT, values=(2,)),)


@pytest.mark.parametrize(
    "question, column",
    [("rides over an hour", "ride_id"), ("rides longer than 15 km", "started_at → ended_at")],
)
def test_a_unit_bounds_no_column_that_is_not_in_it(
    asker: Asker, tables: dict[str, Path], question: str, column: str
) -> None:
    offered = asker.interpreter(tables["bike_rides"]).read(question).offered

    assert not any(f"column='{column}'" in str(item.intent.clauses) for item in offered[:2])


@pytest.mark.parametrize("question", ["orders 2024", "orders in 2024", "order 2024"])
def test_a_year_behind_rows_is_no_number_of_one(asker: Asker, tmp_path: Path, question: str) -> None:
    best = asker.interpreter(_orders(tmp_path)).read(question).candidates[0]

    assert [period.start for period in best.intent.periods] == [dt.date(2024, 1, 1)]


def test_what_is_no_person_has_no_age(asker: Asker, tmp_path: Path) -> None:
    best = asker.interpreter(_orders(tmp_path)).read("orders over 50").candidates[0]

    assert "customer_age" not in str(best.intent.clauses)


def test_no_date_is_the_smallest(asker: Asker, tables: dict[str, Path]) -> None:
    offered = asker.interpreter(tables["gym_members"]).read("smallest joined member").offered

    assert not any(order.column == "joined" for item in offered for order in item.intent.orders)


def _plain(row: tuple[object, ...]) -> tuple[object, ...]:
    return tuple(value if isinstance(value, str) else round(float(str(value)), 6) for value in row)
