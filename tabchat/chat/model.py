"""What the turn asks of a model, whether rules or a language model stand behind it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from tabchat.chat.answer import Claim, Usage
from tabchat.record import record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.chat.messages import Message, ToolCall
    from tabchat.engine.types import JsonValue


@record
class ModelRequest:
    """One call of a model: the conversation so far and the tools it may use."""

    messages: Sequence[Message]
    tools: Sequence[Mapping[str, JsonValue]] = ()
    table: str | None = None
    """Name of the table that the question is about."""


@record
class Reply:
    """A model's turn is over: its text, the tools it wants run, what it cost."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    claims: tuple[Claim, ...] = ()
    """Figures that the model itself traced to their evidence (phrasing by rules does)."""
    interpretation: str | None = None
    usage: Usage = field(default_factory=Usage)


@record
class Delta:
    """A piece of a model's text, as it arrives."""

    text: str


Piece: TypeAlias = Delta | Reply


class Model(Protocol):
    """Turns a conversation into text or tool calls.

    `respond` yields any number of `Delta`s and then exactly one `Reply`. It
    raises `NotUnderstoodError` when it will not answer, so that the next model
    can be asked, and `ModelError` when it cannot.
    """

    name: str
    planner: Literal["rules", "llm"]

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Answer `request`."""


@dataclass
class ScriptedModel:
    """A model that says what it was given, reply by reply; for tests and demonstrations."""

    replies: Sequence[Reply]
    name: str = "scripted"
    planner: Literal["rules", "llm"] = "llm"
    requests: list[ModelRequest] = field(default_factory=list)
    """Every request that was made, in order."""

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Return the next reply of the script; the last one repeats."""
        self.requests.append(request)
        reply = self.replies[min(len(self.requests), len(self.replies)) - 1]
        if reply.text:
            yield Delta(text=reply.text)
        yield reply
