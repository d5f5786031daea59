"""The real litellm against a real server: what is asked, what comes back, what it costs, what is written down."""

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tabchat.chat.provider.litellm_model import load
from tabchat.chat.provider.reply_stream import read_arguments
from tabchat.chat.provider.wire_format import native_tools
from tabchat.chat.turn.messages import AssistantMessage, Message, ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import Reply
from tabchat.errors import ModelError
from tabchat.tools.envelope import ToolResultEnvelope
from tests.chat.asking import RUN_QUERY, ListLedger, ask, make_model, question
from tests.fake_provider import FAKE_ENV, FakeProvider, Step, call, calls, fault, say

pytestmark = pytest.mark.usefixtures("keys")

CALL = ToolCall(id="call_1", name="run_query", arguments={"select": "count()"})
RESULT = ToolMessage(call=CALL, envelope=ToolResultEnvelope(ok=True, summary="Result: 6 (from 6 rows)"))
ASKED = UserMessage(text="Скільки рядків?")


@pytest.mark.parametrize("stream", [False, True])
def test_the_installed_litellm_takes_tools(stream: bool) -> None:
    with FakeProvider([call("run_query", {"select": "count()"})]) as provider:
        reply: Any = load().completion(
            model="openai/fake",
            api_base=provider.base_url,
            messages=[{"role": "user", "content": "How many?"}],
            tools=native_tools([RUN_QUERY]),
            stream=stream,
        )
        written = "".join(
            piece.function.arguments
            for chunk in (reply if stream else [reply])
            for choice in chunk.choices
            for piece in (choice.delta if stream else choice.message).tool_calls or ()
        )
    assert json.loads(written) == {"select": "count()"}
    assert provider.requests[0].json["tools"][0]["function"]["name"] == "run_query"


def test_text_comes_as_it_is_written_and_whole_at_the_end() -> None:
    with FakeProvider([say("У таблиці 6 рядків.", piece=3)]) as provider:
        *deltas, reply = make_model(provider).respond(question(ASKED))
    assert isinstance(reply, Reply)
    assert [delta.text for delta in deltas] == ["У т", "абл", "иці", " 6 ", "ряд", "ків", "."]
    assert (reply.text, reply.finish, reply.tool_calls) == ("У таблиці 6 рядків.", "stop", ())
    (sent,) = provider.requests
    assert (sent.method, sent.path) == ("POST", "/v1/chat/completions")
    assert sent.json == {
        "model": "fake",
        "messages": [{"role": "system", "content": "Rules."}, {"role": "user", "content": "Скільки рядків?"}],
        "tools": [{"type": "function", "function": RUN_QUERY}],
        "temperature": 0.0,
        "stream": True,
        "stream_options": {"include_usage": True},
    }


def test_several_calls_come_in_one_message_and_their_results_go_back() -> None:
    wanted = [("run_query", {"select": "count()"}), ("run_query", {"select": "сума"})]
    with FakeProvider([calls(wanted, text="Let me see."), say("Six.")]) as provider:
        model = make_model(provider)
        text, first = ask(model, question(ASKED))
        said = AssistantMessage(text=first.text, tool_calls=first.tool_calls, extra=first.extra)
        results = [ToolMessage(call=made, envelope=RESULT.envelope) for made in first.tool_calls]
        ask(model, question(ASKED, said, *results))
    assert (text, first.finish) == ("Let me see.", "tool_calls")
    assert [(made.name, made.arguments) for made in first.tool_calls] == wanted
    _, _, assistant, *tools = provider.requests[1].json["messages"]
    assert [made["id"] for made in assistant["tool_calls"]] == ["call_1", "call_2"]
    assert [(tool["role"], tool["tool_call_id"]) for tool in tools] == [
        ("tool", "call_1"),
        ("tool", "call_2"),
    ]


def test_calls_without_ids_get_some_that_are_new_in_the_conversation() -> None:
    said = AssistantMessage(tool_calls=(CALL,))
    with FakeProvider([calls([("run_query", {}), ("run_query", {})], id=None)]) as provider:
        _, reply = ask(make_model(provider), question(ASKED, said, RESULT))
    assert [made.id for made in reply.tool_calls] == ["call_2", "call_3"]


