"""Contributions add up to the change, digit by digit."""

import datetime as dt
import re
from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from tabchat.errors import PlanValidationError
from tests.effort import examples
from tests.engine.recipes.running import Bench, rows_of

ROWS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "c", None]),
        st.sampled_from([2022, 2023, 2024]),
        st.none() | st.integers(-(10**7), 10**7).map(lambda cents: cents / 100),
    ),
    min_size=1,
    max_size=40,
)


def table_of(rows: Sequence[tuple[str | None, int, float | None]]) -> pa.Table:
    return pa.table(
        {
            "g": pa.array([g for g, _, _ in rows], pa.string()),
            "day": pa.array([dt.date(year, 6, 1) for _, year, _ in rows]),
            "x": pa.array([x for _, _, x in rows], pa.float64()),
        }
    )


def exact(value: Any) -> Decimal:
    return Decimal(repr(value))


@settings(deadline=None, max_examples=examples(12))
@example(rows=[("c", 2024, 91.53), ("c", 2024, -100.79)])
@given(rows=ROWS)
def test_changes_of_a_sum_add_up_cent_by_cent(
    bench: Bench, rows: Sequence[tuple[str | None, int, float | None]]
) -> None:
    result = bench.run("explain_change", table_of(rows), measure="x", by="g", before="2023", after="2024")
    found = rows_of(result)

    def total(g: str | None, year: int) -> Decimal:
        return sum((exact(x) for h, y, x in rows if (h, y) == (g, year) and x is not None), Decimal(0))

    assert {row["g"] for row in found} == {g for g, year, _ in rows if year != 2022}
    for row in found:
        assert exact(row["before"]) == total(row["g"], 2023)
        assert exact(row["after"]) == total(row["g"], 2024)
        assert exact(row["change"]) == total(row["g"], 2024) - total(row["g"], 2023)
    if found:
        assert sum(exact(row["change"]) for row in found) == exact(result.values["change"])
    assert result.source_row_count == sum(year != 2022 for _, year, _ in rows)


@settings(deadline=None, max_examples=examples(12))
@given(rows=ROWS)
def test_effects_on_a_mean_add_up_to_its_change(
    bench: Bench, rows: Sequence[tuple[str | None, int, float | None]]
) -> None:
    known = {
        year: [Fraction(exact(x)) for _, y, x in rows if y == year and x is not None] for year in (2023, 2024)
    }
    assume(all(known.values()))
    result = bench.run(
        "explain_change", table_of(rows), measure="x", statistic="mean", by="g", before="2023", after="2024"
    )
    before, after = (sum(values) / len(values) for values in known.values())
    found = rows_of(result)
    change = exact(result.values["change"])
    assert sum(exact(row["change"]) for row in found) == change
    largest = max(1.0, *(abs(float(x)) for values in known.values() for x in values))
    assert float(change) == pytest.approx(float(after - before), abs=1e-12 * largest)
    for row in found:
        assert exact(row["change"]) == exact(row["within"]) + exact(row["mix"])
        groups = [
            [Fraction(exact(x)) for g, y, x in rows if (g, y) == (row["g"], year) and x is not None]
            for year in (2023, 2024)
        ]
        assert [row["n_before"], row["n_after"]] == [len(values) for values in groups]
        shares = [Fraction(len(values), len(known[year])) for values, year in zip(groups, known, strict=True)]
        means = [sum(values) / len(values) if values else None for values in groups]
        first = means[0] if means[0] is not None else means[1]
        last = means[1] if means[1] is not None else means[0]
        within = mix = Fraction(0)
        if first is not None and last is not None:
            within = Fraction(last - first) * (shares[0] + shares[1]) / 2
            mix = (shares[1] - shares[0]) * Fraction((first + last) / 2 - (before + after) / 2)
        assert row["within"] == pytest.approx(float(within), abs=1e-12 * largest)
        assert row["mix"] == pytest.approx(float(mix), abs=1e-12 * largest)


