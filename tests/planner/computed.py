"""Questions of many shapes, each behind and before many conditions, with the query that answers them.

A shape and a condition bring their words and their part of the query, so that what an answer leaves out, or takes for something else, shows.
Words stand in braces, and columns in the queries by what they hold; both are told of each table.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.gold import GoldQuestion

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

Said = tuple[str, ...]
"""Words, a query, and others that answer as well."""


@dataclass(frozen=True, kw_only=True)
class Domain:
    """A table, and how it is spoken of."""

    name: str
    """Of the file."""
    columns: Mapping[str, str]
    """What a column holds → its header, in the order of the file."""
    words: Mapping[str, str]
    rows: Sequence[str]
    shapes: Mapping[str, Said]
    conditions: Mapping[str, str]
    """Words → what they ask of a row."""

    def file(self, folder: Path) -> Path:
        """Write the table."""
        file = folder / f"{self.name}.csv"
        file.write_text("\n".join([",".join(self.columns.values()), *self.rows]), encoding="utf-8")
        return file

    def questions(self, file: Path, count: int) -> list[GoldQuestion]:
        """Return some of the questions, the same ones each time."""
        found = [*self._questions(file)]
        return random.Random(self.name).sample(found, min(count, len(found)))  # noqa: S311 - any will do

    def _questions(self, file: Path) -> Iterator[GoldQuestion]:
        for shape, (text, *queries) in self.shapes.items():
            for said, kept in {"": "", **self.conditions}.items():
                if kept and ("{where}" not in queries[0] or self._holds(kept) & self._holds(queries[0])):
                    continue
                words = text.format(**self.words)
                behind = said.format(**self.words)
                ahead = f"{behind}, {words}" if behind and behind.split()[0] in _OPENING else ""
                for question in filter(None, (f"{words} {behind}".strip(), ahead)):
                    yield self._question(file, shape, question, [self._query(one, kept) for one in queries])

    def _question(self, file: Path, shape: str, question: str, queries: Sequence[str]) -> GoldQuestion:
        return GoldQuestion(
            id=question,
            lang="en",
            file=str(file),
            question=question,
            shape="share" if shape.startswith("share") else "",
            answerable=True,
            sql=queries[0],
            ordered=False,
            notes="",
            also=tuple(queries[1:]),
        )

    def _holds(self, query: str) -> set[str]:
        return {kind for kind in self.columns if re.search(rf"\b{kind}\b", query)}

    def _query(self, query: str, kept: str) -> str:
        """Return a query over the headers of the file, of the rows that are kept."""
        kept = kept.format(**self.words)
        where = {"where": f"where {kept}" if kept else "", "more": f"where {kept} and" if kept else "where"}
        filled = query.format(**where, **self.words)
        named = "|".join(self.columns)
        return re.sub(rf"(?<!')\b({named})\b(?!')", lambda found: f'"{self.columns[found[1]]}"', filled)


_OPENING: Final = ("in", "since", "where", "without", "with", "not", "at", "from")
"""What conditions begin with that may stand before what is asked."""
_TOP: Final = "qualify rank() over (order by {by}) = 1"


def _best(what: str, by: str) -> str:
    return f"select {what} from t {{where}} group by {what} {_TOP.format(by=by)}"


_MONTHLY: Final = "(select date_trunc('month', day) m, sum(fee) f from t {where} group by 1)"
EVENTS: Final[dict[str, Said]] = {
    "top groups": (
        "top 3 {places} by total {fee}",
        "select place from t {where} group by place order by sum(fee) desc limit 3",
    ),
    "best mean": ("which {place} has the highest average {fee}", _best("place", "avg(fee) desc")),
    "fewest": ("which {thing} has the fewest {rows}", _best("thing", "count(*)")),
    "most": ("{place} with the most {rows}", _best("place", "count(*) desc")),
    "different": ("how many different {things}", "select count(distinct thing) from t {where}"),
    "share of a sum": (
        "share of {p1} in total {fee}",
        "select 100 * sum(fee) filter (place = '{p1}') / sum(fee) from t {where}",
    ),
    "share of rows": (
        "what percentage of {rows} are {paid}",
        "select 100.0 * count(*) filter (paid) / count(*) from t {where}",
    ),
    "share missing by": (
        "percentage of {rows} without a {note} by {place}",
        "select place, 100.0 * count(*) filter (note is null) / count(*) from t {where} group by 1",
    ),
    "share of groups": (
        "share of each {place} in total {fee}",
        "select place, 100 * sum(fee) / sum(sum(fee)) over () from t {where} group by 1",
    ),
    "difference": (
        "difference between {p1} and {p2} in total {fee}",
        "select sum(fee) filter (place = '{p1}') - sum(fee) filter (place = '{p2}') from t {where}",
    ),
    "groups of many": (
        "{places} with more than 15 {rows}",
        "select place from t {where} group by 1 having count(*) > 15",
    ),
    "groups of a sum": (
        "{things} with total {fee} over 300",
        "select thing from t {where} group by 1 having sum(fee) > 300",
    ),
    "groups of a mean": (
        "which {places} have an average {fee} below 32",
        "select place from t {where} group by 1 having avg(fee) < 32",
    ),
    "percentile": ("90th percentile of {fee}", "select quantile_cont(fee, 0.9) from t {where}"),
    "highest": ("highest {fee}", "select max(fee) from t {where}"),
    "highest row": (
        "{row} with the highest {fee}",
        f"select id from t {{where}} {_TOP.format(by='fee desc')}",
    ),
    "second": ("second highest {fee}", "select fee from t {where} order by fee desc limit 1 offset 1"),
    "top rows": ("5 {rows} with the highest {fee}", "select id from t {where} order by fee desc limit 5"),
    "last rows": ("3 {rows} with the lowest {fee}", "select id from t {where} order by fee limit 3"),
    "list": ("list of {things}", "select distinct thing from t {where}"),
    "sum of a flag": ("total {fee} of {paid} {rows}", "select sum(fee) from t {more} paid"),
    "not flagged": ("how many {rows} are not {paid}", "select count(*) from t {more} not paid"),
    "compared": (
        "compare total {fee} of {p1} and {p2}",
        "select place, sum(fee) from t {more} place in ('{p1}', '{p2}') group by 1",
    ),
    "months compared": (
        "total {fee} in May compared to April",
        "select sum(fee) filter (month(day) = 4), sum(fee) filter (month(day) = 5) from t {where}",
    ),
    "sorted": ("average {fee} by {place}, highest first", "select place, avg(fee) from t {where} group by 1"),
    "monthly": (
        "monthly total {fee}",
        "select date_trunc('month', day), sum(fee) from t {where} group by 1",
    ),
    "weekdays": ("{rows} per weekday", "select dayname(day), count(*) from t {where} group by 1"),
    "top of each": (
        "top 2 {things} in each {place} by total {fee}",
        (
            "select place, thing from t {where} group by 1, 2"
            " qualify row_number() over (partition by place order by sum(fee) desc) <= 2"
        ),
    ),
    "best of each": (
        "{row} with the highest {fee} in each {place}",
        "select place, max(fee) from t {where} group by 1",
    ),
    "above the mean": (
        "how many {rows} have a {fee} above the average",
        "select count(*) filter (fee > m) from (select fee, avg(fee) over () m from t {where})",
        "select count(*) filter (fee > (select avg(fee) from t)) from t {where}",
    ),
    "two keys": (
        "total {fee} per {place} and {thing}",
        "select place, thing, sum(fee) from t {where} group by 1, 2",
    ),
    "both ends": (
        "minimum and maximum {fee} by {place}",
        "select place, min(fee), max(fee) from t {where} group by 1",
    ),
    "span": (
        "difference between the highest and the lowest {fee} by {place}",
        "select place, max(fee) - min(fee) from t {where} group by 1",
    ),
    "range": ("range of {fee} by {place}", "select place, max(fee) - min(fee) from t {where} group by 1"),
    "two figures": (
        "total {qty} and average {fee} by {thing}",
        "select thing, sum(qty), avg(fee) from t {where} group by 1",
    ),
    "sum of three": (
        "total {fee} for {p1}, {p2} and {p3}",
        "select sum(fee) from t {more} place in ('{p1}', '{p2}', '{p3}')",
        "select place, sum(fee) from t {more} place in ('{p1}', '{p2}', '{p3}') group by 1",
    ),
    "sum of either": (
        "total {fee} of {t1} or {t2}",
        "select sum(fee) from t {more} thing in ('{t1}', '{t2}')",
    ),
    "most of either": (
        "highest {fee} for {t1} or {t2}",
        "select max(fee) from t {more} thing in ('{t1}', '{t2}')",
    ),
    "missing by": (
        "how many {rows} per {place} have no {note}",
        "select place, count(*) from t {more} note is null group by 1",
    ),
    "change": (
        "change of total {fee} from month to month",
        f"select m, f - lag(f) over (order by m) from {_MONTHLY}",
        f"select m, 100 * (f - lag(f) over (order by m)) / lag(f) over (order by m) from {_MONTHLY}",
    ),
    "mean of months": (
        "average number of {rows} per month",
        "select avg(c) from (select date_trunc('month', day), count(*) c from t {where} group by 1)",
    ),
    "days": (
        "on how many different days were there {rows}",
        "select count(distinct day) from t {where}",
    ),
    "different by": (
        "number of different {things} per {place}",
        "select place, count(distinct thing) from t {where} group by 1",
    ),
    "first day": ("earliest date", f"select day from t {{where}} {_TOP.format(by='day')}"),
}
_EVENT_CONDITIONS: Final = {
    "in March 2024": "day between date '2024-03-01' and date '2024-03-31'",
    "since February 2024": "day >= date '2024-02-01'",
    "in the second quarter of 2024": "day between date '2024-04-01' and date '2024-06-30'",
    "with {qty} over 3": "qty > 3",
    "with {qty} at least 2 in April 2024": "qty >= 2 and month(day) = 4",
    "where {fee} is at least 20": "fee >= 20",
    "where {thing} is not {t1}": "thing <> '{t1}'",
    "excluding {t1}": "thing <> '{t1}'",
    "for {t1} or {t2}": "thing in ('{t1}', '{t2}')",
    "without a {note}": "note is null",
    "where {note} is not empty": "note is not null",
    "where {note} is late": "note = 'late'",
    "{inside} {p1}": "place = '{p1}'",
    "not {inside} {p2}": "place <> '{p2}'",
    "{inside} {p1} since March 2024": "place = '{p1}' and day >= date '2024-03-01'",
}


def _events(name: str, header: str, words: str, places: str, things: str, **called: str) -> Domain:
    """Return a table of what happened: number, day, place, thing, how many, how much, whether paid, note."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    p, t = places.split(), things.split()
    kinds = ("id", "day", "place", "thing", "qty", "fee", "paid", "note")
    said = dict(zip(("row", "rows", "places", "things", "inside"), words.split(","), strict=True))
    columns = dict(zip(kinds, header.split(","), strict=True))
    fees = chosen.sample(range(500, 6000), 300)
    return Domain(
        name=name,
        columns=columns,
        words={
            **{kind: name.replace("_", " ") for kind, name in columns.items()},
            **said,
            **called,
            **{f"p{n}": place for n, place in enumerate(p, 1)},
            **{f"t{n}": thing for n, thing in enumerate(t, 1)},
        },
        rows=[
            f"{1000 + n},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 180))},{chosen.choice(p)},{chosen.choice(t)},"
            f"{chosen.randint(1, 9)},{fee / 100},{chosen.choice(('yes', 'no'))},{chosen.choice(('ok', '', 'late', 'urgent'))}"
            for n, fee in enumerate(fees)
        ],
        shapes=EVENTS,
        conditions=_EVENT_CONDITIONS,
    )