def test_a_cut_text_is_told_from_a_whole_one() -> None:
    with FakeProvider([say("There are", finish="length")]) as provider:
        _, reply = ask(make_model(provider), question(max_output_tokens=64))
    assert reply.finish == "length"
    assert provider.requests[0].json["max_tokens"] == 64


def test_thinking_is_neither_shown_nor_kept_as_text() -> None:
    with FakeProvider([say("<think>Six? Seven?</think>\n\nSix.", reasoning="Hm.", piece=3)]) as provider:
        streamed, reply = ask(make_model(provider))
    assert streamed == reply.text == "Six."
    assert reply.extra == {}


@pytest.mark.parametrize(
    "model, base",
    [
        ("openai/fake", "base_url"),
        ("fake/model-8b", "base_url"),
        ("hosted_vllm/fake", "base_url"),
        ("anthropic/claude-sonnet-4-5", "root_url"),
        ("ollama_chat/fake", "root_url"),
    ],
)
@pytest.mark.parametrize(
    "messages",
    [(ASKED,), (ASKED, AssistantMessage(tool_calls=(CALL,)), RESULT)],
    ids=["first request", "with a result"],
)
def test_the_ledger_holds_the_very_bytes_that_the_server_received(
    model: str, base: str, messages: Sequence[Message]
) -> None:
    ledger = ListLedger()
    with FakeProvider([call("run_query", {"select": "count()"}), say("Шість.")]) as provider:
        asked = make_model(getattr(provider, base), model=model, ledger=ledger)
        _, first = ask(asked, question(*messages))
        text, _ = ask(asked, question(*messages))
    assert ([made.name for made in first.tool_calls], text) == (["run_query"], "Шість.")
    assert ledger.bodies == [request.body for request in provider.requests]
    assert len(ledger.recorded) == 2
    assert {sent.model for sent in ledger.recorded} == {model}
    assert all(sent.url.startswith(provider.root_url) for sent in ledger.recorded)


def test_each_repetition_is_recorded_by_itself() -> None:
    ledger = ListLedger()
    with FakeProvider([fault("server_error"), fault("reset"), say("Six.")]) as provider:
        ask(make_model(provider, ledger=ledger))
    assert ledger.bodies == [request.body for request in provider.requests]
    assert len(ledger.recorded) == 3


def test_questions_side_by_side_are_recorded_each_by_itself() -> None:
    ledger = ListLedger()
    with FakeProvider([say("Six.")]) as provider, ThreadPoolExecutor(4) as threads:
        model = make_model(provider, ledger=ledger)
        asked = [question(UserMessage(text=f"Question {number}")) for number in range(12)]
        texts = list(threads.map(lambda request: ask(model, request)[0], asked))
    assert texts == ["Six."] * 12
    assert sorted(ledger.bodies) == sorted(request.body for request in provider.requests)
    assert len(set(ledger.bodies)) == 12


