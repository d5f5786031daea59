"""What a model is told again: tool results in few words, old ones in one line, old turns left out."""

import re
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tabchat.chat.turn.memory import REMEMBERED, compact, fit, tool_text
from tabchat.chat.turn.messages import (
    AssistantMessage,
    FeedbackMessage,
    Message,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from tabchat.chat.turn.model import ModelRequest
from tabchat.engine.types import JsonValue
from tabchat.errors import ExitCode, RefusedError
from tabchat.tools.envelope import OUT_OF_BAND, ToolResultEnvelope
from tests.effort import examples

CALL = ToolCall(id="c1", name="run_query", arguments={})


def told(envelope: ToolResultEnvelope, call: ToolCall = CALL) -> ToolMessage:
    return ToolMessage(call=call, envelope=envelope)


def grouped(summary: str = "Result: 5 groups by region", **metrics: JsonValue) -> ToolResultEnvelope:
    facts: dict[str, JsonValue] = {
        "kind": "grouped",
        "row_count": 5,
        "columns": ["region", "total"],
        **metrics,
    }
    return ToolResultEnvelope(
        ok=True, summary=summary, data_key="ds_abc", metrics=facts, warnings=(OUT_OF_BAND,)
    )


def bulk(**metrics: JsonValue) -> ToolResultEnvelope:
    return grouped("Result: 5 rows", kind="table", number=3, title="Late orders", **metrics)


def test_a_result_begins_with_its_number_and_title() -> None:
    envelope = grouped(number=2, title="Totals by region")
    assert tool_text(told(envelope)) == "r2 · Totals by region\nResult: 5 groups by region"


def test_a_table_names_its_columns_and_says_that_rows_are_not_shown() -> None:
    assert tool_text(told(bulk(columns=["region", "odd name", "__row__"]))) == (
        'r3 · Late orders\nResult: 5 rows\ncolumns: region, "odd name"; rows not shown'
    )
    assert tool_text(told(bulk(row_count=0))).endswith("\ncolumns: region, total")
    # Of one row the summary has them all.
    assert tool_text(told(bulk(row_count=1))).endswith("Result: 5 rows")


def test_rows_and_warnings_follow() -> None:
    rows: list[JsonValue] = [{"region": "Asia", "total": 1.5}, {"region": "Río Negro", "total": None}]
    envelope = replace(
        grouped(preview_truncated=True),
        preview={"rows": rows},
        warnings=("Unknown session 'x', using all data", OUT_OF_BAND),
    )
    assert tool_text(told(envelope)).splitlines()[1:] == [
        "rows (first 2 of 5):",
        "region | total",
        "Asia | 1.5",
        '"Río Negro" | null',
        "Warning: Unknown session 'x', using all data",
    ]
    whole = tool_text(told(replace(envelope, metrics={**envelope.metrics, "row_count": 2})))
    assert whole.splitlines()[1] == "rows:"


def test_many_columns_are_listed_as_far_as_there_is_room() -> None:
    names = [f"column_{number}" for number in range(400)]
    text = tool_text(told(bulk(columns=list(names))))
    assert "columns: column_0, column_1, " in text
    assert re.search(r", … \+\d+ more columns; rows not shown$", text)
    assert len(text) < 450


def test_an_error_says_what_to_change_once() -> None:
    envelope = ToolResultEnvelope(
        ok=False,
        summary="Error executing 'run_query': There is no column 'x'. Did you mean y?",
        error="PlanError",
    )
    assert tool_text(told(envelope)) == "Error: There is no column 'x'. Did you mean y?"


def test_control_characters_never_reach_a_model() -> None:
    text = tool_text(told(grouped(summary="a\x1b[31mb\x00c\u202ed\nnext")))
    assert text == "a [31mb c d\nnext"


def test_a_long_result_of_an_earlier_turn_is_told_in_one_line_of_a_fixed_form() -> None:
    facts: dict[str, JsonValue] = {"row_count": 100, "columns": list("abcde"), "number": 7, "title": "All"}
    long = told(grouped(summary="Result: " + "x" * REMEMBERED, **facts))
    short = told(grouped())
    kept = compact([long, short, long], keep_from=2)
    assert isinstance(kept[0], ToolMessage)
    assert tool_text(kept[0]) == "r7 · All\n[Result ds_abc: 100 rows × 5 columns – truncated for memory]"
    assert kept[1:] == (short, long)


def test_a_result_of_exactly_the_limit_is_kept() -> None:
    envelope = ToolResultEnvelope(ok=True, summary="x" * REMEMBERED)
    assert compact([told(envelope)], keep_from=1) == (told(envelope),)
    longer = replace(envelope, summary="x" * (REMEMBERED + 1))
    (kept,) = compact([told(longer, replace(CALL, name="describe_table"))], keep_from=1)
    assert isinstance(kept, ToolMessage)
    assert tool_text(kept) == "[Result of describe_table – truncated for memory]"


def test_a_long_error_of_an_earlier_turn_stays_an_error() -> None:
    envelope = ToolResultEnvelope(ok=False, summary="y" * 900, error="PlanError")
    (kept,) = compact([told(envelope)], keep_from=1)
    assert isinstance(kept, ToolMessage)
    assert tool_text(kept) == f"Error: {'y' * 200}… – truncated for memory"


def size(request: ModelRequest) -> int:
    """Count characters, as a stand-in for tokens that every message adds to."""
    total = len(request.system)
    for message in request.messages:
        match message:
            case ToolMessage():
                total += len(tool_text(message))
            case AssistantMessage():
                total += len(message.text) + 10 * len(message.tool_calls)
            case _:
                total += len(message.text)
    return total


def turn(number: int, results: Sequence[int], answer: str = "done") -> list[Message]:
    """One turn with a round of tool calls for each of `results`, which are lengths of summaries."""
    messages: list[Message] = [UserMessage(text=f"question {number}")]
    for place, length in enumerate(results):
        call = replace(CALL, id=f"call_{number}_{place}")
        metrics: dict[str, JsonValue] = {"row_count": 7, "columns": ["a", "b"]}
        envelope = ToolResultEnvelope(
            ok=True, summary="s" * length, data_key=f"ds_{number}_{place}", metrics=metrics
        )
        messages += [AssistantMessage(tool_calls=(call,)), told(envelope, call)]
    return [*messages, AssistantMessage(text=answer)] if answer else messages


def test_what_fits_is_sent_as_it_is() -> None:
    request = ModelRequest(messages=(*turn(1, [50]), *turn(2, [50])), system="rules")
    assert fit(request, size, size(request)) is request


def test_the_oldest_turns_are_left_out_first_and_a_first_line_says_how_many() -> None:
    messages = (*turn(1, [300]), *turn(2, [300]), *turn(3, [300]), UserMessage(text="now?"))
    request = ModelRequest(messages=messages)
    fitted = fit(request, size, 900)
    assert fitted.messages[0] == UserMessage(
        text="[1 earlier turn of this conversation left out]\nquestion 2"
    )
    assert fitted.messages[1:] == messages[5:]
    last = fit(request, size, 100)
    assert last.messages == (UserMessage(text="[3 earlier turns of this conversation left out]\nnow?"),)


def test_then_earlier_results_of_this_turn_are_told_in_short_but_never_the_last_ones() -> None:
    messages = tuple(turn(1, [800, 800, 400], answer=""))
    fitted = fit(ModelRequest(messages=messages), size, 800)
    texts = [tool_text(message) for message in fitted.messages if isinstance(message, ToolMessage)]
    assert texts[0] == "[Result ds_1_0: 7 rows × 2 columns – truncated for memory]"
    assert texts[2].startswith("s" * 400)


def test_a_question_that_cannot_fit_is_refused_with_both_numbers() -> None:
    with pytest.raises(RefusedError, match=r"take 2,008 tokens; only 1,500 fit") as caught:
        fit(ModelRequest(messages=(UserMessage(text="question"),), system="r" * 2000), size, 1_500)
    assert caught.value.exit_code == ExitCode.REFUSED
    assert caught.value.code == "budget"


LENGTHS = st.lists(st.integers(0, 900), max_size=3)


@settings(deadline=None, max_examples=examples(60))
@given(st.lists(LENGTHS, max_size=5), LENGTHS, st.integers(0, 4_000))
def test_whatever_is_sent_fits_holds_the_question_and_splits_no_call_from_its_result(
    earlier: list[list[int]], own: list[int], limit: int
) -> None:
    past = [message for number, results in enumerate(earlier) for message in turn(number, results)]
    now = [*turn(99, own, answer=""), FeedbackMessage(text="Validation errors: none")]
    request = ModelRequest(messages=(*past, *now))
    try:
        fitted = fit(request, size, limit)
    except RefusedError:
        assert limit < size(request)
        return
    assert size(fitted) <= limit
    questions = [message.text for message in fitted.messages if isinstance(message, UserMessage)]
    assert questions[-1].endswith("question 99")
    waiting: list[str] = []
    for message in fitted.messages:
        if isinstance(message, AssistantMessage):
            waiting = [call.id for call in message.tool_calls]
        elif isinstance(message, ToolMessage):
            assert message.call.id == waiting.pop(0)