PEOPLE: Final[dict[str, Said]] = {
    "who most": ("who has the highest {pay}", f"select name from t {{where}} {_TOP.format(by='pay desc')}"),
    "who earns": ("who earns the most", f"select name from t {{where}} {_TOP.format(by='pay desc')}"),
    "oldest": ("oldest {row}", f"select name from t {{where}} {_TOP.format(by='age desc')}"),
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
    "best mean": ("which {team} has the highest average {pay}", _best("team", "avg(pay) desc")),
    "most": ("which {team} has the most {rows}", _best("team", "count(*) desc")),
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
        f"select name from t where name in ('{{n1}}', '{{n2}}') {_TOP.format(by='pay desc')}",
        "select name, pay from t where name in ('{n1}', '{n2}')",
    ),
    "both": ("{pay} of {n1} and {n2}", "select name, pay from t where name in ('{n1}', '{n2}')"),
    "by a boss": ("{rows} whose {boss} is {n3}", "select name from t {more} boss = '{n3}'"),
}
_PEOPLE_CONDITIONS: Final = {
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
        shapes=PEOPLE,
        conditions=_PEOPLE_CONDITIONS,
    )


DOMAINS: Final = (
    _events(
        "orders",
        "order_id,day,city,product,qty,fee,paid,note",
        "order,orders,cities,products,in",
        "Rome Oslo Paris Kyiv",
        "Tea Coffee Milk Bread",
    ),
    _events(
        "repairs",
        "ticket,received,workshop,device,parts,bill,insured,remark",
        "repair,repairs,workshops,devices,at",
        "North Harbour Mill Airport",
        "Phone Laptop Tablet Camera",
    ),
    _events(
        "trips",
        "trip_no,started_on,station,vehicle,passengers,distance_km,electric,comment",
        "trip,trips,stations,vehicles,from",
        "Central Lakeside Museum Stadium",
        "Bus Tram Ferry Van",
        fee="distance",
    ),
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
"""Tables of what happened, and of people; those of one kind share no word for anything but a note."""
