"""A unit is described by all of its rows, by those below it, and by those of a second table."""

import datetime as dt
from typing import Any

import pytest

from tabchat.engine.table import Table
from tabchat.errors import PlanValidationError
from tabchat.tools.hiding import without_columns
from tests.engine.recipes.running import Bench, rows_of

PARTS = {
    "part": [1, 2, 3, 4, 5, 6, 7],
    "parent": [None, 1, 2, 1, None, 7, 6],
    "name": ["car", "engine", "piston", "door", "bike", "egg", "hen"],
}


@pytest.mark.parametrize(
    "value,names",
    [("1", ["car", "engine", "piston", "door"]), (2, ["engine", "piston"]), ("6", ["egg", "hen"]), ("9", [])],
)
def test_the_rows_below_a_unit_are_followed_and_a_circle_ends(
    bench: Bench, value: Any, names: list[str]
) -> None:
    result = bench.run("describe_unit", PARTS, key="part", value=value, parent="parent")
    assert [row["name"] for row in rows_of(result)] == names
    assert result.values == {}


def test_a_second_table_stands_below_with_columns_of_its_own(bench: Bench) -> None:
    orders = bench.table({"order_id": [16, 17], "day": [dt.date(2024, 1, 1)] * 2, "note": [1, 2]}, "orders")
    lines = bench.table({"order": [17, 16, 17], "sku": ["x", "y", "z"], "note": ["a", "b", "c"]}, "lines")
    result = bench.run(
        "describe_unit", orders, second=lines, key="order_id", value="17", children_key="order"
    )
    assert result.frame.columns == ("table", "order_id", "day", "note", "order", "sku", "note_2")
    assert [tuple(row.values()) for row in rows_of(result)] == [
        ("orders", 17, dt.date(2024, 1, 1), 2, None, None, None),
        ("lines", None, None, None, 17, "x", "a"),
        ("lines", None, None, None, 17, "z", "c"),
    ]
    assert result.values == {"orders": 1, "lines": 2}


@pytest.mark.parametrize(
    "column,value",
    [("d", "2024-02-01"), ("t", "b"), ("x", "2.5"), ("ok", "no"), ("at", "2024-01-02 03:04:05")],
)
def test_a_key_of_any_kind_is_found(bench: Bench, column: str, value: str) -> None:
    columns = {
        "d": [dt.date(2024, 1, 1), dt.date(2024, 2, 1)],
        "t": ["a", "b"],
        "x": [1.0, 2.5],
        "ok": [True, False],
        "at": [None, dt.datetime(2024, 1, 2, 3, 4, 5)],  # noqa: DTZ001 - tables hold times without a zone
        "n": [1, 2],
    }
    assert [row["n"] for row in rows_of(bench.run("describe_unit", columns, key=column, value=value))] == [2]


def test_a_value_that_the_key_cannot_hold_is_refused(bench: Bench) -> None:
    with pytest.raises(PlanValidationError, match="holds integer values"):
        bench.run("describe_unit", PARTS, key="part", value="seventeen")
    with pytest.raises(PlanValidationError, match="no column `prt`"):
        bench.run("describe_unit", PARTS, key="prt", value="1")


def test_hidden_columns_are_no_part_of_a_unit_nor_of_its_rows(bench: Bench) -> None:
    table = bench.table(PARTS)
    assert isinstance(table, Table)
    seen = without_columns(table, ["name"])
    result = bench.run("describe_unit", seen, key="part", value=1, parent="parent")
    assert result.frame.columns == ("part", "parent")
    with pytest.raises(PlanValidationError, match="no column `name`"):
        bench.run("analyze_pareto", seen, by="name")
    counted = bench.run("analyze_pareto", seen, by="parent")
    assert counted.source is not None
    assert counted.source.columns == ("row", "part", "parent")
    assert len(counted.source.rows()) == 7
