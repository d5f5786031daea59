"""A query that somebody else wrote is taken over as the intent that it computes, or not at all."""

from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tabchat.chat.turn.messages import ToolCall
from tabchat.planner.intent import Condition, Intent, Key, Measure, Operator, Order, Output, Period
from tabchat.planner.plan import plan_of
from tabchat.planner.plan.inverse import intent_of
from tabchat.values import JsonValue
from tests.planner.plan import families
from tests.planner.plan.tables import Workbench


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    made = Workbench(tmp_path_factory.mktemp("inverse"))
    yield made
    made.close()


_measures = st.sampled_from(
    [
        Measure(),
        Measure(function="sum", column="n"),
        Measure(function="mean", column="x"),
        Measure(function="count_distinct", column="the h"),
        Measure(function="max", column="d"),
    ]
)
_keys = st.sampled_from(
    [Key(column="g"), Key(column="the h"), *(Key(unit=unit) for unit in ("year", "month", "weekday"))]
)
_scope = {"clauses": st.lists(families.conditions, max_size=2).map(tuple), "periods": st.lists(families.period, max_size=1).map(tuple)}  # fmt: skip
_simple = st.one_of(
    st.builds(Intent, output=st.just(Output.VALUE), measures=st.tuples(_measures), **_scope),
    st.builds(
        Intent,
        output=st.just(Output.GROUPS),
        measures=st.tuples(_measures),
        keys=st.tuples(_keys),
        orders=st.sampled_from([(), (Order(),), (Order(descending=False),)]),
        **_scope,
    ),
    st.builds(
        Intent,
        output=st.just(Output.ROWS),
        columns=st.sampled_from([(), ("g",), ("n", "the h")]),
        orders=st.sampled_from([(), (Order(column="x"),)]),
        **_scope,
    ),
)


def test_what_a_plan_is_read_as_computes_what_the_plan_does(bench: Workbench) -> None:
    taken = 0

    @settings(
        deadline=None,
        max_examples=150,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(intent=_simple, records=families.tables)
    def agree(intent: Intent, records: list[dict[str, Any]]) -> None:
        nonlocal taken
        facts = bench.add(pa.Table.from_pylist(records, schema=families.SCHEMA))
        call = plan_of(intent, facts)
        found = intent_of(ToolCall(id="x", name=call.tool, arguments=call.arguments), facts)
        if found is not None:
            taken += 1
            assert bench.run(plan_of(found, facts)).frame.rows() == bench.run(call).frame.rows()

    agree()
    assert taken > 75


@pytest.mark.parametrize(
    "plan,intent",
    [
        (
            {
                "where": "country == 'Germany' and not returned and revenue between 10 and 500",
                "group_by": "region",
                "select": "mean(revenue) as typical",
                "sort": "typical desc",
                "limit": 3,
                "title": "Typical revenue",
            },
            Intent(
                output=Output.GROUPS,
                measures=(Measure(function="mean", column="revenue"),),
                keys=(Key(column="region"),),
                clauses=(
                    Condition(column="country", operator=Operator.EQ, values=("Germany",)),
                    Condition(column="returned", operator=Operator.EQ, values=(False,)),
                    Condition(column="revenue", operator=Operator.BETWEEN, values=(10, 500)),
                ),
                orders=(Order(),),
                limit=3,
            ),
        ),
        (
            {"period": "last_90_days", "map": {"m": "period_month(order_date)"}, "group_by": ["m"]},
            Intent(
                output=Output.GROUPS,
                measures=(Measure(),),
                keys=(Key(column="order_date", unit="month"),),
                periods=(Period(unit="day", count=90),),
            ),
        ),
        (
            {"where": "year(order_date) == 2023", "columns": ["product", "revenue"], "sort": "revenue"},
            Intent(
                output=Output.ROWS,
                columns=("product", "revenue"),
                clauses=(Condition(column="order_date", operator=Operator.EQ, values=(2023,), part="year"),),
                orders=(Order(column="revenue", descending=False),),
            ),
        ),
        (
            {"where": "not (quantity == 1)"},
            Intent(
                output=Output.ROWS,
                clauses=(Condition(column="quantity", operator=Operator.NE, values=(1,)),),
            ),
        ),
        (
            {"select": "pct(channel in ['online', 'store'])"},
            Intent(
                output=Output.VALUE,
                measures=(
                    Measure(
                        part=(Condition(column="channel", operator=Operator.IN, values=("online", "store")),)
                    ),
                ),
            ),
        ),
    ],
)
def test_a_simple_plan_is_taken_over(bench: Workbench, plan: dict[str, JsonValue], intent: Intent) -> None:
    call = ToolCall(id="x", name="run_query", arguments={"table": "sales", **plan})

    assert intent_of(call, bench.facts("sales")) == intent


@pytest.mark.parametrize(
    "plan",
    [
        {"select": "sum(revenue) / count()"},
        {"where": "revenue > 2 * discount"},
        {"where": "country == 'Germany' or country == 'France'"},
        {"map": {"net": "revenue * 0.8"}, "select": "sum(net)"},
        {"group_by": "region", "having": "count() > 5"},
        {"group_by": "region", "sort": "lower(region)"},
        {"steps": [{"where": "revenue > 5"}, {"select": "count()"}]},
        {"resample": "monthly"},
        {"select": "count()", "table": "ds_x"},
        {"where": "no such thing"},
        {"select": "sum(planet)"},
    ],
)
def test_what_an_intent_cannot_say_is_not_taken_over(bench: Workbench, plan: dict[str, JsonValue]) -> None:
    call = ToolCall(id="x", name="run_query", arguments={"table": "sales", **plan})

    assert intent_of(call, bench.facts("sales")) is None


def test_another_tool_is_not_taken_over(bench: Workbench) -> None:
    call = ToolCall(id="x", name="run_sql", arguments={"sql": "SELECT 1"})

    assert intent_of(call, bench.facts("sales")) is None
