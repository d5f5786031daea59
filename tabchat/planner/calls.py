"""The calls of a conversation: one text for each, and those behind its last answer."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from tabchat.chat.turn.messages import ToolCall, ToolMessage, UserMessage

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from tabchat.chat.turn.messages import Message
    from tabchat.values import JsonValue


def canonical(tool: str, arguments: Mapping[str, JsonValue]) -> str:
    """Return a call as one text, by which it is found again."""
    return json.dumps([tool, dict(arguments)], sort_keys=True, default=str)


def last_calls(earlier: Sequence[Message]) -> list[ToolCall]:
    """Return the calls behind the last answer of a conversation that gave a result."""
    calls: list[ToolCall] = []
    for message in reversed(earlier):
        if isinstance(message, UserMessage):
            break
        if isinstance(message, ToolMessage) and message.envelope.ok:
            calls.append(message.call)
    return calls
