"""The conversation as typed values."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.tools.envelope import ToolResultEnvelope


@record
class ToolCall:
    """A model's request to run a tool."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue]


@record
class UserMessage:
    """What the person asked."""

    text: str


@record
class AssistantMessage:
    """What a model said, and the tools it called while saying it."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


@record
class ToolMessage:
    """What a tool gave back."""

    call: ToolCall
    envelope: ToolResultEnvelope


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage
