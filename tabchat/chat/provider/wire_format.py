"""A request as the chat protocol writes it: messages and tools, with the tools' own calls or with actions in text."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Final, TypeAlias, assert_never

from tabchat.chat.provider.text_tool_calls import action_text, describe_tools
from tabchat.chat.turn.memory import tool_text
from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, ToolMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from tabchat.chat.turn.messages import Message, ToolCall
    from tabchat.chat.turn.model import ModelRequest
    from tabchat.engine.types import JsonValue

WireMessage: TypeAlias = "dict[str, JsonValue]"

_UNCALLABLE: Final = re.compile(r"[^A-Za-z0-9_-]")
_NAME_LENGTH: Final = 64
"""Characters of a tool's name that OpenAI and Anthropic accept."""

MALFORMED_SHOWN: Final = 500
"""Characters of arguments that could not be read which the model sees again."""


def native_messages(request: ModelRequest, model: str) -> list[WireMessage]:
    """Return the conversation for `model`, which calls tools by the protocol."""
    return [*_system(request.system), *(_native(message, model) for message in request.messages)]


def extra_for(model: str, fields: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return the `extra` of a reply: fields that `model`, and no other one, wants back with it."""
    return {"model": model, "fields": dict(fields)} if fields else {}


def native_tools(tools: Sequence[Mapping[str, JsonValue]]) -> list[dict[str, JsonValue]]:
    """Return `tools` in the form of the protocol; definitions may be in it already."""
    return [
        dict(tool) if "function" in tool else {"type": "function", "function": dict(tool)} for tool in tools
    ]


def messages_in_words(request: ModelRequest) -> list[WireMessage]:
    """Return the conversation for a model without tool calling: calls and results are plain texts."""
    rules = describe_tools([_definition(tool) for tool in request.tools]) if request.tools else ""
    system = "\n\n".join(part for part in (request.system, rules) if part)
    said = (one for message in request.messages for one in _in_words(message))
    return [*_system(system), *_merged(said)]


def canonical(model: str, messages: list[WireMessage], tools: list[dict[str, JsonValue]]) -> bytes:
    """Return one request as JSON with sorted keys: equal requests give equal bytes."""
    content = {"model": model, "messages": messages} | ({"tools": tools} if tools else {})
    return json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1).encode()


def _sendable(text: str) -> str:
    """Return `text` without lone surrogates, which no request can carry."""
    return text.encode("utf-8", "replace").decode()


def _json(value: JsonValue) -> str:
    return _sendable(json.dumps(value, ensure_ascii=False))


def _system(text: str) -> Iterator[WireMessage]:
    if text:
        yield {"role": "system", "content": _sendable(text)}


def _native(message: Message, model: str) -> WireMessage:
    match message:
        case UserMessage() | FeedbackMessage():
            return {"role": "user", "content": _sendable(message.text)}
        case AssistantMessage():
            return _assistant(message, model)
        case ToolMessage():
            return {"role": "tool", "tool_call_id": message.call.id, "content": tool_text(message)}
        case _:
            assert_never(message)


def _assistant(message: AssistantMessage, model: str) -> WireMessage:
    wanted = message.extra.get("fields") if message.extra.get("model") == model else None
    fields = dict(wanted) if isinstance(wanted, dict) else {}
    of_calls = fields.pop("tool_fields", None)
    by_call = of_calls if isinstance(of_calls, dict) else {}
    wire: WireMessage = {"role": "assistant", "content": _sendable(message.text) or None, **fields}
    if message.tool_calls:
        wire["tool_calls"] = [_call(call, by_call.get(call.id)) for call in message.tool_calls]
    elif not message.text:
        # A message with neither is refused by every provider.
        wire["content"] = "…"
    return wire


def _call(call: ToolCall, fields: JsonValue) -> dict[str, JsonValue]:
    # Adapters parse the arguments again: what is not JSON would break the whole conversation.
    arguments = {"malformed": call.malformed[:MALFORMED_SHOWN]} if call.malformed else dict(call.arguments)
    wire: dict[str, JsonValue] = {
        "id": call.id,
        "type": "function",
        "function": {"name": _callable(call.name), "arguments": _json(arguments)},
    }
    return wire | ({"provider_specific_fields": fields} if fields else {})


def _callable(name: str) -> str:
    """Return `name` with the characters that providers accept of it in a conversation, whoever wrote it."""
    return _UNCALLABLE.sub("_", name)[:_NAME_LENGTH] or "unnamed"


def _definition(tool: Mapping[str, JsonValue]) -> Mapping[str, JsonValue]:
    function = tool.get("function")
    return function if isinstance(function, dict) else tool


def _in_words(message: Message) -> Iterator[WireMessage]:
    match message:
        case UserMessage() | FeedbackMessage():
            yield {"role": "user", "content": _sendable(message.text)}
        case AssistantMessage(tool_calls=()):
            yield {"role": "assistant", "content": _json({"answer": message.text})}
        case AssistantMessage():
            # This form has one call in a reply; earlier calls of another model are written one after the other.
            lines = (action_text(call.name, call.arguments) for call in message.tool_calls)
            yield {"role": "assistant", "content": _sendable("\n".join(lines))}
        case ToolMessage():
            yield {"role": "user", "content": f"Result of {message.call.name}:\n{tool_text(message)}"}
        case _:
            assert_never(message)


def _merged(messages: Iterable[WireMessage]) -> Iterator[WireMessage]:
    """Join neighbours of one role: some models' templates take strict alternation only."""
    last: WireMessage | None = None
    for message in messages:
        if last is not None and last["role"] == message["role"]:
            last = last | {"content": f"{last['content']}\n\n{message['content']}"}
            continue
        if last is not None:
            yield last
        last = message
    if last is not None:
        yield last
