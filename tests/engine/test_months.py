"""Texts that name months and quarters are read alike by the facts of a table and by the engine."""

import calendar
import datetime as dt
from pathlib import Path
from typing import cast

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.months import span_of, unit_of
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tests.effort import examples
from tests.engine.tables import store

MARCH = (dt.date(2024, 3, 1), dt.date(2024, 3, 31))
SECOND = (dt.date(2024, 4, 1), dt.date(2024, 6, 30))
SPELLINGS = {
    MARCH: [
        *(
            "2024-03",
            "2024/3",
            "03.2024",
            "3/2024",
            "Mar 2024",
            "MARCH 2024",
            "march, 2024",
            "Mar. 2024",
            "2024 Mar",
            " Mar 2024 ",
        ),
        *(
            "березень 2024",
            "бер. 2024",
            "березня 2024 р.",
            "Март 2024 г.",
            "март-2024",
            "März 2024",
            "mars 2024",
        ),
    ],
    SECOND: ["Q2 2024", "2024-Q2", "2024q2", "2Q2024", "2 кв. 2024", "ІІ квартал 2024 р.", "II кв 2024"],
}
NONE = [
    "",
    "2024",
    "Mar",
    "2024-13",
    "0-2024",
    "May-24",
    "jui 2024",
    "Total",
    "Q5 2024",
    "12 Mar 2024",
    "Mar 20245",
    "Mar 2024\u00a0",
    "\t2024-03",
]


def _starts(engine: DuckDBEngine, folder: Path, cells: list[str | None]) -> list[dt.date | None]:
    table = store(engine, folder, pa.table({"x": pa.array(cells, pa.string())}))
    plan = parse_plan({"map": {"start": "month_start(x)"}, "columns": "start"})
    found = [row[0] for row in run_plan(engine, table, plan).frame.rows()]
    assert all(day is None or isinstance(day, dt.date) for day in found)
    return cast("list[dt.date | None]", found)


@pytest.mark.parametrize("span, texts", SPELLINGS.items(), ids=["month", "quarter"])
def test_a_month_is_read_in_every_spelling(span: tuple[dt.date, dt.date], texts: list[str]) -> None:
    assert {text: span_of(text) for text in texts} == dict.fromkeys(texts, span)


def test_the_engine_reads_the_same_first_days(engine: DuckDBEngine, folder: Path) -> None:
    cells = [*SPELLINGS[MARCH], *SPELLINGS[SECOND], *NONE]
    wanted = [span[0] if (span := span_of(text)) is not None else None for text in cells]

    assert _starts(engine, folder, [*cells, None]) == [*wanted, None]
    assert wanted[-len(NONE) :] == [None] * len(NONE)


_PARTS = [
    "mar",
    "May",
    "июнь",
    "Q3",
    "2 кв.",
    "2024",
    "1999",
    "12",
    "3",
    " ",
    "-",
    "/",
    ".",
    ",",
    "р.",
    "Ⅱ",
    "x",
    "\t",
    "\u00a0",
    "\n",
    "İ",
]


@settings(
    max_examples=examples(30), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(st.lists(st.sampled_from(_PARTS), max_size=5).map("".join), min_size=1, max_size=40))
def test_whatever_is_written_both_read_it_alike(engine: DuckDBEngine, folder: Path, cells: list[str]) -> None:
    assert _starts(engine, folder, [*cells]) == [
        span[0] if (span := span_of(text)) is not None else None for text in cells
    ]


@given(st.integers(1800, 2199), st.integers(1, 12))
def test_a_span_is_a_whole_month(year: int, month: int) -> None:
    last = calendar.monthrange(year, month)[1]

    assert span_of(f"{year}-{month:02d}") == (dt.date(year, month, 1), dt.date(year, month, last))


@pytest.mark.parametrize(
    "texts, unit",
    [
        (["2024-01", "2024-02"], "month"),
        (["Q1 2024", "Q2 2024"], "quarter"),
        (["2024-01", "Q2 2024"], None),
        (["Jan 2024", "January 2024"], None),
        (["2024-01", "Total"], None),
        (["2024-01"], None),
        ([], None),
    ],
)
def test_a_column_has_one_unit_or_none(texts: list[str], unit: str | None) -> None:
    assert unit_of(texts) == unit
