"""The same plan, run by the engine and by an independent reading of it in pandas, gives the same frame."""

from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow as pa
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabchat.engine.backends.duckdb import DuckDBEngine
from tabchat.engine.plan.query_plan import parse_plan
from tabchat.engine.query import run_plan
from tabchat.engine.result.result import Result
from tests.effort import examples
from tests.engine import oracle
from tests.engine.oracle import Aggregate, Sort, Term
from tests.engine.plan_family import SCHEMA, aggregates, conditions, numbers, rows
from tests.engine.tables import store


def _run(engine: DuckDBEngine, folder: Path, records: list[dict[str, Any]], plan: dict[str, Any]) -> Result:
    # The reader stores NaN as null; Arrow does the same on its way from pandas.
    stored = [{**record, "x": oracle.frame_of([record])["x"][0]} for record in records]
    cells = [{name: oracle.plain(value) for name, value in record.items()} for record in stored]
    table = store(engine, folder, pa.Table.from_pylist(cells, schema=SCHEMA))
    return run_plan(engine, table, parse_plan(plan))


def _assert_same(result: Result, expected: list[oracle.Record], columns: list[str]) -> None:
    assert list(result.frame.columns) == columns
    assert result.frame.row_count == len(expected)
    found = [dict(zip(columns, row, strict=True)) for row in result.frame.rows()]
    for place, (left, right) in enumerate(zip(found, expected, strict=True)):
        for name in columns:
            assert oracle.same_cell(_loose(left[name]), _loose(right[name])), (place, name, left, right)


def _loose(value: Any) -> Any:
    """Let whole floats and integers meet: nullable pandas arithmetic has one number type here."""
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


