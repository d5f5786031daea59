"""Tables of people, one row for each."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import TOP, Domain, best

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "who most": ("who has the highest {pay}", f"select name from t {{where}} {TOP.format(by='pay desc')}"),
    "who earns": ("who earns the most", f"select name from t {{where}} {TOP.format(by='pay desc')}"),
    "oldest": ("oldest {row}", f"select name from t {{where}} {TOP.format(by='age desc')}"),
    "age of one": ("how old is the youngest {row}", "select min(age) from t {where}"),
    "count": ("how many {rows}", "select count(*) from t {where}"),
    "count of a team": ("how many {rows} are in {t1}", "select count(*) from t {more} team = '{t1}'"),
    "count by": ("number of {rows} per {team}", "select team, count(*) from t {where} group by 1"),
    "mean": ("average {pay}", "select avg(pay) from t {where}"),
    "mean by": ("average {pay} by {team}", "select team, avg(pay) from t {where} group by 1"),
    "age by": ("average age per {place}", "select place, avg(age) from t {where} group by 1"),
    "list": ("list {rows}", "select name from t {where}"),
    "over": ("{rows} with a {pay} over {mid}", "select name from t {more} pay > {mid}"),
    "count over": ("how many {rows} have a {pay} over {mid}", "select count(*) from t {more} pay > {mid}"),
    "older": ("{rows} older than 40", "select name from t {more} age > 40"),
    "share older": (
        "what percentage of {rows} are older than 40",
        "select 100.0 * count(*) filter (age > 40) / count(*) from t {where}",
    ),
    "youngest of each": (
        "youngest {row} in each {team}",
        "select team, name from t {where} qualify rank() over (partition by team order by age) = 1",
    ),
    "best of each": (
        "{row} with the highest {pay} in each {team}",
        "select team, max(pay) from t {where} group by 1",
    ),
    "two of each": (
        "top 2 {rows} by {pay} in each {team}",
        "select team, name from t {where} qualify rank() over (partition by team order by pay desc) <= 2",
    ),
    "top": ("top 5 {rows} by {pay}", "select name from t {where} order by pay desc limit 5"),
    "lowest paid": ("3 lowest paid {rows}", "select name from t {where} order by pay limit 3"),
    "groups of many": (
        "{teams} with more than 4 {rows}",
        "select team from t {where} group by 1 having count(*) > 4",
    ),
    "groups of a mean": (
        "{teams} where the average {pay} is over {mid}",
        "select team from t {where} group by 1 having avg(pay) > {mid}",
    ),
    "best mean": ("which {team} has the highest average {pay}", best("team", "avg(pay) desc")),
    "most": ("which {team} has the most {rows}", best("team", "count(*) desc")),
    "span": (
        "difference between the highest and the lowest {pay}",
        "select max(pay) - min(pay) from t {where}",
    ),
    "difference": (
        "difference in average {pay} between {t1} and {t2}",
        "select avg(pay) filter (team = '{t1}') - avg(pay) filter (team = '{t2}') from t {where}",
    ),
    "without": ("how many {rows} have no {boss}", "select count(*) from t {more} boss is null"),
    "not flagged": ("{rows} who are not {flag}", "select name from t {more} not flag"),
    "mean of a flag": ("average {pay} of {flag} {rows}", "select avg(pay) from t {more} flag"),
    "count of each": (
        "how many {rows} does each {boss} have",
        "select boss, count(*) from t {where} group by 1",
        "select boss, count(*) from t {more} boss is not null group by 1",
    ),
    "of one year": ("{rows} {began} in 2019", "select name from t {more} year(start) = 2019"),
    "median": ("median {pay} of {rows}", "select median(pay) from t {where}"),
    "two keys": (
        "total {pay} by {team} and {place}",
        "select team, place, sum(pay) from t {where} group by 1, 2",
    ),
    "lookup": ("{pay} of {n1}", "select pay from t where name = '{n1}'"),
    "whose": ("in which {team} is {n1}", "select team from t where name = '{n1}'"),
    "age": ("how old is {n1}", "select age from t where name = '{n1}'"),
    "either": (
        "who has a higher {pay}, {n1} or {n2}",
        f"select name from t where name in ('{{n1}}', '{{n2}}') {TOP.format(by='pay desc')}",
        "select name, pay from t where name in ('{n1}', '{n2}')",
    ),
    "both": ("{pay} of {n1} and {n2}", "select name, pay from t where name in ('{n1}', '{n2}')"),
    "by a boss": ("{rows} whose {boss} is {n3}", "select name from t {more} boss = '{n3}'"),
}
_CONDITIONS: Final = {
    "in {p1}": "place = '{p1}'",
    "in {t3}": "team = '{t3}'",
    "not in {p2}": "place <> '{p2}'",
    "in {t3} or {t4}": "team in ('{t3}', '{t4}')",
    "except in {p1}": "place <> '{p1}'",
    "{began} since 2019": "start >= date '2019-01-01'",
    "{began} before 2020": "start < date '2020-01-01'",
    "older than 30": "age > 30",
    "under 50 years old": "age < 50",
    "where age is at least 25": "age >= 25",
    "who are {flag}": "flag",
    "who are not {flag}": "not flag",
    "with a {pay} below {mid}": "pay < {mid}",
    "without a {boss}": "boss is null",
    "in {p1} older than 30": "place = '{p1}' and age > 30",
}


def _people(name: str, header: str, words: str, teams: str, places: str, names: str, mid: int) -> Domain:
    """Return a table of people: name, team, place, pay, day of beginning, boss, age, whether something is so of them."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    t, p, people = teams.split(), places.split(), names.split()
    kinds = ("name", "team", "place", "pay", "start", "boss", "age", "flag")
    columns = dict(zip(kinds, header.split(","), strict=True))
    pays = chosen.sample(range(mid // 2, mid * 3 // 2), len(people))
    days = chosen.sample(range(365 * 8), len(people))
    return Domain(
        name=name,
        columns=columns,
        words={
            **columns,
            **dict(zip(("row", "rows", "teams", "began"), words.split(","), strict=True)),
            **{f"t{n}": team for n, team in enumerate(t, 1)},
            **{f"p{n}": place for n, place in enumerate(p, 1)},
            "n1": people[9],
            "n2": people[20],
            "n3": people[0],
            "mid": str(mid),
        },
        rows=[
            f"{person},{chosen.choice(t)},{chosen.choice(p)},{pays[n]},{date(2016, 1, 1) + timedelta(days=days[n])},"
            f"{chosen.choice((*people[:4], ''))},{chosen.randint(19, 62)},{chosen.choice(('yes', 'no'))}"
            for n, person in enumerate(people)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
    )


PEOPLE: Final = (
    _people(
        "staff",
        "name,department,office,salary,hired,manager,age,remote",
        "employee,employees,departments,hired",
        "Sales Support Finance Research",
        "Oslo Turin Lodz Bergen",
        "Ann Bob Carla Dmytro Elena Farid Greta Hugo Iris Jonas Klara Liam Mona Nils Olga Pavlo Quinn Rosa Stefan Tara Ugo Vera"
        " Wanda Xenia Yuri Zoe Aldo Berta Cyril Dora Emil Flora Goran Hanna Igor Julia Karl Lena Marek Nora",
        5500,
    ),
    _people(
        "players",
        "player,club,country,wage,joined,agent,age,injured",
        "player,players,clubs,who joined",
        "Rovers United Athletic Wanderers",
        "Spain Ghana Chile Japan",
        "Abel Bruno Caleb Diego Enzo Fabio Gil Hector Ivan Jorge Kofi Luis Mario Nico Oscar Pedro Quique Raul Simon Tomas Unai"
        " Victor Wilson Xavi Yoshi Zico Amadou Bela Carlos Denis Elias Felix Gustav Henrik Isco Javier Kenji Lorenzo Matteo Nuno",
        550,
    ),
)
