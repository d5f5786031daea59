"""Whatever a provider does, the model answers, or fails with an error that says what to do; nothing hangs."""

import pytest

from tabchat.chat.provider.reply_stream import MOST_CHARACTERS
from tabchat.chat.turn.messages import UserMessage
from tabchat.chat.turn.model import Piece
from tabchat.errors import ModelError, OutputError, QueryTimeoutError, TabchatError
from tests.chat.asking import ListLedger, Pauses, ask, make_model, question
from tests.fake_provider import FAKE_KEY, FakeProvider, Step, call, closed_base_url, fault, say

pytestmark = pytest.mark.usefixtures("keys")


def failure(*steps: Step, timeout: float | None = None) -> tuple[TabchatError, FakeProvider]:
    with FakeProvider(steps) as provider, pytest.raises(TabchatError) as caught:
        ask(make_model(provider), question(timeout=timeout))
    assert caught.value.hint
    assert FAKE_KEY not in str(caught.value.to_json())
    return caught.value, provider


def test_a_busy_server_is_asked_again_after_the_time_that_it_names() -> None:
    pauses = Pauses()
    with FakeProvider([fault("rate_limit", retry_after=7), fault("overloaded"), say("Six.")]) as provider:
        text, reply = ask(make_model(provider, pauses=pauses))
    assert (text, reply.usage.requests) == ("Six.", 3)
    assert pauses.seconds == [7.0, 1.0]
    assert provider.requests[0].body == provider.requests[2].body


def test_a_wait_beyond_reason_is_left_to_the_person() -> None:
    error, provider = failure(fault("rate_limit", retry_after=3600))
    assert (error.code, len(provider.requests)) == ("model_quota", 1)
    assert "3600 s" in str(error.hint)


def test_a_wait_beyond_the_time_limit_is_not_begun() -> None:
    error, provider = failure(fault("rate_limit", retry_after=30), timeout=20.0)
    assert (error.code, len(provider.requests)) == ("model_quota", 1)


def test_a_server_that_goes_on_failing_is_given_up() -> None:
    pauses = Pauses()
    with FakeProvider([fault("server_error")]) as provider, pytest.raises(ModelError) as caught:
        ask(make_model(provider, pauses=pauses))
    assert caught.value.message == (
        "openai/fake failed with status 500 (3 attempts). "
        "It says: The server had an error while processing your request."
    )
    assert (len(provider.requests), pauses.seconds) == (3, [0.5, 1.0])


def test_a_closed_port_is_named() -> None:
    base = closed_base_url()
    with pytest.raises(ModelError) as caught:
        ask(make_model(base))
    assert caught.value.code == "model_unreachable"
    assert caught.value.message == f"{base.removesuffix('/v1')} cannot be reached (3 attempts)."
    assert "Is the server running" in str(caught.value.hint)


def test_a_server_without_tls_is_told_apart_from_one_that_is_off() -> None:
    with FakeProvider([say("")]) as provider, pytest.raises(ModelError) as caught:
        ask(make_model(provider.base_url.replace("http://", "https://")))
    assert caught.value.code == "model_unreachable"
    assert "does not speak TLS" in caught.value.message


@pytest.mark.parametrize(
    "kind, code, word",
    [
        ("invalid_key", "model_no_key", "OPENAI_API_KEY"),
        ("unknown_model", "model_unknown", "--api-base"),
        ("context_length", "model_context", "new conversation"),
        ("content_filter", "model_filtered", "differently"),
        ("quota", "model_quota", "billing"),
    ],
)
def test_a_refusal_is_not_repeated_and_says_what_to_do(kind: str, code: str, word: str) -> None:
    error, provider = failure(fault(kind))  # type: ignore[arg-type] # the literals above
    assert (error.code, len(provider.requests)) == (code, 1)
    assert word in str(error.hint)


def test_an_error_message_repeats_neither_the_key_nor_the_request() -> None:
    def echoing(body: object) -> Step:
        return fault("status", status=422, message=f"Bearer {FAKE_KEY} sent wrong input: {body!r}" * 9)

    long = UserMessage(text="the very long question of the person about the canary 4711-0815")
    with FakeProvider(echoing) as provider, pytest.raises(ModelError) as caught:
        ask(make_model(provider), question(long))
    assert FAKE_KEY not in caught.value.message
    assert "canary 4711" not in caught.value.message
    assert len(caught.value.message) < 500


@pytest.mark.parametrize(
    "kind", ["reset", "reset_midway", "cut", "unfinished", "stream_error", "garbage", "not_json"]
)
def test_a_reply_that_breaks_before_any_text_is_asked_for_again(kind: str) -> None:
    pauses = Pauses()
    with FakeProvider([fault(kind), say("Six.")]) as provider:  # type: ignore[arg-type] # the literals above
        text, reply = ask(make_model(provider, pauses=pauses))
    assert (text, reply.text, reply.usage.requests, pauses.seconds) == ("Six.", "Six.", 2, [0.5])


@pytest.mark.parametrize(
    "kind", ["reset", "reset_midway", "cut", "unfinished", "stream_error", "garbage", "not_json"]
)
def test_a_reply_that_breaks_every_time_is_given_up(kind: str) -> None:
    error, provider = failure(fault(kind))  # type: ignore[arg-type] # the literals above
    assert isinstance(error, ModelError)
    assert len(provider.requests) == 3
    assert "(3 attempts)" in error.message


