"""Intents that look beyond one row, computed anew in plain Python: means, neighbours, totals so far, what is odd in a table."""

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from tabchat.planner.intent import (
    OWN_MEAN,
    Clause,
    Condition,
    Having,
    Intent,
    Key,
    Measure,
    Operator,
    Output,
    Period,
)
from tabchat.planner.plan import Unplannable, plan_of
from tests.effort import examples
from tests.planner.plan import families
from tests.planner.plan.meaning import figure_of, in_scope, key_of, quantile
from tests.planner.plan.tables import Workbench, plain

Records = list[dict[str, Any]]

SETTINGS = settings(
    deadline=None,
    max_examples=examples(15),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("across"))
    yield made
    made.close()


def run(bench: Workbench, intent: Intent, records: Records) -> list[tuple[Any, ...]]:
    facts = bench.add(pa.Table.from_pylist(records, schema=families.SCHEMA))
    rows = bench.run(plan_of(intent, facts)).frame.rows()
    return [tuple(plain(cell) for cell in row) for row in rows]


@SETTINGS
@given(records=families.tables, above=st.booleans())
def test_rows_above_the_mean_lie_above_that_of_all_rows(
    bench: Workbench, records: Records, above: bool
) -> None:
    operator = Operator.GT if above else Operator.LT
    clause = Condition(column="x", operator=operator, values=(0,), part="mean")
    cells = [row["x"] for row in records if row["x"] is not None]
    mean = math.fsum(cells) / len(cells) if cells else 0.0
    # A mean of equal cells may differ from them in its last digit.
    expected = [x for x in cells if (x > mean + 1e-9 if above else x < mean - 1e-9)]

    found = run(bench, Intent(output=Output.ROWS, columns=("x",), clauses=(clause,)), records)

    assert Counter(found) == Counter((plain(x),) for x in expected)


@SETTINGS
@given(
    records=families.tables,
    others=families.clauses,
    periods=families.periods.filter(lambda some: len(some) < 2),
    own=st.booleans(),
)
def test_a_mean_beside_other_conditions_is_of_all_rows_or_of_those_that_meet_them(
    bench: Workbench, records: Records, others: tuple[Clause, ...], periods: tuple[Period, ...], own: bool
) -> None:
    asked = Intent(output=Output.ROWS, columns=("x",), clauses=others, periods=periods)
    assume(not own or others or periods)
    kept = [row for row in records if in_scope(row, asked, records)]
    cells = [row["x"] for row in (kept if own else records) if row["x"] is not None]
    mean = math.fsum(cells) / len(cells) if cells else 0.0
    expected = [row["x"] for row in kept if row["x"] is not None and row["x"] > mean + 1e-9]
    clause = Condition(column="x", operator=Operator.GT, values=(0,), part=OWN_MEAN if own else "mean")

    found = run(bench, replace(asked, clauses=(*others, clause)), records)

    assert Counter(found) == Counter((plain(x),) for x in expected)


@SETTINGS
@given(records=families.tables, unit=st.sampled_from(["day", "month", "year"]))
def test_a_difference_per_unit_of_time_is_divided_as_a_whole(
    bench: Workbench, records: Records, unit: str
) -> None:
    measure = Measure(function="sum", column="n", less="x")
    units = {key_of(row, Key(unit=unit)) for row in records} - {None}
    total = figure_of(measure, records)

    found = run(bench, Intent(output=Output.VALUE, measures=(replace(measure, per_unit=unit),)), records)

    assert found == [(None if total is None else plain(total / len(units)),)]


@pytest.mark.parametrize(
    "measure",
    [
        Measure(function="sum", column="n", less="x", share=True),
        Measure(
            function="sum", column="n", less="x", part=(Condition(column="g", operator=Operator.PRESENT),)
        ),
        Measure(function="max", column="n", less="x"),
        Measure(function="sum", less="x"),
        Measure(function="min", column="the h", part=(Condition(column="g", operator=Operator.PRESENT),)),
    ],
)
def test_no_part_of_a_difference_or_of_texts_is_planned_nor_a_difference_of_other_functions(
    bench: Workbench, measure: Measure
) -> None:
    record = {"g": "Ann", "the h": "red", "n": 1, "x": 0.25, "d": dt.date(2024, 1, 31), "b": True}
    output = Intent(output=Output.GROUPS, keys=(Key(column="g"),), measures=(measure,))

    with pytest.raises(Unplannable):
        run(bench, output, [record])


@SETTINGS
@given(records=families.tables, word=st.sampled_from(families.WORDS), after=st.booleans())
def test_what_stands_beside_a_cell_is_its_neighbour_by_date(
    bench: Workbench, records: Records, word: str, after: bool
) -> None:
    days = iter(range(len(records)))
    dated = [{**row, "d": dt.date(2024, 1, 1) + dt.timedelta(days=next(days))} for row in records]
    part = "row_before" if after else "row_after"
    clause = Condition(column="the h", operator=Operator.EQ, values=(word,), part=part)
    step = 1 if after else -1
    places = [place + step for place, row in enumerate(dated) if row["the h"] == word]
    expected = [dated[place]["d"] for place in places if 0 <= place < len(dated)]

    found = run(bench, Intent(output=Output.ROWS, columns=("d",), clauses=(clause,)), dated)

    assert sorted(found) == sorted((day,) for day in expected)


