"""Arguments of tools are checked against their schema, and every problem is told at once."""

from tabchat.engine.types import JsonValue
from tabchat.tools.query import RUN_QUERY
from tabchat.tools.registry import FULL
from tabchat.tools.schema import argument_problems, closed_object

TEXT: dict[str, JsonValue] = {"type": "string"}


def test_fitting_arguments_have_no_problems() -> None:
    plan: JsonValue = {
        "map": {"gap": "open - prev(close)"},
        "where": "gap > 0",
        "group_by": ["dow"],
        "select": "mean(gap)",
        "limit": 3,
        "session": {"from": "09:30", "to": "16:00"},
        "steps": [{"select": "count()"}],
        "title": "Gaps by weekday",
    }
    assert argument_problems(RUN_QUERY.parameters, plan) == []


def test_all_problems_are_told_at_once() -> None:
    problems = argument_problems(
        RUN_QUERY.parameters, {"wher": "a > 1", "limit": True, "map": ["x"], "sort": 3}
    )
    assert problems == [
        "arguments.wher is not known; did you mean where?",
        "arguments.limit must be an integer, not a boolean",
        "arguments.map must be an object, not an array",
        "arguments.sort must be a string or an array, not an integer",
    ]


def test_a_limit_below_its_minimum_is_a_problem() -> None:
    assert argument_problems(RUN_QUERY.parameters, {"limit": 0}) == ["arguments.limit must be at least 1"]


def test_a_missing_required_argument_is_a_problem() -> None:
    assert argument_problems(closed_object({"sql": TEXT}, required=("sql",)), {}) == [
        "arguments.sql is missing"
    ]


def test_items_of_arrays_are_checked() -> None:
    schema = closed_object({"names": {"type": "array", "items": TEXT}})
    assert argument_problems(schema, {"names": ["a", 1, None]}) == [
        "arguments.names[1] must be a string, not an integer",
        "arguments.names[2] must be a string, not null",
    ]


def test_a_value_outside_an_enumeration_is_a_problem() -> None:
    schema = closed_object({"op": {"type": "string", "enum": ["read", "edit"]}})
    assert argument_problems(schema, {"op": "write"}) == ["arguments.op must be one of read, edit"]


def test_arguments_that_are_no_object_are_a_problem() -> None:
    assert argument_problems(closed_object({}), "run") == ["arguments must be an object, not a string"]


def test_every_tool_is_found_by_its_name_and_its_schema_is_closed() -> None:
    from tabchat.tools.catalogue import standard_registry

    tools = standard_registry().tools
    assert len(tools) == len(set(tools))
    assert tools.keys() >= FULL.tools
    assert "run_shell" not in tools
    for name, tool in tools.items():
        assert tool.name == name
        assert tool.parameters["additionalProperties"] is False, name
