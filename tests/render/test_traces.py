"""Every figure of an answer with the cell that it was found in."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tabchat.answers.receipts import CitedCell, Receipt, Verification
from tabchat.chat.turn.answer import Answer
from tabchat.engine.result import ResultKind
from tabchat.errors import DataKeyError
from tabchat.render.traces import look_up, render_traces
from tests.render.screens import screen
from tests.render.test_answer import result

if TYPE_CHECKING:
    from tabchat.engine.backends.duckdb import DuckDBEngine
    from tabchat.engine.result import Result

KEY = "ds_rkbx2mwy6eddaalqkz3m"
OTHER = "ds_bbbbbbbbbbbbbbbbbbbb"
ROWS = """
SELECT * FROM (VALUES
    ('Asia', DATE '2024-03-01', 1.5::DOUBLE, 120.5),
    ('O''Brien "x"', DATE '2024-03-02', NULL, 80.25),
    (NULL, NULL, 2.5::DOUBLE, 7.0)
) AS t(region, day, size, mean_revenue)
"""


@pytest.fixture
def regions(engine: DuckDBEngine) -> Result:
    return result(engine, ROWS, ResultKind.GROUPED, source_row_count=5_000)


@pytest.mark.parametrize(
    "row, value",
    [
        ({"region": "Asia"}, "120.50"),
        ({"region": 'O\'Brien "x"'}, "80.25"),
        ({"region": None}, "7.00"),
        ({"day": dt.date(2024, 3, 1)}, "120.50"),
        ({"size": 2.5, "region": None}, "7.00"),
        ({"region": "Mars"}, "None"),
    ],
)
def test_a_cell_is_looked_up_by_its_row(regions: Result, row: dict[str, Any], value: str) -> None:
    trace = CitedCell(data_key=KEY, column="mean_revenue", row=row)

    assert str(look_up(regions, trace, "mean_revenue")) == value


def test_values_of_a_whole_result_are_looked_up_by_name(engine: DuckDBEngine, regions: Result) -> None:
    one = result(engine, "SELECT 636 AS count", ResultKind.SCALAR, value=636, source_row_count=700)
    several = result(
        engine, "SELECT 1 AS a, 2 AS b", ResultKind.DICT, values={"a": 1, "b": 2}, source_row_count=3
    )
    whole = CitedCell(data_key=KEY)

    assert look_up(one, whole, "value") == 636
    assert look_up(one, whole, "source_row_count") == 700
    assert look_up(one, whole, "count") == 636
    assert look_up(several, CitedCell(data_key=KEY, column="b"), "") == 2
    assert look_up(regions, whole, "row_count") == look_up(regions, whole, "rows") == 3
    assert look_up(regions, whole, "mean_revenue") is None
    assert look_up(regions, whole, "nothing") is None


def test_every_figure_is_listed_with_its_cells(regions: Result) -> None:
    shown = screen(120)
    asia, mars = (
        CitedCell(data_key=KEY, column="mean_revenue", row={"region": name}) for name in ("Asia", "Mars")
    )
    gone = CitedCell(data_key=OTHER, column="mean_revenue", row={"region": "Asia"})
    answer = Answer(
        question="?",
        text="120.5 and 40 and 9 and 120.5 and 99 and 5",
        verification=Verification(
            receipts=(
                Receipt(text="120.5", value=120.5, status="verified", start=0, cells=(asia,)),
                Receipt(
                    text="40",
                    value=40,
                    status="derived",
                    evidence="difference of a and b",
                    cells=(asia, mars),
                ),
                Receipt(text="9", value=9, status="verified", evidence="x.mean_revenue", cells=(gone,)),
                Receipt(text="120.5", value=120.5, status="verified", start=23, cells=(asia,)),
                Receipt(text="99", value=99, status="unverified"),
                Receipt(text="5", value=5, status="verified", evidence="the question"),
            )
        ),
    )

    def result_of(key: str) -> Result:
        if key == KEY:
            return regions
        message = "gone"
        raise DataKeyError(message)

    assert render_traces(shown.consoles, answer, result_of) == 7
    assert shown.out.splitlines() == [
        "     figure  verdict       cell  found in                      key",
        "─" * 86,
        "[1]   120.5  verified    120.50  mean_revenue · region = Asia  ds_rkbx2mwy6eddaalqkz3m",
        "[2]      40  derived             difference of a and b",
        "                         120.50  mean_revenue · region = Asia  ds_rkbx2mwy6eddaalqkz3m",
        "                                 mean_revenue · region = Mars  ds_rkbx2mwy6eddaalqkz3m",
        "[3]       9  verified            mean_revenue · region = Asia  ds_bbbbbbbbbbbbbbbbbbbb",
        "         99  unverified",
        "[4]       5  verified            the question",
    ]

    one = screen(120)
    assert render_traces(one.consoles, answer, result_of, number=3) == 1
    assert one.out.splitlines()[2].startswith("[3]       9  verified")
    assert render_traces(one.consoles, replace(answer, text=""), result_of) == 0