@pytest.mark.parametrize("kind", ["reset_midway", "cut", "unfinished", "stream_error", "garbage"])
def test_a_text_that_breaks_off_is_never_taken_for_the_whole(kind: str) -> None:
    seen: list[Piece] = []
    broken = fault(kind, text="There are 12,")  # type: ignore[arg-type] # the literals above
    with (
        FakeProvider([broken, say("Six.")]) as provider,
        pytest.raises(ModelError, match="broke off in the middle"),
    ):
        seen.extend(make_model(provider).respond(question()))
    assert "".join(piece.text for piece in seen) == "There are 12,"
    assert len(provider.requests) == 1


@pytest.mark.parametrize(
    "step",
    [
        fault("hang"),
        fault("hang_midway", text="There are"),
        say("There are five thousand", piece=1, delay=0.1),
    ],
    ids=["before the reply", "in mid-stream", "a drip"],
)
def test_the_time_limit_holds_for_the_whole_reply(step: Step) -> None:
    with FakeProvider([say("Ready."), step]) as provider:
        model = make_model(provider)
        ask(model)
        with pytest.raises(QueryTimeoutError) as caught:
            ask(model, question(timeout=0.4))
    assert caught.value.message == "openai/fake did not finish its reply in time."


def test_a_time_that_is_up_before_anything_was_sent_says_so() -> None:
    with FakeProvider([say("Ready.")]) as provider:
        with pytest.raises(QueryTimeoutError) as caught:
            ask(make_model(provider), question(timeout=0.0))
        assert not provider.requests
    assert caught.value.message == "The time was up before anything was sent to openai/fake."


@pytest.mark.parametrize("piece", [2_000, 10_000_000])
def test_ten_megabytes_of_text_are_not_read_to_the_end(piece: int) -> None:
    endless = "".join(map(str, range(1_600_000)))
    assert len(endless) > 10_000_000
    with FakeProvider([say(endless, piece=piece)]) as provider:
        seen: list[Piece] = []
        with pytest.raises(ModelError, match="longer than 200,000 characters"):
            seen.extend(make_model(provider).respond(question()))
    assert sum(len(piece.text) for piece in seen) <= MOST_CHARACTERS
    assert len(provider.requests) == 1


def test_a_long_reply_below_the_limit_is_whole() -> None:
    text = " ".join(map(str, range(1_500)))
    with FakeProvider([say(text, piece=2)]) as provider:
        streamed, reply = ask(make_model(provider))
    assert streamed == reply.text == text
    assert (reply.usage.prompt_tokens, reply.usage.completion_tokens) == (100, 20)


def test_an_empty_reply_is_asked_for_once_more() -> None:
    with FakeProvider([say(""), say("Six.")]) as provider:
        assert ask(make_model(provider))[0] == "Six."
    error, provider = failure(say(""))
    assert error.message == "openai/fake gave an empty reply, also when it was asked again."
    assert len(provider.requests) == 2


def test_a_reply_of_nothing_but_thinking_says_so() -> None:
    error, _ = failure(say("<think>Hm, what now?</think>"))
    assert "only thought" in error.message
    cut, _ = failure(say("", reasoning="Hm, what now?", finish="length"))
    assert "used up its tokens" in cut.message


def test_a_filtered_reply_is_an_error() -> None:
    error, provider = failure(say("The", finish="content_filter"))
    assert (error.code, len(provider.requests)) == ("model_filtered", 1)


@pytest.mark.parametrize("written", ['{"select": ', '["count()"]', "count()", '{"select": NaN}', '"count()"'])
def test_arguments_that_are_not_one_json_object_are_handed_on_as_they_are(written: str) -> None:
    with FakeProvider([call("run_query", written)]) as provider:
        _, reply = ask(make_model(provider))
    (made,) = reply.tool_calls
    assert (made.name, made.arguments, made.malformed) == ("run_query", {}, written)


def test_a_call_without_arguments_has_none() -> None:
    with FakeProvider([call("run_query", "")]) as provider:
        _, reply = ask(make_model(provider))
    assert (reply.tool_calls[0].arguments, reply.tool_calls[0].malformed) == ({}, None)


def test_missing_usage_is_counted_here_and_marked() -> None:
    with FakeProvider([say("There are 12 rows.", usage=None)]) as provider:
        _, reply = ask(make_model(provider))
    assert reply.usage.estimated
    assert reply.usage.prompt_tokens > 20
    assert 3 <= reply.usage.completion_tokens <= 12


def test_what_the_ledger_cannot_take_is_not_sent() -> None:
    ledger = ListLedger(full=OutputError("The disk is full.", hint="Free some space."))
    with FakeProvider([say("Six.")]) as provider, pytest.raises(OutputError, match="The disk is full"):
        ask(make_model(provider, ledger=ledger))
    assert provider.requests == []


@pytest.mark.parametrize("field", ["temperature", "stream_options", "max_tokens"])
def test_a_server_that_refuses_an_optional_field_is_asked_without_it_from_then_on(field: str) -> None:
    def server(body: dict[str, object]) -> Step:
        if field in body:
            return fault("status", status=400, message=f"Unsupported parameter: '{field}'.")
        return say("Six.")

    with FakeProvider(server) as provider:
        model = make_model(provider)
        for _ in range(2):
            assert ask(model, question(max_output_tokens=50))[0] == "Six."
    assert [field in request.json for request in provider.requests] == [True, False, False]


@pytest.mark.parametrize(
    "status, words",
    [
        (400, "registry.ollama.ai/library/gemma does not support tools"),
        (400, '"auto" tool choice requires --enable-auto-tool-choice to be set'),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_the_ways_in_which_servers_refuse_tools_are_known(status: int, words: str) -> None:
    with FakeProvider([fault("status", status=status, message=words), say('{"answer": "6"}')]) as provider:
        assert ask(make_model(provider))[0] == "6"
    assert len(provider.requests) == 2