def test_a_rate_changes_by_mix_and_within(bench: Bench) -> None:
    """The shop keeps its rates, the web keeps its own; only their shares change: all of it is mix."""
    rows = [("shop", 2023, k < 1) for k in range(10)] + [("web", 2023, k < 5) for k in range(10)]
    rows += [("shop", 2024, k < 2) for k in range(20)] + [("web", 2024, k < 30) for k in range(60)]
    table = pa.table(
        {
            "channel": [channel for channel, _, _ in rows],
            "day": [dt.date(year, 1, 1) for _, year, _ in rows],
            "returned": [returned for _, _, returned in rows],
        }
    )
    result = bench.run(
        "explain_change",
        table,
        measure="returned",
        statistic="rate",
        by="channel",
        before="2023",
        after="2024",
    )
    assert (result.values["before"], result.values["after"], result.values["change"]) == (30, 40, 10)
    assert [(row["channel"], row["within"], row["mix"]) for row in rows_of(result)] == [
        ("shop", 0, 6.25),
        ("web", 0, 3.75),
    ]
    assert [row["share"] for row in rows_of(result)] == [62.5, 37.5]


def test_rows_are_counted_and_a_fall_is_told_from_its_largest_part(bench: Bench) -> None:
    table = table_of(
        [("a", 2023, 1.0)] * 5 + [("b", 2023, 1.0)] * 2 + [("a", 2024, 1.0)] + [("b", 2024, 1.0)] * 3
    )
    result = bench.run("explain_change", table, statistic="count", by="g", before="2023", after="2024")
    assert [(row["g"], row["change"]) for row in rows_of(result)] == [("a", -4), ("b", 1)]
    assert result.values["change"] == -3


def test_a_period_without_rows_is_told(bench: Bench) -> None:
    table = table_of([("a", 2024, 1.0)])
    summed = bench.run("explain_change", table, measure="x", by="g", before="2023", after="2024")
    assert summed.metadata.warnings == ("There are no rows in 2023.",)
    assert summed.values["change"] == 1
    mean = bench.run(
        "explain_change", table, measure="x", statistic="mean", by="g", before="2023", after="2024"
    )
    assert (mean.values["change"], rows_of(mean)[0]["change"]) == (None, None)


@pytest.mark.parametrize(
    "given_,step,words",
    [
        ({"before": "2023", "after": "2023-12:2024"}, "to", "overlap"),
        ({"before": "long ago", "after": "2024"}, "from", "not a period"),
        ({"before": "2023", "after": "2024", "measure": None}, "measure", "needs a measure"),
        ({"before": "2023", "after": "2024", "by": "day2"}, "by", "no column `day2`"),
    ],
)
def test_what_cannot_be_explained_is_refused(
    bench: Bench, given_: dict[str, Any], step: str, words: str
) -> None:
    with pytest.raises(PlanValidationError, match=words) as caught:
        bench.run("explain_change", table_of([("a", 2024, 1.0)]), **{"measure": "x", "by": "g", **given_})
    assert [issue.step for issue in caught.value.issues] == [step]


@pytest.mark.parametrize("statistic", ["sum", "mean", "rate"])
def test_rows_without_a_value_are_told(bench: Bench, statistic: str) -> None:
    table = table_of([("a", 2023, 1.0), ("a", 2023, None), ("b", 2024, None), ("b", 2024, 2.0)])
    result = bench.run(
        "explain_change",
        table,
        measure="x > 1" if statistic == "rate" else "x",
        statistic=statistic,
        by="g",
        before="2023",
        after="2024",
    )
    note = result.metadata.notes[0]
    assert re.fullmatch(r"2 rows have no value of x.*, and went into no figure", note)


def test_a_count_takes_no_measure_rather_than_passing_it_over(bench: Bench) -> None:
    table = table_of([("a", 2023, None), ("a", 2024, 1.0)])
    with pytest.raises(PlanValidationError, match="takes no measure") as refused:
        bench.run(
            "explain_change", table, measure="x", statistic="count", by="g", before="2023", after="2024"
        )
    assert "x is not null" in str(refused.value.issues[0].hint)
