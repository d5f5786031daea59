import json
from typing import Any

from tabchat.chat.provider import wire_format as wire
from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import ModelRequest
from tabchat.engine.types import JsonValue
from tabchat.tools.envelope import ToolResultEnvelope
from tests.chat.asking import RUN_QUERY, question

CALL = ToolCall(id="call_1", name="run_query", arguments={"select": "count()", "title": "Кількість"})
RESULT = ToolMessage(call=CALL, envelope=ToolResultEnvelope(ok=True, summary="Result: 6 (from 6 rows)"))
CONVERSATION = question(
    UserMessage(text="How many?"),
    AssistantMessage(text="Let me count.", tool_calls=(CALL,)),
    RESULT,
    AssistantMessage(text="There are 7."),
    FeedbackMessage(text="Validation errors: reported 7, actual 6"),
)


def calls_of(message: wire.WireMessage) -> Any:
    return message["tool_calls"]


def test_a_conversation_has_the_roles_of_the_protocol() -> None:
    assert wire.native_messages(CONVERSATION, "openai/fake") == [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "How many?"},
        {
            "role": "assistant",
            "content": "Let me count.",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {
                        "name": "run_query",
                        "arguments": '{"select": "count()", "title": "Кількість"}',
                    },
                }
            ],
        },
        {"role": "tool", "tool_call_id": "call_1", "content": "Result: 6 (from 6 rows)"},
        {"role": "assistant", "content": "There are 7."},
        {"role": "user", "content": "Validation errors: reported 7, actual 6"},
    ]


def test_in_words_calls_are_json_results_are_messages_and_roles_alternate() -> None:
    system, *rest = wire.messages_in_words(CONVERSATION)
    assert str(system["content"]).startswith("Rules.\n\nReply with one JSON object and nothing else")
    assert rest == [
        {"role": "user", "content": "How many?"},
        {
            "role": "assistant",
            "content": '{"action": "run_query", "arguments": {"select": "count()", "title": "Кількість"}}',
        },
        {"role": "user", "content": "Result of run_query:\nResult: 6 (from 6 rows)"},
        {"role": "assistant", "content": '{"answer": "There are 7."}'},
        {"role": "user", "content": "Validation errors: reported 7, actual 6"},
    ]
    several = AssistantMessage(tool_calls=(CALL, CALL))
    _, _, both, results = wire.messages_in_words(question(UserMessage(text="?"), several, RESULT, RESULT))
    assert str(both["content"]).count('{"action"') == 2
    assert str(results["content"]).count("Result of run_query:") == 2


def test_tools_are_wrapped_once() -> None:
    wrapped: list[dict[str, JsonValue]] = [{"type": "function", "function": RUN_QUERY}]
    assert wire.native_tools([RUN_QUERY]) == wrapped
    assert wire.native_tools(wire.native_tools([RUN_QUERY])) == wrapped
    text = str(wire.messages_in_words(ModelRequest(messages=(), tools=wrapped))[0]["content"])
    assert text.endswith("- run_query(select*: string, limit: integer): Run a plan.")


def test_arguments_that_could_not_be_read_go_back_as_json_and_bounded() -> None:
    broken = ToolCall(id="call_1", name="run_query", arguments={}, malformed='{"select": ' * 100)
    (message,) = wire.native_messages(ModelRequest(messages=(AssistantMessage(tool_calls=(broken,)),)), "m")
    arguments = json.loads(calls_of(message)[0]["function"]["arguments"])
    assert arguments == {"malformed": ('{"select": ' * 100)[: wire.MALFORMED_SHOWN]}
    assert message["content"] is None


def test_what_one_model_wants_back_is_not_sent_to_another() -> None:
    extra = wire.extra_for(
        "anthropic/a", {"thinking_blocks": [{"thinking": "Hm."}], "tool_fields": {"call_1": {"s": 1}}}
    )
    request = ModelRequest(messages=(AssistantMessage(text="Six.", tool_calls=(CALL,), extra=extra),))
    (same,) = wire.native_messages(request, "anthropic/a")
    (other,) = wire.native_messages(request, "openai/b")
    assert same["thinking_blocks"] == [{"thinking": "Hm."}]
    assert calls_of(same)[0]["provider_specific_fields"] == {"s": 1}
    assert other.keys() == {"role", "content", "tool_calls"}
    assert calls_of(other)[0].keys() == {"id", "type", "function"}
    assert wire.extra_for("openai/b", {}) == {}


def test_text_that_no_request_can_carry_is_replaced() -> None:
    request = question(UserMessage(text="caf\udce9?"), AssistantMessage(text="caf\udce9"))
    for messages in (wire.native_messages(request, "m"), wire.messages_in_words(request)):
        json.dumps(messages, ensure_ascii=False).encode()
        assert messages[1]["content"] == "caf??"


def test_a_silent_message_has_some_content() -> None:
    (message,) = wire.native_messages(ModelRequest(messages=(AssistantMessage(),)), "m")
    assert message["content"]


def test_equal_requests_have_equal_bytes_and_different_ones_do_not() -> None:
    def written(request: ModelRequest, model: str = "m") -> bytes:
        return wire.canonical(model, wire.native_messages(request, model), wire.native_tools(request.tools))

    reordered = dict(reversed(list(RUN_QUERY.items())))
    same = ModelRequest(messages=CONVERSATION.messages, system="Rules.", tools=(reordered,))
    assert written(same) == written(CONVERSATION)
    assert written(CONVERSATION, "other") != written(CONVERSATION)
    assert written(question()) != written(question(tools=False))
    assert json.loads(written(question()))["messages"][1] == {"role": "user", "content": "How many rows?"}


def test_a_name_that_providers_would_refuse_does_not_break_the_conversation() -> None:
    wanted = ["functions.run query", "", "я" * 100]
    made = tuple(ToolCall(id=f"call_{n}", name=name, arguments={}) for n, name in enumerate(wanted))
    *_, message = wire.native_messages(question(AssistantMessage(tool_calls=made)), "openai/fake")
    assert [one["function"]["name"] for one in calls_of(message)] == [
        "functions_run_query",
        "unnamed",
        "_" * 64,
    ]
