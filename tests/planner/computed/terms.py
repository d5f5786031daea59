"""Tables of what begins and ends."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "days": ("average days between {start} and {end}", "select avg(ended - began) from t {where}"),
    "dur by": (
        "average time from {start} to {end} by {kind}",
        "select kind, avg(ended - began) from t {where} group by 1",
    ),
    "longest": (
        "longest time between {start} and {end}",
        "select max(ended - began) from t {where}",
        "select name from t {where} qualify rank() over (order by ended - began desc) = 1",
    ),
    "which longest": (
        "{row} with the longest time between {start} and {end}",
        "select name from t {more} ended is not null qualify rank() over (order by ended - began desc) = 1",
    ),
    "no end": ("{rows} without an {end}", "select name from t {more} ended is null"),
    "how many no end": ("how many {rows} have no {end}", "select count(*) from t {more} ended is null"),
    "ended in": ("{rows} with {end} in 2023", "select name from t {more} year(ended) = 2023"),
    "start after": (
        "{rows} with {start} after 2021-06-30",
        "select name from t {more} began > date '2021-06-30'",
    ),
    "start in": ("how many {rows} started in 2022", "select count(*) from t {more} year(began) = 2022"),
    "per year": (
        "number of {rows} started per year",
        "select year(began), count(*) from t {where} group by 1",
    ),
    "more than": (
        "{rows} with more than 400 days between {start} and {end}",
        "select name from t {more} ended - began > 400",
    ),
    "latest": (
        "{row} with the latest {start}",
        "select name from t {where} qualify rank() over (order by began desc) = 1",
    ),
    "earliest": (
        "{row} with the earliest {start}",
        "select name from t {where} qualify rank() over (order by began) = 1",
    ),
    "cost by": ("total {cost} by {kind}", "select kind, sum(cost) from t {where} group by 1"),
    "cost of open": (
        "total {cost} of {rows} without an {end}",
        "select sum(cost) from t {more} ended is null",
    ),
    "of one": ("when did {n1} start", "select began from t where name = '{n1}'"),
    "end of one": ("{end} of {n1}", "select ended from t where name = '{n1}'"),
    "holder": (
        "{holder} with the most {rows}",
        "select holder from t {where} group by 1 qualify rank() over (order by count(*) desc) = 1",
    ),
    "share open": (
        "what percentage of {rows} have no {end}",
        "select 100.0 * count(*) filter (ended is null) / count(*) from t {where}",
    ),
    "before start": ("{rows} where {end} is before {start}", "select name from t {more} ended < began"),
    "older": ("oldest {row}", "select name from t {where} qualify rank() over (order by began) = 1"),
}
_CONDITIONS: Final = {
    "where {kind} is {k1}": "kind = '{k1}'",
    "excluding {k2}": "kind <> '{k2}'",
    "with a {cost} over 500": "cost > 500",
    "of {h1}": "holder = '{h1}'",
    "with {start} since 2021": "began >= date '2021-01-01'",
}


def _terms(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of what begins and ends: name, sort, holder, two days, a cost; one of them ends before it begins."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    sorts, holders = (listed.split(",") for listed in cells.split(";"))
    costs, starts, spans = (
        chosen.sample(range(low, high), 90) for low, high in ((100, 1200), (0, 1700), (5, 900))
    )
    lines = []
    for n, (cost, start, days) in enumerate(zip(costs, starts, spans, strict=True)):
        began = date(2019, 1, 1) + timedelta(days=start)
        ended = began + timedelta(days=-3 if n == _WRONG else days) if n % 4 else ""
        lines.append(f"X-{n + 11},{chosen.choice(sorts)},{chosen.choice(holders)},{began},{ended},{cost}")
    columns, said = spoken(
        ("name", "kind", "holder", "began", "ended", "cost"), header, ("row", "rows"), words
    )
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            "start": said["began"],
            "end": said["ended"],
            "n1": "X-17",
            **{f"k{n}": sort for n, sort in enumerate(sorts, 1)},
            **{f"h{n}": holder for n, holder in enumerate(holders, 1)},
        },
        rows=lines,
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_WRONG: Final = 33
"""The row that ends before it begins."""
_TRIED: Final = 36
TERMS: Final = (
    _terms(
        "contracts",
        "contract,type,owner,start_date,end_date,fee",
        "contract,contracts",
        "Lease,Service,Supply;Ana,Ben,Cy",
    ),
    _terms(
        "licences",
        "licence,product,holder,valid_from,valid_to,cost",
        "licence,licences",
        "Editor,Server,Backup;Lab,Office,Depot",
    ),
)