@SETTINGS
@given(
    records=families.tables, unit=st.sampled_from(["day", "month", "quarter", "year"]), summed=st.booleans()
)
def test_a_figure_per_unit_of_time_is_divided_by_the_units_that_have_rows(
    bench: Workbench, records: Records, unit: str, summed: bool
) -> None:
    measure = Measure(function="sum", column="n") if summed else Measure()
    units = {key_of(row, Key(unit=unit)) for row in records} - {None}
    cells = [row["n"] for row in records if row["n"] is not None]
    total = (sum(cells) if cells else None) if summed else len(records)

    found = run(bench, Intent(output=Output.VALUE, measures=(replace(measure, per_unit=unit),)), records)

    assert found == [(None if total is None else plain(total / len(units)),)]


@SETTINGS
@given(records=families.tables, by=st.booleans())
def test_a_total_so_far_adds_up_what_came_before_it(bench: Workbench, records: Records, by: bool) -> None:
    keys = (Key(unit="month"), *((Key(column="the h"),) if by else ()))
    intent = Intent(output=Output.CHANGE, keys=keys, measures=(Measure(),), change="total")
    counts = Counter(tuple(key_of(row, key) for key in keys) for row in records if row["d"] is not None)
    expected = {
        key: sum(count for other, count in counts.items() if other[1:] == key[1:] and other[0] <= key[0])
        for key in counts
    }

    found = run(bench, intent, records)

    assert {row[: len(keys)]: row[-1] for row in found} == {
        key: float(total) for key, total in expected.items()
    }


@SETTINGS
@given(records=families.tables, word=st.sampled_from(families.TEXTS))
def test_groups_that_never_meet_a_condition_have_no_row_that_does(
    bench: Workbench, records: Records, word: str
) -> None:
    part = Condition(column="g", operator=Operator.EQ, values=(word,))
    bound = Having(measure=Measure(part=(part,)), operator=Operator.EQ, values=(0.0,))
    intent = Intent(output=Output.GROUPS, keys=(Key(column="the h"),), measures=(Measure(),), having=(bound,))
    met = {row["the h"] for row in records if row["g"] == word}
    counts = Counter(row["the h"] for row in records if row["the h"] not in met)

    found = run(bench, intent, records)

    assert dict(found) == {key: float(count) for key, count in counts.items()}


@SETTINGS
@given(records=families.tables, doubled=st.integers(0, 3))
def test_what_is_odd_is_missing_repeated_or_far_out(bench: Workbench, records: Records, doubled: int) -> None:
    records = [*records, *records[:doubled], {**records[0], "x": 900.0}]
    expected: Counter[tuple[str, str | None]] = Counter()
    for name in families.SCHEMA.names:
        expected["missing", name] = sum(row[name] is None for row in records)
    for name in ("n", "x"):
        cells = [row[name] for row in records if row[name] is not None]
        if len(set(cells)) < len(records):
            low, high = (quantile(cells, part) for part in (0.25, 0.75)) if cells else (0.0, 0.0)
            reach = 1.5 * (high - low)
            expected["outlier", name] = sum(cell < low - reach or cell > high + reach for cell in cells)
    whole = [tuple(row.items()) for row in records]
    expected["repeated row", None] = len(whole) - len(set(whole))

    found = run(bench, Intent(output=Output.ODDITIES), records)

    assert {row[:2]: row[2] for row in found} == {
        key: float(count) for key, count in expected.items() if count
    }


def test_what_is_odd_is_not_looked_for_in_some_rows_only(bench: Workbench) -> None:
    record = {"g": "Ann", "the h": "red", "n": 1, "x": 1.0, "d": dt.date(2024, 1, 1), "b": True}
    facts = bench.add(pa.Table.from_pylist([record], schema=families.SCHEMA))
    clause = Condition(column="g", operator=Operator.EQ, values=("Ann",))

    with pytest.raises(Unplannable):
        plan_of(Intent(output=Output.ODDITIES, clauses=(clause,)), facts)


@pytest.mark.parametrize("part", ["mean", "change", "row_before"])
def test_no_figure_is_made_of_conditions_across_rows(bench: Workbench, part: str) -> None:
    record = {"g": "Ann", "the h": "red", "n": 1, "x": 1.0, "d": dt.date(2024, 1, 1), "b": True}
    facts = bench.add(pa.Table.from_pylist([record], schema=families.SCHEMA))
    clause = Condition(column="n", operator=Operator.GT, values=(0,), part=part)

    with pytest.raises(Unplannable):
        plan_of(Intent(output=Output.VALUE, measures=(Measure(part=(clause,)),)), facts)


def test_what_is_odd_is_found_whatever_columns_are_called(bench: Workbench) -> None:
    names = ("low_0", "high_0", "cells", "fences", "count", 'a"; b')
    cells = [1, 2, 2, 3, 1, 2, 3, 900]
    facts = bench.add(pa.table({name: [*cells, None] for name in names}))

    rows = bench.run(plan_of(Intent(output=Output.ODDITIES), facts)).frame.rows()

    expected = [(kind, name, 1) for kind in ("missing", "outlier") for name in names]
    assert sorted(rows, key=repr) == sorted([*expected, ("repeated row", None, 4)], key=repr)
