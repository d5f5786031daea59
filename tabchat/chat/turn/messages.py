"""The conversation as typed values."""

from __future__ import annotations

from dataclasses import field
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
    malformed: str | None = None
    """The arguments as the model wrote them, when they are not one JSON object; `arguments` is empty then."""


@record
class UserMessage:
    """What the person asked."""

    text: str


@record
class AssistantMessage:
    """What a model said, and the tools it called while saying it."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    extra: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the provider wants back with the message, such as signed thinking blocks; opaque."""


@record
class FeedbackMessage:
    """What tabchat itself tells a model: figures that did not check, a call that cannot be read."""

    text: str


@record
class ToolMessage:
    """What a tool gave back."""

    call: ToolCall
    envelope: ToolResultEnvelope


Message: TypeAlias = UserMessage | AssistantMessage | FeedbackMessage | ToolMessage
