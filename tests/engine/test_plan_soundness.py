"""Whatever the check lets through, the engine understands; whatever it stops, it explains."""

import datetime as dt
from decimal import Decimal
from pathlib import Path
from random import Random
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.compile import compile_plan
from tabchat.engine.functions import FUNCTIONS, Function, Parameter
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.table import Table
from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.tables import store

ROWS = pa.table(
    {
        "at": pa.array([1704101400], pa.timestamp("s")),
        "day": [dt.date(2024, 1, 1)],
        "clock": [dt.time(9, 30)],
        "txt": ["a"],
        "ok": [True],
        "i8": pa.array([1], pa.int8()),
        "u64": pa.array([1], pa.uint64()),
        "n": [1],
        "x": [0.5],
        "f32": pa.array([0.5], pa.float32()),
        "dec": pa.array([Decimal("1.25")], pa.decimal128(10, 2)),
        "lst": [[1]],
        "open": [1.0],
        "high": [2.0],
        "low": pa.array([0], pa.int16()),
        "close": [1.5],
    }
)
LEAVES = (*ROWS.column_names, "1", "0", "2.5", "-3", "true", "'a'", "'2024-01-02'", "'09:30'", "1e300")
OPERATORS = ("+", "-", "*", "/", "//", "%", "**", "||", "==", "!=", "<", "<=", ">", ">=", "and", "or")
LITERAL_ARGUMENTS = {"count": "2", "whole": "1", "fraction": "0.5", "factor": "2", "word": "'asc'"}
SHAPES = (
    "not {0}",
    "-{0}",
    "{0} is null",
    "{0} in [{1}, {2}]",
    "{0} between {1} and {2}",
    "case when {0} then {1} else {2} end",
    "case {0} when {1} then {2} end",
    "1 < {0} <= {1}",
    "{0} like {1}",
)


@pytest.fixture(scope="module")
def table(engine: DuckDBEngine, folder: Path) -> Table:
    return store(engine, folder, ROWS)


def _expression(random: Random, depth: int) -> str:
    choice = random.random()
    if depth == 0 or choice < 0.15:
        leaf: str = random.choice(LEAVES)
        return leaf
    if choice < 0.65:
        return _call(random, random.choice(list(FUNCTIONS.values())), depth)
    parts = [_expression(random, depth - 1) for _ in range(3)]
    if choice < 0.85:
        return f"({parts[0]} {random.choice(OPERATORS)} {parts[1]})"
    return "(" + random.choice(SHAPES).format(*parts) + ")"


def _call(random: Random, found: Function, depth: int) -> str:
    parameters: list[Parameter] = [
        item for item in found.parameters if item.default is None or random.random() < 0.5
    ]
    arguments = [LITERAL_ARGUMENTS.get(item.accepts) or _expression(random, depth - 1) for item in parameters]
    return f"{found.name}({', '.join(arguments)})"


def _plans(expression: str) -> list[dict[str, Any]]:
    return [
        {"map": {"m": expression}},
        {"where": expression},
        {"select": expression},
        {"group_by": "txt", "select": expression, "sort": "txt"},
        {"map": {"m": expression}, "group_by": "m", "select": ["count()", "sum(x)"]},
        {"steps": [{"map": {"m": expression}, "sort": "m"}, {"select": ["first(m)", "count(m)"]}]},
    ]


@settings(deadline=None, max_examples=examples(100))
@given(random=st.randoms(use_true_random=False), depth=st.integers(1, 3), shape=st.integers(0, 5))
def test_a_plan_is_refused_with_reasons_or_understood_by_the_engine(
    random: Random, depth: int, shape: int, engine: DuckDBEngine, table: Table
) -> None:
    plan = parse_plan(_plans(_expression(random, depth))[shape])
    try:
        compiled = compile_plan(plan, table.schema, relation=table.name)
    except PlanValidationError as error:
        reasons = [issue.message for issue in error.issues]
    else:
        for query in (compiled.query, compiled.display, compiled.source):
            if query is not None:
                assert engine.schema(query)
        return
    assert reasons
    assert all(reasons)