def test_a_proxy_of_the_environment_is_used_and_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    ledger = ListLedger()
    with FakeProvider([say("Six.")]) as proxy:
        for name in ("NO_PROXY", "no_proxy", "HTTP_PROXY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("http_proxy", proxy.root_url)
        assert ask(make_model("http://model.example/v1", ledger=ledger))[0] == "Six."
    assert [request.path for request in proxy.requests] == ["http://model.example/v1/chat/completions"]
    assert ledger.bodies == [request.body for request in proxy.requests]


@pytest.mark.parametrize("end", ["</tool_call>", "\n</tool_call>\n", ""])
def test_a_call_that_the_server_left_in_the_text_is_a_call(end: str) -> None:
    written = '<tool_call>\n{"name": "run_query", "arguments": {"limit": 3}}' + end
    with FakeProvider([say(f"<think>Which tool?</think>Let me look.\n{written}", piece=3)]) as provider:
        shown, reply = ask(make_model(provider))
    assert [(call.name, call.arguments, call.malformed) for call in reply.tool_calls] == [
        ("run_query", {"limit": 3}, None)
    ]
    assert (reply.text.strip(), shown.strip(), reply.finish) == ("Let me look.", "Let me look.", "tool_calls")


def test_a_call_in_the_text_that_cannot_be_read_is_told_to_the_model() -> None:
    with FakeProvider(
        [say('<tool_call>{"name": "run_query", "arguments": {"limit": </tool_call>')]
    ) as provider:
        shown, reply = ask(make_model(provider))
    (call,) = reply.tool_calls
    assert (shown, call.name, call.malformed) == ("", "", '{"name": "run_query", "arguments": {"limit":')


def test_a_text_about_the_tag_is_a_text() -> None:
    with FakeProvider([say("Write <tool_call> before it.")]) as provider:
        shown, reply = ask(make_model(provider))
    assert (reply.text, shown, reply.tool_calls) == (shown, "Write <tool_call> before it.", ())


def test_signed_thinking_goes_back_to_the_provider_that_wrote_it() -> None:
    with FakeProvider([say("Six.", reasoning="Hm.")]) as provider:
        model = make_model(provider.root_url, model="anthropic/claude-sonnet-4-5")
        streamed, reply = ask(model, question(ASKED))
        said = AssistantMessage(text=reply.text, extra=reply.extra)
        ask(model, question(ASKED, said, UserMessage(text="Sure?")))
        ask(make_model(provider), question(ASKED, said, UserMessage(text="Sure?")))
    assert streamed == "Six."
    thinking = {"type": "thinking", "thinking": "Hm.", "signature": "sig-fake"}
    assert provider.requests[1].json["messages"][1]["content"][0] == thinking
    assert b"sig-fake" not in provider.requests[2].body


# Models without tool calling


def test_a_server_that_takes_no_tools_is_asked_in_words_from_then_on() -> None:
    def server(body: dict[str, Any]) -> Step:
        if "tools" in body:
            return fault("no_tools")
        if "Result of run_query" in body["messages"][-1]["content"]:
            return say('{"answer": "There are 6."}')
        return say('```json\n{"action": "run_query", "arguments": {"select": "count()"}}\n```')

    with FakeProvider(server) as provider:
        model = make_model(provider)
        streamed, first = ask(model, question(ASKED))
        said = AssistantMessage(tool_calls=first.tool_calls)
        text, second = ask(model, question(ASKED, said, RESULT))
    assert streamed == ""
    assert first.tool_calls == (ToolCall(id="call_1", name="run_query", arguments={"select": "count()"}),)
    assert (first.finish, first.usage.requests) == ("tool_calls", 2)
    assert text == second.text == "There are 6."
    assert ["tools" in request.json for request in provider.requests] == [True, False, False]


def test_an_unreadable_reply_in_words_is_sent_back_once_with_the_reason() -> None:
    with FakeProvider([say("I would count."), say('{"answer": "6"}')]) as provider:
        text, reply = ask(make_model(provider, native_tools=False))
    assert (text, reply.usage.requests, reply.usage.prompt_tokens) == ("6", 2, 200)
    *_, said, told = provider.requests[1].json["messages"]
    assert said == {"role": "assistant", "content": "I would count."}
    assert told["content"].startswith("That reply cannot be read: It is not JSON.")
    with FakeProvider([say("I would count.")]) as provider, pytest.raises(ModelError, match="It is not JSON"):
        ask(make_model(provider, native_tools=False))
    assert len(provider.requests) == 2


def test_a_model_that_is_known_to_have_no_tools_is_asked_in_words_at_once() -> None:
    known = next(
        name
        for name, entry in load().model_cost.items()
        if entry.get("litellm_provider") == "openai"
        and entry.get("mode") == "chat"
        and entry.get("supports_function_calling") is False
    )
    with FakeProvider([say('{"answer": "6"}')]) as provider:
        assert ask(make_model(provider, model=f"openai/{known}"))[0] == "6"
    assert "tools" not in provider.requests[0].json


# Prices, windows, keys


def test_tokens_are_priced_by_the_list() -> None:
    with FakeProvider([say("Six.", usage=(1_000, 100))]) as provider:
        model = make_model(provider, model="openai/gpt-4o-mini")
        _, reply = ask(model)
        _, unknown = ask(make_model(provider))
    listed = load().model_cost["gpt-4o-mini"]
    price = 1_000 * listed["input_cost_per_token"] + 100 * listed["output_cost_per_token"]
    assert reply.usage.cost_usd == pytest.approx(price)
    assert model.price(1_000, 100) == pytest.approx(price)
    assert (reply.usage.priced, reply.usage.estimated) == (True, False)
    assert (unknown.usage.cost_usd, unknown.usage.priced) == (0.0, False)
    assert (unknown.usage.prompt_tokens, unknown.usage.completion_tokens) == (1_000, 100)


def test_facts_about_a_model_are_known_without_a_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    ollama = make_model("http://127.0.0.1:1", model="ollama_chat/no-such-model")
    assert (ollama.price(10, 10), ollama.context_window()) == (0.0, 4_096)
    monkeypatch.setenv("OLLAMA_CONTEXT_LENGTH", "16384")
    assert ollama.context_window() == 16_384
    assert make_model("http://127.0.0.1:1/v1", model="openai/gpt-4o").context_window() == 128_000
    unknown = make_model("http://127.0.0.1:1/v1")
    assert (unknown.price(10, 10), unknown.context_window()) == (None, None)


def test_tools_and_messages_are_counted() -> None:
    model = make_model("http://127.0.0.1:1/v1")
    short, long = question(tools=False), question(UserMessage(text="How many rows? " * 100), tools=False)
    assert 8 <= model.count_tokens(short) <= 30
    assert 350 <= model.count_tokens(long) - model.count_tokens(short) <= 450
    assert model.count_tokens(question()) > model.count_tokens(short) + 20
    in_words = make_model("http://127.0.0.1:1/v1", native_tools=False)
    assert in_words.count_tokens(question()) > model.count_tokens(question())


def test_the_bytes_of_a_request_are_those_of_the_messages_that_are_sent() -> None:
    with FakeProvider([say('{"answer": "6"}')]) as provider:
        for native in (True, False):
            model = make_model(provider, native_tools=native)
            shown = json.loads(model.request_bytes(question(ASKED)))
            ask(model, question(ASKED))
            sent = provider.requests[-1].json
            assert (shown["messages"], shown.get("tools")) == (sent["messages"], sent.get("tools"))
            assert shown["model"] == "openai/fake"


@pytest.mark.parametrize(
    "model, variable",
    [
        ("openai/gpt-5-mini", "OPENAI_API_KEY"),
        ("anthropic/claude-sonnet-4-5", "ANTHROPIC_API_KEY"),
        ("gemini/gemini-2.5-pro", "GEMINI_API_KEY or GOOGLE_API_KEY"),
        ("groq/llama-3.3-70b-versatile", "GROQ_API_KEY"),
        ("mistral/mistral-small-latest", "MISTRAL_API_KEY"),
    ],
)
def test_without_a_key_the_variable_is_named_and_nothing_is_sent(
    model: str, variable: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in FAKE_ENV:
        monkeypatch.delenv(name)
    ledger = ListLedger()
    with pytest.raises(ModelError) as caught:
        ask(make_model("", model=model, ledger=ledger))
    assert caught.value.code == "model_no_key"
    assert str(caught.value.hint).startswith(f"Set {variable} in the environment")


def test_a_server_of_ones_own_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in FAKE_ENV:
        monkeypatch.delenv(name)
    with FakeProvider([say("Six.")]) as provider:
        assert ask(make_model(provider))[0] == "Six."
        monkeypatch.setenv("OPENAI_BASE_URL", provider.base_url)
        assert ask(make_model(""))[0] == "Six."


def test_a_name_of_no_provider_is_explained() -> None:
    with pytest.raises(ModelError) as caught:
        ask(make_model("", model="no-such-model"))
    assert caught.value.code == "model_unknown"
    assert "ollama_chat/qwen3" in str(caught.value.hint)


# The process around it


@pytest.mark.usefixtures("takes_ctrl_c")
@pytest.mark.parametrize("ends_calls", [True, False])
def test_ctrl_c_is_the_persons_and_comes_through_at_once(*, ends_calls: bool) -> None:
    # Some libraries let interrupted system calls start again, for the whole process.
    signal.siginterrupt(signal.SIGINT, ends_calls)
    with FakeProvider([fault("hang")]) as provider:
        model = make_model(provider)
        model.warm()

        def press() -> None:
            while not provider.requests:
                threading.Event().wait(0.01)
            os.kill(os.getpid(), signal.SIGINT)

        threading.Thread(target=press).start()
        with pytest.raises(KeyboardInterrupt):
            ask(model)


QUIET = """
import os, sys
seen = []
def hook(event, arguments):
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        seen.append(arguments[1][:2])
    if event == "socket.getaddrinfo":
        seen.append(arguments[:2])
sys.addaudithook(hook)
from tabchat.chat.provider.reply_stream import read_arguments
from tabchat.chat.provider.litellm_model import LiteLLMModel
loaded = [name for name in ("litellm", "httpx", "openai", "pandas") if name in sys.modules]
assert not loaded, loaded
from tabchat.chat.turn.model import ModelRequest
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.provider.exchange import Backoff
from tabchat.errors import ModelError, QueryTimeoutError

class Ledger:
    def record(self, outgoing):
        pass

base, root = sys.argv[1:]
request = ModelRequest(messages=(UserMessage(text="How many?"),), tools=({"name": "t", "parameters": {}},), timeout=30)
for name, address in (
    ("openai/fake", base), ("openai/gpt-4o", base), ("anthropic/claude-sonnet-4-5", root), ("ollama_chat/fake", root),
    ("openai/fake", base), ("no-such-model", None), ("gemini/gemini-2.5-pro", None),
):
    model = LiteLLMModel(
        model=name, api_base=address, ledger=Ledger(), retries=1, backoff=Backoff(sleep=lambda seconds: None)
    )
    try:
        list(model.respond(request))
        model.count_tokens(request), model.price(1, 1), model.context_window()
    except ModelError:
        pass
assert os.environ.get("FROM_DOTENV") is None
try:
    hanging = LiteLLMModel(model="openai/fake", api_base=base, ledger=Ledger(), retries=0)
    list(hanging.respond(ModelRequest(messages=(UserMessage(text="hang"),), timeout=0.5)))
except QueryTimeoutError:
    pass
port = int(root.rpartition(":")[2])
strangers = {address for address in seen if address != ("127.0.0.1", port)}
assert not strangers, strangers
"""


def test_litellm_prints_nothing_asks_nobody_else_and_lets_the_process_end(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("project")
    (folder / ".env").write_text("FROM_DOTENV=1\nOPENAI_BASE_URL=http://127.0.0.1:1/v1\n")

    with FakeProvider([*[say("Six.")] * 4, *[fault("stream_error")] * 2, fault("hang")]) as provider:
        done = subprocess.run(
            [sys.executable, "-c", QUIET, provider.base_url, provider.root_url],
            capture_output=True,
            cwd=folder,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            timeout=60,
            check=False,
        )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert len(provider.requests) == 7


@pytest.mark.parametrize(
    "written, read",
    [
        ("null", {}),
        ('"{\\"limit\\": 2}"', {"limit": 2}),
        ('"limit"', '"limit"'),
        ('"\\"{}\\""', '"\\"{}\\""'),
        ("[1]", "[1]"),
        ('{"limit": NaN}', '{"limit": NaN}'),
        ('{"limit": 1, "limit": 2}', '{"limit": 1, "limit": 2}'),
        ('{"steps": [{"where": "a", "where": "b"}]}', '{"steps": [{"where": "a", "where": "b"}]}'),
    ],
)
def test_arguments_that_were_written_as_json_twice_are_read(written: str, read: object) -> None:
    assert read_arguments(written) == read
