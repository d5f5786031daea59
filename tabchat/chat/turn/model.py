"""What the turn asks of a model, whether rules or a language model stand behind it."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from tabchat.chat.turn.answer import Usage
from tabchat.record import made_later, mutable, record

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from tabchat.answers.receipts import Receipt
    from tabchat.chat.turn.messages import Message, ToolCall
    from tabchat.engine.types import JsonValue
    from tabchat.errors import OfferedReading


@record
class ModelRequest:
    """One call of a model: the conversation so far and the tools it may use."""

    messages: Sequence[Message]
    system: str = ""
    """Rules, and what may be told of the tables."""
    tools: Sequence[Mapping[str, JsonValue]] = made_later(default=())
    table: str | None = None
    """Name of the table that the question is about."""
    max_output_tokens: int | None = None
    """Most tokens that the reply may have; the model's own limit when absent."""
    timeout: float | None = None
    """Seconds that the whole reply may take; no limit when absent."""


@record
class Reply:
    """A model's turn is over: its text, the tools it wants run, what it cost."""

    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    """Figures that the model itself traced to their evidence (phrasing by rules does)."""
    interpretation: str | None = None
    readings: tuple[OfferedReading, ...] = ()
    """What else the question could mean, the likeliest first, the one that is answered included."""
    warnings: tuple[str, ...] = ()
    """Sentences for the person, beside the answer."""
    finish: Literal["stop", "tool_calls", "length"] = "stop"
    """Why the reply ended; `length` is a text that was cut."""
    extra: Mapping[str, JsonValue] = field(default_factory=dict)
    """What the provider wants back with this message in later requests; opaque."""
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

    @property
    def name(self) -> str:
        """What the model is called, for the person."""

    @property
    def planner(self) -> Literal["rules", "llm"]:
        """Whether rules or a language model stand behind it."""

    def respond(self, request: ModelRequest) -> Iterator[Piece]:
        """Answer `request`."""


@mutable
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
