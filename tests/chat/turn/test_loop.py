"""A turn asks models in order, runs their tools, and ends with exactly one verdict."""

from collections.abc import Iterator
from pathlib import Path
from typing import Literal

from tabchat.answers.receipts import Receipt
from tabchat.chat.turn.events import (
    Asking,
    DataReady,
    Done,
    Event,
    Failed,
    TextDelta,
    ToolEnd,
    ToolStart,
    event_json,
)
from tabchat.chat.turn.loop import run_turn
from tabchat.chat.turn.messages import AssistantMessage, ToolCall, ToolMessage, UserMessage
from tabchat.chat.turn.model import Delta, Model, ModelRequest, Piece, Reply, ScriptedModel
from tabchat.chat.turn.speaker import Speaker
from tabchat.engine.types import JsonValue
from tabchat.errors import ModelError, NotUnderstoodError
from tabchat.tools.privacy import MOST_CALLS
from tests.conftest import Example
from tests.workspace import make_executor, make_workspace


class Refuses:
    """A model that understands nothing."""

    name = "refuses"
    planner: Literal["rules", "llm"] = "rules"

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        message = f"not understood: {request.messages[-1]}"
        yield from ()
        raise NotUnderstoodError(message, words=["frobnicate"])


class SaysNothing(Refuses):
    """A model that ends without a reply."""

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        yield Delta(text=request.messages[0].text if isinstance(request.messages[0], UserMessage) else "")


def call(name: str, **arguments: JsonValue) -> Reply:
    return Reply(tool_calls=(ToolCall(id="1", name=name, arguments=arguments),))


def turn(folder: Path, source: Path, *models: Model, rounds: int = 8) -> list[Event]:
    executor = make_executor(make_workspace(folder, source))
    speakers = [Speaker.plain(model, executor) for model in models]
    return list(run_turn("How many?", speakers=speakers, max_rounds=rounds))


def test_a_tool_call_becomes_a_block_and_the_text_the_answer(tmp_path: Path, example: Example) -> None:
    claim = Receipt(text="5000", value=5000, status="verified", evidence="value")
    model = ScriptedModel([call("run_query", select="count()"), Reply(text="5000 rows.", receipts=(claim,))])
    events = turn(tmp_path, example("sales.csv"), model)
    assert [type(event) for event in events] == [
        Asking,
        ToolStart,
        ToolEnd,
        DataReady,
        Asking,
        TextDelta,
        Done,
    ]
    done = events[-1]
    assert isinstance(done, Done)
    assert done.answer.text == "5000 rows."
    assert done.answer.block is not None
    assert done.answer.block.result.value == 5000
    assert done.answer.planner == "llm"
    assert done.answer.verification.status == "verified"
    assert [type(message) for message in done.messages] == [
        UserMessage,
        AssistantMessage,
        ToolMessage,
        AssistantMessage,
    ]


def test_the_model_sees_the_summary_and_never_the_frame(tmp_path: Path, example: Example) -> None:
    model = ScriptedModel([call("run_query", columns=["customer"]), Reply(text="Done.")])
    turn(tmp_path, example("sales.csv"), model)
    told = model.requests[-1].messages[-1]
    assert isinstance(told, ToolMessage)
    assert "Olive Group" not in str(told.envelope.to_json()["summary"])
    assert not hasattr(told.envelope, "result")


def test_the_next_model_is_asked_when_one_refuses(tmp_path: Path, example: Example) -> None:
    events = turn(tmp_path, example("sales.csv"), Refuses(), ScriptedModel([Reply(text="Hello.")]))
    assert isinstance(events[-1], Done)
    assert events[-1].answer.verification.status == "not_applicable"


def test_when_all_refuse_the_first_refusal_is_told(tmp_path: Path, example: Example) -> None:
    (failed,) = turn(tmp_path, example("sales.csv"), Refuses(), Refuses())
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, NotUnderstoodError)
    assert failed.error.words == ("frobnicate",)
    assert not failed.answer.ok


def test_without_a_model_the_turn_says_so(tmp_path: Path, example: Example) -> None:
    (failed,) = turn(tmp_path, example("sales.csv"))
    assert isinstance(failed, Failed)
    assert failed.error.hint


def test_rules_do_not_try_again(tmp_path: Path, example: Example) -> None:
    model = ScriptedModel([call("run_query", where="revenu > 1"), Reply(text="never")], planner="rules")
    failed = turn(tmp_path, example("sales.csv"), model)[-1]
    assert isinstance(failed, Failed)
    assert failed.error.code == "plan_invalid"


def test_a_model_without_a_reply_is_an_error(tmp_path: Path, example: Example) -> None:
    failed = turn(tmp_path, example("sales.csv"), SaysNothing())[-1]
    assert isinstance(failed, Failed)
    assert isinstance(failed.error, ModelError)


def test_events_have_the_form_that_scripts_read(tmp_path: Path, example: Example) -> None:
    model = ScriptedModel(
        [call("run_query", select="count()", group_by="region", title="Orders"), Reply(text="Five.")]
    )
    lines = [event_json(event) for event in turn(tmp_path, example("sales.csv"), model)]
    assert [line["event"] for line in lines] == [
        "asking",
        "tool_start",
        "tool_end",
        "data_block",
        "asking",
        "text_delta",
        "done",
    ]
    lines = [line for line in lines if line["event"] != "asking"]
    assert set(lines[1]) == {"event", "tool", "duration_ms", "error", "reason"}
    block = lines[2]
    assert set(block) == {"event", "tool", "input", "result", "rows", "title", "chart"}
    assert (block["rows"], block["title"], block["chart"]) == (
        5,
        "Orders",
        {"category": "region", "value": "count"},
    )
    assert set(lines[4]) == {"event", "answer", "usage", "tool_calls", "data"}
    (failed,) = [event_json(event) for event in turn(tmp_path, example("sales.csv"), Refuses())]
    assert failed["event"] == "error"


def test_a_question_has_forty_calls_also_in_one_reply(tmp_path: Path, example: Example) -> None:
    calls = tuple(
        ToolCall(id=str(n), name="run_query", arguments={"where": f"quantity > {n}"}) for n in range(300)
    )
    model = ScriptedModel([Reply(tool_calls=calls), Reply(text="Done.")])
    done = turn(tmp_path, example("sales.csv"), model)[-1]
    assert isinstance(done, Done)
    told = [message.envelope for message in model.requests[-1].messages if isinstance(message, ToolMessage)]
    assert [envelope.ok for envelope in told] == [True] * MOST_CALLS + [False] * (300 - MOST_CALLS)
    assert "40 calls" in told[-1].summary
    assert len(done.answer.blocks) == MOST_CALLS
