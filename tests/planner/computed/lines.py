"""Tables of lines: a number that several rows have, of what was bought together."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "revenue": ("total revenue", "select sum(qty * price) from t {where}"),
    "rev by": ("revenue by {cust}", "select cust, sum(qty * price) from t {where} group by 1"),
    "rev month": (
        "revenue by month",
        "select date_trunc('month', day), sum(qty * price) from t {where} group by 1",
    ),
    "top rev": (
        "top 2 {custs} by revenue",
        "select cust from t {where} group by 1 order by sum(qty * price) desc limit 2",
    ),
    "sold": ("how many {i1} were sold", "select sum(qty) from t {more} item = '{i1}'"),
    "qty by": ("{qty} sold by {item}", "select item, sum(qty) from t {where} group by 1"),
    "best sell": (
        "best selling {item} by {qty}",
        "select item from t {where} group by 1 qualify rank() over (order by sum(qty) desc) = 1",
    ),
    "how many": ("how many {rows}", "select count(distinct no) from t {where}"),
    "n by cust": ("number of {rows} per {cust}", "select cust, count(distinct no) from t {where} group by 1"),
    "aov": (
        "average {row} value",
        "select avg(s) from (select no, sum(qty * price) s from t {where} group by 1)",
    ),
    "qty per": (
        "average {qty} per {row}",
        "select avg(s) from (select no, sum(qty) s from t {where} group by 1)",
    ),
    "lines per": (
        "average number of lines per {row}",
        "select avg(s) from (select no, count(*) s from t {where} group by 1)",
    ),
    "bought": ("{custs} who bought {i2}", "select distinct cust from t {more} item = '{i2}'"),
    "how many bought": (
        "how many {custs} bought {i2}",
        "select count(distinct cust) from t {more} item = '{i2}'",
    ),
    "how many with": (
        "how many {rows} contain {i2}",
        "select count(distinct no) from t {more} item = '{i2}'",
    ),
    "share": (
        "share of {ch1} in revenue",
        "select 100 * sum(qty * price) filter (chan = '{ch1}') / sum(qty * price) from t {where}",
    ),
    "two keys": (
        "revenue by {chan} and month",
        "select chan, date_trunc('month', day), sum(qty * price) from t {where} group by 1, 2",
    ),
    "brings": (
        "which {item} brings the most revenue",
        "select item from t {where} group by 1 qualify rank() over (order by sum(qty * price) desc) = 1",
    ),
    "compare": (
        "revenue of {k1} compared to {k2}",
        "select cust, sum(qty * price) from t {more} cust in ('{k1}', '{k2}') group by 1",
    ),
    "custs over": (
        "{custs} with revenue over 1000",
        "select cust from t {where} group by 1 having sum(qty * price) > 1000",
    ),
    "custs n": (
        "{custs} with more than 30 {rows}",
        "select cust from t {where} group by 1 having count(distinct no) > 30",
    ),
    "n by month": (
        "{rows} per month",
        "select date_trunc('month', day), count(distinct no) from t {where} group by 1",
    ),
    "line count": ("how many lines does {row} 5004 have", "select count(*) from t where no = 5004"),
    "sum of one": ("total {qty} of {row} 5004", "select sum(qty) from t where no = 5004"),
    "which most": (
        "which {cust} placed the most {rows}",
        "select cust from t {where} group by cust qualify rank() over (order by count(distinct no) desc) = 1",
    ),
    "rev weekday": ("revenue by weekday", "select dayname(day), sum(qty * price) from t {where} group by 1"),
}
_CONDITIONS: Final = {
    "in March 2024": "day between date '2024-03-01' and date '2024-03-31'",
    "for {k1}": "cust = '{k1}'",
    "excluding {i5}": "item <> '{i5}'",
    "with {qty} over 5": "qty > 5",
    "since February 2024": "day >= date '2024-02-01'",
    "where {chan} is not {ch2}": "chan <> '{ch2}'",
}


_PRICES: Final = (1.2, 3.5, 4.75, 9.99, 2.4)


def _lines(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of lines: the number of what was bought together, day, buyer, item, how many, at which price, how."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    buyers, items, ways = (listed.split(",") for listed in cells.split(";"))
    lines = []
    for order in range(150):
        day, buyer, way = (
            date(2024, 1, 1) + timedelta(days=order // 2),
            chosen.choice(buyers),
            chosen.choice(ways),
        )
        for _ in range(chosen.choice((1, 1, 2, 3, 4))):
            place = chosen.randrange(len(items))
            bought = f"{items[place]},{chosen.randint(1, 12)},{_PRICES[place]}"
            lines.append(f"{5000 + order},{day},{buyer},{bought},{way}")
    columns, said = spoken(
        ("no", "day", "cust", "item", "qty", "price", "chan"),
        header,
        ("row", "rows", "custs", "items"),
        words,
    )
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            **{f"k{n}": buyer for n, buyer in enumerate(buyers, 1)},
            **{f"i{n}": item for n, item in enumerate(items, 1)},
            **{f"ch{n}": way for n, way in enumerate(ways, 1)},
        },
        rows=lines,
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
LINES: Final = (
    _lines(
        "sales",
        "order_no,sold_on,customer,item,quantity,unit_price,channel",
        "order,orders,customers,items",
        "Acme,Bolt,Crane,Delta Ltd;Pen,Ink,Pad,Clip,Glue;web,shop,phone",
    ),
    _lines(
        "invoices",
        "invoice_id,date,client,product,qty,price,region",
        "invoice,invoices,clients,products",
        "Nordia,Velmo,Kasten,Ulm;Tea,Coffee,Milk,Bread,Salt;East,West,South",
    ),
)
