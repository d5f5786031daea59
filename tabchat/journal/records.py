"""What is kept of a session: its tables, its edits, and of every turn what was asked, how and what it gave.

Rows are not: those of a result stay under its key, where the store keeps or computes them.
"""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, assert_never

from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, ToolCall, ToolMessage, UserMessage
from tabchat.record import record
from tabchat.store.recipe import ResultRecipe, TableRef
from tabchat.tools.envelope import ToolResultEnvelope
from tabchat.values import PlainRecord

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tabchat.chat.turn.messages import Message
    from tabchat.engine.types import JsonValue

SESSION_FORMAT: Final = 1
SHORT_ID: Final = 8
"""Characters by which a session is called."""

ChangeKind: TypeAlias = Literal["made", "undone", "redone", "saved"]


@record
class KeptBlock(PlainRecord):
    """A result behind an answer."""

    tool: str
    key: str | None
    title: str | None = None
    number: int | None = None
    """What it was called in the conversation: 1 for `r1`."""
    summary: str = ""
    shown_rows: int = 0
    recipe: ResultRecipe | None = None
    """How it is computed again; absent for a result that nothing could keep."""

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptBlock:
        """Build a block from what `to_json` returned."""
        recipe = fields["recipe"]
        return cls(**{**fields, "recipe": None if recipe is None else ResultRecipe.from_json(recipe)})


@record
class KeptFigure(PlainRecord):
    """A figure of an answer with what backs it."""

    text: str
    value: JsonValue
    status: Literal["verified", "derived", "linked", "unverified"]
    expression: str | None = None
    evidence: str | None = None
    start: int | None = None


@record
class KeptAnswer(PlainRecord):
    """An answer, without its rows."""

    question: str
    text: str = ""
    interpretation: str | None = None
    planner: Literal["rules", "llm"] | None = None
    model: str | None = None
    verdict: Literal["verified", "unverified", "not_applicable"] = "not_applicable"
    figures: tuple[KeptFigure, ...] = ()
    warnings: tuple[str, ...] = ()
    blocks: tuple[KeptBlock, ...] = ()
    messages: tuple[Message, ...] = ()
    """The turn as a conversation; of a model's turn its replies. Empty for what no later question refers to."""

    @property
    def block(self) -> KeptBlock | None:
        """The result that answers the question."""
        return self.blocks[-1] if self.blocks else None

    def to_json(self) -> dict[str, JsonValue]:
        """Return the answer as plain JSON."""
        return super().to_json() | {"messages": [message_json(message) for message in self.messages]}

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptAnswer:
        """Build an answer from what `to_json` returned."""
        return cls(
            **{
                **fields,
                "figures": tuple(KeptFigure(**figure) for figure in fields["figures"]),
                "warnings": tuple(fields["warnings"]),
                "blocks": tuple(map(KeptBlock.from_json, fields["blocks"])),
                "messages": tuple(map(read_message, fields["messages"])),
            }
        )


@record
class KeptChange(PlainRecord):
    """An edit that was made, undone or redone, or a table that was saved."""

    kind: ChangeKind
    table: str
    text: str
    """The edit in a line; the file that was written."""
    edit: Mapping[str, JsonValue] = field(default_factory=dict)
    """Canonical JSON of the edit."""


@record
class KeptTurn(PlainRecord):
    """One entry of the person, and what came of it."""

    entry: str
    at: float
    """When it was over, in seconds since the epoch."""
    code: int
    """Its exit code."""
    asked: str | None = None
    """The question, where it was one."""
    table: str | None = None
    """The table that it was about."""
    answer: KeptAnswer | None = None
    changes: tuple[KeptChange, ...] = ()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptTurn:
        """Build a turn from what `to_json` returned."""
        answer = fields["answer"]
        return cls(
            **{
                **fields,
                "answer": None if answer is None else KeptAnswer.from_json(answer),
                "changes": tuple(KeptChange(**change) for change in fields["changes"]),
            }
        )


@record
class KeptStep(PlainRecord):
    """An edit that can be undone or redone: the versions on both sides of it."""

    before: TableRef
    after: TableRef
    text: str
    edit: Mapping[str, JsonValue]
    counts: Mapping[str, JsonValue]
    """What it changed, without the cells."""
    hides: tuple[str, ...] = ()

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> KeptStep:
        """Build a step from what `to_json` returned."""
        return cls(
            **{
                **fields,
                "before": TableRef.from_json(fields["before"]),
                "after": TableRef.from_json(fields["after"]),
                "hides": tuple(fields["hides"]),
            }
        )


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
            raise ValueError(f"the role {role!r:.40} is unknown")


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
