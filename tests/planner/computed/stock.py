"""Tables of what is in stock: an item a row, how many there are, how many there should be, at which price."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "below": ("{rows} below the {least}", "select item from t {more} stock < least"),
    "how many below": (
        "how many {rows} are below the {least}",
        "select count(*) from t {more} stock < least",
    ),
    "under own": ("{rows} where {stock} is less than {least}", "select item from t {more} stock < least"),
    "below by": (
        "number of {rows} below the {least} by {place}",
        "select place, count(*) from t {more} stock < least group by 1",
    ),
    "over": ("{rows} with more than 100 {stock}", "select item from t {more} stock > 100"),
    "total by": ("total {stock} by {class}", "select class, sum(stock) from t {where} group by 1"),
    "mean by": ("average {price} by {class}", "select class, avg(price) from t {where} group by 1"),
    "dearest": (
        "most expensive {row}",
        "select item from t {where} qualify rank() over (order by price desc) = 1",
    ),
    "cheapest5": ("5 cheapest {rows}", "select item from t {where} order by price limit 5"),
    "cheapest each": (
        "cheapest {row} in each {class}",
        "select class, min(price) from t {where} group by 1",
        "select class, item from t {where} qualify rank() over (partition by class order by price) = 1",
    ),
    "count by": ("number of {rows} per {place}", "select place, count(*) from t {where} group by 1"),
    "which most": (
        "which {place} has the most {rows}",
        "select place from t {where} group by place qualify rank() over (order by count(*) desc) = 1",
    ),
    "which most stock": (
        "which {place} holds the most {stock}",
        "select place from t {where} group by place qualify rank() over (order by sum(stock) desc) = 1",
    ),
    "value by": (
        "value of the stock by {class}",
        "select class, sum(stock * price) from t {where} group by 1",
    ),
    "value": ("total value of the stock", "select sum(stock * price) from t {where}"),
    "value top": (
        "3 {rows} with the highest stock value",
        "select item from t {where} order by stock * price desc limit 3",
    ),
    "product": (
        "{stock} times {price} by {class}",
        "select class, sum(stock * price) from t {where} group by 1",
    ),
    "cheaper": ("{rows} cheaper than 20", "select item from t {more} price < 20"),
    "cost more": ("how many {rows} cost more than 50", "select count(*) from t {more} price > 50"),
    "share": (
        "share of {c1} {rows}",
        "select 100.0 * count(*) filter (class = '{c1}') / count(*) from t {where}",
    ),
    "groups mean": (
        "{classes} with an average {price} over 45",
        "select class from t {where} group by 1 having avg(price) > 45",
    ),
    "none": ("{rows} out of stock", "select item from t {more} stock = 0"),
    "none2": (
        "how many {rows} have no {stock}",
        "select count(*) from t {more} stock = 0",
        "select count(*) from t {more} (stock = 0 or stock is null)",
        "select count(*) from t {more} stock is null",
    ),
    "diff own": (
        "difference between {stock} and {least} by {place}",
        "select place, sum(stock) - sum(least) from t {where} group by 1",
        "select place, sum(stock - least) from t {where} group by 1",
    ),
}
_CONDITIONS: Final = {
    "in {c1}": "class = '{c1}'",
    "in {p1}": "place = '{p1}'",
    "with a {price} over 40": "price > 40",
    "counted since March 2024": "day >= date '2024-03-01'",
    "excluding {c2}": "class <> '{c2}'",
    "with less than 200 {stock}": "stock < 200",
    "where {place} is {p1} or {p2}": "place in ('{p1}', '{p2}')",
}


def _stock(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of stock: code, item, place, class, how many, the least, price, when counted."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    places, classes, kinds = (listed.split(",") for listed in cells.split(";"))
    held, prices = chosen.sample(range(400), 110), chosen.sample(range(100, 9000), 110)
    items = [f"{chosen.choice(kinds)} {n + 1}" for n in range(110)]
    columns, said = spoken(
        ("code", "item", "place", "class", "stock", "least", "price", "day"),
        header,
        ("row", "rows", "classes"),
        words,
    )
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            "i1": items[17],
            **{f"p{n}": place for n, place in enumerate(places, 1)},
            **{f"c{n}": one for n, one in enumerate(classes, 1)},
        },
        rows=[
            f"S{100 + n},{item},{chosen.choice(places)},{chosen.choice(classes)},{held[n] if n % 40 else 0},"
            f"{chosen.choice((20, 40, 60, 80))},{prices[n] / 100},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 150))}"
            for n, item in enumerate(items)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
STOCK: Final = (
    _stock(
        "inventory",
        "sku,item,warehouse,category,on_hand,minimum,unit_price,last_counted",
        "item,items,categories",
        "North,Harbour,Mill;Office,Home,Garden;Desk,Lamp,Chair,Shelf,Rug",
    ),
    _stock(
        "parts",
        "part_no,part,store,group,in_stock,reorder_level,price,counted_on",
        "part,parts,groups",
        "Leeds,Derby,Perth;Engine,Brakes,Body;Bolt,Gasket,Filter,Belt,Pump",
    ),
)
