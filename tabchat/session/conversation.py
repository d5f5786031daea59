"""What was said so far: answers for the person, and the part of it that a model may be told."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from typing import TYPE_CHECKING, Final

from tabchat.chat.turn.messages import AssistantMessage, FeedbackMessage, ToolCall, ToolMessage, UserMessage
from tabchat.record import mutable, record
from tabchat.tools.code.result_numbers import ResultNumbers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from tabchat.chat.turn.answer import Answer, DataBlock
    from tabchat.chat.turn.events import Done
    from tabchat.chat.turn.messages import Message
    from tabchat.engine.types import JsonValue
    from tabchat.tools.envelope import ToolOutcome

HISTORY_TURNS: Final = 20
"""Turns that a follow-up question can refer to."""

_NAMES: Final = frozenset({"table", "title", "limit"})
"""Arguments that hold no value of a cell."""
_VALUE: Final = re.compile(r"'(?:[^']|'')*'|\d+(?:\.\d+)?")


@record
class RememberedTurn:
    """One answered question."""

    answer: Answer
    messages: tuple[Message, ...]


@mutable
class Conversation:
    """The turns of one conversation, in order."""

    answers: list[Answer] = field(default_factory=list)
    turns: list[RememberedTurn] = field(default_factory=list)
    """The turns that later ones may refer to; computed results of the person's own plans are not among them."""
    numbers: ResultNumbers = field(default_factory=ResultNumbers)
    """The results that `r1`, `r2` … and `_` stand for."""

    def remember(self, event: Done) -> None:
        """Add an answered question."""
        self.answers.append(event.answer)
        self.turns.append(RememberedTurn(answer=event.answer, messages=event.messages))
        del self.turns[:-HISTORY_TURNS]

    def forget(self) -> None:
        """Drop what models could be told, when what they may see has changed."""
        self.turns.clear()

    def all_messages(self) -> list[Message]:
        """Return the conversation as rules see it: whole."""
        return [message for turn in self.turns for message in turn.messages]

    def for_model(self, hidden: Collection[str]) -> list[Message]:
        """Return the conversation as a model may see it.

        What rules answered is told by its key, not in the words that the person
        read, which hold more than a summary may. A turn that touches a hidden
        column is not told at all.
        """
        return [
            message
            for turn in self.turns
            if not touches(turn, hidden)
            for message in (turn.messages if turn.answer.planner == "llm" else _without_words(turn.messages))
        ]

    def blocks(self, hidden: Collection[str]) -> tuple[DataBlock, ...]:
        """Return the results of earlier turns that a figure of a model's answer may come from."""
        return tuple(
            block for turn in self.turns if not touches(turn, hidden) for block in turn.answer.blocks
        )


def turn_of(
    asked: str, tool: str, arguments: Mapping[str, JsonValue], outcome: ToolOutcome
) -> tuple[Message, ...]:
    """Return what a person had computed without a question as a turn of the conversation."""
    call = ToolCall(id=f"own-{outcome.envelope.data_key}", name=tool, arguments=arguments)
    return (
        UserMessage(text=asked),
        AssistantMessage(tool_calls=(call,)),
        ToolMessage(call=call, envelope=outcome.envelope),
        AssistantMessage(text=outcome.envelope.summary),
    )


def touches(turn: RememberedTurn, hidden: Collection[str]) -> bool:
    """Return whether a turn names a hidden column anywhere: in words, in a plan or SQL, in a result."""
    if not hidden:
        return False
    said = [turn.answer.question, turn.answer.text, turn.answer.interpretation or ""]
    said += [
        f"{dict(message.call.arguments)} {message.envelope.to_json()}"
        for message in turn.messages
        if isinstance(message, ToolMessage)
    ]
    for block in turn.answer.blocks:
        said += [block.result.sql, *block.result.frame.columns]
    text = "\n".join(said).casefold()
    return any(name.rpartition(".")[2].casefold() in text for name in hidden)


def _without_words(messages: Sequence[Message]) -> list[Message]:
    """Return a turn of rules as a model may see it: the question, the plan, and keys instead of the answer's words.

    A plan is left out when it holds a text or a number that the person did not
    write: the planner found it in the cells, as the value behind a typo or as the
    end of the data.
    """
    question = " ".join(message.text for message in messages if isinstance(message, UserMessage))
    results = [message for message in messages if isinstance(message, ToolMessage)]
    told = ", ".join(_shape(message) for message in results if message.envelope.data_key)
    answered = AssistantMessage(text=f"[Answered from {told}]" if told else "[Answered]")
    if not all(_holds_only(message.call.arguments, question) for message in results):
        return [*(message for message in messages if isinstance(message, UserMessage)), answered]
    return [*(message for message in messages if not _is_text(message)), answered]


def _is_text(message: Message) -> bool:
    return isinstance(message, FeedbackMessage) or (
        isinstance(message, AssistantMessage) and not message.tool_calls
    )


def _shape(message: ToolMessage) -> str:
    metrics = message.envelope.metrics
    return f"r{metrics.get('number')}: {metrics.get('row_count')} rows"


def _holds_only(arguments: Mapping[str, JsonValue], question: str) -> bool:
    """Return whether every quoted text and every number in `arguments` stands in `question`."""
    said = question.casefold()
    values = "\n".join(_texts([value for name, value in arguments.items() if name not in _NAMES]))
    found = [match.strip("'").replace("''", "'") for match in _VALUE.findall(values)]
    return all(value.casefold() in said for value in found)


def _texts(value: JsonValue) -> Iterator[str]:
    if isinstance(value, Mapping):
        for name, item in value.items():
            yield str(name)
            yield from _texts(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from _texts(item)
    else:
        yield str(value)
