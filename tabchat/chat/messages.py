"""The conversation as typed values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.engine.types import JsonValue
    from tabchat.tools.envelope import ToolResultEnvelope


@dataclass(frozen=True, kw_only=True)
class ToolCall:
    """A model's request to run a tool."""

    id: str
    name: str
    arguments: Mapping[str, JsonValue]


@dataclass(frozen=True, kw_only=True)
class UserMessage:
    """What the person asked."""

    text: str


@dataclass(frozen=True, kw_only=True)
class AssistantMessage:
    """What a model said, and the tools it called while saying it."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()


@dataclass(frozen=True, kw_only=True)
class ToolMessage:
    """What a tool gave back."""

    call: ToolCall
    envelope: ToolResultEnvelope


Message: TypeAlias = UserMessage | AssistantMessage | ToolMessage
