"""Rows grouped by the month or the quarter of a date stand where the text of each would put them."""

import datetime as dt
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tests.effort import examples
from tests.engine.tables import store

_LAST = 2**63 - 1
"""Microseconds that the engine takes for a moment without an end."""
_MOMENTS = st.datetimes(min_value=dt.datetime(1000, 1, 1), max_value=dt.datetime(9999, 1, 1))  # noqa: DTZ001
_NAMES = {
    "period_month": lambda moment: f"{moment:%Y-%m}",
    "period_quarter": lambda moment: f"{moment:%Y}-Q{(moment.month + 2) // 3}",
}


def _grouped(engine: DuckDBEngine, folder: Path, column: pa.Array, function: str) -> dict[Any, Any]:
    table = store(engine, folder, pa.table({"at": column, "n": pa.array(range(len(column)))}))
    plan = {"map": {"span": f"{function}(at)"}, "group_by": "span", "select": "count() as rows"}
    found: list[Any] = list(run_plan(engine, table, parse_plan(plan)).frame.rows())
    return dict(found)


@settings(
    deadline=None, max_examples=examples(25), suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(moments=st.lists(st.none() | _MOMENTS, min_size=1, max_size=40))
@pytest.mark.parametrize("function", list(_NAMES))
@pytest.mark.parametrize("kind", [pa.timestamp("us"), pa.date32()])
def test_a_period_has_the_rows_whose_dates_it_names(
    engine: DuckDBEngine, folder: Path, function: str, kind: pa.DataType, moments: list[dt.datetime | None]
) -> None:
    wanted = Counter(None if moment is None else _NAMES[function](moment) for moment in moments)

    column = pa.array(moments, pa.timestamp("us")).cast(kind, safe=False)
    assert _grouped(engine, folder, column, function) == dict(wanted)


def test_a_moment_without_an_end_is_not_counted_with_missing_ones(engine: DuckDBEngine, folder: Path) -> None:
    moments = pa.array([None, _LAST, 0, None], pa.int64()).cast(pa.timestamp("us"))

    assert _grouped(engine, folder, moments, "period_month") == {None: 2, "infinity": 1, "1970-01": 1}
