"""Tables of money that came in and went out, with its sign."""

from __future__ import annotations

import random
from datetime import date, timedelta
from typing import TYPE_CHECKING, Final

from tests.planner.computed.domain import Domain, spoken

if TYPE_CHECKING:
    from tests.planner.computed.domain import Said

_SHAPES: Final[dict[str, Said]] = {
    "balance": ("total {amt}", "select sum(amt) from t {where}"),
    "by cat": ("total {amt} by {cat}", "select cat, sum(amt) from t {where} group by 1"),
    "by month": ("{amt} per month", "select date_trunc('month', day), sum(amt) from t {where} group by 1"),
    "negative": ("how many {rows} are negative", "select count(*) from t {more} amt < 0"),
    "negatives": ("{rows} with a negative {amt}", "select id from t {more} amt < 0"),
    "positive sum": ("sum of positive {amt}s", "select sum(amt) from t {more} amt > 0"),
    "neg by": ("sum of negative {amt}s by {cat}", "select cat, sum(amt) from t {more} amt < 0 group by 1"),
    "spent on": ("total {amt} for {c1}", "select sum(amt) from t {more} cat = '{c1}'"),
    "below": ("{rows} below -200", "select id from t {more} amt < -200"),
    "over": ("{rows} over 500", "select id from t {more} amt > 500"),
    "between": ("{rows} between -100 and 100", "select id from t {more} amt between -100 and 100"),
    "lowest": (
        "{row} with the lowest {amt}",
        "select id from t {where} qualify rank() over (order by amt) = 1",
    ),
    "cum": (
        "cumulative {amt} by month",
        "select m, sum(s) over (order by m) from (select date_trunc('month', day) m, sum(amt) s from t {where} group by 1)",
    ),
    "count by": ("number of {rows} per {acct}", "select acct, count(*) from t {where} group by 1"),
    "mean by": ("average {amt} per {cat}", "select cat, avg(amt) from t {where} group by 1"),
    "acct neg": (
        "{accts} with a negative total {amt}",
        "select acct from t {where} group by 1 having sum(amt) < 0",
    ),
    "month best": (
        "which month had the highest total {amt}",
        "select date_trunc('month', day) from t {where} group by 1 qualify rank() over (order by sum(amt) desc) = 1",
    ),
    "desc has": ("{rows} where {desc} contains rent", "select id from t {more} descr ilike '%rent%'"),
    "sum desc": (
        "total {amt} of {rows} whose {desc} contains refund",
        "select sum(amt) from t {more} descr ilike '%refund%'",
    ),
    "weekend": (
        "compare weekends with weekdays by total {amt}",
        "select sum(amt) filter (dayofweek(day) in (0, 6)), sum(amt) filter (dayofweek(day) not in (0, 6)) from t {where}",
    ),
    "weekend n": ("how many {rows} at the weekend", "select count(*) from t {more} dayofweek(day) in (0, 6)"),
    "absolute": (
        "{row} with the highest absolute {amt}",
        "select id from t {where} qualify rank() over (order by abs(amt) desc) = 1",
    ),
    "share neg": (
        "what percentage of {rows} are negative",
        "select 100.0 * count(*) filter (amt < 0) / count(*) from t {where}",
    ),
    "diff months": (
        "total {amt} in March compared to February",
        "select sum(amt) filter (month(day) = 2), sum(amt) filter (month(day) = 3) from t {where}",
    ),
    "net": ("net {amt} by {acct}", "select acct, sum(amt) from t {where} group by 1"),
}
_CONDITIONS: Final = {
    "in March 2024": "day between date '2024-03-01' and date '2024-03-31'",
    "in {acct} {a1}": "acct = '{a1}'",
    "where {cat} is not {c2}": "cat <> '{c2}'",
    "since February 2024": "day >= date '2024-02-01'",
    "for {c1} or {c3}": "cat in ('{c1}', '{c3}')",
    "excluding {c1}": "cat <> '{c1}'",
    "below 400": "amt < 400",
}


def _ledger(name: str, header: str, words: str, cells: str) -> Domain:
    """Return a table of entries: number, day, account, sort, text, amount."""
    chosen = random.Random(name)  # noqa: S311 - which cells they are does not matter
    accounts, sorts, texts = (listed.split(",") for listed in cells.split(";"))
    amounts = chosen.sample([cents for cents in range(-60000, 90000) if cents], 240)
    columns, said = spoken(
        ("id", "day", "acct", "cat", "descr", "amt"), header, ("row", "rows", "accts"), words
    )
    return Domain(
        name=name,
        columns=columns,
        words={
            **said,
            "desc": said["descr"],
            **{f"a{n}": account for n, account in enumerate(accounts, 1)},
            **{f"c{n}": sort for n, sort in enumerate(sorts, 1)},
        },
        rows=[
            f"{701 + n},{date(2024, 1, 1) + timedelta(days=chosen.randint(0, 120))},{chosen.choice(accounts)},"
            f"{chosen.choice(sorts)},{chosen.choice(texts)},{cents / 100}"
            for n, cents in enumerate(amounts)
        ],
        shapes=_SHAPES,
        conditions=_CONDITIONS,
        tried=_TRIED,
    )


_TRIED: Final = 36
LEDGERS: Final = (
    _ledger(
        "bank",
        "entry_no,booked,account,category,description,amount",
        "entry,entries,accounts",
        "Checking,Savings,Card;Food,Travel,Salary,Fees;monthly rent,card refund,shop,transfer,rent deposit,atm",
    ),
    _ledger(
        "journal",
        "voucher,date,ledger,cost_type,text,amount_eur",
        "voucher,vouchers,ledgers",
        "Cash,Main,Reserve;Supplies,Payroll,Grants,Utilities;office rent,tax refund,invoice,transfer,gift",
    ),
)
