"""What happens while a question is answered, in the order in which it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias, assert_never

from tabchat.errors import TabchatError
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from tabchat.chat.turn.answer import Answer, DataBlock
    from tabchat.chat.turn.messages import Message
    from tabchat.engine.types import JsonValue


@record
class Asking:
    """A language model is about to be asked; what follows, up to the next event of this kind, is its doing."""

    model: str


@record
class TextDelta:
    """A piece of the answer's text."""

    text: str


@record
class ToolStart:
    """A tool is about to run."""

    tool: str
    input: Mapping[str, JsonValue]


@record
class ToolEnd:
    """A tool has run."""

    tool: str
    duration_ms: float
    error: str | None = None
    reason: str | None = None
    """What went wrong, in words for the person."""


@record
class DataReady:
    """A tool gave a result, to be shown at once."""

    input: Mapping[str, JsonValue]
    block: DataBlock


@record
class Rewriting:
    """The figures of a text did not check, and the model is asked to write it again."""

    attempt: int
    """1 for the first rewriting."""
    issues: tuple[str, ...]
    """What is wrong with each figure, and what to write instead."""


@record
class Done:
    """The question is answered."""

    answer: Answer
    messages: tuple[Message, ...] = ()
    """The turn as a conversation, for the turns that follow it."""


@record
class Failed:
    """The question could not be answered; `answer` holds what there is of it."""

    error: TabchatError
    answer: Answer


Event: TypeAlias = Asking | TextDelta | ToolStart | ToolEnd | DataReady | Rewriting | Done | Failed


def last_word(events: Iterable[Event]) -> Answer:
    """Return the answer that a turn ends with; raises `TabchatError` for one that ends without."""
    last: Event | None = None
    for event in events:
        last = event
    if isinstance(last, (Done, Failed)):
        return last.answer
    raise TabchatError("The turn ended without an answer.")


def event_json(event: Event, *, rows: int = 50) -> dict[str, JsonValue]:  # noqa: PLR0911 - one for each event
    """Return the line that `--events` prints for `event`."""
    match event:
        case Asking():
            return {"event": "asking", "model": event.model}
        case TextDelta():
            return {"event": "text_delta", "text": event.text}
        case ToolStart():
            return {"event": "tool_start", "tool": event.tool, "input": dict(event.input)}
        case ToolEnd():
            return {
                "event": "tool_end",
                "tool": event.tool,
                "duration_ms": event.duration_ms,
                "error": event.error,
                "reason": event.reason,
            }
        case DataReady():
            return _data_block_json(event, rows)
        case Rewriting():
            return {"event": "rewrite", "attempt": event.attempt, "issues": list(event.issues)}
        case Done():
            return _done_json(event.answer, rows)
        case Failed():
            return {"event": "error", "error": event.error.to_json()}
        case _:
            assert_never(event)


def _data_block_json(event: DataReady, rows: int) -> dict[str, JsonValue]:
    from tabchat.chat.turn.answer import Answer

    block = event.block
    whole = Answer(question="", blocks=(block,)).to_json(rows=rows)
    return {
        "event": "data_block",
        "tool": block.tool,
        "input": dict(event.input),
        "result": {name: whole[name] for name in ("type", "value", "values", "table", "summary", "data_key")},
        "rows": block.result.frame.row_count,
        "title": block.title,
        "chart": whole["chart"],
    }


def _done_json(answer: Answer, rows: int) -> dict[str, JsonValue]:
    whole = answer.to_json(rows=rows)
    return {
        "event": "done",
        "answer": answer.text,
        "usage": answer.usage.to_json(),
        "tool_calls": len(answer.blocks),
        "data": whole,
    }
