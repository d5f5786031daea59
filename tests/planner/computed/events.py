"""Tables of what happened, each row on a day, somewhere, of something, for some money."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import TOP, Domain, best

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_MONTHLY: Final = "(select date_trunc('month', day) m, sum(fee) f from t {where} group by 1)"
_SHAPES: Final[dict[str, Said]] = {
    "top groups": (
        "top 3 {places} by total {fee}",
        "select place from t {where} group by place order by sum(fee) desc limit 3",
    ),
    "best mean": ("which {place} has the highest average {fee}", best("place", "avg(fee) desc")),
    "fewest": ("which {thing} has the fewest {rows}", best("thing", "count(*)")),
    "most": ("{place} with the most {rows}", best("place", "count(*) desc")),
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
        f"select id from t {{where}} {TOP.format(by='fee desc')}",
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
        "on how many days were there {rows}",
        "select count(distinct day) from t {where}",
    ),
    "different by": (
        "number of different {things} per {place}",
        "select place, count(distinct thing) from t {where} group by 1",
    ),
}
_CONDITIONS: Final = {
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
        shapes=_SHAPES,
        conditions=_CONDITIONS,
    )


EVENTS: Final = (
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
)
