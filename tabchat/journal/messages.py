"""The messages of a turn as JSON, so that a later process can go on from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, assert_never

from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, ToolCall, ToolMessage, UserMessage
from tabchat.tools.envelope import ToolResultEnvelope

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.chat.turn.messages import Message
    from tabchat.engine.types import JsonValue


def message_json(message: Message) -> dict[str, JsonValue]:
    """Return a message as JSON that `read_message` turns back into an equal one."""
    match message:
        case UserMessage():
            return {"role": "user", "text": message.text}
        case FeedbackMessage():
            return {"role": "feedback", "text": message.text}
        case AssistantMessage():
            return {
                "role": "assistant",
                "text": message.text,
                "calls": [_call_json(call) for call in message.tool_calls],
                "extra": dict(message.extra),
            }
        case ToolMessage():
            return {"role": "tool", "call": _call_json(message.call), "envelope": message.envelope.to_json()}
        case _:
            assert_never(message)


def read_message(fields: Mapping[str, Any]) -> Message:
    """Return a message; raises `KeyError`, `TypeError` or `ValueError` for what is none."""
    match fields["role"]:
        case "user":
            return UserMessage(text=str(fields["text"]))
        case "feedback":
            return FeedbackMessage(text=str(fields["text"]))
        case "assistant":
            calls = tuple(_read_call(call) for call in fields["calls"])
            return AssistantMessage(text=str(fields["text"]), tool_calls=calls, extra=dict(fields["extra"]))
        case "tool":
            told = {**fields["envelope"], "warnings": tuple(fields["envelope"]["warnings"])}
            return ToolMessage(call=_read_call(fields["call"]), envelope=ToolResultEnvelope(**told))
        case role:
            message = f"the role {role!r:.40} is unknown"
            raise ValueError(message)


def _call_json(call: ToolCall) -> dict[str, JsonValue]:
    return {
        "id": call.id,
        "name": call.name,
        "arguments": dict(call.arguments),
        **({"malformed": call.malformed} if call.malformed is not None else {}),
    }


def _read_call(fields: Mapping[str, Any]) -> ToolCall:
    return ToolCall(
        id=str(fields["id"]),
        name=str(fields["name"]),
        arguments=dict(fields["arguments"]),
        malformed=fields.get("malformed"),
    )
