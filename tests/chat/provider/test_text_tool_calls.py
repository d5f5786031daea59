import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.provider.text_tool_calls import (
    Action,
    Said,
    Unreadable,
    action_text,
    correction,
    describe_tools,
    read_action,
)
from tests.chat.asking import RUN_QUERY
from tests.effort import examples


@pytest.mark.parametrize(
    "text, reading",
    [
        ('{"action": "run_query", "arguments": {"select": "count()"}}', "count()"),
        ('\n```json\n{"action": "run_query",\n "arguments": {"select": "count()"}}\n```\n', "count()"),
        ('```\n{"action": "run_query", "arguments": {"select": "count()"}}\n```', "count()"),
    ],
)
def test_an_action_is_read_with_and_without_a_fence(text: str, reading: str) -> None:
    assert read_action(text) == Action(name="run_query", arguments={"select": reading})


def test_an_action_may_come_without_arguments() -> None:
    assert read_action('{"action": "describe_table"}') == Action(name="describe_table", arguments={})


def test_an_answer_is_a_text() -> None:
    assert read_action('{"answer": "Шість."}') == Said(text="Шість.")


@pytest.mark.parametrize(
    "text, reason",
    [
        ("", "It is empty."),
        ("There are six.", "It is not JSON."),
        ('Sure! {"answer": "six"}', "It is not JSON."),
        ('{"answer": "six"} {"answer": "seven"}', "Something follows the object."),
        ('{"answer": "six"}\nI hope this helps.', "Something follows the object."),
        ('["answer"]', "It is JSON, but not an object."),
        ('```json\n["answer"]\n```', "It is JSON, but not an object."),
        ('{"answer": 6}', '"answer" must be a text.'),
        ('{"answer": " "}', '"answer" must be a text.'),
        ('{"action": ""}', '"action" must be the name of a tool.'),
        ('{"action": "run_query", "arguments": "count()"}', '"arguments" must be an object.'),
        ('{"action": "a", "answer": "b"}', "alone; found: 'action', 'answer'."),
        ("{}", "alone; found: none."),
        ('{"action": "a", "action": "b"}', "a field is given twice"),
        ('{"action": "a", "arguments": {"limit": NaN}}', "NaN is no JSON value"),
        ('{"answer": "si', "The JSON is broken"),
        ('{"a":' * 100_000, "The JSON is broken"),
    ],
)
def test_anything_else_is_refused_with_the_reason(text: str, reason: str) -> None:
    reading = read_action(text)
    assert isinstance(reading, Unreadable)
    assert reason in reading.reason
    assert reading.reason in correction(reading)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=6,
)


@settings(deadline=None, max_examples=examples(150))
@given(
    name=st.text(min_size=1, max_size=12), arguments=st.dictionaries(st.text(max_size=8), JSON, max_size=4)
)
def test_what_is_written_is_read_again(name: str, arguments: dict[str, object]) -> None:
    text = action_text(name, arguments)  # type: ignore[arg-type] # JSON by construction
    assert read_action(text) == Action(name=name, arguments=arguments)  # type: ignore[arg-type] # as above


@settings(deadline=None, max_examples=examples(150))
@given(before=st.text(max_size=6), after=st.text(max_size=6))
def test_nothing_may_stand_around_the_object(before: str, after: str) -> None:
    reading = read_action(f'{before}{{"answer": "six"}}{after}')
    assert isinstance(reading, Unreadable) == bool(before.strip() or after.strip())


def test_tools_are_described_in_a_line_each() -> None:
    optional = {
        "name": "find_values",
        "description": "Search.",
        "parameters": {
            "properties": {
                "kind": {"enum": ["a", "b"]},
                "column": {"anyOf": [{"type": "string"}, {"type": "array"}]},
                "text": {"type": ["string", "null"], "description": "what to look for"},
                "any": True,
            }
        },
    }
    lines = describe_tools([RUN_QUERY, json.loads(json.dumps(optional))]).splitlines()
    assert lines[-2:] == [
        "- run_query(select*: string, limit: integer): Run a plan.",
        "- find_values(kind: a|b, column: string or array, text: string or null (what to look for), any: any): Search.",
    ]
