"""Fourteen questions of different shapes: in words, as the SQL that a person would write, and some in polars and pandas."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import datetime
from itertools import zip_longest
from math import isclose
from typing import Any


@dataclass(frozen=True)
class Question:
    """A question, and the SELECT over {t} with the same answer, in any order."""

    words: str
    sql: str
    polars: str | None = None
    """An expression over the lazy frame `t`."""
    pandas: str | None = None
    """An expression over the frame `t`."""


QUESTIONS = (
    Question("how many rows?", "SELECT count(*) FROM {t}"),
    Question("total revenue", "SELECT sum(revenue) FROM {t}"),
    Question(
        "total revenue by region",
        "SELECT region, sum(revenue) FROM {t} GROUP BY region",
        polars="t.group_by('region').agg(pl.col('revenue').sum())",
        pandas="t.groupby('region')['revenue'].sum()",
    ),
    Question(
        "average price by channel",
        "SELECT channel, avg(price) FROM {t} GROUP BY channel",
    ),
    Question(
        "top 10 customers by total revenue",
        "SELECT customer, sum(revenue) s FROM {t} GROUP BY customer ORDER BY s DESC LIMIT 10",
        polars="t.group_by('customer').agg(pl.col('revenue').sum()).top_k(10, by='revenue')",
        pandas="t.groupby('customer')['revenue'].sum().nlargest(10)",
    ),
    Question("how many different customers", "SELECT count(DISTINCT customer) FROM {t}"),
    Question(
        "total revenue by month",
        "SELECT date_trunc('month', order_date) m, sum(revenue) FROM {t} GROUP BY m",
    ),
    Question("total quantity in region North", "SELECT sum(quantity) FROM {t} WHERE region = 'North'"),
    Question("median price", "SELECT median(price) FROM {t}"),
    Question("number of rows by quantity", "SELECT quantity, count(*) FROM {t} GROUP BY quantity"),
    Question(
        "total revenue by region and channel",
        "SELECT region, channel, sum(revenue) FROM {t} GROUP BY region, channel",
        polars="t.group_by('region', 'channel').agg(pl.col('revenue').sum())",
        pandas="t.groupby(['region', 'channel'])['revenue'].sum()",
    ),
    Question("how many orders with revenue over 99000", "SELECT count(*) FROM {t} WHERE revenue > 99000"),
    Question("maximum revenue", "SELECT max(revenue) FROM {t}"),
    Question("median revenue by region", "SELECT region, median(revenue) FROM {t} GROUP BY region"),
)


def duckdb_code(question: Question, source: str) -> str:
    """Return a program of the `duckdb` module that prints the answer as JSON."""
    sql = question.sql.format(t=source)
    return f'import duckdb, json; print(json.dumps(duckdb.sql("""{sql}""").fetchall(), default=str))'


def polars_code(question: Question, path: object) -> str:
    """Return a program of polars with the same answer."""
    return f"import polars as pl; t = pl.scan_csv('{path}'); print({question.polars}.collect())"


def pandas_code(question: Question, path: object) -> str:
    """Return a program of pandas with the same answer."""
    return f"import pandas as pd; t = pd.read_csv('{path}'); print({question.pandas})"


def same(ours: str, theirs: str) -> bool:
    """Tell whether the JSON that `tabchat ask` printed has the cells that the module's rows have, in any order."""
    answer = _last_line(ours)
    found = answer["table"]["rows"] if answer.get("table") else [[answer["value"]]]
    pairs = zip_longest(_rows(found), _rows(_last_line(theirs)), fillvalue=())
    return all(len(one) == len(other) and all(map(_alike, one, other)) for one, other in pairs)


def _rows(found: list[list[object]]) -> list[list[object]]:
    """Return rows with days in one spelling, in the order of their texts and then of their numbers."""
    rows = [list(map(_cell, cells)) for cells in found]
    return sorted(rows, key=lambda cells: ([str(c) for c in cells if isinstance(c, str)], str(cells)))


def _alike(one: object, other: object) -> bool:
    """Tell whether two cells are the same; sums of floats depend on the order in which they are added."""
    if isinstance(one, float) and isinstance(other, float):
        return isclose(one, other, rel_tol=1e-9)
    return one == other


def _last_line(said: str) -> Any:
    """Read the JSON that a program printed last: the module draws the progress of a slow query before it."""
    return json.loads(said.splitlines()[-1])


def _cell(cell: object) -> object:
    if not isinstance(cell, str):
        return float(cell) if isinstance(cell, (int, float)) else cell
    for read in (_day, float):
        try:
            return read(cell)
        except ValueError:
            continue
    return cell


def _day(text: str) -> str:
    moment = datetime.fromisoformat(f"{text}-01" if len(text) == len("2024-01") else text)
    return moment.date().isoformat()
