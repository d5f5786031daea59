"""Tables of cases that are opened and closed: tickets, claims."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import TOP, Domain

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "of a state": ("how many {rows} are {s1}", "select count(*) from t {more} status = '{s1}'"),
    "rows of a state": ("{s1} {rows}", "select id from t {more} status = '{s1}'"),
    "of a class": ("{q1} {rows}", "select id from t {more} class = '{q1}'"),
    "by state": ("{rows} by {status}", "select status, count(*) from t {where} group by 1"),
    "two keys": (
        "number of {rows} by {status} and {class}",
        "select status, class, count(*) from t {where} group by 1, 2",
    ),
    "most of a class": (
        "{agent} with the most {q1} {rows}",
        "select agent from t {more} class = '{q1}' group by 1 " + TOP.format(by="count(*) desc"),
    ),
    "mean by": ("average {rating} by {agent}", "select agent, avg(rating) from t {where} group by 1"),
    "mean": ("average {hours} per {row}", "select avg(hours) from t {where}"),
    "total by": ("total {hours} by {region}", "select region, sum(hours) from t {where} group by 1"),
    "share of a state": (
        "what percentage of {rows} are {s2}",
        "select 100.0 * count(*) filter (status = '{s2}') / count(*) from t {where}",
    ),
    "share of a class": (
        "share of {q1} {rows}",
        "select 100.0 * count(*) filter (class = '{q1}') / count(*) from t {where}",
    ),
    "without": ("{rows} without a {rating}", "select id from t {more} rating is null"),
    "without by": (
        "how many {rows} have no {rating} by {agent}",
        "select agent, count(*) from t {more} rating is null group by 1",
    ),
    "below": ("how many {rows} have a {rating} below 3", "select count(*) from t {more} rating < 3"),
    "begun in a month": (
        "how many {rows} were {opened} in March 2024",
        "select count(*) from t {more} opened between date '2024-03-01' and date '2024-03-31'",
    ),
    "ended in a month": (
        "how many {rows} were {closed} in March 2024",
        "select count(*) from t {more} closed between date '2024-03-01' and date '2024-03-31'",
    ),
    "begun by month": (
        "{rows} {opened} per month",
        "select date_trunc('month', opened), count(*) from t {where} group by 1",
    ),
    "ended by month": (
        "{rows} {closed} per month",
        "select date_trunc('month', closed), count(*) from t {more} closed is not null group by 1",
        "select date_trunc('month', closed), count(*) from t {where} group by 1",
    ),
    "duration": (
        "average time from {opened} to {closed}",
        "select avg(closed - opened) from t {where}",
    ),
    "duration by": (
        "average days between {opened} and {closed} by {agent}",
        "select agent, avg(closed - opened) from t {where} group by 1",
    ),
    "longest": (
        "longest time between {opened} and {closed}",
        "select max(closed - opened) from t {where}",
        "select id from t {more} closed is not null " + TOP.format(by="closed - opened desc"),
    ),
    "same day": (
        "how many {rows} were {closed} on the day they were {opened}",
        "select count(*) from t {more} closed = opened",
    ),
    "top rows": ("5 {rows} with the most {hours}", "select id from t {where} order by hours desc limit 5"),
    "by month and whom": (
        "{rows} per {agent} per month",
        "select agent, date_trunc('month', opened), count(*) from t {where} group by 1, 2",
    ),
    "of one": ("how many {rows} does {a1} have", "select count(*) from t {more} agent = '{a1}'"),
    "lookup": ("{status} of {row} 510", "select status from t where id = 510"),
    "whose": ("who is the {agent} of {row} 512", "select agent from t where id = 512"),
    "two states": (
        "how many {rows} are {s1} or {s3}",
        "select count(*) from t {more} status in ('{s1}', '{s3}')",
    ),
    "not a state": ("how many {rows} are not {s2}", "select count(*) from t {more} status <> '{s2}'"),
    "rows of no state": ("{rows} that are not {s2}", "select id from t {more} status <> '{s2}'"),
    "best": (
        "which {agent} has the best average {rating}",
        "select agent from t {where} group by 1 " + TOP.format(by="avg(rating) desc"),
    ),
    "groups of a mean": (
        "{agent}s with an average {rating} over 3",
        "select agent from t {where} group by 1 having avg(rating) > 3",
    ),
    "of a class by": (
        "how many {q1} {rows} per {agent}",
        "select agent, count(*) from t {more} class = '{q1}' group by 1",
    ),
}
_CONDITIONS: Final = {
    "in {r2}": "region = '{r2}'",
    "not in {r1}": "region <> '{r1}'",
    "{opened} in April 2024": "opened between date '2024-04-01' and date '2024-04-30'",
    "{opened} since March 2024": "opened >= date '2024-03-01'",
    "{closed} before April 2024": "closed < date '2024-04-01'",
    "with more than 90 {hours}": "hours > 90",
    "with a {rating} of 4 or more": "rating >= 4",
    "where {class} is {q2} or {q3}": "class in ('{q2}', '{q3}')",
    "where {status} is not {s3}": "status <> '{s3}'",
    "excluding {a4}": "agent <> '{a4}'",
    "without a {rating}": "rating is null",
}


def _cases(name: str, header: str, row: str, lists: str) -> Domain:
    """Return a table of cases: number, when begun, when ended, state, class, who works on it, for how long, a mark, where."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    kinds = ("id", "opened", "closed", "status", "class", "agent", "hours", "rating", "region")
    columns = dict(zip(kinds, header.split(","), strict=True))
    states, classes, people, places = (listed.split(",") for listed in lists.split(";"))
    days = [date(2024, 1, 1) + timedelta(days=chosen.randint(0, 150)) for _ in range(260)]
    hours, lines = chosen.sample(range(20, 480), len(days)), []
    for n, day in enumerate(days):
        state = chosen.choice(states)
        end = day + timedelta(days=chosen.randint(0, 20)) if state == states[1] else ""
        worked = f"{hours[n]},{chosen.choice((1, 2, 3, 4, 5, ''))},{chosen.choice(places)}"
        lines.append(
            f"{501 + n},{day},{end},{state},{chosen.choice(classes)},{chosen.choice(people)},{worked}"
        )
    return Domain(
        name=name,
        columns=columns,
        words={
            **{kind: said.replace("_", " ") for kind, said in columns.items()},
            "row": row,
            "rows": f"{row}s",
            **{f"s{n}": state for n, state in enumerate(states, 1)},
            **{f"q{n}": one for n, one in enumerate(classes, 1)},
            **{f"a{n}": person for n, person in enumerate(people, 1)},
            **{f"r{n}": place for n, place in enumerate(places, 1)},
        },
        rows=lines,
        shapes=_SHAPES,
        conditions=_CONDITIONS,
    )


CASES: Final = (
    _cases(
        "tickets",
        "ticket_id,opened,closed,status,priority,agent,hours,rating,region",
        "ticket",
        "open,resolved,on hold;P1,P2,P3;Ann Lee,Bob Ray,Cleo Fox,Dan Moss;North,South,East",
    ),
    _cases(
        "claims",
        "claim_no,filed,settled,state,class,adjuster,days_worked,score,branch",
        "claim",
        "pending,paid,rejected;Minor,Major,Severe;Olga Tum,Piet Baan,Rita Cole,Sven Dahl;Leeds,Derby,Perth",
    ),
)
