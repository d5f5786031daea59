"""An intent and its sense compute the same, so that readings of one sense are one reading to whoever asked."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tabchat.engine.facts import TableFacts
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output, Period
from tabchat.planner.links import vocabulary_of
from tabchat.planner.plan import Unplannable, plan_of
from tabchat.planner.readings.sense import sense_of
from tabchat.planner.words import shipped_languages
from tests.effort import examples
from tests.planner.plan import families
from tests.planner.plan.tables import Workbench, plain

DATES = [dt.date(2024, month, 5) for month in range(1, 13)]
ORDERS = pa.table({"day": DATES, "month": [f"2024-{day.month:02d}" for day in DATES], "sum": [*range(12)]})
MARCH = Condition(column="day", operator=Operator.EQ, values=(3,), part="month")
SPRING = Condition(column="day", operator=Operator.EQ, values=(2,), part="quarter")
SUMMER = replace(MARCH, operator=Operator.IN, values=(6, 7, 8))
YEAR = Period(start=dt.date(2024, 1, 1), end=dt.date(2024, 12, 31), column="day", unit="year")
COUNT = Intent(output=Output.VALUE, measures=(Measure(),))


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("sense"))
    yield made
    made.close()


def _sense(intent: Intent, facts: TableFacts) -> Intent:
    languages = shipped_languages()
    return sense_of(intent, vocabulary_of(facts, languages, [languages.load("en")]))


def _cells(bench: Workbench, intent: Intent, facts: TableFacts) -> Counter[tuple[Any, ...]] | str:
    """Return the rows of an intent as bags of cells, in which the order of figures and of rows is no matter."""
    try:
        rows = bench.run(plan_of(intent, facts)).frame.rows()
    except Unplannable:
        return "cannot be planned"
    return Counter(tuple(sorted(map(str, map(plain, row)))) for row in rows)


@pytest.mark.parametrize("family", ["values", "counted_groups", "groups", "ranked_groups", "comparisons"])
def test_a_sense_computes_what_its_intent_computes(family: str, bench: Workbench) -> None:
    strategy = getattr(families, family)
    strategy = strategy if isinstance(strategy, st.SearchStrategy) else strategy()

    @settings(
        deadline=None,
        max_examples=examples(10),
        phases=[Phase.explicit, Phase.reuse, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(intent=strategy, records=families.tables)
    def same(intent: Intent, records: list[dict[str, Any]]) -> None:
        facts = bench.add(pa.Table.from_pylist(records, schema=families.SCHEMA))

        assert _cells(bench, _sense(intent, facts), facts) == _cells(bench, intent, facts)

    same()


def test_two_figures_that_are_one_stay_two(bench: Workbench) -> None:
    facts = bench.add(pa.table({"g": ["a", "b"], "d": DATES[:2]}))
    distinct = Measure(function="count_distinct", column="g")
    both = Intent(
        output=Output.GROUPS,
        measures=(distinct, Measure()),
        keys=(Key(column="d"),),
        orders=(Order(measure=1),),
        limit=1,
        with_ties=True,
    )

    assert _cells(bench, _sense(both, facts), facts) == _cells(bench, both, facts)


@pytest.mark.parametrize(
    "clause, start, end",
    [(MARCH, (3, 1), (3, 31)), (SPRING, (4, 1), (6, 30)), (SUMMER, (6, 1), (8, 31))],
    ids=["month", "quarter", "season"],
)
def test_a_part_of_a_year_is_one_period(
    clause: Condition, start: tuple[int, int], end: tuple[int, int], bench: Workbench
) -> None:
    facts = bench.add(ORDERS)
    apart = replace(COUNT, clauses=(clause,), periods=(YEAR,))
    whole = replace(COUNT, periods=(Period(start=dt.date(2024, *start), end=dt.date(2024, *end)),))

    assert _sense(apart, facts) == _sense(whole, facts)
    assert _cells(bench, apart, facts) == _cells(bench, whole, facts)


@pytest.mark.parametrize(
    "other",
    [
        replace(COUNT, clauses=(MARCH,)),
        replace(COUNT, periods=(YEAR,)),
        replace(COUNT, clauses=(replace(MARCH, operator=Operator.NE),), periods=(YEAR,)),
        replace(COUNT, clauses=(replace(MARCH, values=(13,)),), periods=(YEAR,)),
        replace(COUNT, clauses=(replace(SUMMER, values=(1, 2, 12)),), periods=(YEAR,)),
        replace(COUNT, clauses=(MARCH,), periods=(YEAR, YEAR)),
        replace(COUNT, clauses=(MARCH,), periods=(replace(YEAR, end=dt.date(2025, 12, 31)),)),
    ],
)
def test_what_is_less_or_more_than_a_month_of_a_year_stays_apart(other: Intent, bench: Workbench) -> None:
    facts = bench.add(ORDERS)
    march = replace(COUNT, clauses=(MARCH,), periods=(YEAR,))

    assert _sense(other, facts) != _sense(march, facts)


def test_a_day_of_a_month_of_a_year_is_one_date(bench: Workbench) -> None:
    facts = bench.add(ORDERS)
    fifth = Condition(column="day", operator=Operator.EQ, values=(5,), part="day")
    day = dt.date(2024, 3, 5)
    whole = replace(COUNT, periods=(Period(start=day, end=day),))
    apart = replace(COUNT, clauses=(MARCH, fifth), periods=(YEAR,))

    assert _sense(apart, facts) == _sense(whole, facts)
    assert _cells(bench, apart, facts) == _cells(bench, whole, facts) == Counter([("1.0",)])
    for other in (fifth, replace(fifth, values=(32,)), replace(fifth, operator=Operator.NE)):
        without_month = replace(COUNT, clauses=(other,), periods=(YEAR,))
        assert _sense(without_month, facts) != _sense(whole, facts)
    no_such_day = replace(COUNT, clauses=(MARCH, replace(fifth, values=(32,))), periods=(YEAR,))
    assert _sense(no_such_day, facts) != _sense(whole, facts)


def test_the_earliest_rows_are_the_first_ones_only_where_the_file_is_in_that_order(bench: Workbench) -> None:
    earliest = Intent(output=Output.ROWS, orders=(Order(column="day", descending=False),), limit=3)
    first = Intent(output=Output.HEAD, orders=(Order(descending=False),), limit=3)
    facts = bench.add(ORDERS)
    ordered = replace(
        facts, columns=tuple(replace(column, ascending=column.name == "day") for column in facts.columns)
    )
    shared = replace(ordered, columns=tuple(replace(column, unique=False) for column in ordered.columns))
    last = replace(earliest, orders=(Order(column="day"),))

    assert _sense(earliest, ordered) == first
    assert _cells(bench, earliest, ordered) == _cells(bench, first, ordered)
    assert _sense(earliest, facts) == earliest
    assert _sense(last, ordered).output is Output.HEAD
    assert _sense(last, shared).output is Output.ROWS
    assert _sense(replace(earliest, with_ties=True), shared).output is Output.ROWS


def test_a_year_that_no_date_tells_is_the_column_of_years(bench: Workbench) -> None:
    facts = bench.add(pa.table({"year": [2020, 2021, 2021], "x": [1, 2, 3]}))
    by = Intent(output=Output.GROUPS, measures=(Measure(),), keys=(Key(unit="year"),))

    assert _sense(by, facts).keys == (Key(column="year"),)
