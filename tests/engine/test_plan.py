"""Reading plans: their canonical form, and every error of shape at once."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.engine.plan.query_plan import TIMEFRAMES, QueryPlan, parse_plan, read_plan
from tabchat.errors import PlanValidationError


def _issues(mapping: object) -> list[tuple[str, str]]:
    with pytest.raises(PlanValidationError) as caught:
        parse_plan(mapping)
    return [(issue.step, issue.message) for issue in caught.value.issues]


def test_every_field_is_read_and_written_in_its_fixed_order() -> None:
    given_plan = {
        "title": "A title",
        "columns": ["a", "b"],
        "limit": 3,
        "sort": ["a desc", "b"],
        "having": "count() > 1",
        "select": ["sum(a)", "count()"],
        "group_by": "b",
        "where": "a > 1",
        "map": {"c": "a + 1", "d": "c * 2"},
        "resample": "weekly",
        "time_column": "t",
        "session": {"from": "09:30", "to": "16:00"},
        "period": 2024,
    }
    plan = parse_plan(given_plan)
    assert plan == QueryPlan(
        period="2024",
        session=("09:30", "16:00"),
        time_column="t",
        resample="weekly",
        map=(("c", "a + 1"), ("d", "c * 2")),
        where="a > 1",
        group_by=("b",),
        select=("sum(a)", "count()"),
        having="count() > 1",
        sort=("a desc", "b"),
        limit=3,
        columns=("a", "b"),
        title="A title",
    )
    assert list(plan.to_json()) == [
        *("period", "session", "time_column", "resample", "map", "where"),
        *("group_by", "select", "having", "sort", "limit", "columns"),
    ]


def test_the_title_is_no_part_of_what_is_computed() -> None:
    assert parse_plan({"select": "count()", "title": "x"}).to_json() == {"select": "count()"}


def test_from_is_another_name_for_resample_and_nulls_are_absent_fields() -> None:
    assert parse_plan({"from": "Weekly", "where": None}).to_json() == {"resample": "weekly"}


def test_a_list_of_one_is_the_same_plan_as_its_only_item() -> None:
    assert parse_plan({"select": ["count()"]}) == parse_plan({"select": "count()"})


def test_steps_are_plans_of_their_own() -> None:
    plan = parse_plan({"title": "x", "steps": [{"period": "2024"}, {"limit": 1}]})
    assert plan.steps == (QueryPlan(period="2024"), QueryPlan(limit=1))
    assert plan.to_json() == {"steps": [{"period": "2024"}, {"limit": 1}]}


texts = st.text(st.characters(blacklist_categories=["Cs"]), min_size=1).map(str.strip).filter(bool)
plans = st.fixed_dictionaries(
    {},
    optional={
        "period": texts,
        "session": texts | st.fixed_dictionaries({"from": texts, "to": texts}),
        "time_column": texts,
        "resample": st.sampled_from(TIMEFRAMES),
        "map": st.dictionaries(
            texts.filter(lambda name: not name.startswith("__") and name.casefold() == name),
            texts,
            min_size=1,
        ),
        "where": texts,
        "group_by": texts | st.lists(texts, min_size=1),
        "select": st.lists(texts, min_size=1),
        "having": texts,
        "sort": texts,
        "limit": st.integers(1, 10**6),
        "columns": st.lists(texts, min_size=1),
    },
)


@settings(deadline=None)
@given(
    plans
    | st.fixed_dictionaries(
        {"steps": st.lists(plans.map(lambda p: {"where": "x"} | p), max_size=1, min_size=1)}
    )
)
def test_the_canonical_form_reads_back_as_the_same_plan(mapping: dict[str, Any]) -> None:
    plan = parse_plan(mapping)
    assert parse_plan(plan.to_json()) == plan
    assert parse_plan(plan.to_json()).to_json() == plan.to_json()


@settings(deadline=None)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.sampled_from([*"ab", "steps", "map", "where", "limit"]), inner)
        ),
    )
)
def test_any_json_value_gives_a_plan_or_issues(value: object) -> None:
    plan, issues = read_plan(value)
    assert isinstance(plan, QueryPlan)
    assert all(issue.message and issue.step for issue in issues)


@pytest.mark.parametrize(
    "mapping, step, message",
    [
        ("count()", "plan", "A plan is an object of fields."),
        ({"wher": "x > 1"}, "wher", "Unknown field `wher`."),
        ({"limit": 0}, "limit", "`limit` is a positive whole number, not 0."),
        ({"limit": -3}, "limit", "`limit` is a positive whole number, not -3."),
        ({"limit": True}, "limit", "`limit` is a positive whole number, not true."),
        ({"limit": "5"}, "limit", '`limit` is a positive whole number, not "5".'),
        ({"limit": 2.5}, "limit", "`limit` is a positive whole number, not 2.5."),
        ({"limit": 2**63}, "limit", "`limit` is more rows than any table has."),
        ({"where": "  "}, "where", "`where` is empty."),
        ({"where": 5}, "where", "`where` takes text, not a number."),
        ({"where": True}, "where", "`where` takes text, not true or false."),
        ({"where": ["a"]}, "where", "`where` takes text, not a list."),
        ({"having": {"a": 1}}, "having", "`having` takes text, not an object."),
        ({"title": b"x"}, "title", "`title` takes text, not a list."),
        ({"title": object}, "title", "`title` takes text, not type."),
        ({"select": []}, "select", "`select` is an empty list."),
        ({"select": 5}, "select", "`select` takes text or a list of texts, not a number."),
        ({"select": ""}, "select", "`select` is empty."),
        ({"sort": ["a", 1]}, "sort", "`sort` takes text, not a number."),
        ({"group_by": {"a": 1}}, "group_by", "`group_by` takes text or a list of texts, not an object."),
        ({"map": ["a"]}, "map", "`map` is an object of name: expression pairs."),
        ({"map": {}}, "map", "`map` is an object of name: expression pairs."),
        ({"map": {"a": 1}}, "map.a", "`map.a` takes text, not a number."),
        ({"map": {"": "1"}}, "map", "`` cannot name a column."),
        ({"map": {"__a": "1"}}, "map", "`__a` cannot name a column."),
        ({"map": {"a": "1", "A": "2"}}, "map", "`A` is defined twice in `map`."),
        ({"session": {"from": "9:30"}}, "session", "`session` is a name or an object with `from` and `to`."),
        ({"session": {"from": "9:30", "to": 5}}, "session", "`session` takes text, not a number."),
        ({"resample": "hourly"}, "resample", "Unknown timeframe `hourly`."),
        ({"from": "daily", "resample": "weekly"}, "resample", "`from` and `resample` are the same field."),
        ({"period": True}, "period", "`period` takes text, not true or false."),
        ({"steps": []}, "steps", "`steps` is a list of 1 to 20 plans."),
        ({"steps": "x"}, "steps", "`steps` is a list of 1 to 20 plans."),
        ({"steps": [{}] * 21}, "steps", "`steps` is a list of 1 to 20 plans."),
        ({"steps": ["x"]}, "steps[0].plan", "A plan is an object of fields."),
        ({"steps": [{}, {"wher": "x"}]}, "steps[1].wher", "Unknown field `wher`."),
        ({"steps": [{"steps": [{}]}]}, "steps[0].steps", "A step cannot hold steps of its own."),
        ({"steps": [{}], "limit": 5}, "steps", "`steps` stands alone, but `limit` is given beside it."),
        ({"steps": [{}, {"period": "2024"}]}, "steps[1].period", "`period` belongs in the first step."),
    ],
)
def test_an_error_of_shape_names_its_field(mapping: object, step: str, message: str) -> None:
    assert (step, message) in _issues(mapping)


def test_all_errors_are_reported_at_once() -> None:
    assert [step for step, _ in _issues({"wher": "x", "limit": 0, "sort": "", "map": {"a": 2}})] == [
        *("wher", "limit", "sort", "map.a")
    ]


def test_hints_name_the_nearest_field_and_timeframe() -> None:
    with pytest.raises(PlanValidationError) as caught:
        parse_plan({"wher": "x", "resample": "weeky", "zzz": 1})
    hints = {issue.step: issue.hint or "" for issue in caught.value.issues}
    assert hints["wher"] == "Did you mean `where`?"
    assert hints["resample"].startswith("Did you mean `weekly`? One of: 1m, 5m")
    assert hints["zzz"].startswith("Fields: period, session,")