SETTINGS = settings(
    deadline=None,
    max_examples=examples(30),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@SETTINGS
@given(data=st.data(), records=rows)
def test_mapped_filtered_and_sorted_rows_agree(
    data: st.DataObject, records: list[dict[str, Any]], engine: DuckDBEngine, folder: Path
) -> None:
    mapped = data.draw(numbers(), label="map")
    where = data.draw(st.none() | conditions(), label="where")
    sortable = ["ts", "g", "n", "x", *(["m"] if mapped.exact else [])]
    sorts = data.draw(
        st.lists(
            st.builds(Sort, st.sampled_from(sortable), st.booleans()),
            max_size=2,
            unique_by=lambda s: s.column,
        ),
        label="sort",
    )
    limit = data.draw(st.none() | st.integers(1, 10), label="limit")
    plan = _plan({"m": mapped.text}, where, sorts, limit)

    frame = oracle.frame_of(records)
    frame["m"] = oracle.finite(mapped.value(frame))
    kept = _kept(frame, where)
    columns = ["ts", "m", "g", "h", "n", "x", "y"]
    expected = oracle.ordered(oracle.records_of(kept, columns), sorts)[:limit]
    _assert_same(_run(engine, folder, records, plan), expected, columns)


@SETTINGS
@given(data=st.data(), records=rows)
def test_grouped_rows_agree(
    data: st.DataObject, records: list[dict[str, Any]], engine: DuckDBEngine, folder: Path
) -> None:
    keys = data.draw(
        st.lists(st.sampled_from(["g", "h", "n", "m", "dow"]), min_size=1, max_size=2, unique=True)
    )
    chosen = data.draw(
        st.lists(aggregates(), min_size=1, max_size=3, unique_by=lambda item: item.name), label="select"
    )
    where = data.draw(st.none() | conditions(), label="where")
    outputs = [*keys, *(item.name for item in chosen if item.exact)]
    sorts = data.draw(
        st.lists(
            st.builds(Sort, st.sampled_from(outputs), st.booleans()), max_size=2, unique_by=lambda s: s.column
        )
    )
    limit = data.draw(st.none() | st.integers(1, 4), label="limit")
    having = data.draw(st.booleans(), label="having")
    plan = _plan({"m": "floor(x / 4)", "dow": "dayofweek()"}, where, sorts, limit)
    plan |= {"group_by": keys, "select": [item.text for item in chosen]}
    plan |= {"having": "count() > 1"} if having else {}

    frame = oracle.frame_of(records)
    frame["m"] = (frame["x"] // 4).astype("Float64")
    frame["dow"] = [None if oracle.is_missing(day) else day.weekday() for day in frame["ts"]]
    kept = _kept(frame, where)
    counted = [*chosen, Aggregate("", "__n", len)]
    groups = [group for group in oracle.grouped(kept, keys, counted) if not having or group["__n"] > 1]
    expected = oracle.ordered(groups, sorts)[:limit]
    for group in expected:
        if group.get("dow") is not None:
            group["dow"] = oracle.WEEKDAYS[int(group["dow"])]
    result = _run(engine, folder, records, plan)
    assert result.source_row_count == len(kept)
    _assert_same(result, expected, [*keys, *(item.name for item in chosen)])


@SETTINGS
@given(data=st.data(), records=rows)
def test_whole_table_aggregates_and_their_source_rows_agree(
    data: st.DataObject, records: list[dict[str, Any]], engine: DuckDBEngine, folder: Path
) -> None:
    chosen = data.draw(st.lists(aggregates(), min_size=1, max_size=1), label="select")
    where = data.draw(st.none() | conditions(), label="where")
    plan = _plan({}, where, [], None) | {"select": chosen[0].text}
    kept = _kept(oracle.frame_of(records), where)
    result = _run(engine, folder, records, plan)
    assert oracle.same_cell(_loose(result.value), _loose(oracle.plain(chosen[0].value(kept))))
    assert result.source is not None
    assert [row[0] for row in result.source.rows()] == [index + 1 for index in kept.index]
    assert result.source_row_count == result.source.row_count == len(kept)


@SETTINGS
@given(data=st.data(), records=rows)
def test_a_pipeline_agrees_with_its_steps_one_by_one(
    data: st.DataObject, records: list[dict[str, Any]], engine: DuckDBEngine, folder: Path
) -> None:
    where = data.draw(st.none() | conditions(), label="where")
    key = data.draw(st.sampled_from(["g", "h", "n"]), label="key")
    sort = data.draw(st.builds(Sort, st.sampled_from(["sum_y", key]), st.booleans()), label="sort")
    steps = [
        _plan({}, where, [], None) | {"group_by": key, "select": ["sum(y)", "count()"]},
        {
            "map": {"before": "prev(sum_y)", "of_all": "count * 100 / total(count)"},
            **_plan({}, None, [sort], 5),
        },
        {"select": ["sum(sum_y)", "first(before)", "sum(count)", "max(of_all)"]},
    ]
    kept = _kept(oracle.frame_of(records), where)
    aggregate = [
        Aggregate("", "sum_y", lambda part: part["y"].sum(min_count=1)),
        Aggregate("", "count", len),
    ]
    groups = oracle.grouped(kept, [key], aggregate)
    total = sum(group["count"] for group in groups)
    for place, group in enumerate(groups):
        group["before"] = groups[place - 1]["sum_y"] if place else None
        group["of_all"] = group["count"] * 100 / total
    top = oracle.ordered(groups, [sort])[:5]
    there = [group["before"] for group in top if group["before"] is not None]
    sums = [group["sum_y"] for group in top if group["sum_y"] is not None]
    expected = [
        sum(sums) if sums else None,
        there[0] if there else None,
        sum(group["count"] for group in top) if top else None,
        max((group["of_all"] for group in top), default=None),
    ]
    result = _run(engine, folder, records, {"steps": steps})
    for found, wanted in zip(result.frame.rows()[0], expected, strict=True):
        assert oracle.same_cell(_loose(found), _loose(wanted)), (dict(result.values), expected)


def _plan(mapped: dict[str, str], where: Term | None, sorts: list[Sort], limit: int | None) -> dict[str, Any]:
    plan: dict[str, Any] = {"map": mapped} if mapped else {}
    if where is not None:
        plan["where"] = where.text
    if sorts:
        plan["sort"] = [f"{sort.column} {'desc' if sort.descending else 'asc'}" for sort in sorts]
    if limit is not None:
        plan["limit"] = limit
    return plan


def _kept(frame: pd.DataFrame, where: Term | None) -> pd.DataFrame:
    if where is None:
        return frame
    return frame[where.value(frame).fillna(False).astype(bool)]
