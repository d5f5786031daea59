"""Three files of different make with the same eight columns of orders, each written once, the same bytes every time."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from typing import TYPE_CHECKING

import duckdb
from running import DATA

if TYPE_CHECKING:
    from pathlib import Path

_ORDERS = """
    SELECT i AS order_id,
           DATE '2020-01-01' + (i % 1500)::INT AS order_date,
           ['North', 'South', 'East', 'West', 'Centre'][1 + (hash(i) % 5)::INT] AS region,
           'customer ' || (hash(i + 7) % 50000) AS customer,
           ['online', 'store', 'partner'][1 + (hash(i + 3) % 3)::INT] AS channel,
           (hash(i + 1) % 40)::INT AS quantity,
           (hash(i + 2) % 100000) / 100.0 AS price,
           (hash(i + 5) % 10000000) / 100.0 AS revenue
    FROM range({rows}) t(i)
"""
_MEASURES = 30
_WIDE = ", ".join(
    f"(hash(order_id + {place}) % {10 ** (2 + place % 5)}) / {10 ** (place % 3)} AS measure_{place}"
    for place in range(_MEASURES)
)
_DAY = "CASE WHEN order_id % 3 = 0 THEN strftime(order_date, '%d.%m.%Y') ELSE order_date::VARCHAR END"
_COMMAS = (
    f"* REPLACE ({_DAY} AS order_date, replace(printf('%.2f', price), '.', ',') AS price,"
    " replace(printf('%.2f', revenue), '.', ',') AS revenue)"
)


@dataclass(frozen=True)
class Make:
    """How a file is written, and how the `duckdb` module is told to read it."""

    name: str
    what: str
    columns: str
    delimiter: str = ","
    source: str = "read_csv('{path}')"

    def path(self, rows: int) -> Path:
        """Return the file of so many rows."""
        return DATA / f"{self.name}_{rows}.csv"

    def write(self, rows: int) -> Path:
        """Write the file unless it is there."""
        path = self.path(rows)
        if not path.exists():
            DATA.mkdir(exist_ok=True)
            part = path.with_suffix(".part")
            made = f"SELECT {self.columns} FROM ({_ORDERS.format(rows=rows)})"
            duckdb.sql(f"COPY ({made}) TO '{part}' (HEADER, DELIMITER '{self.delimiter}')")
            part.rename(path)
        with path.open("rb") as file:
            # The page cache is warm for all.
            while file.read(1 << 24):
                pass
        return path

    def read(self, path: Path) -> str:
        """Return the SQL by which the `duckdb` module reads the file as a person would write it."""
        return self.source.format(path=path)


MAKES = (
    Make("orders", "few and many different texts, 8 columns", "*"),
    Make("wide", f"the same and {_MEASURES} columns of numbers", f"*, {_WIDE}"),
    Make(
        "commas",
        "decimal commas, dates in two spellings, semicolons",
        _COMMAS,
        delimiter=";",
        source="(SELECT * REPLACE (coalesce(try_strptime(order_date, '%Y-%m-%d'), try_strptime(order_date, '%d.%m.%Y'))"
        "::DATE AS order_date) FROM read_csv('{path}', delim=';', decimal_separator=','))",
    ),
)


def remove(rows: int) -> None:
    """Remove the files of so many rows."""
    for make in MAKES:
        make.path(rows).unlink(missing_ok=True)
    shutil.rmtree(DATA / "scratch", ignore_errors=True)
