"""Causes come largest first, and their shares add up to the whole."""

from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of

CENTS = st.integers(0, 10**7).map(lambda cents: cents / 100)


@settings(deadline=None, max_examples=examples(12))
@given(rows=st.lists(st.tuples(st.sampled_from("abcdef"), CENTS), min_size=1, max_size=60))
def test_weights_add_up_cent_by_cent(bench: Bench, rows: list[tuple[str, float]]) -> None:
    table = pa.table({"cause": [cause for cause, _ in rows], "cost": [cost for _, cost in rows]})
    result = bench.run("analyze_pareto", table, by="cause", weight="cost")
    expected: dict[str, Decimal] = {}
    for cause, cost in rows:
        expected[cause] = expected.get(cause, Decimal(0)) + Decimal(repr(cost))
    total = sum(expected.values(), Decimal(0))
    ranked = sorted(expected.items(), key=lambda item: (-item[1], item[0]))
    found = rows_of(result)
    assert [(row["cause"], Decimal(repr(row["sum_cost"]))) for row in found] == ranked
    running = Decimal(0)
    for row, (_, amount) in zip(found, ranked, strict=True):
        running += amount
        if total:
            assert row["share"] == pytest.approx(float(100 * amount / total), rel=1e-12)
            assert row["cumulative"] == pytest.approx(float(100 * running / total), rel=1e-12)
    assert not total or found[-1]["cumulative"] == 100
    assert result.values["total"] == float(total)


def test_rows_are_counted_without_a_weight_and_the_vital_few_are_told(bench: Bench) -> None:
    causes = ["scratch"] * 60 + ["dent"] * 20 + ["stain"] * 15 + [None] * 5
    result = bench.run("analyze_pareto", {"cause": causes}, by="cause")
    assert [(row["cause"], row["count"], row["cumulative"]) for row in rows_of(result)] == [
        ("scratch", 60, 60),
        ("dent", 20, 80),
        ("stain", 15, 95),
        (None, 5, 100),
    ]
    assert (result.values["vital_few"], result.values["causes"], result.source_row_count) == (2, 4, 100)
    assert result.chart is not None
    assert (result.chart.kind, result.chart.line) == ("pareto", "cumulative")


def test_there_is_no_share_of_a_negative_amount(bench: Bench) -> None:
    with pytest.raises(PlanValidationError, match="negative sum"):
        bench.run("analyze_pareto", {"cause": ["a", "b"], "cost": [3, -1]}, by="cause", weight="cost")


def test_nothing_has_no_causes(bench: Bench) -> None:
    result = bench.run(
        "analyze_pareto", {"cause": ["a"], "cost": [1.5]}, by="cause", weight="cost", where="cost > 2"
    )
    assert (result.frame.row_count, result.source_row_count) == (0, 0)


def test_rows_without_a_weight_are_told(bench: Bench) -> None:
    columns = {"cause": ["a", "a", "b", "b"], "cost": [1.5, None, None, float("nan")]}
    weighed = bench.run("analyze_pareto", columns, by="cause", weight="cost")
    assert weighed.metadata.notes[0] == "3 rows have no value of cost, and went into no figure"
    counted = bench.run("analyze_pareto", columns, by="cause")
    assert counted.metadata.notes[0] == "2 of 2 causes make at least 80%"
