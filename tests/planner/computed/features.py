"""Tables of what things have, a column of yes and no for each."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "count": ("how many {rows} have {f1}", "select count(*) from t {more} f1"),
    "list": ("{rows} with {f1}", "select name from t {more} f1"),
    "without": ("{rows} without {f2}", "select name from t {more} not f2"),
    "both": ("{rows} with {f1} and {f2}", "select name from t {more} f1 and f2"),
    "one not": ("{rows} with {f1} but no {f3}", "select name from t {more} f1 and not f3"),
    "neither": (
        "how many {rows} have neither {f1} nor {f2}",
        "select count(*) from t {more} not f1 and not f2",
    ),
    "either": ("how many {rows} have {f1} or {f2}", "select count(*) from t {more} (f1 or f2)"),
    "pct": (
        "what percentage of {rows} have {f3}",
        "select 100.0 * count(*) filter (f3) / count(*) from t {where}",
    ),
    "pct by": (
        "percentage of {rows} with {f3} by {city}",
        "select city, 100.0 * count(*) filter (f3) / count(*) from t {where} group by 1",
    ),
    "mean of": ("average {price} of {rows} with {f1}", "select avg(price) from t {more} f1"),
    "mean by flag": ("average {price} by {f2}", "select f2, avg(price) from t {where} group by 1"),
    "compare flag": (
        "compare average {price} with and without {f1}",
        "select f1, avg(price) from t {where} group by 1",
    ),
    "cheapest with": (
        "cheapest {row} with {f2}",
        "select name from t {more} f2 qualify rank() over (order by price) = 1",
    ),
    "stars": ("{rows} with {stars} of 4 or more", "select name from t {more} stars >= 4"),
    "count by": (
        "number of {rows} with {f1} per {city}",
        "select city, count(*) from t {more} f1 group by 1",
    ),
    "which most": (
        "which {city} has the most {rows} with {f2}",
        "select city from t {more} f2 group by 1 qualify rank() over (order by count(*) desc) = 1",
    ),
    "has": ("does {n1} have {f1}", "select f1 from t where name = '{n1}'"),
    "cross": ("{rows} by {f1} and {f2}", "select f1, f2, count(*) from t {where} group by 1, 2"),
    "dearer": ("{rows} with {f3} that cost less than 90", "select name from t {more} f3 and price < 90"),
}
_CONDITIONS: Final = {
    "in {c1}": "city = '{c1}'",
    "with a {price} below 120": "price < 120",
    "not in {c2}": "city <> '{c2}'",
    "with at least 3 {stars}": "stars >= 3",
    "where {city} is {c1} or {c3}": "city in ('{c1}', '{c3}')",
}


def _features(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of things: name, place, a mark, a price, and three columns of yes and no."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    first, second, places = (listed.split(",") for listed in cells.split(";"))
    names, prices = [f"{one} {other}" for one in first for other in second], chosen.sample(range(40, 220), 60)
    columns, said = spoken(
        ("name", "city", "stars", "price", "f1", "f2", "f3"), header, ("row", "rows"), words
    )
    return Domain(
        name=name,
        columns=columns,
        words={**said, "n1": names[7], **{f"c{n}": place for n, place in enumerate(places, 1)}},
        rows=[
            f"{one},{chosen.choice(places)},{chosen.randint(1, 5)},{price},{','.join(chosen.choices(('yes', 'no'), k=3))}"
            for one, price in zip(names, prices, strict=True)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
FEATURES: Final = (
    _features(
        "hotels",
        "hotel,city,stars,price,wifi,pool,parking",
        "hotel,hotels",
        "Astor,Bristol,Carlton,Dorset,Elgin,Falcon,Grand,Hilltop,Imperial,Jubilee,Kings,Lotus;Palace,Inn,Garden,Court,House;Rome,Oslo,Paris",
    ),
    _features(
        "flats",
        "flat,district,rooms,rent,balcony,lift,garage",
        "flat,flats",
        "Alma,Birch,Cedar,Delta,Elm,Fern,Grove,Hazel,Ivy,Jade,Kite,Lime;Palace,Inn,Garden,Court,House;Center,Riverside,Old Town",
    ),
)
